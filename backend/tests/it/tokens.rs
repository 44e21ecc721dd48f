//! Texts to tokens and back, through the client.

use std::path::Path;
use std::sync::{Arc, Mutex};

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::prompt::{Prompt, PromptMessage, TokenizeInput, TokenizeRequest, Tokenized};
use hearth_protocol::tools::Tool;
use hearth_protocol::{Error, Result, Waker};

use crate::app::App;
use crate::complete::{endless, make, request, roomy, text, until_it_writes, user};
use crate::tiny_bert;
use crate::tiny_gguf::Tiny;

fn tokenize(app: &App, path: &Path, input: TokenizeInput) -> Result<Tokenized> {
    let model = Some(ModelRef::Path(path.to_owned()));
    app.client.tokenize(TokenizeRequest { model, input }).wait()
}

fn of_text(text: &str, add_special: bool, parse_special: bool) -> TokenizeInput {
    TokenizeInput::Text {
        text: text.to_owned(),
        add_special,
        parse_special,
    }
}

fn of_prompt(prompt: Prompt, answer: AnswerOptions) -> TokenizeInput {
    TokenizeInput::Prompt {
        prompt,
        answer: Box::new(answer),
    }
}

fn ids(tokenized: &Tokenized) -> Vec<u32> {
    tokenized.tokens.iter().map(|token| token.id).collect()
}

fn bytes(tokenized: &Tokenized) -> String {
    let bytes = tokenized.tokens.iter().flat_map(|token| token.bytes.clone());
    String::from_utf8(bytes.collect()).expect("whole characters")
}

#[test]
fn a_text_becomes_tokens_and_text_again() {
    let app = App::real();
    let path = app.tiny();
    let cases = [
        (
            "é<s>",
            false,
            false,
            vec![3 + 0xC3, 3 + 0xA9, 3 + 0x3C, 3 + 0x73, 3 + 0x3E],
        ),
        ("é<s>", false, true, vec![3 + 0xC3, 3 + 0xA9, 1]),
        ("a", true, false, vec![1, 3 + 0x61]),
        ("", true, false, vec![1]),
        ("", false, false, vec![]),
    ];
    for (text, add_special, parse_special, expected) in cases {
        let tokenized = tokenize(&app, &path, of_text(text, add_special, parse_special)).expect("tokens");
        assert_eq!(ids(&tokenized), expected, "{text}");
        assert_eq!(tokenized.text, text);
        assert_eq!(tokenized.model.name, "tiny");
        let back = app
            .client
            .detokenize(Some(ModelRef::Path(path.clone())), ids(&tokenized));
        let added = if add_special { "<s>" } else { "" };
        assert_eq!(back.wait(), Ok(format!("{added}{text}")));
    }
    // A character that is not whole has no text of its own.
    let half = app.client.detokenize(None, vec![3 + 0xC3]).wait();
    assert_eq!(half, Ok("\u{fffd}".to_owned()));
    let none = app.client.detokenize(None, vec![1, 900]).wait();
    assert_eq!(
        none.expect_err("it is no token").to_string(),
        "tokens holds 900, which is no token of this model."
    );
}

#[test]
fn a_chat_becomes_what_an_answer_to_it_begins_with() {
    let app = App::real();
    let path = app.tiny();
    let tokenized =
        tokenize(&app, &path, of_prompt(user("hi <s>"), AnswerOptions::default())).expect("tokens");
    let expected = "<|im_start|>user\nhi <s><|im_end|>\n<|im_start|>assistant\n";
    assert_eq!(tokenized.text, expected);
    // What a person writes stays text, and the model's first token stands in front.
    assert_eq!(bytes(&tokenized), format!("<s>{expected}"));
    assert_eq!(ids(&tokenized).iter().filter(|id| **id == 1).count(), 1);
    let made = make(&app, request(&path, user("hi <s>"), 1)).expect("an answer");
    assert_eq!(made.stats.prompt_tokens as usize, tokenized.tokens.len());

    let begun = Prompt::Chat {
        messages: vec![
            PromptMessage::text(Role::User, "hi"),
            PromptMessage::text(Role::Assistant, "Once"),
        ],
        go_on: true,
    };
    let begun = tokenize(&app, &path, of_prompt(begun, AnswerOptions::default())).expect("tokens");
    assert!(
        begun.text.ends_with("<|im_start|>assistant\nOnce"),
        "{}",
        begun.text
    );
    let with_tool = AnswerOptions {
        tools: vec![Tool {
            name: "weather_now".into(),
            description: None,
            parameters: None,
        }],
        ..AnswerOptions::default()
    };
    let with_tool = tokenize(&app, &path, of_prompt(user("hi"), with_tool)).expect("tokens");
    assert!(with_tool.text.contains("weather_now"), "{}", with_tool.text);
}

#[test]
fn a_text_of_a_program_is_told_as_the_model_reads_it() {
    let app = App::real();
    let path = app.tiny();
    let tokenized = tokenize(&app, &path, of_prompt(text("a b"), AnswerOptions::default())).expect("tokens");
    assert_eq!(
        (tokenized.text.as_str(), bytes(&tokenized).as_str()),
        ("<s>a b", "<s>a b")
    );
    let empty = of_prompt(Prompt::chat(Vec::new()), AnswerOptions::default());
    let refused = tokenize(&app, &path, empty);
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
}

/// They are told beside an answer, which goes on.
#[test]
fn tokens_are_told_while_an_answer_is_written() {
    let app = App::real();
    let path = roomy(&app, 4);
    let answer = app.client.complete(endless(&path, "ab"));
    until_it_writes(&answer);
    let tokenized = tokenize(&app, &path, of_text("a", false, false)).expect("tokens");
    assert_eq!(ids(&tokenized), [3 + 0x61]);
    while answer.try_next().is_some() {}
    until_it_writes(&answer);
}

/// They once took the square of their number, and nobody else was answered.
#[test]
fn a_text_of_very_many_control_tokens_holds_up_nobody() {
    const COUNT: usize = 200_000;
    let app = App::real();
    let path = roomy(&app, 4);
    let answered = Arc::new(Mutex::new(Vec::new()));
    let ask = |name: &'static str, text: &str| {
        let answered = Arc::clone(&answered);
        let waker = Waker::new(move || answered.lock().expect("no panic").push(name));
        let request = TokenizeRequest {
            model: Some(ModelRef::Path(path.clone())),
            input: of_text(text, false, true),
        };
        app.client.with_waker(waker).tokenize(request)
    };
    let text = "<s>a".repeat(COUNT);
    let long = ask("long", &text);
    // What is asked behind it is told before it.
    let short = ask("short", "a").wait().expect("tokens");
    assert_eq!(ids(&short), [3 + 0x61]);
    let long = ids(&long.wait().expect("tokens"));
    assert_eq!(long.len(), 2 * COUNT);
    assert_eq!(long[2 * COUNT - 2..], [1, 3 + 0x61]);
    assert_eq!(*answered.lock().expect("no panic"), ["short", "long"]);

    // One that nobody wants any more is left.
    drop(ask("left", &text));
    let short = ask("short", "b").wait().expect("tokens");
    assert_eq!(ids(&short), [3 + 0x62]);
}

/// Its template's work is done beside the answers, and gives what it gives elsewhere.
#[test]
fn a_chat_of_very_many_messages_is_counted_as_any_other() {
    const COUNT: usize = 12_000;
    let app = App::real();
    let path = roomy(&app, 4);
    let answer = app.client.complete(endless(&path, "ab"));
    until_it_writes(&answer);
    let messages = vec![PromptMessage::text(Role::User, ""); COUNT];
    let long = of_prompt(Prompt::chat(messages), AnswerOptions::default());
    let long = tokenize(&app, &path, long).expect("tokens");
    let expected = "<|im_start|>user\n<|im_end|>\n".repeat(COUNT) + "<|im_start|>assistant\n";
    assert!(long.text == expected, "{} bytes", long.text.len());
    assert!(
        bytes(&long) == format!("<s>{expected}"),
        "{} tokens",
        long.tokens.len()
    );
    while answer.try_next().is_some() {}
    until_it_writes(&answer);

    // One that nobody waits for any more is left.
    let gone = vec![PromptMessage::text(Role::User, ""); COUNT];
    drop(app.client.tokenize(TokenizeRequest {
        model: Some(ModelRef::Path(path.clone())),
        input: of_prompt(Prompt::chat(gone), AnswerOptions::default()),
    }));
    // What is wrong with a long one is told as of any other.
    let odd = Prompt::Chat {
        messages: vec![PromptMessage::text(Role::User, ""); COUNT],
        go_on: true,
    };
    let refused = tokenize(&app, &path, of_prompt(odd, AnswerOptions::default()));
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
}

#[test]
fn a_model_that_only_embeds_counts_too() {
    let app = App::real();
    let path = app.path("encoder.gguf");
    tiny_bert::write(&path, None);
    let tokenized = tokenize(&app, &path, of_text("a b", true, false)).expect("tokens");
    assert!(tokenized.tokens.len() >= 2, "{tokenized:?}");
    let back = app.client.detokenize(None, ids(&tokenized)).wait();
    assert!(back.is_ok(), "{back:?}");
    let refused = tokenize(&app, &path, of_prompt(user("hi"), AnswerOptions::default()));
    assert_eq!(
        refused.expect_err("it cannot").to_string(),
        "encoder makes embeddings; it does not chat."
    );
}

#[test]
fn a_template_that_fails_is_told_and_the_model_goes_on() {
    let app = App::real();
    let broken = Tiny {
        template: Some("{{ raise_exception('no such chat') }}".into()),
        ..Tiny::default()
    };
    let path = app.tiny_as("broken.gguf", &broken);
    let refused = tokenize(&app, &path, of_prompt(user("hi"), AnswerOptions::default()));
    assert!(
        matches!(&refused, Err(Error::Template { reason }) if reason.contains("no such chat")),
        "{refused:?}"
    );
    let tokenized = tokenize(&app, &path, of_text("a", false, false)).expect("tokens");
    assert_eq!(ids(&tokenized), [3 + 0x61]);
}
