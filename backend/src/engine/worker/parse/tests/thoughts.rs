//! Thoughts and answers apart.

use super::*;

fn check(prompt: &str, answer: &str, expected: &[&str]) {
    assert_eq!(
        read(style(Family::Hermes), &AnswerOptions::default(), prompt, answer),
        expected,
        "{answer:?}"
    );
}

#[test]
fn a_thought_is_split_from_the_answer() {
    check(
        "",
        "<think>\nso\nit is\n</think>\n\nYes.",
        &["thought so\nit is", "text Yes."],
    );
    check("", "\n<think>a</think>b", &["thought a", "text b"]);
    check("", "<think>a</think><think>b</think>c", &["thought ab", "text c"]);
    check("", "Yes.", &["text Yes."]);
    check("", "  Yes.\n", &["text   Yes.\n"]);
}

#[test]
fn the_prompt_may_have_begun_the_thought() {
    check(
        "<|im_start|>assistant\n<think>\n",
        "so\n</think>\n\nYes.",
        &["thought so", "text Yes."],
    );
    // The prompt has closed it again: the model shall not think.
    check("<think>\n\n</think>\n\n", "Yes.", &["text Yes."]);
    // The prompt shows no tag, and the model writes only the second one.
    check("", "so\n</think>\n\nYes.", &["text so\nYes."]);
}

#[test]
fn the_limit_may_fall_within_a_thought_or_a_tag() {
    check("", "<think>so it", &["thought so it"]);
    check("", "<think>so it\n", &["thought so it"]);
    check("", "<think>so</thi", &["thought so</thi"]);
    check("", "<thi", &["text <thi"]);
    check("<think>", "", &[]);
}

#[test]
fn an_empty_thought_leaves_nothing() {
    check("", "<think>\n\n</think>\n\nYes.", &["text Yes."]);
    check("", "<think></think>", &[]);
    check("<think>\n", "\n</think>\n\nYes.", &["text Yes."]);
    check("", "</think>\nYes.", &["text Yes."]);
}

#[test]
fn tags_that_are_spoken_of_are_text() {
    check("", "Write <think> in code.", &["text Write <think> in code."]);
    check(
        "",
        "Use `<think>` and `</think>`.",
        &["text Use `<think>` and `</think>`."],
    );
    check(
        "",
        "```xml\n<think>\n</think>\n```\n",
        &["text ```xml\n<think>\n</think>\n```\n"],
    );
    check("", "a</think>b", &["text a</think>b"]);
    check(
        "",
        "<think>the tag `</think>` ends it</think>Yes.",
        &["thought the tag `</think>` ends it", "text Yes."],
    );
    // A stray backtick does not hide the end.
    check("", "<think>a ` b</think>Yes.", &["thought a ` b", "text Yes."]);
    check("", "<think>a`</think>Yes.", &["thought a`", "text Yes."]);
}

#[test]
fn every_pair_of_tags_is_known() {
    let pairs = [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("[THINK]", "[/THINK]"),
        ("<seed:think>", "</seed:think>"),
        ("<|inner_prefix|>", "<|inner_suffix|>"),
    ];
    for (open, close) in pairs {
        let style = Style::detect(Some(&format!("{{{{ '{open}' }}}} {{{{ '{close}' }}}}")));
        let answer = format!("{open}a{close}b");
        assert_eq!(
            read(style, &AnswerOptions::default(), "", &answer),
            ["thought a", "text b"],
            "{open}"
        );
        assert_eq!(style.thought_end(), Some(close));
    }
}

#[test]
fn granite_wraps_its_answer() {
    let style = style(Family::Granite);
    let answer = "<think>a</think><response>b</response>";
    assert_eq!(
        read(style, &AnswerOptions::default(), "", answer),
        ["thought a", "text b"]
    );
}

#[test]
fn gemma_thinks_in_a_channel() {
    let answer = "<|channel>thought\na<channel|>b";
    assert_eq!(
        read(style(Family::Gemma4), &AnswerOptions::default(), "", answer),
        ["thought a", "text b"]
    );
    // Its tags are control tokens, which count wherever they stand.
    let mut parser = Parser::new(style(Family::Gemma4), &AnswerOptions::default(), "");
    let mut pieces = Vec::new();
    let fragments = [
        Fragment::Text("b "),
        Fragment::Control("<|channel>"),
        Fragment::Text("thought\n"),
        Fragment::Control("<channel|>"),
    ];
    for fragment in fragments {
        pieces.extend(parser.push(fragment));
    }
    pieces.extend(parser.finish());
    assert_eq!(shown(&pieces), ["text b "]);
}

#[test]
fn harmony_thinks_in_a_channel() {
    let style = style(Family::Harmony);
    let cases: [(&str, &[&str]); 6] = [
        (
            "<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
            &["thought so", "text Yes."],
        ),
        ("<|channel|>final<|message|>Yes.<|return|>", &["text Yes."]),
        ("<|channel|>analysis<|message|>so it", &["thought so it"]),
        (
            "<|channel|>analysis<|message|><|end|><|start|>assistant<|channel|>final<|message|>a",
            &["text a"],
        ),
        (
            "<|channel|>commentary<|message|>I look.<|end|>",
            &["text I look."],
        ),
        ("<|channel|>fin", &[]),
    ];
    for (answer, expected) in cases {
        let read = read(
            style,
            &AnswerOptions::default(),
            "<|end|><|start|>assistant",
            answer,
        );
        assert_eq!(read, expected, "{answer}");
    }
    assert_eq!(read(style, &AnswerOptions::default(), "", "Yes."), ["text Yes."]);
}

#[test]
fn it_is_known_whether_the_model_thinks() {
    let mut parser = Parser::new(style(Family::Hermes), &AnswerOptions::default(), "<think>\n");
    assert!(parser.is_reasoning());
    parser.push(Fragment::Text("so</think>"));
    assert!(!parser.is_reasoning());
    parser.push(Fragment::Text("Yes."));
    assert!(!parser.is_reasoning() && !parser.called_tools());
}
