//! What can happen to the page of model files, and what the backend says of them.

use std::path::PathBuf;

use hearth_protocol::library::{
    Cleaned, DiskUse, FileDeleted, FileNotes, FileRecord, ImportEvent, ImportMode, Inspection, Leftover,
    LibraryEvent, LibraryFile, Source,
};
use hearth_protocol::{FileId, Result};

use crate::effect::Run;
use crate::state::my_models::details::Part;
use crate::state::my_models::{Column, MenuTarget, Pick};
use crate::state::overlay::menu::Place;

/// Something the person did on the page of model files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MyModelsMsg {
    /// The words that models must have.
    FilterChanged(String),
    /// Shows favourites only, or all again.
    ToggleFavourites,
    /// Shows all models again.
    ClearFilters,
    /// Sorts by a column; by the same one the other way round.
    SortBy(Column),
    /// Selects a model, adds it, or all up to it.
    Select {
        /// Which.
        file: FileId,
        /// How.
        how: Pick,
    },
    /// Selects all that are shown.
    SelectAll,
    /// Selects none.
    SelectNone,
    /// Begins a new chat with a model.
    Chat(FileId),
    /// Shows the model on the page that finds models.
    Discover(FileId),
    /// Asks whether a model is to be deleted.
    AskDelete(FileId),
    /// The same for all that are selected.
    AskDeleteSelected,
    /// Deletes these, each with the program whose it is.
    Delete(Vec<(FileId, Source)>),
    /// Makes a model a favourite, or takes that back.
    SetFavourite {
        /// Which.
        file: FileId,
        /// Which of the two.
        favourite: bool,
    },
    /// Opens the menu of a model or of a folder.
    OpenMenu {
        /// Of what.
        of: MenuTarget,
        /// Where.
        at: Place,
    },
    /// Copies where a file lies.
    CopyPath(FileId),
    /// Opens a folder in the system's file manager.
    OpenFolder(PathBuf),

    /// Shows what a file says of itself.
    Inspect(FileId),
    /// The same, with the keyboard in the field of its name.
    Rename(FileId),
    /// Closes that.
    CloseDetails,
    /// Shows another part of it.
    ShowPart(Part),
    /// The display name in its field.
    NameChanged(String),
    /// Takes that name; an empty one takes the file's own again.
    CommitName,
    /// The tags in their field, with commas between them.
    TagsChanged(String),
    /// The notes in their field.
    NotesChanged(String),
    /// Takes tags and notes.
    CommitNotes,
    /// Shows a value of the metadata as text that can be selected.
    OpenValue(usize),
    /// The same for the template.
    OpenTemplate,
    /// The system prompt of the sample.
    SampleSystemChanged(String),
    /// The message of the sample.
    SampleMessageChanged(String),
    /// Has the model write the sample, which loads it where it is not in memory.
    Preview,

    /// Asks for a file to import, and how.
    AskImport,
    /// The path in that form.
    ImportPathChanged(String),
    /// Opens the system's dialog for it.
    BrowseImport,
    /// How it is to come.
    SetImportMode(ImportMode),
    /// Imports it.
    Import,
    /// Ends an import that runs.
    CancelImport(Run),

    /// Asks for a further folder with models.
    AskFolder,
    /// Leaves a folder of the person's out again. Nothing in it changes.
    RemoveFolder(PathBuf),
    /// Leaves out the models of another program, or lists them again.
    SetIgnored {
        /// Whose.
        source: Source,
        /// Which of the two.
        ignored: bool,
    },

    /// Looks for files that are of no use any more.
    AskCleanUp,
    /// Ticks one of them, or unticks it.
    TickLeftover(usize),
    /// Removes those that are ticked.
    CleanUp,
}

/// What the backend answered or told of model files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MyModelsNews {
    /// All files, after each change.
    Library(LibraryEvent),
    /// What is remembered of them.
    Records(Result<Vec<FileRecord>>),
    /// What they take on the disk.
    DiskUse(Result<DiskUse>),
    /// A file has another name, or has not.
    Renamed(Result<LibraryFile>),
    /// Notes were stored, or were not.
    NotesWritten {
        /// Of which file.
        file: FileId,
        /// As they are stored.
        result: Result<FileNotes>,
    },
    /// A file was read, or was not.
    Inspected {
        /// Which.
        file: FileId,
        /// What it says.
        result: Result<Box<Inspection>>,
    },
    /// A model wrote the sample, or did not.
    Previewed {
        /// Which sample.
        run: Run,
        /// What its template makes of it.
        result: Result<String>,
    },
    /// An import goes on.
    Import {
        /// Which.
        run: Run,
        /// What happened.
        event: ImportEvent,
    },
    /// A model that is to be deleted left memory, or did not.
    Ejected {
        /// Which.
        file: FileId,
        /// Whether it is gone from there.
        result: Result<()>,
    },
    /// A file was deleted, or was not.
    Deleted {
        /// Which.
        file: FileId,
        /// What went with it.
        result: Result<FileDeleted>,
    },
    /// Files that are of no use any more.
    Leftovers(Result<Vec<Leftover>>),
    /// They were removed, or were not.
    Cleaned(Result<Cleaned>),
}
