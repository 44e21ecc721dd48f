//! The system's dialog for files, on a thread of its own: it stays open as long as the person likes.

use std::path::PathBuf;
use std::thread;

use rfd::FileDialog;

/// What the dialog is for.
#[derive(Debug)]
pub(crate) struct Request {
    /// Its title.
    pub(crate) title: String,
    /// The file it begins with: one to write; `None` for one to read.
    pub(crate) write_to: Option<PathBuf>,
}

/// Opens the dialog and tells the path, or `None` where it was closed without one or the system has no dialog.
pub(crate) fn open(request: Request, tell: impl FnOnce(Option<PathBuf>) + Send + 'static) {
    thread::spawn(move || {
        let dialog = FileDialog::new().set_title(request.title);
        let path = match request.write_to {
            Some(path) => begin_at(dialog, &path).save_file(),
            None => dialog.pick_file(),
        };
        tell(path);
    });
}

/// Opens the dialog for files to read and tells their paths: none where it was closed without one or the system has no
/// dialog.
pub(crate) fn open_many(title: String, tell: impl FnOnce(Vec<PathBuf>) + Send + 'static) {
    thread::spawn(move || {
        let paths = FileDialog::new().set_title(title).pick_files();
        tell(paths.unwrap_or_default());
    });
}

/// Opens the dialog for a folder and tells its path, or `None` as [`open()`] does.
pub(crate) fn open_folder(title: String, tell: impl FnOnce(Option<PathBuf>) + Send + 'static) {
    thread::spawn(move || tell(FileDialog::new().set_title(title).pick_folder()));
}

fn begin_at(dialog: FileDialog, path: &std::path::Path) -> FileDialog {
    let dialog = match path.file_name() {
        Some(name) => dialog.set_file_name(name.to_string_lossy()),
        None => dialog,
    };
    match path.parent() {
        Some(folder) => dialog.set_directory(folder),
        None => dialog,
    }
}
