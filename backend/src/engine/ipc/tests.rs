//! The wire format: literal lines, and what must survive the way through them.

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::embed::{EmbedInput, EmbedOptions};
use hearth_protocol::engine::SlotAction;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::prompt::{Prompt, PromptMessage};

use super::*;

#[test]
fn messages_are_one_line_each_and_read_back() {
    let requests = [
        Request::Devices,
        Request::Load {
            path: "/models/a b.gguf".into(),
            options: Box::default(),
            kv_store: None,
        },
        Request::generate(
            7,
            Job {
                chat: Some(3),
                prompt: Prompt::chat(vec![PromptMessage::text(
                    Role::User,
                    "two\nlines, “quotes” and \u{2028}",
                )])
                .into(),
                sampling: SamplingParams::greedy(),
                answer: AnswerOptions::default(),
                ignore_end: true,
                slot: Some(2),
            },
        ),
        Request::of(
            8,
            &Work::Embed(Box::new(EmbedJob {
                inputs: vec![EmbedInput::Text("a\nb".into()), EmbedInput::Tokens(vec![1, 2])],
                options: EmbedOptions::default(),
            })),
        ),
        Request::of(
            9,
            &Work::Tell(Box::new(Question::ChangeSlot {
                slot: 1,
                action: SlotAction::Save("/tmp/a b".into()),
            })),
        ),
        Request::Stop { id: 7 },
    ];
    for request in requests {
        let line = encode(&request).expect("encode");
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        assert!(line.ends_with('\n'));
        assert_eq!(decode::<Request>(line.trim_end()).expect("decode"), request);
    }
}

#[test]
fn a_token_forbidden_with_negative_infinity_stays_forbidden() {
    let sampling = SamplingParams {
        logit_bias: vec![(3, f32::NEG_INFINITY), (4, f32::INFINITY), (5, -1.5)],
        ..SamplingParams::default()
    };
    let job = Job {
        chat: None,
        prompt: Prompt::chat(Vec::new()).into(),
        sampling,
        answer: AnswerOptions::default(),
        ignore_end: false,
        slot: None,
    };
    let line = encode(&Request::generate(1, job)).expect("encode");
    let Request::Generate { job, .. } = decode(&line).expect("decode") else {
        panic!("{line}");
    };
    assert_eq!(job.sampling.logit_bias, [(3, f32::MIN), (4, f32::MAX), (5, -1.5)]);
}

#[test]
fn responses_have_a_stable_form() {
    let lines = [
        (
            Response::Piece {
                id: 1,
                piece: Piece::Text("Hi".into()),
            },
            r#"{"response":"piece","id":1,"piece":{"text":"Hi"}}"#,
        ),
        (
            Response::Loaded(LoadedInfo {
                context_length: 64,
                has_chat_template: true,
                gpu_layers: (0, 3),
                slots: 4,
                threads: 2,
                notices: Vec::new(),
            }),
            r#"{"response":"loaded","context_length":64,"has_chat_template":true,"gpu_layers":[0,3],"slots":4,"threads":2}"#,
        ),
        (
            Response::Vector {
                id: 3,
                tokens: 2,
                // The shortest text that reads back as the same number.
                vector: vec![0.1, -1e-9],
            },
            r#"{"response":"vector","id":3,"tokens":2,"vector":[0.1,-1e-9]}"#,
        ),
        (
            Response::ToldSome {
                id: 4,
                tokens: vec![Token {
                    id: 7,
                    bytes: vec![0xC3],
                }],
            },
            r#"{"response":"told_some","id":4,"tokens":[{"id":7,"bytes":[195]}]}"#,
        ),
        (
            Response::Failed {
                id: 2,
                error: Error::ContextOverflow {
                    prompt_tokens: 90,
                    context_length: 64,
                },
            },
            r#"{"response":"failed","id":2,"error":{"error":"context_overflow","prompt_tokens":90,"context_length":64}}"#,
        ),
    ];
    for (response, line) in lines {
        assert_eq!(encode(&response).expect("encode").trim_end(), line);
        assert_eq!(decode::<Response>(line).expect("decode"), response);
    }
}

#[test]
fn a_line_that_is_no_message_is_refused() {
    for line in [
        "",
        "null",
        "hello",
        r#"{"response":"nothing"}"#,
        r#"{"response":"piece","id":1"#,
    ] {
        assert!(decode::<Response>(line).is_err(), "{line}");
    }
}
