//! From a request to what the engine is asked.

use hearth_protocol::answer::{AnswerOptions, Format};
use hearth_protocol::anthropic::request::{
    Beyond, ContextManagement, Conversation, Generation, OutputFormat, Thinking, Tool as WireTool,
    ToolChoice as WireChoice, ToolMode,
};
use hearth_protocol::chat::Role;
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::llama_cpp::options::DrawOptions;
use hearth_protocol::openai::Stop;
use hearth_protocol::prompt::Prompt;
use hearth_protocol::tools::{Tool, ToolChoice};
use serde_json::Value;

use super::chat;
use crate::server::openai::chat::reason;
use crate::server::openai::sampling::{Fields, sampling};
use crate::server::options::{self, Asked};
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// The kind of a tool that the client brings itself.
const CUSTOM: &str = "custom";

/// Anthropic's highest effort, which OpenAI calls otherwise.
const MAX_EFFORT: (&str, &str) = ("max", "xhigh");

/// Refuses what Hearth cannot do, by name.
///
/// # Errors
/// Names the first such field.
pub(super) fn refuse_beyond(beyond: &Beyond) -> Result<(), Refusal> {
    let cases = [
        (
            beyond.container.is_some(),
            "container",
            "is not there: this server runs no code",
        ),
        (
            beyond
                .mcp_servers
                .as_ref()
                .is_some_and(|servers| !servers.is_empty()),
            "mcp_servers",
            "is not there: this server opens no connection",
        ),
        (
            beyond.context_management.as_ref().is_some_and(leaves_out),
            "context_management",
            "is not there: the chat is read as it is sent",
        ),
    ];
    match cases.into_iter().find(|(is_asked, ..)| *is_asked) {
        Some((_, field, reason)) => Err(Refusal::unsupported(field, reason)),
        None => Ok(()),
    }
}

/// Whether anything of the chat shall be left out: to keep all thinking leaves nothing out.
fn leaves_out(context: &ContextManagement) -> bool {
    let keeps_all = |edit: &Value| {
        let kind = edit["type"].as_str().unwrap_or_default();
        kind.starts_with("clear_thinking_") && edit["keep"] == "all"
    };
    !context.edits.iter().flatten().all(keeps_all)
}

/// What the engine is asked.
///
/// # Errors
/// Names the field that is wrong.
pub(super) fn completion(
    site: &Site,
    chat: Conversation,
    generation: Generation,
    asked: Asked,
    settings: SamplingParams,
) -> Result<CompletionRequest, Refusal> {
    if generation.max_tokens == 0 {
        return Err(Refusal::field("max_tokens", "must be 1 or more"));
    }
    if let Some(temperature) = generation.temperature
        && !(0.0..=1.0).contains(&temperature)
    {
        let problem = format!("is {temperature} and must be from 0 to 1");
        return Err(Refusal::field("temperature", problem));
    }
    let stop = generation.stop_sequences.map(Stop::Many);
    let fields = Fields {
        temperature: generation.temperature,
        top_p: generation.top_p,
        max_tokens: Some(generation.max_tokens.into()),
        stop: stop.as_ref(),
        ..Fields::from(&asked.draw)
    };
    let sampling = sampling(settings, &fields)?;
    options::refuse_telling(&asked.local)?;
    let model = site.names().meant(chat.model.as_deref());
    let answer = answer(&chat)?;
    let mut request = CompletionRequest {
        sampling,
        answer,
        ..CompletionRequest::new(model, prompt(chat)?)
    };
    options::apply(asked.local, &mut request)?;
    request.validate()?;
    Ok(request)
}

/// The texts that end the answer, by Anthropic's name and by the one of other chats.
pub(super) fn stops(generation: &Generation, draw: &DrawOptions) -> Option<Vec<String>> {
    let theirs = generation.stop_sequences.as_deref();
    let more = draw.stop.as_ref().map(Stop::texts);
    (theirs.is_some() || more.is_some())
        .then(|| [theirs, more].into_iter().flatten().flatten().cloned().collect())
}

/// The chat as a model is given it.
///
/// # Errors
/// Names the block that cannot be given.
pub(super) fn prompt(conversation: Conversation) -> Result<Prompt, Refusal> {
    let messages = chat::messages(conversation.system, conversation.messages)?;
    // An answer that stands last has been begun for the model, which goes on with it.
    let go_on = messages
        .last()
        .is_some_and(|last| last.role == Role::Assistant && last.tool_calls.is_empty());
    Ok(Prompt::Chat { messages, go_on })
}

/// What the answer shall be like.
///
/// # Errors
/// Names the field that is wrong.
pub(super) fn answer(chat: &Conversation) -> Result<AnswerOptions, Refusal> {
    let tools: Result<_, _> = chat.tools.iter().flatten().enumerate().map(tool).collect();
    let choice = chat.tool_choice.as_ref();
    let mut answer = AnswerOptions {
        tools: tools?,
        tool_choice: choice.map(tool_choice).transpose()?.unwrap_or_default(),
        one_tool_only: choice.is_some_and(|choice| choice.disable_parallel_tool_use == Some(true)),
        ..AnswerOptions::default()
    };
    let output = chat.output_config.clone().unwrap_or_default();
    if let Some(effort) = &output.effort {
        let (max, theirs) = MAX_EFFORT;
        let effort = if effort == max { theirs } else { effort };
        reason("output_config.effort", effort, &mut answer)?;
    }
    // The second is its older name.
    if let Some(OutputFormat::JsonSchema { schema }) = output.format.or_else(|| chat.output_format.clone()) {
        answer.format = Format::JsonSchema(schema);
    }
    match &chat.thinking {
        Some(Thinking::Enabled { budget_tokens: 0 }) => {
            return Err(Refusal::field("thinking.budget_tokens", "must be 1 or more"));
        }
        Some(Thinking::Enabled { budget_tokens }) => {
            answer.reasoning.enabled = Some(true);
            answer.reasoning.budget = Some(*budget_tokens);
        }
        // As the model's template has it, within the effort.
        Some(Thinking::Adaptive {}) => (),
        // Thinking is only what was asked for.
        None | Some(Thinking::Disabled {}) => {
            answer.reasoning.enabled = Some(false);
            answer.reasoning.budget = None;
        }
    }
    Ok(answer)
}

fn tool((place, tool): (usize, &WireTool)) -> Result<Tool, Refusal> {
    if let Some(kind) = tool.kind.as_deref().filter(|kind| *kind != CUSTOM) {
        let problem =
            format!("is {kind}, a tool of Anthropic's that is not there; describe it as a custom tool");
        return Err(Refusal::unsupported(&format!("tools[{place}].type"), &problem));
    }
    if tool.input_schema.is_none() {
        return Err(Refusal::field(
            &format!("tools[{place}].input_schema"),
            "is missing",
        ));
    }
    Ok(Tool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: tool.input_schema.clone(),
    })
}

fn tool_choice(choice: &WireChoice) -> Result<ToolChoice, Refusal> {
    Ok(match choice.mode {
        ToolMode::Auto => ToolChoice::Auto,
        ToolMode::Any => ToolChoice::Required,
        ToolMode::None => ToolChoice::None,
        ToolMode::Tool => {
            let name = choice.name.clone();
            ToolChoice::Named(name.ok_or_else(|| Refusal::field("tool_choice.name", "is missing"))?)
        }
    })
}

#[cfg(test)]
mod tests {
    use hearth_protocol::answer::Reasoning;
    use serde_json::{Value, json};

    use super::*;

    fn options(fields: &Value) -> Result<AnswerOptions, Refusal> {
        let mut body = json!({"messages": []});
        for (name, value) in fields.as_object().expect("fields") {
            body[name] = value.clone();
        }
        answer(&serde_json::from_value(body).expect("a request"))
    }

    #[test]
    fn thinking_is_what_was_asked_for() {
        let cases = [
            (json!({}), Some(false), None),
            (json!({"thinking": {"type": "disabled"}}), Some(false), None),
            (
                json!({"thinking": {"type": "enabled", "budget_tokens": 32}}),
                Some(true),
                Some(32),
            ),
            (json!({"thinking": {"type": "adaptive"}}), None, None),
            (
                json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}}),
                Some(true),
                Some(1024),
            ),
            (
                json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}}),
                Some(true),
                None,
            ),
        ];
        for (fields, enabled, budget) in cases {
            let reasoning = options(&fields).expect("options").reasoning;
            assert_eq!(reasoning, Reasoning { enabled, budget }, "{fields}");
        }
    }

    #[test]
    fn tools_and_their_choice_become_the_engines() {
        let cases = [
            (json!({"type": "auto"}), ToolChoice::Auto, false),
            (json!({"type": "any"}), ToolChoice::Required, false),
            (json!({"type": "none"}), ToolChoice::None, false),
            (
                json!({"type": "tool", "name": "look", "disable_parallel_tool_use": true}),
                ToolChoice::Named("look".into()),
                true,
            ),
        ];
        for (choice, expected, one_only) in cases {
            let tool = json!({"type": "custom", "name": "look", "input_schema": {"type": "object"}});
            let answer = options(&json!({"tools": [tool], "tool_choice": choice})).expect("options");
            assert_eq!((answer.tool_choice, answer.one_tool_only), (expected, one_only));
            assert_eq!(answer.tools[0].parameters, Some(json!({"type": "object"})));
        }
    }

    #[test]
    fn what_cannot_be_honoured_is_named() {
        let cases = [
            (
                json!({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
                "tools[0].type",
            ),
            (json!({"tools": [{"name": "look"}]}), "tools[0].input_schema"),
            (json!({"tool_choice": {"type": "tool"}}), "tool_choice.name"),
            (
                json!({"thinking": {"type": "enabled", "budget_tokens": 0}}),
                "thinking.budget_tokens",
            ),
            (
                json!({"output_config": {"effort": "much"}}),
                "output_config.effort",
            ),
        ];
        for (fields, named) in cases {
            let refused = options(&fields).expect_err(named);
            assert_eq!(refused.param.as_deref(), Some(named), "{}", refused.message);
        }
        let beyond = |fields: &Value| {
            let beyond = serde_json::from_value(fields.clone()).expect("fields");
            refuse_beyond(&beyond).err().and_then(|refusal| refusal.param)
        };
        let cleared = |keep: Value| {
            let edits = json!([{"type": "clear_thinking_20251015", "keep": keep}]);
            json!({"context_management": {"edits": edits}})
        };
        let cases = [
            (json!({"container": "x"}), Some("container")),
            (json!({"mcp_servers": [{}]}), Some("mcp_servers")),
            (json!({"mcp_servers": []}), None),
            (cleared(json!("all")), None),
            (
                cleared(json!({"type": "thinking_turns", "value": 1})),
                Some("context_management"),
            ),
            (json!({"context_management": {"edits": []}}), None),
            (
                json!({"metadata": {"user_id": "x"}, "service_tier": "auto", "inference_geo": "us"}),
                None,
            ),
        ];
        for (fields, named) in cases {
            assert_eq!(beyond(&fields).as_deref(), named, "{fields}");
        }
    }
}
