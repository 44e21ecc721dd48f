//! Tool calls as grammars, in the form that each family writes them.

mod dictionary;
mod markup;

use hearth_protocol::schema::Strictness;
use hearth_protocol::tools::Tool;
use serde_json::{Value, json};

use self::dictionary::dictionaries;
use self::markup::{Markup, markup};

use super::builder::Builder;
use super::schema;
use super::tree::{Class, Tree};
use crate::engine::worker::parse::Family;

/// White space within JSON: as much as llama.cpp's converter allows.
const SPACE: &str = "root ::= | \" \" | \"\\n\"{1,2} [ \\t]{0,20}";

/// Calls of these tools: one, or as many as the model likes. Where the model begins them itself (`begun`), only what
/// it cannot have written before counts.
///
/// # Errors
/// What is wrong with a tool's schema, in words.
pub(super) fn calls(
    builder: &mut Builder,
    family: Family,
    tools: &[&Tool],
    one: bool,
    begun: bool,
) -> Result<Tree, String> {
    let space = builder.gbnf(SPACE)?;
    let mut any = |each: &mut dyn FnMut(&mut Builder, &Tool) -> Result<Tree, String>| {
        let trees = tools.iter().map(|tool| each(builder, tool));
        trees.collect::<Result<Vec<_>, _>>().map(Tree::any)
    };
    let wrapped = |open: &str, call: Tree, close: &str, between: Tree| {
        // Marks around each call, or around all: the marks tell.
        let more = Tree::repeat(
            Tree::all(vec![between, call.clone()]),
            0,
            if one { Some(0) } else { None },
        );
        Tree::all(vec![Tree::text(open), call, more, Tree::text(close)])
    };
    let each = |open: &str, call: Tree, close: &str| {
        let marked = Tree::all(vec![Tree::text(open), call, Tree::text(close)]);
        let more = Tree::all(vec![Tree::repeat(Tree::text("\n"), 0, Some(1)), marked.clone()]);
        Tree::all(vec![
            marked,
            Tree::repeat(more, 0, if one { Some(0) } else { None }),
        ])
    };
    let comma = Tree::all(vec![Tree::text(","), space.clone()]);
    let object = |name: &'static str, arguments: &'static str| {
        let space = space.clone();
        move |builder: &mut Builder, tool: &Tool| object(builder, tool, name, arguments, &space)
    };
    Ok(match family {
        Family::Hermes => {
            let call = any(&mut object("name", "arguments"))?;
            let call = Tree::all(vec![space.clone(), call, space.clone()]);
            each("<tool_call>", call, "</tool_call>")
        }
        Family::Llama3 => {
            let call = any(&mut object("name", "parameters"))?;
            let semicolon = Tree::all(vec![Tree::text(";"), space.clone()]);
            let mark = Tree::repeat(Tree::text("<|python_tag|>"), 0, u32::from(begun).into());
            Tree::all(vec![mark, wrapped("", call, "", semicolon)])
        }
        Family::Generic => any(&mut object("name", "arguments"))?,
        Family::Granite => {
            let call = any(&mut object("name", "arguments"))?;
            let list = wrapped("[", call.clone(), "]", comma.clone());
            Tree::all(vec![Tree::text("<|tool_call|>"), space.clone(), list])
        }
        Family::Mistral => wrapped(
            "[TOOL_CALLS][",
            any(&mut object("name", "arguments"))?,
            "]",
            comma,
        ),
        Family::Cohere => {
            let call = any(&mut |builder: &mut Builder, tool: &Tool| {
                let Tree::All(mut parts) = self::object(builder, tool, "tool_name", "parameters", &space)?
                else {
                    return Err("its call has no parts".into());
                };
                let id = builder.gbnf("root ::= \"\\\"tool_call_id\\\": \\\"\" [0-9]{1,2} \"\\\", \"")?;
                parts.insert(2, id);
                Ok(Tree::All(parts))
            })?;
            wrapped(
                "<|START_ACTION|>[",
                Tree::all(vec![space.clone(), call, space.clone()]),
                "]<|END_ACTION|>",
                comma,
            )
        }
        Family::Nemotron => wrapped(
            "<TOOLCALL>[",
            any(&mut object("name", "arguments"))?,
            "]</TOOLCALL>",
            comma,
        ),
        Family::ToolCalls => wrapped(
            "<tool_calls>[",
            any(&mut object("name", "arguments"))?,
            "]</tool_calls>",
            comma,
        ),
        Family::FireFunction => wrapped("functools[", any(&mut object("name", "arguments"))?, "]", comma),
        Family::MistralArgs => {
            let call = any(&mut |builder: &mut Builder, tool: &Tool| {
                Ok(Tree::all(vec![
                    Tree::text(format!("{}[ARGS]", tool.name)),
                    arguments(builder, tool)?,
                ]))
            })?;
            each("[TOOL_CALLS]", call, "")
        }
        Family::DeepSeek => {
            let call = any(&mut |builder: &mut Builder, tool: &Tool| {
                let open = format!(
                    "<｜tool▁call▁begin｜>function<｜tool▁sep｜>{}\n```json\n",
                    tool.name
                );
                let close = Tree::text("\n```<｜tool▁call▁end｜>");
                Ok(Tree::all(vec![
                    Tree::text(open),
                    arguments(builder, tool)?,
                    close,
                ]))
            })?;
            let line = Tree::repeat(Tree::text("\n"), 0, Some(1));
            wrapped("<｜tool▁calls▁begin｜>", call, "<｜tool▁calls▁end｜>", line)
        }
        Family::DeepSeekV31 => {
            let call = any(&mut |builder: &mut Builder, tool: &Tool| {
                let open = format!("<｜tool▁call▁begin｜>{}<｜tool▁sep｜>", tool.name);
                Ok(Tree::all(vec![
                    Tree::text(open),
                    arguments(builder, tool)?,
                    Tree::text("<｜tool▁call▁end｜>"),
                ]))
            })?;
            wrapped(
                "<｜tool▁calls▁begin｜>",
                call,
                "<｜tool▁calls▁end｜>",
                Tree::All(Vec::new()),
            )
        }
        Family::Kimi => {
            let digits = Tree::repeat(Tree::Class(Class::new(&[('0', '9')], false)), 1, Some(3));
            let call = any(&mut |builder: &mut Builder, tool: &Tool| {
                Ok(Tree::all(vec![
                    Tree::text(format!("<|tool_call_begin|>functions.{}:", tool.name)),
                    digits.clone(),
                    Tree::text("<|tool_call_argument_begin|>"),
                    arguments(builder, tool)?,
                    Tree::text("<|tool_call_end|>"),
                ]))
            })?;
            let (open, close) = ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>");
            wrapped(open, call, close, Tree::All(Vec::new()))
        }
        Family::Functionary => {
            let call = any(&mut |builder: &mut Builder, tool: &Tool| {
                Ok(Tree::all(vec![
                    Tree::text(format!("{}>", tool.name)),
                    arguments(builder, tool)?,
                ]))
            })?;
            each("<function=", call, "</function>")
        }
        Family::QwenCoder => {
            let tags = Markup {
                open: "<function=",
                open_end: ">\n",
                key: "<parameter=",
                value: [">\n"; 2],
                value_end: "\n</parameter>\n",
                close: "</function>",
            };
            let call = any(&mut |builder, tool| markup(builder, tool, &tags))?;
            each("<tool_call>\n", call, "\n</tool_call>")
        }
        Family::SeedOss => {
            let tags = Markup {
                open: "<function=",
                open_end: ">\n",
                key: "<parameter=",
                value: [">"; 2],
                value_end: "</parameter>\n",
                close: "</function>",
            };
            let call = any(&mut |builder, tool| markup(builder, tool, &tags))?;
            each("<seed:tool_call>\n", call, "\n</seed:tool_call>")
        }
        Family::Glm => {
            let tags = Markup {
                open: "",
                open_end: "\n",
                key: "<arg_key>",
                value: ["</arg_key>\n<arg_value>"; 2],
                value_end: "</arg_value>\n",
                close: "</tool_call>",
            };
            let call = any(&mut |builder, tool| markup(builder, tool, &tags))?;
            each("<tool_call>", call, "")
        }
        Family::MiniMax => {
            let tags = Markup {
                open: "<invoke name=\"",
                open_end: "\">\n",
                key: "<parameter name=\"",
                value: ["\">"; 2],
                value_end: "</parameter>\n",
                close: "</invoke>\n",
            };
            let call = any(&mut |builder, tool| markup(builder, tool, &tags))?;
            wrapped(
                "<minimax:tool_call>\n",
                call,
                "</minimax:tool_call>",
                Tree::All(Vec::new()),
            )
        }
        Family::DeepSeekV32 => {
            let tags = Markup {
                open: "<｜DSML｜invoke name=\"",
                open_end: "\">\n",
                key: "<｜DSML｜parameter name=\"",
                value: ["\" string=\"true\">", "\" string=\"false\">"],
                value_end: "</｜DSML｜parameter>\n",
                close: "</｜DSML｜invoke>\n",
            };
            let call = any(&mut |builder, tool| markup(builder, tool, &tags))?;
            // The model's own marks are the ones that it began with; V4 calls them tool_calls.
            let block = |name: &str| {
                let (open, close) = (format!("<｜DSML｜{name}>\n"), format!("</｜DSML｜{name}>"));
                wrapped(&open, call.clone(), &close, Tree::All(Vec::new()))
            };
            Tree::any(vec![block("function_calls"), block("tool_calls")])
        }
        Family::Gemma4 => dictionaries(builder, tools, ["<|tool_call>", "<|\"|>", "<tool_call|>"], one)?,
        Family::FunctionGemma => dictionaries(
            builder,
            tools,
            ["<start_function_call>", "<escape>", "<end_function_call>"],
            one,
        )?,
        Family::Harmony => {
            let call = any(&mut |builder: &mut Builder, tool: &Tool| {
                let channel = Tree::repeat(Tree::text("<|channel|>commentary"), 0, Some(1));
                let kind = Tree::any(vec![
                    Tree::text(" <|constrain|>json"),
                    Tree::text(" json"),
                    Tree::text(""),
                ]);
                Ok(Tree::all(vec![
                    Tree::text(format!("to=functions.{}", tool.name)),
                    channel,
                    kind,
                    Tree::text("<|message|>"),
                    arguments(builder, tool)?,
                ]))
            })?;
            match begun {
                true => call,
                false => Tree::all(vec![Tree::text("<|channel|>commentary "), call]),
            }
        }
    })
}

/// `{"name": "…", "arguments": {…}}`.
fn object(
    builder: &mut Builder,
    tool: &Tool,
    name_key: &str,
    arguments_key: &str,
    space: &Tree,
) -> Result<Tree, String> {
    let space = || space.clone();
    Ok(Tree::All(vec![
        Tree::text("{"),
        space(),
        Tree::text(format!("\"{name_key}\"")),
        space(),
        Tree::text(":"),
        space(),
        Tree::text(format!("\"{}\"", tool.name)),
        space(),
        Tree::text(","),
        space(),
        Tree::text(format!("\"{arguments_key}\"")),
        space(),
        Tree::text(":"),
        space(),
        arguments(builder, tool)?,
        space(),
        Tree::text("}"),
    ]))
}

/// The JSON object of a tool's arguments.
fn arguments(builder: &mut Builder, tool: &Tool) -> Result<Tree, String> {
    let schema = arguments_schema(tool);
    let grammar = schema::grammar(&schema, Strictness::Lenient);
    let grammar = grammar.and_then(|grammar| builder.gbnf(&grammar));
    grammar.map_err(|problem| format!("have a bad schema for {}: {problem}", tool.name))
}

/// A tool's schema; an object in any case.
fn arguments_schema(tool: &Tool) -> Value {
    match &tool.parameters {
        Some(Value::Object(schema)) if !schema.is_empty() => {
            let mut schema = schema.clone();
            let says = [
                "type",
                "properties",
                "$ref",
                "anyOf",
                "oneOf",
                "allOf",
                "enum",
                "const",
            ];
            if !says.iter().any(|keyword| schema.contains_key(*keyword)) {
                schema.insert("type".into(), "object".into());
            }
            Value::Object(schema)
        }
        _ => json!({"type": "object", "properties": {}, "additionalProperties": false}),
    }
}
