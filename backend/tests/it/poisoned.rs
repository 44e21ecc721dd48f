//! A chat template that cannot be stopped: it costs its answer and its worker, and nothing else.

use hearth_protocol::Error;
use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::prompt::{Prompt, PromptMessage, TokenizeInput, TokenizeRequest};

use crate::app::{App, eventually, greedy};
use crate::complete::{endless, until_it_writes, user};
use crate::tiny_gguf::{CHATML, Tiny};

/// Compares two trees of lists that share their parts: small in memory, and 2^50 comparisons within one step of the
/// template engine, which charges nothing for them.
const ENDLESS: &str = "{% if messages[-1].content == 'never' %}\
    {% set a = namespace(x=[1]) %}{% set b = namespace(x=[1]) %}\
    {% for i in range(50) %}{% set a.x = [a.x, a.x] %}{% set b.x = [b.x, b.x] %}{% endfor %}\
    {{ a.x == b.x }}{% endif %}";

#[test]
fn a_template_that_never_ends_costs_its_answer_and_its_worker_alone() {
    let app = App::real();
    let path = app.tiny_as(
        "endless.gguf",
        &Tiny {
            template: Some(format!("{ENDLESS}{CHATML}")),
            ..Tiny::default()
        },
    );
    let other = app.tiny();
    let unharmed = app.load_with_context(&other, 512);
    let poisoned = app.load_with_context(&path, 512);
    assert_eq!(
        app.ask(&path, None, "hello", greedy(3)).stats().generated_tokens,
        3
    );

    let answer = app.ask(&path, None, "never", greedy(3));
    let reason = match answer.error {
        Some(Error::Template { reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert!(
        reason.starts_with("it did not end within 10 seconds. "),
        "{reason}"
    );
    assert_eq!(answer.streamed, "");
    // The thread that computes on ends with its process.
    eventually("the end of the worker", || app.loaded().len() == 1);
    assert_eq!(app.loaded()[0].process, unharmed.process);
    eventually("the end of its process", || {
        !crate::app::is_process(poisoned.process)
    });

    assert_eq!(
        app.ask(&other, None, "hello", greedy(3)).stats().generated_tokens,
        3
    );
    let next = app.ask(&path, Some(answer.chat), "hello", greedy(3));
    assert_eq!(next.stats().generated_tokens, 3);
    let processes: Vec<u32> = app.loaded().iter().map(|model| model.process).collect();
    assert_eq!(processes.len(), 2);
    assert!(processes.contains(&unharmed.process) && !processes.contains(&poisoned.process));
}

/// A long chat that was only counted once held up all answers until its template had written it.
#[test]
fn a_long_chat_that_is_counted_for_ever_holds_up_nobody_until_it_costs_its_worker() {
    let app = App::real();
    let path = app.tiny_as(
        "endless.gguf",
        &Tiny {
            template: Some(format!("{ENDLESS}{CHATML}")),
            trained_context: crate::complete::ROOM,
            ..Tiny::default()
        },
    );
    let model = app.load_with_context(&path, crate::complete::ROOM);
    let ask = |prompt: Prompt| {
        app.client.tokenize(TokenizeRequest {
            model: Some(ModelRef::Path(path.clone())),
            input: TokenizeInput::Prompt {
                prompt,
                answer: Box::new(AnswerOptions::default()),
            },
        })
    };
    let answer = app.client.complete(endless(&path, "ab"));
    until_it_writes(&answer);
    let mut messages = vec![PromptMessage::text(Role::User, "hi"); 200];
    messages.push(PromptMessage::text(Role::User, "never"));
    let never = ask(Prompt::chat(messages));
    // What is asked behind it is told before it, and the answer goes on.
    ask(user("hi")).wait().expect("tokens");
    while answer.try_next().is_some() {}
    until_it_writes(&answer);
    assert_eq!(never.try_take(), None);
    drop(answer);

    match never.wait() {
        Err(Error::Template { reason }) => {
            assert!(
                reason.starts_with("it did not end within 10 seconds. "),
                "{reason}"
            );
        }
        other => panic!("{other:?}"),
    }
    eventually("the end of the worker", || app.loaded().is_empty());
    eventually("the end of its process", || {
        !crate::app::is_process(model.process)
    });
}
