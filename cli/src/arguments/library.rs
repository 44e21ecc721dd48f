//! What can be typed to commands that handle the files of the library.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::program::Program;

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The file
    pub(crate) file: PathBuf,
    /// Move it there; from another disk it is copied, and removed once the copy is safe
    #[arg(long = "move", group = "how")]
    pub(crate) moves: bool,
    /// Give it a second name there; either can be deleted without the other
    #[arg(long, group = "how")]
    pub(crate) hard_link: bool,
    /// Leave it where it is and make a link that leads there
    #[arg(long, group = "how")]
    pub(crate) symlink: bool,
    /// Print the events of the import, each as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RmArguments {
    /// The model, by its id or another name that means only one
    pub(crate) model: String,
    /// Delete it without asking where it is this program's
    #[arg(long = "yes-delete-from", value_name = "PROGRAM", value_enum)]
    pub(crate) program: Option<Program>,
}

#[derive(Debug, Args)]
pub(crate) struct RenameArguments {
    /// The model, by its id or another name that means only one
    pub(crate) model: String,
    /// What it shall be called, in up to 200 characters
    #[arg(required_unless_present = "reset")]
    pub(crate) name: Option<String>,
    /// Call it as its file is called again
    #[arg(long, conflicts_with = "name")]
    pub(crate) reset: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CleanArguments {
    /// Only list what there is
    #[arg(long, conflicts_with_all = ["yes", "programs"])]
    pub(crate) dry_run: bool,
    /// Remove Hearth's own without asking, and nobody else's
    #[arg(long)]
    pub(crate) yes: bool,
    /// Remove this program's too without asking; can be given more than once
    #[arg(long = "yes-delete-from", value_name = "PROGRAM", value_enum)]
    pub(crate) programs: Vec<Program>,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArguments {
    /// A GGUF file, or the name of a model that `hearth-cli ls` shows
    pub(crate) model: String,
    /// List every tensor
    #[arg(long)]
    pub(crate) tensors: bool,
    /// Print the chat template and nothing else
    #[arg(long, conflicts_with_all = ["tensors", "json"])]
    pub(crate) template: bool,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct FoldersArguments {
    #[command(subcommand)]
    pub(crate) command: Option<FoldersCommand>,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FoldersCommand {
    /// Add a folder; all that is below it is looked through
    Add {
        /// The folder
        folder: PathBuf,
    },
    /// Remove a folder from the library; on the disk nothing changes
    Remove {
        /// The folder
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DownloadsArguments {
    #[command(subcommand)]
    pub(crate) command: Option<DownloadsCommand>,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DownloadsCommand {
    /// List them, which is done without a command too
    List {
        /// Print JSON for scripts
        #[arg(long)]
        json: bool,
    },
    /// End some, and remove what came of them; the file of one that is done stays
    Cancel {
        /// Their ids
        #[arg(required = true, value_name = "ID")]
        downloads: Vec<i64>,
    },
    /// Pause some; what came of them is kept
    Pause {
        /// Their ids
        #[arg(required = true, value_name = "ID")]
        downloads: Vec<i64>,
    },
    /// Go on with some, in the Hearth that runs
    Resume {
        /// Their ids
        #[arg(required = true, value_name = "ID")]
        downloads: Vec<i64>,
    },
}

impl DownloadsArguments {
    /// Whether a script reads what it prints.
    pub(crate) fn is_json(&self) -> bool {
        self.json || matches!(self.command, Some(DownloadsCommand::List { json: true }))
    }
}
