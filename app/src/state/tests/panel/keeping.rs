//! Settings on their way to the backend: when they go, and that none is lost.

use super::*;

#[test]
fn what_is_changed_counts_at_once_and_is_kept_a_second_later() {
    let mut desk = desk();
    desk.all([
        typed(Parameter::Temperature, "0.5"),
        set(PanelMsg::PromptChanged("Be brief.".into())),
    ]);
    assert!(!desk.log.contains("Keep"), "{}", desk.log);
    assert_eq!(sampling(&desk).temperature, 0.5);
    let effects = update(&mut desk, Msg::Tick);
    let [(chat, options)] = &kept(&effects)[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(*chat, ChatId(1));
    assert_eq!(options.system_prompt.as_deref(), Some("Be brief."));
    assert_eq!(
        options.sampling.as_ref().map(|sampling| sampling.temperature),
        Some(0.5)
    );
    assert_eq!(options.answer, None, "what was not touched follows the defaults");
}

#[test]
fn settings_are_kept_before_another_chat_is_shown_and_when_the_window_closes() {
    for leave in [Msg::OpenChat(ChatId(2)), Msg::NewChat, Msg::Closing] {
        let mut desk = desk();
        desk.all([typed(Parameter::TopK, "7")]);
        let effects = update(&mut desk, leave.clone());
        assert_eq!(kept(&effects).len(), 1, "{leave:?}");
    }
}

#[test]
fn what_is_set_goes_with_the_message_and_a_new_chat_keeps_it() {
    let mut desk = Desk::with_models();
    desk.all([typed(Parameter::Temperature, "0"), draft("Hi")]);
    let effects = update(&mut desk, Msg::Send);
    let Some(Effect::Backend(BackendEffect::Send { turn, .. })) = effects.first() else {
        panic!("{effects:?}");
    };
    assert!(turn.keep_options && turn.chat.is_none());
    assert_eq!(
        turn.options
            .sampling
            .as_ref()
            .map(|sampling| sampling.temperature),
        Some(0.0)
    );

    // In a chat that is kept already, what is a moment old is kept with the message, and the rest is there.
    let mut desk = self::desk();
    desk.all([
        set(PanelMsg::SetContextPolicy(ContextPolicy::Rolling)),
        draft("Hi"),
    ]);
    let effects = update(&mut desk, Msg::Send);
    let sent = |effects: &[Effect]| match effects.first() {
        Some(Effect::Backend(BackendEffect::Send { turn, .. })) => turn.clone(),
        other => panic!("{other:?}"),
    };
    assert!(sent(&effects).keep_options);
    assert!(
        kept(&update(&mut desk, Msg::Tick)).is_empty(),
        "it is kept already"
    );
}

#[test]
fn a_chat_that_is_read_again_does_not_undo_what_was_set_since() {
    let mut desk = desk();
    desk.all([typed(Parameter::TopK, "7"), opened(1)]);
    assert_eq!(sampling(&desk).top_k, 7, "not kept yet");
    desk.all([Msg::Tick, opened(1)]);
    assert_eq!(sampling(&desk).top_k, 7, "on its way");
    desk.all([
        told(PanelNews::Kept {
            chat: ChatId(1),
            result: Ok(()),
        }),
        opened(1),
    ]);
    assert_eq!(sampling(&desk).top_k, 40, "now someone else has changed it");
}

#[test]
fn what_is_not_kept_is_told() {
    let mut desk = desk();
    let chat = ChatId(1);
    desk.all([told(PanelNews::Kept {
        chat,
        result: Err(trouble()),
    })]);
    assert!(
        desk.told()
            .contains("toast Failed The settings of the chat are not kept")
    );
}

#[test]
fn what_was_set_in_a_new_chat_is_there_when_it_is_shown_again() {
    let mut desk = desk();
    desk.all([
        Msg::NewChat,
        typed(Parameter::TopK, "7"),
        typed(Parameter::TopP, "7"),
        Msg::OpenChat(ChatId(2)),
        opened(2),
    ]);
    assert_eq!(sampling(&desk).top_k, 40);
    desk.all([Msg::NewChat]);
    assert_eq!(sampling(&desk).top_k, 7);
    assert!(number(&desk, Parameter::TopP).problem.is_some());
    // Once it is a chat, the next new one is as new.
    desk.all([draft("Hi"), Msg::Send, started(1, 9, "Hi"), Msg::NewChat]);
    assert_eq!(sampling(&desk).top_k, 40);
}
