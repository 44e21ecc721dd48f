//! The path of a file to write or to read: typed, or chosen in the system's own dialog.

use std::path::PathBuf;

use hearth_protocol::ChatId;
use hearth_protocol::chat::list::ExportFormat;

use crate::state::conversation::ConversationKey;
use crate::text::{Key, key};

/// Most characters of a title in the name of a file.
const LONGEST_NAME: usize = 60;

/// A path that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathForm {
    /// What for.
    pub(crate) purpose: Purpose,
    /// The path as typed so far.
    pub(crate) path: String,
    /// Why the last one did not do.
    pub(crate) fault: Option<String>,
    /// Whether the backend is at it.
    pub(crate) running: bool,
}

/// What a path is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A chat is to be written there.
    Export {
        /// Which.
        chat: ChatId,
        /// The format.
        format: ExportFormat,
    },
    /// Chats are to be read from there.
    Import,
    /// All chats are to be written there.
    ExportAll,
    /// Models are to be looked for there.
    ModelFolder,
    /// All data are to be moved there.
    MoveData,
    /// The preset of this name is to be written there.
    ExportPreset(String),
    /// A preset is to be read from there.
    ImportPreset,
    /// The file is to be put beside a draft.
    Attach {
        /// The conversation.
        conversation: ConversationKey,
        /// The number of its chat, once it has one.
        chat: Option<ChatId>,
        /// The paths of those that follow.
        rest: Vec<String>,
    },
}

impl Purpose {
    /// Whether a file is written.
    pub(crate) fn writes(&self) -> bool {
        matches!(
            self,
            Self::Export { .. } | Self::ExportAll | Self::ExportPreset(_)
        )
    }
}

impl PathForm {
    /// A form for the export of a chat, with a path in the person's folder made of its title.
    pub(crate) fn export(chat: ChatId, format: ExportFormat, title: &str) -> Self {
        let ending = match format {
            ExportFormat::Markdown => "md",
            ExportFormat::Json => "json",
        };
        let path = format!("~/{}.{ending}", file_name(title));
        Self::new(Purpose::Export { chat, format }, path)
    }

    /// A form for an import.
    pub(crate) fn import() -> Self {
        Self::new(Purpose::Import, String::new())
    }

    /// A form for the export of all chats, with a path in the person's folder.
    pub(crate) fn export_all() -> Self {
        Self::new(Purpose::ExportAll, "~/hearth-chats.json".into())
    }

    /// A form for a folder with models.
    pub(crate) fn model_folder() -> Self {
        Self::new(Purpose::ModelFolder, String::new())
    }

    /// A form for the new place of all data.
    pub(crate) fn move_data() -> Self {
        Self::new(Purpose::MoveData, String::new())
    }

    /// A form for the export of a preset, with a path in the person's folder made of its name.
    pub(crate) fn export_preset(name: String) -> Self {
        let path = format!("~/{}.json", file_name(&name));
        Self::new(Purpose::ExportPreset(name), path)
    }

    /// A form for the import of a preset.
    pub(crate) fn import_preset() -> Self {
        Self::new(Purpose::ImportPreset, String::new())
    }

    /// A form for a file beside a draft.
    pub(crate) fn attach(conversation: ConversationKey, chat: Option<ChatId>) -> Self {
        let purpose = Purpose::Attach {
            conversation,
            chat,
            rest: Vec::new(),
        };
        Self::new(purpose, String::new())
    }

    fn new(purpose: Purpose, path: String) -> Self {
        Self {
            purpose,
            path,
            fault: None,
            running: false,
        }
    }

    /// What it is for.
    pub(crate) fn title(&self) -> Key {
        match self.purpose {
            Purpose::Export {
                format: ExportFormat::Markdown,
                ..
            } => key!("path-export-markdown-title"),
            Purpose::Export {
                format: ExportFormat::Json,
                ..
            } => key!("path-export-json-title"),
            Purpose::Import => key!("path-import-title"),
            Purpose::ExportAll => key!("path-export-all-title"),
            Purpose::ModelFolder => key!("path-folder-title"),
            Purpose::MoveData => key!("path-move-data-title"),
            Purpose::ExportPreset(_) => key!("path-export-preset-title"),
            Purpose::ImportPreset => key!("path-import-preset-title"),
            Purpose::Attach { .. } => key!("path-attach-title"),
        }
    }

    /// What happens then.
    pub(crate) fn text(&self) -> Key {
        match self.purpose {
            Purpose::Export {
                format: ExportFormat::Markdown,
                ..
            } => key!("path-export-markdown-text"),
            Purpose::Export {
                format: ExportFormat::Json,
                ..
            } => key!("path-export-json-text"),
            Purpose::Import => key!("path-import-text"),
            Purpose::ExportAll => key!("path-export-all-text"),
            Purpose::ModelFolder => key!("path-folder-text"),
            Purpose::MoveData => key!("path-move-data-text"),
            Purpose::ExportPreset(_) => key!("path-export-preset-text"),
            Purpose::ImportPreset => key!("path-import-preset-text"),
            Purpose::Attach { .. } => key!("path-attach-text"),
        }
    }

    /// The words on the button that does it.
    pub(crate) fn button(&self) -> Key {
        match self.purpose {
            Purpose::Export { .. } | Purpose::ExportAll | Purpose::ExportPreset(_) => key!("action-export"),
            Purpose::ModelFolder => key!("action-add"),
            Purpose::MoveData => key!("path-move-data-button"),
            Purpose::Import | Purpose::ImportPreset => key!("action-import"),
            Purpose::Attach { .. } => key!("action-attach"),
        }
    }

    /// The path, with the person's folder in the place of `~`; `None` where there is none.
    pub(crate) fn target(&self, home: &str) -> Option<PathBuf> {
        with_home(&self.path, home)
    }
}

/// A typed path, with the person's folder in the place of `~`; `None` where there is none.
pub(crate) fn with_home(path: &str, home: &str) -> Option<PathBuf> {
    let path = path.trim();
    if path.is_empty() {
        return None;
    }
    Some(
        match path.strip_prefix("~/").or_else(|| path.strip_prefix("~\\")) {
            Some(rest) => PathBuf::from(home).join(rest),
            None => PathBuf::from(path),
        },
    )
}

/// A title as the name of a file on every system: without what is not allowed in one.
fn file_name(title: &str) -> String {
    let is_allowed = |it: char| !it.is_control() && !r#"/\:*?"<>|"#.contains(it);
    let name: String = title
        .chars()
        .map(|it| if is_allowed(it) { it } else { ' ' })
        .take(LONGEST_NAME)
        .collect();
    let is_word = |word: &&str| word.chars().any(|it| it != '.');
    let words: Vec<_> = name.split_whitespace().filter(is_word).collect();
    // Windows takes no name that ends in a full stop, and one that begins with one is hidden elsewhere.
    let name = words.join(" ").trim_matches('.').trim().to_owned();
    if name.is_empty() { "Chat".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_the_name_of_a_file() {
        let cases = [
            ("How quantisation works", "How quantisation works"),
            ("a/b: what?\nand <why>", "a b what and why"),
            ("../../etc", "etc"),
            ("Über größe 写", "Über größe 写"),
            ("...", "Chat"),
            ("", "Chat"),
        ];
        for (title, name) in cases {
            assert_eq!(file_name(title), name, "{title:?}");
        }
    }

    #[test]
    fn a_tilde_is_the_person_s_folder() {
        let cases = [
            ("~/a.md", Some("/home/ada/a.md")),
            ("  /tmp/b.md ", Some("/tmp/b.md")),
            ("  ", None),
        ];
        for (path, target) in cases {
            let form = PathForm {
                path: path.into(),
                ..PathForm::import()
            };
            assert_eq!(form.target("/home/ada"), target.map(PathBuf::from), "{path:?}");
        }
    }
}
