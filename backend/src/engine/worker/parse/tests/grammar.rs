//! When an answer's grammar begins to hold.

use super::*;

/// A family, the fragments of an answer, and when its grammar is due.
type Case<'text> = (Family, &'text [&'text str], Option<(usize, &'text str)>);

/// Feeds fragments; gives after which one the grammar is due (0 is before the first) and what it begins with.
fn due(style: Style, options: &AnswerOptions, prompt: &str, fragments: &[&str]) -> Option<(usize, String)> {
    let mut parser = Parser::new(style, options, prompt);
    let mut due = parser.grammar_due().map(|text| (0, text));
    for (place, fragment) in fragments.iter().enumerate() {
        parser.push(Fragment::Text(fragment));
        if let Some(text) = parser.grammar_due() {
            assert_eq!(due, None, "it is told once");
            due = Some((place + 1, text));
        }
    }
    due
}

#[test]
fn a_demand_holds_from_the_first_token_that_is_no_thought() {
    let json = AnswerOptions {
        format: Format::JsonObject,
        ..AnswerOptions::default()
    };
    let required = AnswerOptions {
        tool_choice: ToolChoice::Required,
        ..options()
    };
    for options in [json, required] {
        let hermes = style(Family::Hermes);
        assert_eq!(due(hermes, &options, "", &["{"]), Some((0, String::new())));
        let fragments = ["so", "</think>\n", "\n"];
        assert_eq!(
            due(hermes, &options, "<think>\n", &fragments),
            Some((2, String::new()))
        );
        assert_eq!(
            due(hermes, &options, "<think>", &["</think>\n{"]),
            Some((1, "{".into()))
        );
    }
}

#[test]
fn tools_that_may_be_called_hold_from_the_first_mark() {
    let cases: [Case<'_>; 7] = [
        (
            Family::Hermes,
            &["I look.", "\n<tool", "_call>\n"],
            Some((3, "<tool_call>\n")),
        ),
        (Family::Hermes, &["`<tool_call>`"], None),
        (
            Family::Hermes,
            &["<think>`", "a</think>", "<tool_call>"],
            Some((3, "<tool_call>")),
        ),
        (
            Family::Llama3,
            &["{\"name\": \"", "add", "\", \"par", "ameters"],
            Some((3, "{\"name\": \"add\", \"par")),
        ),
        (Family::Llama3, &["{\"name\": \"unknown\","], None),
        (
            Family::Harmony,
            &["<|channel|>", "commentary to=", "functions.", "add"],
            Some((3, "to=functions.")),
        ),
        (
            Family::Generic,
            &["```json\n", "{\"name\": \"add\""],
            Some((2, "{\"name\": \"add\"")),
        ),
    ];
    for (family, fragments, expected) in cases {
        let expected = expected.map(|(place, text)| (place, text.to_owned()));
        assert_eq!(
            due(style(family), &options(), "<|start|>assistant", fragments),
            expected,
            "{fragments:?}"
        );
    }
    let none = AnswerOptions::default();
    assert_eq!(due(style(Family::Hermes), &none, "", &["<tool_call>"]), None);
}
