//! From a request to what the engine is asked, and to the answer as it begins.

use hearth_protocol::answer::{AnswerOptions, ContextPolicy, Format};
use hearth_protocol::chat::Role;
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::openai::chat::ToolChoiceMode;
use hearth_protocol::openai::responses::item::InputItem;
use hearth_protocol::openai::responses::request::{
    AllowedTool, Beyond, ChosenTools, CreateResponse, Input, TextFormat, Tool as WireTool,
    ToolChoice as WireChoice, Truncation,
};
use hearth_protocol::openai::responses::{Response, Status};
use hearth_protocol::prompt::{Prompt, PromptMessage};
use hearth_protocol::tools::{Tool, ToolChoice};
use serde_json::{Map, Value};

use super::super::chat::reason;
use super::super::sampling::{Fields, sampling};
use super::super::tools::{allow, custom, mode};
use super::super::{new_id, seconds_now};
use super::items;
use crate::server::options::{self, Asked};
use crate::server::refusal::Refusal;
use crate::server::shown::behind_tools;
use crate::server::site::Site;

/// What can be told beside an answer. Thinking is told as it is, so that nothing of it is encrypted.
const LOGPROBS: &str = "message.output_text.logprobs";
const ENCRYPTED_REASONING: &str = "reasoning.encrypted_content";

/// Most notes of a program beside an answer, and the longest in characters (OpenAI's).
const NOTES: usize = 16;
const LONGEST_KEY: usize = 64;
const LONGEST_NOTE: usize = 512;

/// # Errors
/// Where a program's notes are more or longer than the interface has them.
fn check_metadata(notes: Option<&Map<String, Value>>) -> Result<(), Refusal> {
    let refused = |problem: String| Err(Refusal::field("metadata", problem));
    let Some(notes) = notes else {
        return Ok(());
    };
    if notes.len() > NOTES {
        return refused(format!("has {} pairs, and {NOTES} are the most", notes.len()));
    }
    for (key, note) in notes {
        if key.chars().count() > LONGEST_KEY {
            return refused(format!("has a key of more than {LONGEST_KEY} characters"));
        }
        match note {
            Value::String(note) if note.chars().count() <= LONGEST_NOTE => (),
            Value::String(_) => {
                return refused(format!("has more than {LONGEST_NOTE} characters at {key:?}"));
            }
            _ => return refused(format!("must hold texts, which {key:?} is not")),
        }
    }
    Ok(())
}

/// Refuses what Hearth cannot do, by name.
///
/// # Errors
/// Names the first such field.
pub(super) fn refuse_beyond(beyond: &Beyond, wire: &CreateResponse) -> Result<(), Refusal> {
    check_metadata(wire.metadata.as_ref())?;
    let text = wire.text.as_ref();
    let summary = wire
        .reasoning
        .as_ref()
        .and_then(|reasoning| reasoning.summary.as_deref());
    let cases = [
        (
            beyond.background == Some(true),
            "background",
            "is not there: ask with stream and listen",
        ),
        (
            beyond.conversation.is_some(),
            "conversation",
            "is not there; use previous_response_id",
        ),
        (
            beyond.prompt.is_some(),
            "prompt",
            "names a prompt that OpenAI keeps; send its text as instructions",
        ),
        (
            beyond
                .context_management
                .as_ref()
                .is_some_and(|edits| !edits.is_empty()),
            "context_management",
            "is not there: the chat is read as it is sent",
        ),
        (
            text.and_then(|text| text.verbosity.as_deref())
                .is_some_and(|verbosity| verbosity != "medium"),
            "text.verbosity",
            "is not there: no model here knows it; say it in the instructions",
        ),
        (
            summary == Some("concise"),
            "reasoning.summary",
            "cannot be concise: thinking is told in full",
        ),
    ];
    if let Some((_, field, reason)) = cases.into_iter().find(|(is_asked, ..)| *is_asked) {
        return Err(Refusal::unsupported(field, reason));
    }
    let known = |name: &&String| name.as_str() != LOGPROBS && name.as_str() != ENCRYPTED_REASONING;
    match wire.include.iter().flatten().find(known) {
        Some(name) => Err(Refusal::unsupported(
            "include",
            &format!("asks for {name}, which is not there"),
        )),
        None => Ok(()),
    }
}

/// What the engine is asked: `before` is the chat that the answer goes on from.
///
/// # Errors
/// Names the field that is wrong.
pub(super) fn completion(
    site: &Site,
    wire: &CreateResponse,
    asked: Asked,
    settings: SamplingParams,
    before: Vec<InputItem>,
) -> Result<CompletionRequest, Refusal> {
    let fields = Fields {
        temperature: wire.temperature,
        top_p: wire.top_p,
        max_tokens: wire.max_output_tokens.or(asked.local.n_predict),
        ..Fields::from(&asked.draw)
    };
    let sampling = sampling(settings, &fields)?;
    let model = site.names().meant(wire.model.as_deref());
    let instructions = wire.instructions.as_ref();
    let mut messages: Vec<_> = instructions
        .map(|text| PromptMessage::text(Role::System, text))
        .into_iter()
        .collect();
    items::add("previous_response_id", before, &mut messages)?;
    match &wire.input {
        None => (),
        Some(Input::Text(text)) => messages.push(PromptMessage::text(Role::User, text)),
        Some(Input::Items(input)) => items::add("input", input.clone(), &mut messages)?,
    }
    if messages.is_empty() {
        return Err(Refusal::field("input", "is missing"));
    }
    let messages = behind_tools(messages);
    // An answer that stands last has been begun for the model, which goes on with it.
    let go_on = messages
        .last()
        .is_some_and(|last| last.role == Role::Assistant && last.tool_calls.is_empty());
    let mut request = CompletionRequest {
        sampling,
        answer: answer(wire)?,
        ..CompletionRequest::new(model, Prompt::Chat { messages, go_on })
    };
    options::refuse_telling(&asked.local)?;
    options::apply(asked.local, &mut request)?;
    request.validate()?;
    Ok(request)
}

/// What the answer shall be like.
fn answer(wire: &CreateResponse) -> Result<AnswerOptions, Refusal> {
    let tells_logprobs = wire.include.iter().flatten().any(|name| name == LOGPROBS);
    let top = wire.top_logprobs.filter(|count| tells_logprobs || *count > 0);
    let (tools, tool_choice) = tools(wire)?;
    let mut answer = AnswerOptions {
        tools,
        tool_choice,
        one_tool_only: wire.parallel_tool_calls == Some(false),
        format: match wire.text.as_ref().map(|text| &text.format) {
            None | Some(TextFormat::Text) => Format::Text,
            Some(TextFormat::JsonObject) => Format::JsonObject,
            Some(TextFormat::JsonSchema { schema, .. }) => Format::JsonSchema(schema.clone()),
        },
        context_policy: match wire.truncation.unwrap_or_default() {
            Truncation::Disabled => ContextPolicy::Stop,
            Truncation::Auto => ContextPolicy::Rolling,
        },
        logprobs: top.or(tells_logprobs.then_some(0)),
        ..AnswerOptions::default()
    };
    let effort = wire
        .reasoning
        .as_ref()
        .and_then(|reasoning| reasoning.effort.as_deref());
    if let Some(effort) = effort {
        reason("reasoning.effort", effort, &mut answer)?;
    }
    Ok(answer)
}

/// The tools that may be called, and whether they shall.
fn tools(wire: &CreateResponse) -> Result<(Vec<Tool>, ToolChoice), Refusal> {
    let tools: Result<Vec<Tool>, _> = wire.tools.iter().flatten().enumerate().map(tool).collect();
    let mut tools = tools?;
    let choice = match &wire.tool_choice {
        None => ToolChoice::Auto,
        Some(WireChoice::Mode(asked)) => mode(*asked),
        Some(WireChoice::Tools(ChosenTools::Function { name })) => ToolChoice::Named(name.clone()),
        Some(WireChoice::Tools(ChosenTools::AllowedTools {
            mode: asked,
            tools: allowed,
        })) => {
            let names = allowed.iter().map(|AllowedTool::Function { name }| &**name);
            allow(&mut tools, &names.collect::<Vec<_>>())?;
            mode(*asked)
        }
    };
    Ok((tools, choice))
}

fn tool((place, tool): (usize, &WireTool)) -> Result<Tool, Refusal> {
    match tool {
        WireTool::Function {
            name,
            description,
            parameters,
            ..
        } => Ok(Tool {
            name: name.clone(),
            description: description.clone(),
            parameters: parameters.clone(),
        }),
        WireTool::Custom {} => Err(custom(place)),
        WireTool::Hosted {} => {
            let reason = "is a tool of OpenAI's own, which is not there; describe it as a function";
            Err(Refusal::unsupported(&format!("tools[{place}].type"), reason))
        }
    }
}

/// The answer as it begins.
pub(super) fn response(wire: CreateResponse, request: &CompletionRequest, store: bool) -> Response {
    Response {
        id: new_id("resp_"),
        object: "response",
        created_at: seconds_now(),
        completed_at: None,
        status: Status::InProgress,
        background: false,
        error: None,
        incomplete_details: None,
        instructions: wire.instructions,
        max_output_tokens: wire.max_output_tokens,
        model: String::new(),
        output: Vec::new(),
        parallel_tool_calls: wire.parallel_tool_calls.unwrap_or(true),
        previous_response_id: wire.previous_response_id,
        reasoning: wire.reasoning.unwrap_or_default(),
        store,
        temperature: request.sampling.temperature,
        text: wire.text.unwrap_or_default(),
        tool_choice: wire.tool_choice.unwrap_or(WireChoice::Mode(ToolChoiceMode::Auto)),
        tools: wire.tools.unwrap_or_default(),
        top_logprobs: wire.top_logprobs.unwrap_or(0),
        top_p: request.sampling.top_p,
        truncation: wire.truncation.unwrap_or_default(),
        usage: None,
        metadata: wire.metadata.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wire(fields: &Value) -> CreateResponse {
        serde_json::from_value(fields.clone()).expect("a request")
    }

    #[test]
    fn what_cannot_be_honoured_is_named() {
        let cases = [
            (
                json!({"background": false, "include": ["reasoning.encrypted_content"]}),
                None,
            ),
            (json!({"background": true}), Some("background")),
            (json!({"conversation": "conv_1"}), Some("conversation")),
            (json!({"prompt": {"id": "p"}}), Some("prompt")),
            (
                json!({"context_management": [{"type": "compaction"}]}),
                Some("context_management"),
            ),
            (
                json!({"reasoning": {"generate_summary": "concise"}}),
                Some("reasoning.summary"),
            ),
            // These change nothing about the answer here.
            (
                json!({"max_tool_calls": 3, "prompt_cache_key": "x", "safety_identifier": "x", "service_tier": "auto",
                    "user": "x", "stream_options": {"include_obfuscation": false}, "context_management": []}),
                None,
            ),
            (json!({"text": {"verbosity": "low"}}), Some("text.verbosity")),
            (json!({"reasoning": {"summary": "auto"}}), None),
            (
                json!({"reasoning": {"summary": "concise"}}),
                Some("reasoning.summary"),
            ),
            (json!({"include": ["file_search_call.results"]}), Some("include")),
        ];
        for (fields, named) in cases {
            let beyond = serde_json::from_value(fields.clone()).expect("fields");
            let refused = refuse_beyond(&beyond, &wire(&fields)).err();
            assert_eq!(
                refused.and_then(|refusal| refusal.param).as_deref(),
                named,
                "{fields}"
            );
        }
    }

    #[test]
    fn a_programs_notes_are_bounded() {
        let notes = |count: usize, key: usize, note: &str| {
            let pair = |number: usize| (format!("{number:0>key$}"), Value::from(note));
            let wire = wire(&json!({"metadata": (0..count).map(pair).collect::<Map<_, _>>()}));
            refuse_beyond(&Beyond::default(), &wire).map_err(|refusal| (refusal.param, refusal.message))
        };
        // Characters count, not bytes.
        assert_eq!(notes(NOTES, LONGEST_KEY, &"é".repeat(LONGEST_NOTE)), Ok(()));
        assert_eq!(notes(0, 1, ""), Ok(()));
        for (count, key, note, words) in [
            (NOTES + 1, 2, "", "17 pairs"),
            (1, LONGEST_KEY + 1, "", "64 characters"),
            (1, 1, &*"a".repeat(LONGEST_NOTE + 1), "512 characters"),
        ] {
            let (param, message) = notes(count, key, note).expect_err("too much");
            assert_eq!(param.as_deref(), Some("metadata"));
            assert!(message.contains(words), "{message}");
        }
        let number = wire(&json!({"metadata": {"a": 1}}));
        assert!(refuse_beyond(&Beyond::default(), &number).is_err());
    }

    #[test]
    fn tools_and_their_choice_become_the_engines() {
        let with = |choice: Value| {
            let tool =
                |name: &str| json!({"type": "function", "name": name, "parameters": {"type": "object"}});
            let fields = json!({"tools": [tool("a"), tool("b")], "tool_choice": choice});
            tools(&wire(&fields)).map(|(tools, choice)| {
                let names: Vec<_> = tools.into_iter().map(|tool| tool.name).collect();
                (names.join(" "), choice)
            })
        };
        let allow = |name: &str| json!({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": name}]});
        let cases = [
            (json!(null), ("a b", ToolChoice::Auto)),
            (json!("none"), ("a b", ToolChoice::None)),
            (
                json!({"type": "function", "name": "b"}),
                ("a b", ToolChoice::Named("b".into())),
            ),
            (allow("b"), ("b", ToolChoice::Required)),
        ];
        for (choice, (names, expected)) in cases {
            assert_eq!(with(choice.clone()), Ok((names.to_owned(), expected)), "{choice}");
        }
        let refused = with(allow("c")).expect_err("an unknown tool");
        assert_eq!(refused.param.as_deref(), Some("tool_choice"));
    }

    #[test]
    fn logprobs_are_told_where_either_field_asks_for_them() {
        let cases = [
            (json!({}), None),
            (json!({"top_logprobs": 0}), None),
            (json!({"top_logprobs": 3}), Some(3)),
            (json!({"include": [LOGPROBS]}), Some(0)),
            (json!({"include": [LOGPROBS], "top_logprobs": 2}), Some(2)),
        ];
        for (fields, logprobs) in cases {
            assert_eq!(
                answer(&wire(&fields)).expect("an answer").logprobs,
                logprobs,
                "{fields}"
            );
        }
    }
}
