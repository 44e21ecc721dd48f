//! Which of a model's chat templates answers a request.

use std::collections::BTreeMap;

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::{Error, Result};
use llama_cpp_2::model::LlamaModel;

use crate::engine::worker::parse::Style;
use crate::engine::worker::template::{self, ChatTemplate, Failure};

/// Where a file keeps its template; named ones have their name behind a dot.
const KEY: &str = "tokenizer.chat_template";

/// The template that is taken for chats with tools where a file brings it.
const FOR_TOOLS: &str = "tool_use";

/// What the template that has no name of its own is asked for by.
const DEFAULT: &str = "default";

/// The sources of a model's templates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Templates {
    /// The file's own.
    pub(in super::super) default: Option<String>,
    /// Others of the file, by name.
    pub(in super::super) named: BTreeMap<String, String>,
    /// What the person put in the place of the file's own: a source, or the name of a template that is built in.
    pub(in super::super) replacement: Option<String>,
}

/// A template, and what its source tells.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) template: std::result::Result<ChatTemplate, Failure>,
    /// How its model writes.
    pub(super) style: Style,
}

/// The templates, parsed.
#[derive(Debug)]
pub(super) struct Choice {
    /// The one for any chat.
    main: Option<Chosen>,
    /// Whether `main` was put in the place of the file's own.
    is_replaced: bool,
    named: BTreeMap<String, Chosen>,
}

impl Templates {
    /// Those of a model's file, and what shall stand in the place of its own. A source that is no UTF-8 is read as
    /// far as it is text.
    pub(in super::super) fn read(model: &LlamaModel, replacement: Option<&str>) -> Self {
        let keys = (0..model.meta_count()).filter_map(|index| model.meta_key_by_index(index).ok());
        let named = keys.filter_map(|key| {
            let name = key.strip_prefix(KEY)?.strip_prefix('.')?.to_owned();
            Some((name, model.meta_val_str(&key).ok()?))
        });
        Self {
            default: model.meta_val_str(KEY).ok(),
            named: named.collect(),
            replacement: replacement.map(str::to_owned),
        }
    }
}

impl Choice {
    /// Parses the templates; `bos` and `eos` are the texts of the vocabulary's tokens.
    pub(super) fn new(templates: Templates, bos: &str, eos: &str) -> Self {
        let parse = |source: String| Chosen {
            template: ChatTemplate::parse(&source, bos, eos),
            style: Style::detect(Some(&source)),
        };
        let replacement = templates
            .replacement
            .map(|source| template::source_of(&source).to_owned());
        let is_replaced = replacement.is_some();
        let named = templates.named.into_iter();
        Self {
            main: replacement.or(templates.default).map(parse),
            is_replaced,
            named: named.map(|(name, source)| (name, parse(source))).collect(),
        }
    }

    /// Whether any chat has a template.
    pub(super) fn has_main(&self) -> bool {
        self.main.is_some()
    }

    /// The one that a request names; else what was put in the place of the file's own; else, for chats with tools,
    /// the file's template for them; else the file's own.
    ///
    /// # Errors
    /// `NotFound` names those that there are.
    pub(super) fn choose(&self, options: &AnswerOptions) -> Result<Option<&Chosen>> {
        let main = self.main.as_ref();
        match options.template.as_deref() {
            Some(DEFAULT) if main.is_some() => Ok(main),
            Some(name) => self.named.get(name).map(Some).ok_or_else(|| Error::NotFound {
                what: "chat template of this model".into(),
                name: name.into(),
                known: self.names(),
            }),
            None if self.is_replaced || template::shown_tools(options).is_empty() => Ok(main),
            None => Ok(self.named.get(FOR_TOOLS).or(main)),
        }
    }

    fn names(&self) -> Vec<String> {
        let main = self.main.iter().map(|_| DEFAULT.to_owned());
        main.chain(self.named.keys().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::chat::Role;
    use hearth_protocol::prompt::PromptMessage;
    use hearth_protocol::tools::{Tool, ToolChoice};

    use super::*;
    use crate::engine::worker::template::{ControlTokens, Talk};

    fn with_tool(options: AnswerOptions) -> AnswerOptions {
        let tool = Tool {
            name: "a".into(),
            description: None,
            parameters: None,
        };
        AnswerOptions {
            tools: vec![tool],
            ..options
        }
    }

    fn named(name: &str) -> AnswerOptions {
        AnswerOptions {
            template: Some(name.into()),
            ..AnswerOptions::default()
        }
    }

    fn templates(default: Option<&str>, names: &[&str], replacement: Option<&str>) -> Choice {
        let named = names
            .iter()
            .map(|name| ((*name).to_owned(), format!("the {name}")));
        let templates = Templates {
            default: default.map(str::to_owned),
            named: named.collect(),
            replacement: replacement.map(str::to_owned),
        };
        Choice::new(templates, "", "")
    }

    /// What a template writes, which is its source where that is plain text.
    fn written(chosen: &Chosen) -> String {
        let talk = Talk {
            messages: &[PromptMessage::text(Role::User, "hi")],
            options: &AnswerOptions::default(),
            head: true,
            begun: None,
        };
        let template = chosen.template.as_ref().expect("it is a template");
        let rendered = template.render(talk, &ControlTokens::new([]));
        rendered.expect("it renders").text
    }

    #[test]
    fn the_style_is_that_of_the_template() {
        let choice = templates(Some("<think>"), &["rag"], None);
        let style = |options: &AnswerOptions| {
            let chosen = choice.choose(options).expect("it is there");
            chosen.map(|chosen| chosen.style)
        };
        let thinking = Style::detect(Some("<think>"));
        assert!(thinking.thoughts.is_some());
        assert_eq!(style(&AnswerOptions::default()), Some(thinking));
        assert_eq!(style(&named("rag")), Some(Style::detect(Some("the rag"))));
    }

    #[test]
    fn the_template_that_suits_is_taken() {
        let any = AnswerOptions::default();
        let no_call = AnswerOptions {
            tool_choice: ToolChoice::None,
            ..with_tool(any.clone())
        };
        let cases = [
            (templates(None, &[], None), &any, None),
            (templates(Some("own"), &["tool_use"], None), &any, Some("own")),
            (
                templates(Some("own"), &["tool_use"], None),
                &with_tool(any.clone()),
                Some("the tool_use"),
            ),
            (templates(Some("own"), &["tool_use"], None), &no_call, Some("own")),
            (
                templates(Some("own"), &["rag"], None),
                &with_tool(any.clone()),
                Some("own"),
            ),
            (
                templates(Some("own"), &["rag"], None),
                &named("rag"),
                Some("the rag"),
            ),
            (
                templates(Some("own"), &["rag"], None),
                &named("default"),
                Some("own"),
            ),
            (
                templates(Some("own"), &["tool_use"], Some("new")),
                &with_tool(any.clone()),
                Some("new"),
            ),
            (
                templates(Some("own"), &["tool_use"], Some("new")),
                &named("tool_use"),
                Some("the tool_use"),
            ),
            (templates(None, &[], Some("new")), &named("default"), Some("new")),
        ];
        for (choice, options, expected) in cases {
            let chosen = choice.choose(options).expect("it is there");
            assert_eq!(chosen.map(written).as_deref(), expected);
        }
    }

    #[test]
    fn a_template_that_is_not_there_is_named_with_those_that_are() {
        let choice = templates(Some("own"), &["rag", "tool_use"], None);
        let error = choice.choose(&named("nope")).map(drop);
        let text = error.expect_err("it is not there").to_string();
        assert_eq!(
            text,
            "There is no chat template of this model “nope”. There is: default, rag, tool_use."
        );
        assert!(templates(None, &[], None).choose(&named("default")).is_err());
    }

    #[test]
    fn a_built_in_template_is_taken_by_its_name() {
        let choice = templates(Some("own"), &[], Some(" ChatML "));
        let chosen = choice.choose(&AnswerOptions::default()).expect("it is there");
        let written = chosen.map(written).unwrap_or_default();
        assert!(written.contains("<|im_start|>"), "{written}");
        assert!(choice.has_main());
    }
}
