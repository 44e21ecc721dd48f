//! Tools: what a program offers a model, and what the model asks for.

use hearth_protocol::openai::chat::{
    FunctionCall, Tool as WireTool, ToolCall as WireCall, ToolChoice as WireChoice, ToolChoiceMode,
};
use hearth_protocol::tools::{Tool, ToolCall, ToolChoice};

/// The kind of every tool call.
pub(in crate::server) const FUNCTION: &str = "function";

/// A tool as the engine knows it.
pub(super) fn tool(tool: WireTool) -> Tool {
    let WireTool::Function { function } = tool;
    Tool {
        name: function.name,
        description: function.description,
        parameters: function.parameters,
    }
}

/// Whether tools shall be called.
pub(super) fn choice(choice: Option<WireChoice>) -> ToolChoice {
    match choice {
        None | Some(WireChoice::Mode(ToolChoiceMode::Auto)) => ToolChoice::Auto,
        Some(WireChoice::Mode(ToolChoiceMode::None)) => ToolChoice::None,
        Some(WireChoice::Mode(ToolChoiceMode::Required)) => ToolChoice::Required,
        Some(WireChoice::Named { function }) => ToolChoice::Named(function.name),
    }
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
