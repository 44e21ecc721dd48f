//! Workers that get no more memory: a load or an answer fails, and the next one works.

#![cfg(target_os = "linux")]

use std::process::Command;

use hearth_protocol::Error;
use hearth_protocol::chat::ChatEvent;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{SamplingParams, StopReason};
use hearth_protocol::settings::{MemoryGuard, Settings};

use crate::app::{App, context, greedy, without_titles};

/// Address space of a worker, in kilobytes: many times what a tiny model with a short context takes.
const LIMIT_KILOBYTES: u32 = 3_000_000;

/// Tokens whose KV cache alone takes more: the tiny model's takes 512 bytes a token.
const TOO_MANY_TOKENS: u32 = 8_000_000;

/// One thread, since each further one takes address space too.
fn options(tokens: u32) -> LoadOptions {
    LoadOptions {
        threads: Some(1),
        ..context(tokens)
    }
}

#[test]
fn a_load_that_gets_no_memory_fails_with_words_and_the_next_works() {
    let app = App::with_memory_limit(LIMIT_KILOBYTES);
    // It would refuse where this computer has too little.
    let settings = Settings {
        memory_guard: MemoryGuard::Off,
        ..without_titles()
    };
    app.client.write_settings(settings).wait().expect("it is kept");
    let path = app.tiny();
    let Err(Error::LoadFailed { reason, log }) = app.load(&path, options(TOO_MANY_TOKENS)) else {
        panic!("it loaded");
    };
    assert!(
        reason.starts_with("a context of 8000000 tokens could not be made"),
        "{reason}"
    );
    assert!(!log.is_empty());
    assert_eq!(app.loaded(), []);

    app.load(&path, options(512)).expect("it loads");
    assert_eq!(app.ask(&path, None, "x", greedy(3)).stats().generated_tokens, 3);
}

/// Lets a process have no more memory than it has. The limit of its address space would not do: beyond it Linux lets a
/// thread take what it has reserved (`mprotect_fixup`), which is 64 MB for each with glibc.
fn take_no_more(process: u32) {
    let mut command = Command::new("prlimit");
    let command = command.args(["--pid", &process.to_string(), "--data=1"]);
    assert!(command.status().expect("prlimit runs").success());
}

#[test]
fn an_answer_whose_worker_gets_no_more_memory_keeps_its_text_and_the_next_works() {
    let app = App::without_spare_memory();
    let path = app.tiny();
    let model = app.load(&path, options(65_536)).expect("it loads");
    let turn = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    take_no_more(model.process);
    // To read a question that long takes memory.
    let second = app.send(&path, None, &"another question ".repeat(200_000), greedy(3));

    let answer = turn.finish_after(seen);
    assert!(!answer.text().is_empty());
    let Some(Error::WorkerDied { during, cause, log }) = answer.error else {
        panic!("{answer:?}");
    };
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("writing the answer", "it was killed by signal 6")
    );
    assert!(log.iter().any(|line| line.contains("alloc")), "{log:#?}");

    // The question that was not begun is read by the worker that follows.
    let Some(Error::ContextOverflow { .. }) = second.finish().error else {
        panic!("it fits");
    };
    assert_ne!(app.loaded()[0].process, model.process);
    let next = app.ask(&path, Some(answer.chat), "go on", greedy(3));
    assert_eq!(next.stop(), &StopReason::TokenLimit);
}
