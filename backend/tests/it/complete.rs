//! Answers that belong to no chat, through the client: with the tiny model and with scripted workers.

mod ending;
mod infill;
mod shared;
mod texts;

use std::path::{Path, PathBuf};

use hearth_protocol::answer::{AnswerOptions, ContextPolicy, Format};
use hearth_protocol::chat::Role;
use hearth_protocol::completion::{CompletionEvent, CompletionRequest, Piece};
use hearth_protocol::engine::{LoadOptions, LoadedModel, ModelRef};
use hearth_protocol::generate::{SamplingParams, StopReason, TurnStats};
use hearth_protocol::prompt::{Prompt, PromptMessage, PromptPart};
use hearth_protocol::{Error, Events, Image};

use crate::app::{App, context, greedy, next};
use crate::tiny_gguf::Tiny;

/// An answer that has ended well.
#[derive(Debug)]
pub(crate) struct Made {
    /// Everything in the order it came, without what stands below.
    pub(crate) pieces: Vec<Piece>,
    /// Tokens of the prompt read, those of them that were cached, and all, each time they were told.
    pub(crate) progress: Vec<(u32, u32, u32)>,
    pub(crate) model: Option<LoadedModel>,
    pub(crate) stop: StopReason,
    pub(crate) stats: TurnStats,
}

impl Made {
    /// Its text; nothing else came.
    pub(crate) fn text(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        self.pieces.iter().map(text).collect()
    }
}

/// A greedy answer of at most so many tokens.
pub(crate) fn request(path: &Path, prompt: Prompt, tokens: u32) -> CompletionRequest {
    CompletionRequest {
        sampling: greedy(tokens),
        ..CompletionRequest::new(Some(ModelRef::Path(path.to_owned())), prompt)
    }
}

pub(crate) fn text(text: &str) -> Prompt {
    Prompt::Text(vec![PromptPart::Text(text.to_owned())])
}

pub(crate) fn user(text: &str) -> Prompt {
    Prompt::chat(vec![PromptMessage::text(Role::User, text)])
}

/// Tokens that a roomy model's context holds: it takes minutes to fill.
pub(crate) const ROOM: u32 = 131_072;

/// A tiny model in memory with a context that no test fills.
pub(crate) fn roomy(app: &App, parallel_slots: u32) -> PathBuf {
    let roomy = Tiny {
        trained_context: ROOM,
        ..Tiny::default()
    };
    let path = app.tiny_as("roomy.gguf", &roomy);
    let options = LoadOptions {
        parallel_slots,
        ..context(ROOM)
    };
    app.load(&path, options).expect("it loads");
    path
}

/// An answer that goes on as long as there is room.
pub(crate) fn endless(path: &Path, words: &str) -> CompletionRequest {
    CompletionRequest {
        sampling: SamplingParams::greedy(),
        ..request(path, text(words), 1)
    }
}

/// Makes an answer and waits for its end.
pub(crate) fn make(app: &App, request: CompletionRequest) -> Result<Made, Error> {
    outcome(&app.client.complete(request))
}

/// Waits for the end.
pub(crate) fn outcome(events: &Events<CompletionEvent>) -> Result<Made, Error> {
    let (mut pieces, mut progress, mut model) = (Vec::new(), Vec::new(), None);
    let made = loop {
        match next(events).expect("a last event") {
            CompletionEvent::Loading(_) | CompletionEvent::Logprobs(_) => (),
            CompletionEvent::Started(started) => model = Some(started),
            CompletionEvent::PromptProgress {
                processed,
                cached,
                total,
            } => progress.push((processed, cached, total)),
            CompletionEvent::Piece(piece) => pieces.push(piece),
            CompletionEvent::Finished { stop, stats } => {
                break Ok(Made {
                    pieces,
                    progress,
                    model,
                    stop,
                    stats,
                });
            }
            CompletionEvent::Failed(error) => break Err(error),
        }
    };
    assert_eq!(next(events), None, "nothing follows the last event");
    made
}

/// Waits for the first text.
pub(crate) fn until_it_writes(events: &Events<CompletionEvent>) {
    loop {
        match next(events).expect("it goes on") {
            CompletionEvent::Piece(_) => return,
            end @ (CompletionEvent::Finished { .. } | CompletionEvent::Failed(_)) => panic!("{end:?}"),
            _ => (),
        }
    }
}

#[test]
fn a_chat_is_answered_as_in_the_window_and_leaves_no_trace() {
    let app = App::real();
    let path = app.tiny();
    let in_window = app.ask(&path, None, "tell me a story", greedy(20));
    let made = make(&app, request(&path, user("tell me a story"), 20)).expect("an answer");
    assert_eq!(made.text(), in_window.text());
    assert_eq!(made.stop, StopReason::TokenLimit);
    assert_eq!(made.stats.prompt_tokens, in_window.stats().prompt_tokens);
    assert_eq!(
        made.model.map(|model| model.file.0),
        Some(path.display().to_string())
    );
    assert_eq!(app.client.list_chats().wait().expect("the list").len(), 1);
}

#[test]
fn a_begun_answer_is_gone_on_with() {
    let app = App::real();
    let path = app.tiny();
    let chat = |begun: &str, go_on| Prompt::Chat {
        messages: vec![
            PromptMessage::text(Role::User, "tell me a story"),
            PromptMessage::text(Role::Assistant, begun),
        ],
        go_on,
    };
    let whole = make(&app, request(&path, user("tell me a story"), 12)).expect("an answer");
    let begun = whole.text()[..5].to_owned();
    let rest = make(&app, request(&path, chat(&begun, true), 7)).expect("an answer");
    assert_eq!(begun + &rest.text(), whole.text());
    // Answered anew, it is a message like any other.
    let other = make(&app, request(&path, chat("It was", false), 7)).expect("an answer");
    let same = make(&app, request(&path, chat("It was", true), 7)).expect("an answer");
    assert!(other.stats.prompt_tokens > same.stats.prompt_tokens);

    let question = Prompt::Chat {
        messages: vec![PromptMessage::text(Role::User, "hello")],
        go_on: true,
    };
    let refused = make(&app, request(&path, question, 3)).expect_err("there is no answer to go on with");
    assert!(
        matches!(&refused, Error::Invalid { field, .. } if field == "messages"),
        "{refused:?}"
    );
}

/// The turns that are left out are older than what is gone on with, which is one message with what is written.
#[test]
fn a_begun_answer_goes_on_beyond_the_context() {
    let app = App::real();
    let path = app.tiny();
    app.load(&path, context(512)).expect("it loads");
    let mut messages = Vec::new();
    for _ in 0..3 {
        messages.push(PromptMessage::text(Role::User, "some words of an older turn"));
        messages.push(PromptMessage::text(Role::Assistant, "yes"));
    }
    messages.push(PromptMessage::text(Role::User, "tell me a story"));
    messages.push(PromptMessage::text(Role::Assistant, "Once upon a time"));
    let mut request = request(
        &path,
        Prompt::Chat {
            messages,
            go_on: true,
        },
        400,
    );
    request.answer.context_policy = ContextPolicy::Rolling;
    let made = make(&app, request).expect("an answer");
    assert_eq!(made.stop, StopReason::TokenLimit);
    assert_eq!(made.stats.generated_tokens, 400);
    assert_eq!(made.text().len(), 400);
    assert!(made.stats.messages_left_out > 0, "{:?}", made.stats);
}

#[test]
fn without_a_name_the_model_in_memory_answers() {
    let app = App::real();
    let nameless = || CompletionRequest {
        sampling: greedy(3),
        ..CompletionRequest::new(None, text("ab"))
    };
    let refused = make(&app, nameless()).expect_err("there is no model");
    assert_eq!(refused, Error::NoModel);
    let (one, two) = (app.tiny(), app.tiny_as("two.gguf", &Tiny::default()));
    app.load(&one, context(256)).expect("it loads");
    let model = make(&app, nameless()).expect("an answer").model;
    assert_eq!(model.map(|model| model.name), Some("tiny".to_owned()));
    // One that is named is loaded beside it.
    let model = make(&app, request(&two, text("ab"), 3)).expect("an answer").model;
    assert_eq!(model.map(|model| model.name), Some("two".to_owned()));
    assert_eq!(app.loaded().len(), 2);
}

#[test]
fn what_cannot_be_answered_is_refused_before_the_model_is_loaded() {
    let app = App::real();
    let mut odd = request(&app.tiny(), text("ab"), 3);
    odd.sampling.temperature = -1.0;
    let refused = make(&app, odd).expect_err("it is odd");
    assert!(
        matches!(&refused, Error::Invalid { field, .. } if field == "temperature"),
        "{refused:?}"
    );
    assert_eq!(app.loaded(), []);
}

#[test]
fn an_image_is_refused() {
    let app = App::real();
    let mut message = PromptMessage::text(Role::User, "What is this?");
    message.images = vec![Image::new(b"\x89PNG\r\n\x1a\n".to_vec()).expect("a picture")];
    let refused = make(&app, request(&app.tiny(), Prompt::chat(vec![message]), 3));
    assert_eq!(
        refused.expect_err("it cannot see").to_string(),
        "tiny cannot see images; choose a model with vision, or send the text alone."
    );
}

#[test]
fn what_follows_a_text_of_no_template_is_told_as_it_is_written() {
    let app = App::real();
    let thinking = Tiny {
        template: Some(format!(
            "{}{{# <think></think> #}}",
            hearth_testhub::tiny_gguf::CHATML
        )),
        ..Tiny::default()
    };
    let path = app.tiny_as("thinking.gguf", &thinking);
    let mut request = request(&path, text("go on:"), 40);
    request.answer.format = Format::Regex(" \\n<think>a</think>b".into());
    assert_eq!(
        make(&app, request).expect("an answer").text(),
        " \n<think>a</think>b"
    );
}

#[test]
fn the_chances_of_tokens_come_before_their_text() {
    let app = App::real();
    let mut request = request(&app.tiny(), text("ab"), 6);
    request.answer = AnswerOptions {
        logprobs: Some(2),
        ..AnswerOptions::default()
    };
    let events = app.client.complete(request);
    let (mut chances, mut written) = (String::new(), String::new());
    let mut count = 0;
    while let Some(event) = next(&events) {
        match event {
            CompletionEvent::Logprobs(tokens) => {
                for token in tokens {
                    assert_eq!(token.top.len(), 2);
                    chances.push_str(&String::from_utf8(token.chosen.bytes).expect("a character"));
                    count += 1;
                }
            }
            CompletionEvent::Piece(Piece::Text(text)) => {
                written += &text;
                assert!(
                    chances.starts_with(&written),
                    "{written} was not announced: {chances}"
                );
            }
            _ => (),
        }
    }
    assert_eq!((count, chances), (6, written));
}

#[test]
fn an_end_that_is_ignored_does_not_end_the_answer() {
    let app = App::real();
    let path = app.tiny();
    let wants_to_end = |ignore_end| CompletionRequest {
        sampling: SamplingParams {
            // `</s>`
            logit_bias: vec![(2, 1e9)],
            ..greedy(10)
        },
        ignore_end,
        ..request(&path, text("ab"), 10)
    };
    let ends = make(&app, wants_to_end(false)).expect("an answer");
    assert_eq!(
        (ends.stop, ends.stats.generated_tokens),
        (StopReason::EndOfText, 0)
    );
    let goes_on = make(&app, wants_to_end(true)).expect("an answer");
    assert_eq!(goes_on.stop, StopReason::TokenLimit);
    assert_eq!(goes_on.text().len(), 10);
}
