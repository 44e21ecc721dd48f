//! What is read from answers, whole and in pieces.

mod calls;
mod grammar;
mod thoughts;

use hearth_protocol::tools::Tool;
use proptest::prelude::*;
use serde_json::json;

use super::family::Thoughts;
use super::*;

/// A style with the usual tags for thoughts.
pub(super) fn style(family: Family) -> Style {
    let (open, close) = match family {
        Family::Harmony => ("<|channel|>analysis<|message|>", "<|end|>"),
        Family::Gemma4 => ("<|channel>thought\n", "<channel|>"),
        Family::Mistral | Family::MistralArgs => ("[THINK]", "[/THINK]"),
        _ => ("<think>", "</think>"),
    };
    let thoughts = Some(Thoughts { open, close });
    Style { family, thoughts }
}

/// With the tools `weather` and `add`.
pub(super) fn options() -> AnswerOptions {
    let tool = |name: &str, parameters| Tool {
        name: name.into(),
        description: None,
        parameters: Some(parameters),
    };
    AnswerOptions {
        tools: vec![
            tool(
                "weather",
                json!({
                    "type": "object",
                    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                    "required": ["city"],
                }),
            ),
            tool("add", json!({"type": "object", "properties": {"a": {}, "b": {}}})),
        ],
        ..AnswerOptions::default()
    }
}

/// What an answer comes to: `text`, `thought`, `call NAME ARGUMENTS`.
pub(super) fn shown(pieces: &[Piece]) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    for piece in pieces {
        let (kind, text) = match piece {
            Piece::Text(text) => ("text ".to_owned(), text.as_str()),
            Piece::Reasoning(text) => ("thought ".to_owned(), text.as_str()),
            Piece::ToolCall { index, name, .. } => {
                shown.push(format!("call {index} {name} "));
                continue;
            }
            Piece::ToolArguments { index, text } => (format!("call {index} "), text.as_str()),
        };
        match shown.last_mut() {
            Some(last) if last.starts_with(&kind) => last.push_str(text),
            _ => {
                assert!(!kind.starts_with("call"), "arguments without a call");
                shown.push(format!("{kind}{text}"));
            }
        }
    }
    shown
}

/// Reads an answer cut at these places.
pub(super) fn read_cut(
    style: Style,
    options: &AnswerOptions,
    prompt: &str,
    answer: &str,
    cuts: &[usize],
) -> Vec<String> {
    let mut parser = Parser::new(style, options, prompt);
    let mut pieces = Vec::new();
    let mut start = 0;
    for &cut in cuts.iter().chain([&answer.len()]) {
        let cut = (start..=cut.max(start))
            .rev()
            .find(|cut| answer.is_char_boundary(*cut))
            .unwrap_or(start);
        pieces.extend(parser.push(Fragment::Text(&answer[start..cut])));
        start = cut;
    }
    pieces.extend(parser.finish());
    shown(&pieces)
}

/// Reads an answer in one piece, and checks that it is the same character by character.
pub(super) fn read(style: Style, options: &AnswerOptions, prompt: &str, answer: &str) -> Vec<String> {
    let whole = read_cut(style, options, prompt, answer, &[]);
    let each: Vec<usize> = answer.char_indices().map(|(start, _)| start).collect();
    assert_eq!(
        read_cut(style, options, prompt, answer, &each),
        whole,
        "cut anywhere: {answer:?}"
    );
    whole
}

/// Pieces of answers that come together in strange ways.
fn scraps() -> impl Strategy<Value = String> {
    let scraps = [
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "{\"name\": \"add\", \"arguments\": {\"a\": 1}}",
        "{\"name\": \"add\",",
        "\"arguments\": {}}",
        "<function=add>",
        "</function>",
        "<parameter=a>",
        "</parameter>",
        "\n",
        " ",
        "`",
        "```",
        "```json\n",
        "text",
        "<",
        "</",
        "[TOOL_CALLS]",
        "add[ARGS]{\"a\": [1, 2]}",
        "[",
        "]",
        ",",
        "<|channel|>analysis<|message|>",
        "<|end|>",
        "<|start|>assistant",
        "<|channel|>commentary to=functions.add",
        "<|channel|>final",
        "<|message|>",
        "{}",
        "é",
        "call:add{a:1}",
        "<|tool_call>",
        "<tool_call|>",
        "<|\"|>",
    ];
    proptest::collection::vec(proptest::sample::select(scraps.to_vec()), 0..14)
        .prop_map(|scraps| scraps.concat())
}

const FAMILIES: [Family; 15] = [
    Family::Hermes,
    Family::QwenCoder,
    Family::Glm,
    Family::Llama3,
    Family::MistralArgs,
    Family::Gemma4,
    Family::DeepSeek,
    Family::Harmony,
    Family::Granite,
    Family::Generic,
    Family::MiniMax,
    Family::Functionary,
    Family::DeepSeekV31,
    Family::Kimi,
    Family::Cohere,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_pieces_do_not_depend_on_the_cuts(
        answer in scraps(),
        family in proptest::sample::select(FAMILIES.to_vec()),
        mut cuts in proptest::collection::vec(0_usize..200, 0..12),
        thinking in any::<bool>(),
    ) {
        cuts.iter_mut().for_each(|cut| *cut = (*cut).min(answer.len()));
        cuts.sort_unstable();
        let prompt = if thinking { "<think>\n" } else { "" };
        let whole = read_cut(style(family), &options(), prompt, &answer, &[]);
        let cut = read_cut(style(family), &options(), prompt, &answer, &cuts);
        prop_assert_eq!(whole, cut, "{}", answer);
    }

    /// Without tools and thoughts, an answer is its text.
    #[test]
    fn without_tools_nothing_is_taken_away(
        answer in scraps(),
        family in proptest::sample::select(FAMILIES[..7].to_vec()),
    ) {
        let plain = Style { family, thoughts: None };
        let shown = read_cut(plain, &AnswerOptions::default(), "", &answer, &[]);
        let shown = shown.concat();
        prop_assert_eq!(shown.strip_prefix("text ").unwrap_or_default(), &answer);
    }
}

#[test]
fn control_tokens_that_are_no_marks_are_left_out() {
    let mut parser = Parser::new(style(Family::Hermes), &options(), "");
    let mut pieces = parser.push(Fragment::Text("a "));
    pieces.extend(parser.push(Fragment::Control("<|im_start|>")));
    pieces.extend(parser.push(Fragment::Text("b")));
    pieces.extend(parser.finish());
    assert_eq!(shown(&pieces), ["text a b"]);
}

#[test]
fn a_mark_that_is_a_control_token_counts_in_code_too() {
    let mut parser = Parser::new(style(Family::Hermes), &options(), "");
    let mut pieces = parser.push(Fragment::Text("`"));
    pieces.extend(parser.push(Fragment::Control("<tool_call>")));
    pieces.extend(parser.push(Fragment::Text("{\"name\":\"add\",\"arguments\":{\"a\":1}}")));
    pieces.extend(parser.finish());
    assert_eq!(shown(&pieces), ["text `", "call 0 add {\"a\":1}"]);
    assert!(parser.called_tools());
}

#[test]
fn calls_have_names_of_their_own() {
    let mut parser = Parser::new(style(Family::Hermes), &options(), "");
    let answer = "<tool_call>{\"name\": \"add\"}</tool_call>".repeat(3);
    let ids: Vec<String> = parser
        .push(Fragment::Text(&answer))
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::ToolCall { id, .. } => Some(id),
            _ => None,
        })
        .collect();
    assert_eq!(ids.len(), 3);
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    assert!(ids.iter().all(|id| id.len() == 9));
}

#[test]
fn the_name_comes_before_the_arguments_do() {
    let mut parser = Parser::new(style(Family::Hermes), &options(), "");
    assert!(
        parser
            .push(Fragment::Text("<tool_call>\n{\"name\": \"wea"))
            .is_empty()
    );
    let pieces = parser.push(Fragment::Text("ther\", "));
    assert!(matches!(&pieces[..], [Piece::ToolCall { index: 0, name, .. }] if name == "weather"));
    let pieces = parser.push(Fragment::Text("\"arguments\": {\"city\": \"R"));
    assert_eq!(shown_arguments(&pieces), "{\"city\": \"R");
    let pieces = parser.push(Fragment::Text("ome\"}}"));
    assert_eq!(shown_arguments(&pieces), "ome\"}");
}

fn shown_arguments(pieces: &[Piece]) -> String {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::ToolArguments { text, .. } => text.as_str(),
        other => panic!("{other:?}"),
    });
    texts.collect()
}
