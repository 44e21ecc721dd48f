//! What a file says of itself and what the person wrote of it, in the panel beside the table.

use std::path::Path;

use hearth_protocol::chat::Role;
use hearth_protocol::library::{FileState, Inspection, LibraryFile};
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::{FileId, Result};

use super::folders::short;
use super::view::source_name;
use crate::effect::Run;
use crate::state::{AppState, failure, format};
use crate::text::{Key, key, say};

/// Characters of a value that are shown in its row; the rest is there to be opened.
const SHOWN: usize = 200;

/// The panel.
#[derive(Debug)]
pub(crate) struct Details {
    /// The file.
    pub(crate) file: FileId,
    /// The part that is shown.
    pub(crate) part: Part,
    /// What the file says; `None` while it is read.
    pub(crate) read: Option<Result<Box<Inspection>>>,
    /// The name in its field while it differs from the stored one.
    pub(in crate::state) name: Option<String>,
    /// The same of the tags.
    pub(in crate::state) tags: Option<String>,
    /// The same of the notes.
    pub(in crate::state) notes: Option<String>,
    /// Why the last of them was not stored.
    pub(crate) fault: Option<String>,
    /// The system prompt of the sample.
    pub(crate) system: String,
    /// Its message.
    pub(crate) message: String,
    /// What the template makes of it.
    pub(in crate::state) preview: Preview,
}

/// A part of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Part {
    /// Name, favourite, tags, notes, and what is most asked for.
    #[default]
    About,
    /// All metadata.
    Metadata,
    /// The chat template.
    Template,
    /// The tensors.
    Tensors,
}

/// What the template makes of the sample.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Preview {
    /// Nobody has asked.
    #[default]
    Nothing,
    /// The model is at it.
    Asked(Run),
    /// This.
    Here(String),
    /// It could not.
    Failed(String),
}

/// The part with what the person wrote, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AboutView {
    /// Display name in its field.
    pub(crate) name: String,
    /// Tags in their field.
    pub(crate) tags: String,
    /// Notes in their field.
    pub(crate) notes: String,
    /// Whether it is a favourite.
    pub(crate) favourite: bool,
    /// Why it cannot be used; empty where it can.
    pub(crate) damage: String,
    /// What is most asked for, a label and a value each.
    pub(crate) facts: Vec<(Key, String)>,
}

/// What stands below the sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PreviewView {
    /// The text of the template; empty where there is none, and until it is read.
    pub(crate) template: String,
    /// What the model made of the sample.
    pub(crate) text: String,
    /// What is to be known instead.
    pub(crate) words: String,
    /// Whether the model can be asked.
    pub(crate) can_ask: bool,
}

impl Details {
    /// The panel of a file that is being read.
    pub(in crate::state) fn new(file: FileId, texts: &crate::text::Texts) -> Self {
        Self {
            file,
            part: Part::default(),
            read: None,
            name: None,
            tags: None,
            notes: None,
            fault: None,
            system: say!(texts, "sample-system"),
            message: say!(texts, "sample-message"),
            preview: Preview::default(),
        }
    }

    /// What the file says, once it is read.
    pub(crate) fn inspection(&self) -> Option<&Inspection> {
        self.read.as_ref()?.as_deref().ok()
    }

    /// The messages of the sample.
    pub(in crate::state) fn sample(&self) -> Vec<PromptMessage> {
        let all = [(Role::System, &self.system), (Role::User, &self.message)];
        let said = all.into_iter().filter(|(_, text)| !text.trim().is_empty());
        said.map(|(role, text)| PromptMessage::text(role, text.as_str()))
            .collect()
    }
}

/// A value as its row shows it: one line, and no longer than a person reads there. Whether it is all of it.
pub(crate) fn shown_value(value: &str) -> (String, bool) {
    let line: String = value.chars().take(SHOWN).collect();
    let is_all = line.len() == value.len();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    (if is_all { line } else { line + "…" }, is_all)
}

impl AppState {
    /// The part with what the person wrote; `None` where the file is gone.
    pub(crate) fn about_view(&self, details: &Details) -> Option<AboutView> {
        let file = self.file(&details.file)?;
        let notes = self.my_models.notes(&file.id);
        let text = |typed: &Option<String>, stored: String| typed.clone().unwrap_or(stored);
        Some(AboutView {
            name: text(&details.name, file.name.clone()),
            tags: text(&details.tags, notes.tags.join(", ")),
            notes: text(&details.notes, notes.notes),
            favourite: notes.favourite,
            damage: match &file.state {
                FileState::Ready => String::new(),
                FileState::Damaged { reason } => reason.clone(),
            },
            facts: self.file_facts(file),
        })
    }

    fn file_facts(&self, file: &LibraryFile) -> Vec<(Key, String)> {
        let texts = self.texts();
        let row = self.model_row(file);
        let context = file.context_length.map(|tokens| format::tokens(texts, tokens));
        let template = match file.has_chat_template {
            true => say!(texts, "details-has-template"),
            false => say!(texts, "details-no-template"),
        };
        let model = file.model.as_ref().map(ToString::to_string).unwrap_or_default();
        let all = [
            (key!("details-repository"), model),
            (key!("my-models-architecture"), row.architecture),
            (key!("my-models-parameters"), row.parameters),
            (key!("my-models-quantisation"), row.quantisation),
            (key!("details-context"), context.unwrap_or_default()),
            (key!("details-template"), template),
            (key!("my-models-size"), row.size),
            (key!("my-models-source"), texts.say(source_name(file.source), &[])),
            (key!("my-models-used"), row.used),
            (key!("details-written"), self.present().moment(file.modified_at)),
            (key!("details-path"), self.short_path(&file.path)),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// What stands below the sample.
    pub(crate) fn preview_view(&self, details: &Details) -> PreviewView {
        let texts = self.texts();
        let inspection = details.inspection();
        let template = inspection
            .and_then(|it| it.chat_template.clone())
            .unwrap_or_default();
        let is_loaded = self.is_in_memory(&details.file);
        let (text, words) = match &details.preview {
            _ if inspection.is_some() && template.is_empty() => {
                (String::new(), say!(texts, "preview-no-template"))
            }
            Preview::Here(text) => (text.clone(), String::new()),
            Preview::Failed(why) => (String::new(), why.clone()),
            Preview::Asked(_) if is_loaded => (String::new(), say!(texts, "preview-runs")),
            Preview::Asked(_) => (String::new(), say!(texts, "preview-loads")),
            Preview::Nothing => (String::new(), say!(texts, "preview-needs-memory")),
        };
        PreviewView {
            can_ask: !template.is_empty() && !is_loaded && !matches!(details.preview, Preview::Asked(_)),
            template,
            text,
            words,
        }
    }

    /// What the panel says in place of a list that is not there; empty where it is.
    pub(crate) fn details_words(&self, details: &Details) -> String {
        match &details.read {
            None => say!(self.texts(), "details-reading"),
            Some(Ok(_)) => String::new(),
            Some(Err(error)) => failure::words(self.texts(), error),
        }
    }

    /// Whether the model of a file is in memory.
    pub(in crate::state) fn is_in_memory(&self, file: &FileId) -> bool {
        self.models.loaded.iter().any(|model| model.file == *file)
    }

    /// A path as it is shown.
    pub(crate) fn short_path(&self, path: &Path) -> String {
        short(path, &self.places.home)
    }
}
