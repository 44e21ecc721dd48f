//! Files on their way into the library: the form that asks which and how, and those that are under way.

use std::path::PathBuf;

use hearth_protocol::ByteSize;
use hearth_protocol::library::ImportMode;

use crate::effect::Run;
use crate::state::{AppState, format};
use crate::text::{Key, key, say};

/// Each way for a file to come, its words, and what it means.
pub(crate) const MODES: [(ImportMode, Key, Key); 4] = [
    (ImportMode::Copy, key!("import-copy"), key!("import-copy-help")),
    (ImportMode::Move, key!("import-move"), key!("import-move-help")),
    (
        ImportMode::SymbolicLink,
        key!("import-link"),
        key!("import-link-help"),
    ),
    (
        ImportMode::HardLink,
        key!("import-hard-link"),
        key!("import-hard-link-help"),
    ),
];

/// The form for an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ImportForm {
    /// The path as typed so far.
    pub(crate) path: String,
    /// How the file is to come.
    pub(crate) mode: ImportMode,
    /// Why it cannot be done so.
    pub(crate) fault: Option<String>,
}

impl Default for ImportForm {
    fn default() -> Self {
        Self {
            path: String::new(),
            mode: ImportMode::Copy,
            fault: None,
        }
    }
}

/// An import that runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Importing {
    /// Its run.
    pub(crate) run: Run,
    /// The file.
    pub(crate) path: PathBuf,
    /// How it comes; again where the form is shown again.
    pub(crate) mode: ImportMode,
    /// Bytes done, and all.
    pub(crate) done: (ByteSize, ByteSize),
}

/// An import as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImportView {
    /// Its run.
    pub(crate) run: Run,
    /// As in `Importing model.gguf`.
    pub(crate) title: String,
    /// As in `1.20 of 4.12 GB`.
    pub(crate) sizes: String,
    /// From 0.0 to 1.0.
    pub(crate) share: f32,
}

impl Importing {
    /// The name of its file.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

impl AppState {
    /// The imports that run.
    pub(crate) fn import_views(&self) -> Vec<ImportView> {
        let texts = self.texts();
        let view = |import: &Importing| {
            let (done, whole) = import.done;
            let share = match whole.0 {
                0 => 0.0,
                whole => (done.0 as f64 / whole as f64).clamp(0.0, 1.0) as f32,
            };
            ImportView {
                run: import.run,
                title: say!(texts, "import-runs", name = import.name()),
                sizes: match whole.0 {
                    0 => String::new(),
                    _ => format::part_of_size(texts, share, whole),
                },
                share,
            }
        };
        self.my_models.imports.iter().map(view).collect()
    }
}
