//! Whatever is set in whatever order: what is sent and kept is possible, and nothing that was typed goes by itself.

use hearth_protocol::generate::MirostatVersion;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn parameters() -> impl Strategy<Value = Parameter> {
    use Parameter::*;
    select(vec![
        Temperature,
        TopK,
        RepeatPenalty,
        TopNSigma,
        XtcProbability,
        XtcThreshold,
        DryMultiplier,
        DryBase,
        DryLast,
        MirostatTau,
        Seed,
        MaxTokens,
        ThinkingBudget,
    ])
}

fn person() -> impl Strategy<Value = PanelMsg> {
    let texts = [
        "",
        "0",
        "0.5",
        "1",
        "-1",
        "7",
        "100",
        "1e9",
        "4294967296",
        "NaN",
        "x",
    ];
    let forms = [
        "",
        "{",
        "{}",
        "{\"type\": \"null\"}",
        "{\"type\": 1}",
        "[a-z]+",
        "root ::= \"a\"",
    ];
    prop_oneof![
        6 => (parameters(), select(texts.to_vec()))
            .prop_map(|(parameter, text)| PanelMsg::Number(parameter, NumberMsg::Typed(text.into()))),
        2 => parameters().prop_map(|parameter| PanelMsg::Number(parameter, NumberMsg::Done)),
        2 => (parameters(), 0.0..1.0_f64).prop_map(|(parameter, share)| PanelMsg::Number(parameter, NumberMsg::Slid(share))),
        2 => (parameters(), select(vec![-10.0, 1.0]))
            .prop_map(|(parameter, steps)| PanelMsg::Number(parameter, NumberMsg::Stepped(steps))),
        2 => parameters().prop_map(|parameter| PanelMsg::Number(parameter, NumberMsg::Reset)),
        1 => Just(PanelMsg::ResetSampling),
        1 => select(vec![None, Some(MirostatVersion::V2)]).prop_map(PanelMsg::SetMirostat),
        1 => select(FormKind::ALL.to_vec()).prop_map(PanelMsg::SetForm),
        3 => select(forms.to_vec()).prop_map(|text| PanelMsg::FormTyped(text.into())),
        1 => select(vec!["", "{\"a\": 1}", "1"]).prop_map(|text| PanelMsg::ArgumentsTyped(text.into())),
        1 => "[a\\\\n]{0,3}".prop_map(PanelMsg::StopTyped),
        1 => Just(PanelMsg::AddStop),
        1 => (0_usize..3).prop_map(PanelMsg::RemoveStop),
        1 => select(vec![None, Some("low")]).prop_map(PanelMsg::SetEffort),
        1 => Just(PanelMsg::ResetAll),
        1 => Just(PanelMsg::MakeDefault),
        1 => Just(PanelMsg::Toggle),
        1 => any::<bool>().prop_map(PanelMsg::SetNarrow),
    ]
}

fn others() -> impl Strategy<Value = Msg> {
    prop_oneof![
        Just(Msg::Tick),
        Just(Msg::NewChat),
        (1_i64..3).prop_map(|chat| Msg::OpenChat(ChatId(chat))),
        (1_i64..3).prop_map(opened),
        Just(draft("Hi")),
        Just(Msg::Send),
        Just(told(PanelNews::Kept {
            chat: ChatId(1),
            result: Ok(())
        })),
        Just(Msg::Escape),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_sent_and_kept_is_always_possible(
        msgs in proptest::collection::vec(prop_oneof![3 => person().prop_map(set), 1 => others()], 0..60),
    ) {
        let mut desk = desk();
        for msg in msgs {
            let effects = update(&mut desk, msg.clone());
            for (_, options) in kept(&effects) {
                prop_assert_eq!(options.validate(), Ok(()), "after {:?}", msg);
            }
            for effect in &effects {
                if let Effect::Backend(BackendEffect::Send { turn, .. }) = effect {
                    prop_assert_eq!(turn.options.validate(), Ok(()), "after {:?}", msg);
                }
            }
            if let Msg::Panel(PanelMsg::Number(parameter, NumberMsg::Typed(text))) = &msg {
                let now = shown(&desk);
                let all = [now.sampling, now.fine, now.mirostat_numbers, now.length, now.budget];
                let field = all.into_iter().flatten().find(|number| number.number == Number::Panel(*parameter));
                prop_assert!(field.is_none_or(|field| field.text == *text), "{:?} is lost", text);
            }
        }
    }
}
