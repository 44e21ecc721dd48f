//! Deleting models: what is asked before, and what became of it.

use hearth_protocol::library::{LibraryFile, Source};
use hearth_protocol::{ByteSize, FileId};

use super::view::source_name;
use crate::state::{AppState, format};
use crate::text::say;

/// Models on their way off the disk.
#[derive(Debug, Default)]
pub(crate) struct Deleting {
    /// Those that are asked for, with the program that was named, the display name and the size.
    pub(in crate::state) left: Vec<Going>,
    /// The names of those that are gone.
    pub(in crate::state) gone: Vec<String>,
    /// The bytes that were theirs.
    pub(in crate::state) freed: u64,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Going {
    /// The file.
    pub(in crate::state) file: FileId,
    /// The program whose it is, which the person was told.
    pub(in crate::state) source: Source,
    /// Display name.
    pub(in crate::state) name: String,
    /// Bytes.
    pub(in crate::state) size: u64,
}

/// The words of a question before models are deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::state) struct Question {
    pub(in crate::state) title: String,
    pub(in crate::state) text: String,
    pub(in crate::state) button: String,
}

impl AppState {
    /// What is asked before these are deleted: what goes, whose it is, and what stays.
    pub(in crate::state) fn delete_question(&self, files: &[&LibraryFile]) -> Question {
        let (texts, count) = (self.texts(), files.len());
        let size = ByteSize(files.iter().map(|file| file.size.0).sum());
        let title = match files {
            [file] => say!(texts, "delete-model-title", name = file.name.as_str()),
            _ => say!(texts, "delete-models-title", count = count),
        };
        let mut sentences = Vec::new();
        for (source, files) in by_owner(files) {
            let owner = texts.say(source_name(source), &[]);
            let owned = files.len();
            sentences.push(match source {
                Source::Hearth => say!(texts, "delete-from-hearth", count = owned),
                Source::Starter => say!(texts, "delete-starter", count = owned),
                Source::Folder => say!(texts, "delete-from-folder", count = owned),
                _ => say!(texts, "delete-from-program", count = owned, owner = owner),
            });
        }
        let is_loaded = |file: &&&LibraryFile| self.models.loaded.iter().any(|it| it.file == file.id);
        let loaded = files.iter().filter(is_loaded).count();
        if loaded > 0 {
            sentences.push(say!(texts, "delete-loaded", count = loaded));
        }
        sentences.push(say!(texts, "delete-stays"));
        Question {
            title,
            text: sentences.join(" "),
            button: say!(texts, "delete-do", size = format::size(texts, size)),
        }
    }
}

/// The files by whose they are, in the order in which they come.
fn by_owner<'a>(files: &[&'a LibraryFile]) -> Vec<(Source, Vec<&'a LibraryFile>)> {
    let mut owners: Vec<(Source, Vec<&LibraryFile>)> = Vec::new();
    for file in files {
        match owners.iter_mut().find(|(source, _)| *source == file.source) {
            Some((_, owned)) => owned.push(file),
            None => owners.push((file.source, vec![file])),
        }
    }
    owners
}
