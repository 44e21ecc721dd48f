//! What the model is given: the first token, the context, and several chats over one cache.

use hearth_protocol::Error;
use hearth_protocol::chat::{TurnOptions, TurnRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::generate::StopReason;

use crate::app::{App, Turn, greedy};
use crate::tiny_gguf::Tiny;

/// Case 36 of the public reports.
#[test]
fn the_token_that_begins_a_text_stands_there_once_or_not_at_all() {
    let app = App::real();
    let (plain, with_first) = (
        "{{ messages[0].content }}",
        "{{ bos_token }}{{ messages[0].content }}",
    );
    let cases = [
        (None, plain, 1),
        (None, with_first, 1),
        (Some(true), plain, 1),
        (Some(true), with_first, 1),
        (Some(false), plain, 0),
        // The template asks for it by itself.
        (Some(false), with_first, 1),
    ];
    for (place, (adds_first_token, template, first)) in cases.into_iter().enumerate() {
        let model = Tiny {
            template: Some(template.to_owned()),
            adds_first_token,
            ..Tiny::default()
        };
        let path = app.tiny_as(&format!("{place}.gguf"), &model);
        app.load_with_context(&path, 256);
        let answer = app.ask(&path, None, "12345", greedy(1));
        assert_eq!(
            answer.stats().prompt_tokens,
            5 + first,
            "{adds_first_token:?} {template}"
        );
    }
}

/// Case 45 of the public reports.
#[test]
fn a_question_has_one_answer_whatever_stands_in_the_cache() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let text = |question: &str| app.ask(&path, None, question, greedy(20)).text().to_owned();
    let first = text("the same question");
    assert_eq!(text("the same question"), first);
    text("another");
    assert_eq!(text("the same question"), first);
    text("the same questions, nearly");
    assert_eq!(text("the same question"), first);
}

/// Case 43 of the public reports.
#[test]
fn chats_that_take_turns_do_not_disturb_each_other() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let questions = ["one", "two", "three"];
    let alone = questions.map(|question| {
        let first = app.ask(&path, None, question, greedy(10));
        let second = app.ask(&path, Some(first.chat), "and", greedy(10));
        (first.text().to_owned(), second.text().to_owned())
    });
    let begun = questions.map(|question| app.send(&path, None, question, greedy(10)));
    let first = begun.map(Turn::finish);
    let begun = first
        .each_ref()
        .map(|answer| app.send(&path, Some(answer.chat), "and", greedy(10)));
    let second = begun.map(Turn::finish);
    for ((first, second), alone) in first.iter().zip(&second).zip(alone) {
        assert_eq!((first.text().to_owned(), second.text().to_owned()), alone);
    }
}

/// Case 44 of the public reports: nothing is left out in silence, the system prompt least of all.
#[test]
fn a_chat_that_outgrows_the_context_is_refused_whole() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let mut chat = None;
    let (mut turns, mut tokens) = (0, 0);
    let error = loop {
        let options = TurnOptions {
            model: Some(ModelRef::Path(path.clone())),
            sampling: Some(greedy(10)),
            system_prompt: Some("Say it again.".into()),
            ..TurnOptions::default()
        };
        let text = "thirty characters in a message".to_owned();
        let answer = Turn(app.client.send(TurnRequest {
            chat,
            text,
            options,
            ..TurnRequest::default()
        }))
        .finish();
        chat = Some(answer.chat);
        if let Some(error) = answer.error {
            break error;
        }
        let stats = answer.stats();
        // Each prompt holds all that was said before.
        assert!(stats.prompt_tokens > tokens + 30, "{stats:?} after {tokens}");
        (turns, tokens) = (turns + 1, stats.prompt_tokens);
        assert!(matches!(
            answer.stop(),
            StopReason::TokenLimit | StopReason::ContextFull
        ));
    };
    assert!(turns > 2, "{turns}");
    assert!(
        matches!(error, Error::ContextOverflow { prompt_tokens, context_length: 512 } if prompt_tokens > 512),
        "{error:?}"
    );
    let stored = app
        .client
        .open_chat(chat.expect("a chat"))
        .wait()
        .expect("the chat");
    assert_eq!(stored.system_prompt.as_deref(), Some("Say it again."));
    assert_eq!(stored.messages.len(), 2 * (turns + 1));
}
