//! Tool calls that are enforced: what the grammar lets through, the parser reads as calls.

use hearth_protocol::completion::Piece;
use serde_json::{Map, Value};

use super::*;
use crate::engine::worker::parse::{Fragment, Parser};

const FAMILIES: [Family; 22] = [
    Family::Hermes,
    Family::QwenCoder,
    Family::SeedOss,
    Family::Functionary,
    Family::Glm,
    Family::MiniMax,
    Family::Llama3,
    Family::Mistral,
    Family::MistralArgs,
    Family::Gemma4,
    Family::FunctionGemma,
    Family::DeepSeek,
    Family::DeepSeekV31,
    Family::DeepSeekV32,
    Family::Kimi,
    Family::Harmony,
    Family::Granite,
    Family::Cohere,
    Family::Nemotron,
    Family::ToolCalls,
    Family::FireFunction,
    Family::Generic,
];

fn options(tool_choice: ToolChoice) -> AnswerOptions {
    let weather = Tool {
        name: "weather".into(),
        description: None,
        parameters: Some(json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "maxLength": 8},
                "unit": {"type": "string", "enum": ["C", "F"]},
                "days": {"type": "integer", "minimum": 1, "maximum": 9},
            },
            "required": ["city", "days"],
        })),
    };
    let now = Tool {
        name: "now".into(),
        description: None,
        parameters: None,
    };
    AnswerOptions {
        tools: vec![weather, now],
        tool_choice,
        ..AnswerOptions::default()
    }
}

/// The calls that the parser reads in a text: name and arguments.
fn calls(family: Family, options: &AnswerOptions, text: &str) -> Vec<(String, String)> {
    let mut parser = Parser::new(style(family), options, "<|start|>assistant");
    let mut pieces = parser.push(Fragment::Text(text));
    pieces.extend(parser.finish());
    let mut calls = Vec::new();
    for piece in pieces {
        match piece {
            Piece::ToolCall { name, .. } => calls.push((name, String::new())),
            Piece::ToolArguments { index, text } => calls[index as usize].1.push_str(&text),
            Piece::Text(other) | Piece::Reasoning(other) => panic!("{family:?}: {other:?} in {text:?}"),
        }
    }
    calls
}

/// Checks the arguments of a call against its tool's schema.
fn check_arguments(family: Family, name: &str, arguments: &str, text: &str) {
    let arguments: Map<String, Value> = serde_json::from_str(arguments)
        .unwrap_or_else(|error| panic!("{family:?}: {text:?}: {arguments}: {error}"));
    // Gemma's dictionaries are not kept to schemas.
    if name == "now" || matches!(family, Family::Gemma4 | Family::FunctionGemma) {
        return;
    }
    assert_eq!(name, "weather");
    assert!(arguments["city"].is_string(), "{family:?}: {text:?}");
    assert!(
        (1..=9).contains(&arguments["days"].as_i64().expect("a number")),
        "{family:?}: {text:?}"
    );
    let unit = arguments.get("unit");
    assert!(
        unit.is_none_or(|unit| unit == "C" || unit == "F"),
        "{family:?}: {text:?}"
    );
}

#[test]
fn what_is_required_is_a_call_in_every_family() {
    for family in FAMILIES {
        for one_tool_only in [false, true] {
            let options = AnswerOptions {
                one_tool_only,
                ..options(ToolChoice::Required)
            };
            for random in 0..4 {
                let text = write(&mut grammar(&options, style(family)), random, 40);
                let calls = calls(family, &options, &text);
                assert!(!calls.is_empty(), "{family:?}: {text:?}");
                assert!(!one_tool_only || calls.len() == 1, "{family:?}: {text:?}");
                for (name, arguments) in calls {
                    check_arguments(family, &name, &arguments, &text);
                }
            }
        }
    }
}

#[test]
fn a_named_tool_is_the_only_one() {
    for family in FAMILIES {
        let options = options(ToolChoice::Named("now".into()));
        for random in 0..4 {
            let text = write(&mut grammar(&options, style(family)), random, 40);
            let calls = calls(family, &options, &text);
            assert!(
                !calls.is_empty() && calls.iter().all(|(name, _)| name == "now"),
                "{family:?}: {text:?}"
            );
        }
    }
}

#[test]
fn a_call_that_the_model_begins_is_led_to_its_end() {
    let cases = [
        (Family::Hermes, "<tool_call>\n{\"name\": \"weather\", \"arg"),
        (Family::QwenCoder, "<tool_call>\n<function=weather>\n<param"),
        (Family::Llama3, "{\"name\": \"now\", \"par"),
        (Family::MistralArgs, "[TOOL_CALLS]weather[ARGS]{\"city"),
        (
            Family::DeepSeekV31,
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool",
        ),
        (Family::Gemma4, "<|tool_call>call:wea"),
        (Family::Granite, "<|tool_call|>[{\"na"),
    ];
    for (family, begun) in cases {
        let options = options(ToolChoice::Auto);
        let mut state = grammar(&options, style(family));
        assert!(state.accept(begun.as_bytes()), "{family:?}");
        assert!(!state.is_whole());
        let rest = write(&mut state, 7, 40);
        let text = format!("{begun}{rest}");
        assert!(!calls(family, &options, &text).is_empty(), "{family:?}: {text:?}");
        assert!(!grammar(&options, style(family)).accept(b"Hello"), "{family:?}");
    }
    let mut harmony = grammar(&options(ToolChoice::Auto), style(Family::Harmony));
    assert!(harmony.accept(b"to=functions.now<|channel|>commentary json<|message|>{}") && harmony.is_over());
}

#[test]
fn no_tools_no_grammar() {
    let options = options(ToolChoice::None);
    assert!(
        Grammar::demanded(&options, &style(Family::Hermes), "")
            .expect("good")
            .is_none()
    );
}

#[test]
fn with_a_form_and_tools_either_comes() {
    let options = AnswerOptions {
        format: Format::JsonObject,
        ..options(ToolChoice::Auto)
    };
    let call = "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>";
    assert!(matches(&options, style(Family::Hermes), "{\"a\": 1}"));
    assert!(matches(&options, style(Family::Hermes), call));
    assert!(!matches(&options, style(Family::Hermes), "Hello"));
}

#[test]
fn marks_are_named_and_other_control_tokens_are_not() {
    let state = grammar(&options(ToolChoice::Required), style(Family::Hermes));
    assert!(state.names("<tool_call>") && state.names("</tool_call>"));
    assert!(!state.names("<|im_end|>") && !state.names(""));
}
