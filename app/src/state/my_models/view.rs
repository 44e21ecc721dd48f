//! What the page says of the models: the rows of the table, what they take on the disk, what is selected.

use hearth_protocol::FileId;
use hearth_protocol::UnixMillis;
use hearth_protocol::library::{LibraryFile, Source, SourceUse};

use crate::state::models::picker::PickerState;
use crate::state::{AppState, format};
use crate::text::{Key, key, say};

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelRow {
    /// The file.
    pub(crate) file: FileId,
    /// Display name.
    pub(crate) name: String,
    /// Whose repository it is of; empty where unknown, as all that follows.
    pub(crate) publisher: String,
    /// Architecture as GGUF names it.
    pub(crate) architecture: String,
    /// As in `4.0 B`.
    pub(crate) parameters: String,
    /// As in `Q4_K_M`.
    pub(crate) quantisation: String,
    /// As in `2.50 GB`.
    pub(crate) size: String,
    /// Where it is from.
    pub(crate) source: Source,
    /// The same in words.
    pub(crate) source_name: String,
    /// When it answered last, as in `Today, 13:50`.
    pub(crate) used: String,
    /// Its tags with commas between them.
    pub(crate) tags: String,
    /// What can be done with it.
    pub(crate) state: PickerState,
    /// Whether it is a favourite.
    pub(crate) favourite: bool,
    /// Whether it is selected.
    pub(crate) selected: bool,
}

/// What all models take on the disk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DiskView {
    /// As in `31.3 GB`.
    pub(crate) total: String,
    /// As in `in 9 models`.
    pub(crate) models: String,
    /// As in `9.8 GB free on this disk`; empty where the system does not say.
    pub(crate) free: String,
    /// Each source with its share of all that is taken or free, the largest first.
    pub(crate) sources: Vec<SourceShare>,
    /// As in `Clean up 1.2 GB`; empty where there is nothing to clean.
    pub(crate) leftovers: String,
}

/// What one source takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SourceShare {
    /// The source.
    pub(crate) source: Source,
    /// In words.
    pub(crate) name: String,
    /// As in `18.4 GB`.
    pub(crate) size: String,
    /// Of all that is taken or free, from 0.0 to 1.0.
    pub(crate) share: f64,
}

/// The name of a source, at the beginning of a line.
pub(crate) fn source_name(source: Source) -> Key {
    match source {
        Source::Starter => key!("source-starter"),
        Source::Hearth => key!("source-hearth"),
        Source::HuggingFace => key!("source-hugging-face"),
        Source::LmStudio => key!("source-lm-studio"),
        Source::Ollama => key!("source-ollama"),
        Source::Jan => key!("source-jan"),
        Source::Gpt4All => key!("source-gpt4all"),
        Source::LlamaCpp => key!("source-llama-cpp"),
        Source::Folder => key!("source-folder"),
    }
}

/// Whose repository a file is of; empty where its place does not tell.
pub(super) fn publisher(file: &LibraryFile) -> &str {
    let model = file.model.as_ref();
    model
        .and_then(|model| model.as_str().split_once('/'))
        .map_or("", |(publisher, _)| publisher)
}

impl AppState {
    /// The row of a file.
    pub(crate) fn model_row(&self, file: &LibraryFile) -> ModelRow {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let state = self.models.state_of(file);
        let notes = self.my_models.notes(&file.id);
        ModelRow {
            file: file.id.clone(),
            name: file.name.clone(),
            publisher: publisher(file).to_owned(),
            architecture: text(&file.architecture),
            parameters: file
                .parameters
                .map_or_else(String::new, |count| format::parameters(self.texts(), count)),
            quantisation: text(&file.quantisation),
            size: format::size(self.texts(), file.size),
            source: file.source,
            source_name: self.texts().say(source_name(file.source), &[]),
            used: self.used_label(file, &state),
            tags: notes.tags.join(", "),
            favourite: notes.favourite,
            selected: self.my_models.selection.has(&file.id),
            state,
        }
    }

    /// When a file last answered.
    pub(super) fn used_at(&self, file: &FileId) -> Option<UnixMillis> {
        self.my_models.records.get(file)?.used_at
    }

    fn used_label(&self, file: &LibraryFile, state: &PickerState) -> String {
        match (state, self.used_at(&file.id)) {
            (PickerState::Loaded(_) | PickerState::Loading(_), _) => say!(self.texts(), "my-models-now"),
            (_, Some(at)) => self.present().moment(at),
            (_, None) => say!(self.texts(), "my-models-never"),
        }
    }

    /// What all models take; `None` until it is reckoned.
    pub(crate) fn disk_view(&self) -> Option<DiskView> {
        let (disk, texts) = (self.my_models.disk.as_ref()?, self.texts());
        let size = |size| format::size(texts, size);
        let models: u32 = disk.sources.iter().map(|source| source.models).sum();
        let whole = disk.total.0 + disk.free.map_or(0, |free| free.0);
        let share = |of: &SourceUse| SourceShare {
            source: of.source,
            name: texts.say(source_name(of.source), &[]),
            size: size(of.size),
            share: of.size.0 as f64 / whole.max(1) as f64,
        };
        Some(DiskView {
            total: size(disk.total),
            models: say!(
                texts,
                "my-models-count",
                count = models,
                number = format::count(models.into())
            ),
            free: disk.free.map_or_else(String::new, |free| {
                say!(texts, "my-models-free", size = size(free))
            }),
            sources: disk.sources.iter().map(share).collect(),
            leftovers: match disk.leftovers.0 {
                0 => String::new(),
                _ => say!(texts, "my-models-leftovers", size = size(disk.leftovers)),
            },
        })
    }

    /// The words on the button that deletes what is selected.
    pub(crate) fn delete_selected_label(&self) -> String {
        let count = self.my_models.selection.len();
        say!(self.texts(), "my-models-delete-selected", count = count)
    }

    /// What is selected, as in `3 selected, 12.1 GB`; `None` while nothing is.
    pub(crate) fn selected_label(&self) -> Option<String> {
        let count = self.my_models.selection.len();
        if count == 0 {
            return None;
        }
        let files = self.models.files.iter().flatten();
        let selected = files.filter(|file| self.my_models.selection.has(&file.id));
        let size = selected.map(|file| file.size.0).sum();
        let size = format::size(self.texts(), hearth_protocol::ByteSize(size));
        Some(say!(
            self.texts(),
            "my-models-selected",
            count = count,
            size = size
        ))
    }
}
