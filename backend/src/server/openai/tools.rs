//! Tools: what a program offers a model, and what the model asks for.

use hearth_protocol::openai::chat::{
    FunctionCall, Tool as WireTool, ToolCall as WireCall, ToolChoice as WireChoice, ToolChoiceMode,
};
use hearth_protocol::tools::{Tool, ToolCall, ToolChoice};

use crate::server::refusal::Refusal;

/// The kind of every tool call.
pub(in crate::server) const FUNCTION: &str = "function";

/// The tools that may be called, and whether they shall.
///
/// # Errors
/// Names the tool that is not there.
pub(super) fn tools(
    tools: Vec<WireTool>,
    choice: Option<WireChoice>,
) -> Result<(Vec<Tool>, ToolChoice), Refusal> {
    let tools: Result<Vec<Tool>, _> = tools.into_iter().enumerate().map(tool).collect();
    let mut tools = tools?;
    let choice = match choice {
        None => ToolChoice::Auto,
        Some(WireChoice::Mode(asked)) => mode(asked),
        Some(WireChoice::Named { function }) => ToolChoice::Named(function.name),
        Some(WireChoice::Allowed { allowed_tools }) => {
            let names = allowed_tools.tools.iter().map(|tool| &*tool.function.name);
            allow(&mut tools, &names.collect::<Vec<_>>())?;
            mode(allowed_tools.mode)
        }
    };
    Ok((tools, choice))
}

/// A tool as the engine knows it.
fn tool((place, tool): (usize, WireTool)) -> Result<Tool, Refusal> {
    match tool {
        WireTool::Function { function } => Ok(Tool {
            name: function.name,
            description: function.description,
            parameters: function.parameters,
        }),
        WireTool::Custom {} => Err(custom(place)),
    }
}

/// The refusal of a tool whose argument is free text.
pub(super) fn custom(place: usize) -> Refusal {
    let reason = "is custom, which is not there; describe the tool as a function";
    Refusal::unsupported(&format!("tools[{place}].type"), reason)
}

/// Whether tools shall be called.
pub(super) fn mode(mode: ToolChoiceMode) -> ToolChoice {
    match mode {
        ToolChoiceMode::None => ToolChoice::None,
        ToolChoiceMode::Auto => ToolChoice::Auto,
        ToolChoiceMode::Required => ToolChoice::Required,
    }
}

/// Leaves only the tools of these names.
///
/// # Errors
/// Where one of them is not among the tools.
pub(super) fn allow(tools: &mut Vec<Tool>, names: &[&str]) -> Result<(), Refusal> {
    let is_unknown = |name: &&&str| tools.iter().all(|tool| tool.name != ***name);
    if let Some(name) = names.iter().find(is_unknown) {
        let problem = format!("allows the tool {name:?}, which is not among the tools");
        return Err(Refusal::field("tool_choice", problem));
    }
    tools.retain(|tool| names.contains(&&*tool.name));
    Ok(())
}

/// A call on its way out.
pub(super) fn call(call: ToolCall) -> WireCall {
    WireCall {
        id: call.id,
        kind: FUNCTION.to_owned(),
        function: FunctionCall {
            name: call.name,
            arguments: call.arguments,
        },
    }
}

/// A call that comes back with the chat.
pub(super) fn called(call: WireCall) -> ToolCall {
    ToolCall {
        id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn tools_and_their_choice_become_the_engines() {
        let with = |choice: Value| {
            let tool = |name: &str| json!({"type": "function", "function": {"name": name}});
            let wire = serde_json::from_value(json!([tool("a"), tool("b")])).expect("tools");
            let choice = serde_json::from_value(choice).expect("a choice");
            tools(wire, choice)
                .map(|(tools, choice)| {
                    let names: Vec<_> = tools.into_iter().map(|tool| tool.name).collect();
                    (names.join(" "), choice)
                })
                .map_err(|refusal| refusal.param)
        };
        let allow = |name: &str, mode: &str| {
            let tools = json!([{"type": "function", "function": {"name": name}}]);
            json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}})
        };
        let named = json!({"type": "function", "function": {"name": "b"}});
        let cases = [
            (json!(null), Ok(("a b", ToolChoice::Auto))),
            (json!("none"), Ok(("a b", ToolChoice::None))),
            (named, Ok(("a b", ToolChoice::Named("b".into())))),
            (allow("b", "required"), Ok(("b", ToolChoice::Required))),
            (allow("a", "auto"), Ok(("a", ToolChoice::Auto))),
            (allow("c", "auto"), Err("tool_choice")),
        ];
        for (choice, expected) in cases {
            let expected = expected
                .map(|(names, choice)| (names.to_owned(), choice))
                .map_err(|field| Some(field.to_owned()));
            assert_eq!(with(choice.clone()), expected, "{choice}");
        }
    }
}
