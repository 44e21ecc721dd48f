//! The panel beside the chat: what counts, what is kept and when, and what cannot count.

mod keeping;
mod presets;
mod walk;

use hearth_protocol::answer::{ContextPolicy, Format};
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::settings::chat_panel::PanelSection;

use super::*;
use crate::effect::BackendEffect;
use crate::effect::panel::PanelEffect;
use crate::msg::number::NumberMsg;
use crate::msg::panel::{PanelMsg, PanelNews};
use crate::state::number::{Number, NumberView};
use crate::state::panel::Prompt;
use crate::state::panel::forms::FormKind;
use crate::state::panel::parameter::Parameter;
use crate::state::panel::view::PanelView;

pub(super) fn set(msg: PanelMsg) -> Msg {
    Msg::Panel(msg)
}

pub(super) fn typed(parameter: Parameter, text: &str) -> Msg {
    set(PanelMsg::Number(parameter, NumberMsg::Typed(text.into())))
}

pub(super) fn told(news: PanelNews) -> Msg {
    Msg::Backend(News::Panel(news))
}

/// A desk with the settings read and the panel open in the first of three chats.
pub(super) fn desk() -> Desk {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::Backend(News::SettingsRead(Ok(Settings::default()))),
        set(PanelMsg::Toggle),
    ]);
    desk.log.clear();
    desk
}

pub(super) fn shown(desk: &Desk) -> PanelView {
    desk.state.panel_view()
}

fn number(desk: &Desk, parameter: Parameter) -> NumberView {
    let shown = shown(desk);
    let all = [
        shown.sampling,
        shown.fine,
        shown.mirostat_numbers,
        shown.length,
        shown.budget,
    ];
    let found = all
        .into_iter()
        .flatten()
        .find(|number| number.number == Number::Panel(parameter));
    found.expect("it is shown")
}

fn sampling(desk: &Desk) -> SamplingParams {
    desk.state.effective().sampling
}

/// What was asked to be kept of chats, in order.
fn kept(effects: &[Effect]) -> Vec<(ChatId, TurnOptions)> {
    let of_panel = |effect: &Effect| match effect {
        Effect::Backend(BackendEffect::Panel(PanelEffect::Keep { chat, options })) => {
            Some((*chat, (**options).clone()))
        }
        _ => None,
    };
    effects.iter().filter_map(of_panel).collect()
}

fn update(desk: &mut Desk, msg: Msg) -> Vec<Effect> {
    desk.now += 1_000;
    desk.state.update(msg, UnixMillis(desk.now))
}

/// The first chat as it is read with these options.
fn opened_with(options: TurnOptions) -> Msg {
    let Msg::Backend(News::Opened {
        chat,
        result: Ok(read),
    }) = opened(1)
    else {
        panic!("another message");
    };
    let result = Ok(Chat { options, ..read });
    Msg::Backend(News::Opened { chat, result })
}

#[test]
fn the_panel_is_opened_and_folded_and_that_is_kept() {
    let mut desk = desk();
    assert!(desk.state.panel_is_shown());
    let effects = update(&mut desk, set(PanelMsg::ToggleSection(PanelSection::Form)));
    let Some(Effect::Backend(BackendEffect::WriteSettings(settings))) = effects.first() else {
        panic!("{effects:?}");
    };
    assert!(settings.chat_panel.open && !settings.chat_panel.folded.contains(&PanelSection::Form));
    update(&mut desk, set(PanelMsg::ToggleSection(PanelSection::Form)));
    assert!(desk.state.is_folded(PanelSection::Form));
    update(&mut desk, set(PanelMsg::Toggle));
    assert!(!desk.state.panel_is_shown());
}

#[test]
fn in_a_narrow_window_the_panel_lies_over_the_chat_until_it_is_closed() {
    let mut desk = desk();
    desk.all([set(PanelMsg::SetNarrow(true))]);
    assert!(
        !desk.state.panel_is_shown(),
        "it does not cover the chat by itself"
    );
    desk.all([set(PanelMsg::Toggle)]);
    assert!(desk.state.panel_is_shown());
    desk.all([Msg::Escape]);
    assert!(!desk.state.panel_is_shown());
    desk.all([set(PanelMsg::SetNarrow(false))]);
    assert!(desk.state.panel_is_shown(), "there is room again");
}

#[test]
fn what_is_out_of_range_says_why_and_is_not_sent() {
    let mut desk = desk();
    let cases = [
        (
            Parameter::Temperature,
            "5.5",
            "It goes from 0 to 5. Until then: 0.80.",
        ),
        (
            Parameter::Temperature,
            "hot",
            "Type a number from 0 to 5. Until then: 0.80.",
        ),
        (Parameter::TopP, "-1", "It goes from 0 to 1. Until then: 0.95."),
        (
            Parameter::Seed,
            "1.5",
            "Type a whole number from 0 to 4294967295. Until then: random.",
        ),
    ];
    for (parameter, text, problem) in cases {
        desk.all([typed(parameter, text)]);
        let number = number(&desk, parameter);
        assert_eq!(
            (number.text.as_str(), number.problem.as_deref()),
            (text, Some(problem))
        );
        assert_eq!(sampling(&desk), SamplingParams::default(), "{parameter:?} {text}");
        // Leaving the field does not hide it.
        desk.all([set(PanelMsg::Number(parameter, NumberMsg::Done))]);
        assert_eq!(self::number(&desk, parameter).text, text);
        desk.all([
            typed(parameter, "1"),
            set(PanelMsg::Number(parameter, NumberMsg::Done)),
        ]);
        assert_eq!(self::number(&desk, parameter).problem, None);
        desk.all([set(PanelMsg::Number(parameter, NumberMsg::Reset))]);
    }
    let effects = update(&mut desk, Msg::Tick);
    assert!(
        kept(&effects)
            .iter()
            .all(|(_, options)| options.validate().is_ok())
    );
}

#[test]
fn a_number_moves_by_its_slider_and_by_steps_and_goes_back() {
    let mut desk = desk();
    desk.all([set(PanelMsg::Number(
        Parameter::Temperature,
        NumberMsg::Slid(0.5),
    ))]);
    let slid = number(&desk, Parameter::Temperature);
    assert_eq!(
        (slid.text.as_str(), slid.share, slid.usual.as_deref()),
        ("1.00", Some(0.5), Some("0.80"))
    );
    desk.all([
        set(PanelMsg::Number(Parameter::Temperature, NumberMsg::Stepped(-1.0))),
        set(PanelMsg::Number(Parameter::TopK, NumberMsg::Stepped(10.0))),
    ]);
    assert_eq!(number(&desk, Parameter::Temperature).text, "0.95");
    assert_eq!(number(&desk, Parameter::TopK).text, "50");
    desk.all([set(PanelMsg::Number(Parameter::TopP, NumberMsg::Stepped(10.0)))]);
    assert_eq!(
        number(&desk, Parameter::TopP).text,
        "1.00",
        "it stays within its range"
    );
    desk.all([typed(Parameter::MaxTokens, "64"), set(PanelMsg::ResetSampling)]);
    assert_eq!(number(&desk, Parameter::TopK).usual, None);
    assert_eq!(
        sampling(&desk).max_tokens,
        Some(64),
        "where the answer ends stays"
    );
    desk.all([set(PanelMsg::Number(Parameter::MaxTokens, NumberMsg::Reset))]);
    assert_eq!(
        desk.state.open().settings.options,
        TurnOptions::default(),
        "it follows the defaults again"
    );
}

#[test]
fn stop_strings_are_added_once_and_taken_away() {
    let mut desk = desk();
    let stop = |text: &str| [set(PanelMsg::StopTyped(text.into())), set(PanelMsg::AddStop)];
    desk.all(
        stop("###")
            .into_iter()
            .chain(stop("\\n\\n"))
            .chain(stop("###"))
            .chain(stop("")),
    );
    assert_eq!(shown(&desk).stops, ["###", "\\n\\n"]);
    assert_eq!(sampling(&desk).stop, ["###", "\n\n"]);
    desk.all([set(PanelMsg::RemoveStop(0)), set(PanelMsg::RemoveStop(7))]);
    assert_eq!(shown(&desk).stops, ["\\n\\n"]);
}

#[test]
fn a_schema_is_checked_as_it_is_typed_and_never_lost() {
    let mut desk = desk();
    let type_form = |text: &str| set(PanelMsg::FormTyped(text.into()));
    desk.all([set(PanelMsg::SetForm(FormKind::Schema))]);
    assert_eq!(desk.state.effective().answer.format, Format::Text);
    assert!(shown(&desk).form_problem.is_some(), "it asks for one");
    let cases = [
        (
            "{\"type\": \"object\"",
            "Line 1, column 17: the text ends before the JSON does.",
        ),
        (
            "{\"type\": \"thing\"}",
            "The schema has a type \"thing\" that JSON does not have.",
        ),
        (
            "{\"type\": \"object\", \"properties\": {\"age\": {\"type\": \"string\", \"pattern\": \"a\"}}}",
            "“age” ",
        ),
        (
            "{\"$ref\": \"#/$defs/a\"}",
            "The schema refers to “#/$defs/a”, which is not there.",
        ),
    ];
    for (text, problem) in cases {
        desk.all([type_form(text)]);
        let told = shown(&desk).form_problem.expect("a problem");
        assert!(told.starts_with(problem), "{told}");
        assert_eq!(shown(&desk).form_text, text);
        assert_eq!(desk.state.effective().answer.format, Format::Text, "{text}");
    }
    let good = "{ \"type\": \"boolean\" }";
    desk.all([type_form(good)]);
    assert_eq!(
        (shown(&desk).form_problem, shown(&desk).form_text.as_str()),
        (None, good)
    );
    let schema = Format::JsonSchema(serde_json::json!({"type": "boolean"}));
    assert_eq!(desk.state.effective().answer.format, schema);

    // The last one that was one counts, while the next is typed; it outlives a look at another chat.
    desk.all([type_form("{ \"type\": ")]);
    assert_eq!(desk.state.effective().answer.format, schema);
    let options = desk.state.open().settings.options.clone();
    desk.all([Msg::OpenChat(ChatId(2)), opened(2)]);
    assert_eq!(shown(&desk).form, FormKind::Text);
    desk.all([Msg::OpenChat(ChatId(1)), opened_with(options)]);
    assert_eq!(shown(&desk).form_text, "{ \"type\": ");
    assert_eq!(desk.state.effective().answer.format, schema);
}

#[test]
fn half_a_schema_is_there_after_a_restart() {
    let half = "{ \"type\": ";
    let mut desk = desk();
    desk.all([
        set(PanelMsg::SetForm(FormKind::Schema)),
        set(PanelMsg::FormTyped(half.into())),
        set(PanelMsg::ArgumentsTyped("{".into())),
    ]);
    let effects = update(&mut desk, Msg::Closing);
    let written = effects.into_iter().find_map(|effect| match effect {
        Effect::Backend(BackendEffect::WriteSettings(settings)) => Some(settings),
        _ => None,
    });
    let mut next = Desk::with_models();
    next.all([
        Msg::Backend(News::SettingsRead(Ok(*written.expect("settings")))),
        three(),
        Msg::OpenChat(ChatId(1)),
        // What is not read yet has nothing to say.
        Msg::Closing,
        opened(1),
    ]);
    let now = shown(&next);
    assert_eq!(
        (now.form, now.form_text.as_str(), now.arguments.as_str()),
        (FormKind::Schema, half, "{")
    );
    assert_eq!(next.state.effective().answer.format, Format::Text);

    // Once it is whole there is nothing to keep.
    next.all([
        set(PanelMsg::FormTyped("{}".into())),
        set(PanelMsg::ArgumentsTyped(String::new())),
        Msg::Tick,
    ]);
    assert_eq!(next.state.settings.shown().chat_panel.unfinished, []);
}

#[test]
fn a_model_s_defaults_count_where_the_chat_sets_nothing() {
    let mut desk = desk();
    let model = loaded(1, SMOL);
    desk.all([Msg::Backend(News::Engine(EngineEvent::Loaded(vec![model])))]);
    assert!(desk.log.contains("ReadDefaults"), "{}", desk.log);
    let brief = TurnOptions {
        system_prompt: Some("Be brief.".into()),
        ..TurnOptions::default()
    };
    let defaults = |result| {
        told(PanelNews::Defaults {
            file: FileId::from(SMOL),
            result,
        })
    };
    desk.all([defaults(Ok(brief))]);
    assert_eq!(shown(&desk).system_prompt, "Be brief.");
    assert_eq!(desk.state.open().settings.options, TurnOptions::default());
    // An empty prompt is a choice of the chat's own.
    desk.all([set(PanelMsg::PromptChanged(String::new()))]);
    assert_eq!(
        desk.state.open().settings.options.system_prompt.as_deref(),
        Some("")
    );

    desk.log.clear();
    desk.all([typed(Parameter::TopK, "7"), set(PanelMsg::MakeDefault)]);
    assert!(
        desk.log.contains("KeepDefaults") && desk.log.contains("top_k: 7"),
        "{}",
        desk.log
    );
}

#[test]
fn the_instructions_are_counted_one_at_a_time() {
    let mut desk = desk();
    let prompt = |text: &str| Prompt {
        file: FileId::from(SMOL),
        text: text.into(),
    };
    desk.all([
        Msg::Backend(News::Engine(EngineEvent::Loaded(vec![loaded(1, SMOL)]))),
        set(PanelMsg::PromptChanged("B".into())),
        set(PanelMsg::PromptChanged("Be brief.".into())),
    ]);
    assert_eq!(desk.log.matches("Count(").count(), 1, "{}", desk.log);
    desk.log.clear();
    desk.all([told(PanelNews::Counted {
        prompt: prompt("B"),
        result: Ok(Some(1)),
    })]);
    assert_eq!(shown(&desk).prompt_tokens, "", "that is another text");
    assert!(
        desk.log.contains("Count(") && desk.log.contains("Be brief."),
        "{}",
        desk.log
    );
    desk.all([told(PanelNews::Counted {
        prompt: prompt("Be brief."),
        result: Ok(Some(3)),
    })]);
    assert_eq!(shown(&desk).prompt_tokens, "3\u{a0}tokens");
}
