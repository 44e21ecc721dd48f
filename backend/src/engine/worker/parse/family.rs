//! In which form a model thinks and asks for tools. Its chat template tells, since it shows earlier answers in the
//! form that the model was trained on.

use super::call::Markup;

/// The form of a model's tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Family {
    /// `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes, Qwen, Granite 4.
    Hermes,
    /// `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>`: Qwen-Coder, Qwen 3.5.
    QwenCoder,
    /// The same within `<seed:tool_call>`.
    SeedOss,
    /// `<function=name>{…}</function>`.
    Functionary,
    /// `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`.
    Glm,
    /// `<minimax:tool_call><invoke name="…"><parameter name="…">value</parameter></invoke></minimax:tool_call>`.
    MiniMax,
    /// `{"name": …, "parameters": …}` as the whole answer, or after `<|python_tag|>`.
    Llama3,
    /// `[TOOL_CALLS][{"name": …, "arguments": …}]`.
    Mistral,
    /// `[TOOL_CALLS]name[ARGS]{…}`, since Mistral Small 3.2.
    MistralArgs,
    /// `<|tool_call>call:name{key:<|"|>text<|"|>}<tool_call|>`.
    Gemma4,
    /// The same with other marks.
    FunctionGemma,
    /// ```<｜tool▁call▁begin｜>function<｜tool▁sep｜>name\n```json\n{…}\n```<｜tool▁call▁end｜>```: V3 and R1.
    DeepSeek,
    /// `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`.
    DeepSeekV31,
    /// `<｜DSML｜invoke name="…"><｜DSML｜parameter name="…" string="true">…`: V3.2 and V4.
    DeepSeekV32,
    /// `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`.
    Kimi,
    /// gpt-oss: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}`.
    Harmony,
    /// `<|tool_call|>[{"name": …, "arguments": …}]`: Granite 3.
    Granite,
    /// `<|START_ACTION|>[{"tool_name": …, "parameters": …}]<|END_ACTION|>`.
    Cohere,
    /// `<TOOLCALL>[{"name": …, "arguments": …}]</TOOLCALL>`.
    Nemotron,
    /// `<tool_calls>[{"name": …, "arguments": …}]</tool_calls>`: Apriel, MiniMax-M1.
    ToolCalls,
    /// `functools[{"name": …, "arguments": …}]`.
    FireFunction,
    /// No form of its own: a JSON object as the whole answer, fenced or not.
    Generic,
}

/// The tags around thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Thoughts {
    pub(in super::super) open: &'static str,
    pub(in super::super) close: &'static str,
}

/// How a model writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Style {
    pub(in super::super) family: Family,
    /// `None` for a model that does not think.
    pub(in super::super) thoughts: Option<Thoughts>,
}

/// In what a call's name and arguments are wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// A JSON object.
    Object,
    /// Name, marks, JSON object; `true` where it may be a JSON object instead.
    Named(bool),
    Markup(Markup),
    /// Gemma's dictionary, with what stands around texts.
    Dictionary(&'static str),
    /// Messages in channels.
    Harmony,
}

/// The marks of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    pub(super) body: Body,
    /// Any of these begins calls, anywhere in the answer.
    pub(super) opens: &'static [&'static str],
    /// Marks in front of a call.
    pub(super) begins: &'static [&'static str],
    /// Marks behind a call.
    pub(super) ends: &'static [&'static str],
    /// A call may also be the beginning of the answer, without marks, or behind these.
    pub(super) bare: Option<&'static [&'static str]>,
}

/// The tags by which models think, the more particular ones first. gpt-oss's channels are read by their own parser.
const THOUGHTS: [Thoughts; 12] = [
    pair("<|channel|>analysis<|message|>", "<|end|>"),
    pair("<|channel>thought\n", "<channel|>"),
    pair("<|START_THINKING|>", "<|END_THINKING|>"),
    pair("[THINK]", "[/THINK]"),
    pair("<seed:think>", "</seed:think>"),
    pair("<mm:think>", "</mm:think>"),
    pair("<|inner_prefix|>", "<|inner_suffix|>"),
    pair("<|think|>", "<|end|>"),
    pair("<thinking>", "</thinking>"),
    pair("<think>", "</think>"),
    pair("<thought>", "</thought>"),
    pair("<reasoning>", "</reasoning>"),
];

const fn pair(open: &'static str, close: &'static str) -> Thoughts {
    Thoughts { open, close }
}

const FUNCTION: Markup = Markup {
    open: "<function=",
    key: "<parameter=",
    value: ">",
    value_end: "</parameter>",
    close: "</function>",
};

impl Style {
    /// What a chat template's source tells; a model without one is of no family.
    pub(in super::super) fn detect(template: Option<&str>) -> Self {
        let source = template.unwrap_or_default();
        let family = Family::detect(template);
        let thoughts = match family {
            Family::Harmony => Some(THOUGHTS[0]),
            // Its template writes the tag with what follows apart.
            Family::Gemma4 => Some(THOUGHTS[1]),
            _ => {
                // `<|end|>` ends messages as well.
                let closes = |tag: &str| tag != "<|end|>" && source.contains(tag);
                let named = |tags: &&Thoughts| source.contains(tags.open) || closes(tags.close);
                THOUGHTS.iter().skip(2).find(named).copied()
            }
        };
        Self { family, thoughts }
    }

    /// Whether the end of a prompt has opened a thought.
    pub(in super::super) fn is_thinking(&self, prompt_end: &str) -> bool {
        let end = prompt_end.trim_end();
        self.thoughts
            .is_some_and(|tags| end.ends_with(tags.open.trim_end()))
    }

    /// What ends a thought and begins the answer, for a thought that has become too long.
    pub(in super::super) fn thought_end(&self) -> Option<&'static str> {
        match self.family {
            Family::Harmony => Some("<|end|><|start|>assistant<|channel|>final<|message|>"),
            _ => self.thoughts.map(|thoughts| thoughts.close),
        }
    }
}

impl Family {
    /// The family of a chat template's source.
    pub(in super::super) fn detect(template: Option<&str>) -> Self {
        let Some(source) = template else {
            return Self::Generic;
        };
        let has = |text: &str| source.contains(text);
        match () {
            () if has("<|channel|>") && has("<|message|>") => Self::Harmony,
            () if has("<|tool_call>") => Self::Gemma4,
            () if has("<start_function_call>") => Self::FunctionGemma,
            () if has("｜DSML｜") => Self::DeepSeekV32,
            () if has("<｜tool▁sep｜>") && has("```json") => Self::DeepSeek,
            () if has("<｜tool▁sep｜>") => Self::DeepSeekV31,
            () if has("<|tool_call_begin|>") => Self::Kimi,
            () if has("[TOOL_CALLS]") && has("[ARGS]") => Self::MistralArgs,
            () if has("[TOOL_CALLS]") => Self::Mistral,
            () if has("<|START_ACTION|>") => Self::Cohere,
            () if has("<minimax:tool_call>") => Self::MiniMax,
            () if has("seed:tool_call") => Self::SeedOss,
            () if has("<function=") && has("<parameter=") => Self::QwenCoder,
            () if has("<function=") => Self::Functionary,
            () if has("<arg_key>") => Self::Glm,
            () if has("<TOOLCALL>") => Self::Nemotron,
            () if has("<tool_calls>") => Self::ToolCalls,
            () if has("<tool_call>") => Self::Hermes,
            () if has("<|tool_call|>") => Self::Granite,
            () if has("functools") => Self::FireFunction,
            () if has("<|python_tag|>") || has("ipython") => Self::Llama3,
            () => Self::Generic,
        }
    }

    pub(super) fn syntax(self) -> Syntax {
        let markup = |open, key, value_end, close| {
            Body::Markup(Markup {
                open,
                key,
                value: ">",
                value_end,
                close,
            })
        };
        let (body, opens, begins, ends): (_, &[_], &[_], &[_]) = match self {
            Self::Hermes => (
                Body::Object,
                &["<tool_call>"],
                &["<tool_call>"],
                &["</tool_call>"],
            ),
            Self::QwenCoder => (
                Body::Markup(FUNCTION),
                &["<tool_call>", "<function="],
                &["<tool_call>"],
                &["</tool_call>"],
            ),
            Self::SeedOss => (
                Body::Markup(FUNCTION),
                &["<seed:tool_call>"],
                &["<seed:tool_call>"],
                &["</seed:tool_call>"],
            ),
            Self::Functionary => (Body::Markup(FUNCTION), &["<function="], &[], &[]),
            Self::Glm => (
                Body::Markup(Markup {
                    open: "",
                    key: "<arg_key>",
                    value: "<arg_value>",
                    value_end: "</arg_value>",
                    close: "</tool_call>",
                }),
                &["<tool_call>"],
                &["<tool_call>"],
                &[],
            ),
            Self::MiniMax => (
                markup(
                    "<invoke name=\"",
                    "<parameter name=\"",
                    "</parameter>",
                    "</invoke>",
                ),
                &["<minimax:tool_call>"],
                &["<minimax:tool_call>"],
                &["</minimax:tool_call>"],
            ),
            Self::DeepSeekV32 => (
                markup(
                    "<｜DSML｜invoke name=\"",
                    "<｜DSML｜parameter name=\"",
                    "</｜DSML｜parameter>",
                    "</｜DSML｜invoke>",
                ),
                &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
                &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
                &["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"],
            ),
            Self::Llama3 => (Body::Object, &["<|python_tag|>"], &["<|python_tag|>"], &[]),
            Self::Mistral | Self::MistralArgs => (
                Body::Named(true),
                &["[TOOL_CALLS]"],
                &["[TOOL_CALLS]"],
                &["[/TOOL_CALLS]"],
            ),
            Self::Gemma4 => (
                Body::Dictionary("<|\"|>"),
                &["<|tool_call>"],
                &["<|tool_call>"],
                &["<tool_call|>"],
            ),
            Self::FunctionGemma => (
                Body::Dictionary("<escape>"),
                &["<start_function_call>"],
                &["<start_function_call>"],
                &["<end_function_call>"],
            ),
            Self::DeepSeek | Self::DeepSeekV31 => (
                Body::Named(false),
                &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
                &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
                &["```", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
            ),
            Self::Kimi => (
                Body::Named(false),
                &["<|tool_calls_section_begin|>", "<|tool_call_begin|>"],
                &["<|tool_calls_section_begin|>", "<|tool_call_begin|>"],
                &["<|tool_call_end|>", "<|tool_calls_section_end|>"],
            ),
            Self::Harmony => (Body::Harmony, &[], &[], &[]),
            Self::Granite => (
                Body::Object,
                &["<|tool_call|>", "<tool_call>"],
                &["<|tool_call|>", "<tool_call>"],
                &["</tool_call>"],
            ),
            Self::Cohere => (
                Body::Object,
                &["<|START_ACTION|>"],
                &["<|START_ACTION|>"],
                &["<|END_ACTION|>"],
            ),
            Self::Nemotron => (Body::Object, &["<TOOLCALL>"], &["<TOOLCALL>"], &["</TOOLCALL>"]),
            Self::ToolCalls => (
                Body::Object,
                &["<tool_calls>"],
                &["<tool_calls>"],
                &["</tool_calls>"],
            ),
            Self::FireFunction => (Body::Object, &["functools["], &["functools["], &[]),
            Self::Generic => (Body::Object, &[], &[], &["```"]),
        };
        let bare: Option<&[_]> = match self {
            Self::Llama3 => Some(&[]),
            Self::Generic => Some(&["```json", "```tool_call", "```"]),
            _ => None,
        };
        Syntax {
            body,
            opens,
            begins,
            ends,
            bare,
        }
    }
}

impl Syntax {
    /// Every mark, tag and quote of the family.
    pub(super) fn marks(&self) -> Vec<&'static str> {
        let mut marks = [self.opens, self.begins, self.ends].concat();
        match self.body {
            Body::Named(_) => marks.extend([
                "[ARGS]",
                "[CALL_ID]",
                "<｜tool▁sep｜>",
                "<|tool_call_argument_begin|>",
            ]),
            Body::Markup(markup) => {
                marks.extend([
                    markup.open,
                    markup.key,
                    markup.value,
                    markup.value_end,
                    markup.close,
                ]);
            }
            Body::Dictionary(quote) => marks.push(quote),
            Body::Harmony => marks.extend(super::harmony::MARKS),
            Body::Object => {}
        }
        marks
    }
}

#[cfg(test)]
mod tests;
