//! Texts that a program has put together itself.

use super::*;

/// The tiny model's token of a byte.
fn byte(byte: u8) -> u32 {
    3 + u32::from(byte)
}

#[test]
fn a_text_is_read_as_it_is_with_the_models_first_token_in_front() {
    let app = App::real();
    let path = app.tiny();
    let words = |text: &str| PromptPart::Text(text.to_owned());
    let cases = [
        (vec![words("ab")], 3),
        (vec![words("a"), words("b")], 3),
        // It is there already.
        (vec![words("<s>ab")], 3),
        (vec![PromptPart::Tokens(vec![1, byte(b'a'), byte(b'b')])], 3),
        (vec![words("a"), PromptPart::Tokens(vec![byte(b'b')])], 3),
        (vec![words(""), words("ab"), PromptPart::Tokens(vec![])], 3),
        // Ids are read as they are.
        (vec![PromptPart::Tokens(vec![byte(b'a'), byte(b'b')])], 2),
        // What looks like a control token is one.
        (vec![words("<|im_start|>ab")], 4),
    ];
    let mut texts = Vec::new();
    for (parts, tokens) in cases {
        let made = make(&app, request(&path, Prompt::Text(parts.clone()), 8)).expect("an answer");
        assert_eq!(made.stats.prompt_tokens, tokens, "{parts:?}");
        assert_eq!(made.stop, StopReason::TokenLimit);
        texts.push(made.text());
    }
    assert!(texts[..6].iter().all(|text| *text == texts[0]), "{texts:?}");
    assert!(texts[6..].iter().all(|text| *text != texts[0]), "{texts:?}");
}

#[test]
fn a_model_that_wants_no_first_token_gets_none() {
    let app = App::real();
    let plain = Tiny {
        adds_first_token: Some(false),
        ..Tiny::default()
    };
    let path = app.tiny_as("plain.gguf", &plain);
    let prompt_tokens = |prompt| {
        let made = make(&app, request(&path, prompt, 1)).expect("an answer");
        made.stats.prompt_tokens
    };
    assert_eq!(prompt_tokens(text("ab")), 2);
    // There must be something to go on with.
    assert_eq!(prompt_tokens(text("")), 1);
}

#[test]
fn an_empty_text_begins_with_the_models_first_token() {
    let app = App::real();
    let path = app.tiny();
    for parts in [vec![], vec![PromptPart::Text(String::new())]] {
        let made = make(&app, request(&path, Prompt::Text(parts), 4)).expect("an answer");
        assert_eq!((made.stats.prompt_tokens, made.text().len()), (1, 4));
    }
}

#[test]
fn a_token_that_the_model_does_not_have_is_named() {
    let app = App::real();
    let path = app.tiny();
    for id in [262, u32::MAX] {
        let prompt = Prompt::Text(vec![PromptPart::Tokens(vec![1, id])]);
        let refused = make(&app, request(&path, prompt, 3)).expect_err("it is none");
        assert_eq!(
            refused.to_string(),
            format!("prompt holds {id}, which is no token of this model.")
        );
    }
}

#[test]
fn a_text_that_is_too_long_is_refused_before_anything_is_computed() {
    let app = App::real();
    let path = app.tiny();
    app.load(&path, context(256)).expect("it loads");
    let events = app.client.complete(request(&path, text(&"a".repeat(256)), 3));
    let mut seen = Vec::new();
    while let Some(event) = next(&events) {
        seen.push(event);
    }
    let error = Error::ContextOverflow {
        prompt_tokens: 257,
        context_length: 256,
    };
    assert_eq!(seen, [CompletionEvent::Failed(error)]);
    let fits = make(&app, request(&path, text(&"a".repeat(200)), 3)).expect("an answer");
    assert_eq!(fits.stats.cached_tokens, 0, "nothing was read of the other");
}

#[test]
fn a_prompt_is_read_into_the_cache_and_nothing_is_written() {
    let app = App::real();
    let path = app.tiny();
    let words = "what is read before it is asked for ".repeat(8);
    let read = make(&app, request(&path, text(&words), 0)).expect("it is read");
    assert_eq!((&read.stop, read.pieces.len()), (&StopReason::TokenLimit, 0));
    let total = read.stats.prompt_tokens;
    assert_eq!(read.stats.generated_tokens, 0);
    assert_eq!(read.progress.first(), Some(&(0, 0, total)));
    assert_eq!(read.progress.last(), Some(&(total, 0, total)));

    let made = make(&app, request(&path, text(&words), 3)).expect("an answer");
    assert_eq!(
        made.stats.cached_tokens,
        total - 1,
        "its last token is computed again"
    );
    assert_eq!(made.progress.first(), Some(&(total - 1, total - 1, total)));
    assert_eq!(made.progress.last(), Some(&(total, total - 1, total)));
}
