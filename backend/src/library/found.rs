//! What a look at the folders finds: each model once, each folder once, and what was passed over with the reason.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hearth_protocol::FileId;
use hearth_protocol::library::{LibraryFile, Source};
use walkdir::{DirEntry, WalkDir};

use super::headers::Headers;
use super::scan::{self, Described, Told};

/// Folders within folders that are looked into; also ends loops that the walker cannot see.
const MAX_DEPTH: usize = 12;

/// What a look has found so far.
#[derive(Debug)]
pub(super) struct Found {
    /// The headers that were read on the way.
    pub(super) headers: Headers,
    /// Model files, damaged ones too; each once after [`Self::settle`].
    pub(super) models: Vec<Model>,
    /// Image projectors, which are listed nowhere and take room on the disk all the same.
    pub(super) projectors: Vec<(Source, PathBuf)>,
    /// What was passed over, and why.
    pub(super) skipped: Vec<(PathBuf, String)>,
    /// The folders that were looked into, by what they are called in the end, with the path that led there.
    folders: HashMap<PathBuf, PathBuf>,
    /// Folders that only somebody who names them wants to look into, likewise.
    left_out: HashSet<PathBuf>,
    /// The real folders of sources: what lies there is theirs, also where a link in Hearth's own folder leads there.
    owned: Vec<(Source, PathBuf)>,
    /// Whether ids are paths from now on.
    pub(super) by_path: bool,
}

/// A model and its files.
#[derive(Debug)]
pub(super) struct Model {
    /// What is listed.
    pub(super) file: LibraryFile,
    /// Its files, of several parts all that are there.
    pub(super) files: Vec<PathBuf>,
    /// Other names of the same bytes, which are passed over; of several parts those of all.
    pub(super) other_names: Vec<PathBuf>,
    /// Where another program notes that it has it, if that alone makes it a model.
    pub(super) note: Option<PathBuf>,
    bytes: Option<Bytes>,
}

/// What is the same for two names of the same bytes. Some file systems number all files alike, so the number alone does
/// not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Bytes {
    number: file_id::FileId,
    /// How many there are.
    pub(super) length: u64,
    written: Option<SystemTime>,
}

impl Bytes {
    /// Those behind a path; `None` where the system does not say.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let about = path.metadata().ok()?;
        Some(Self {
            number: file_id::get_file_id(path).ok()?,
            length: about.len(),
            written: about.modified().ok(),
        })
    }
}

impl Found {
    /// Nothing yet.
    pub(super) fn new(headers: Headers) -> Self {
        Self {
            headers,
            models: Vec::new(),
            projectors: Vec::new(),
            skipped: Vec::new(),
            folders: HashMap::new(),
            left_out: HashSet::new(),
            owned: Vec::new(),
            by_path: false,
        }
    }

    /// Keeps later walks out of a folder that is looked through in another way.
    pub(super) fn pass(&mut self, folder: &Path) {
        if let Ok(real) = folder.canonicalize() {
            self.folders.insert(real, folder.to_owned());
        }
    }

    /// Keeps later walks out of a folder, but those that begin in it.
    pub(super) fn leave_out(&mut self, folder: &Path) {
        self.left_out.extend(folder.canonicalize());
    }

    /// Gives a folder an owner; before the first walk.
    pub(super) fn own(&mut self, source: Source, folder: &Path) {
        let real = folder.canonicalize();
        self.owned.extend(real.map(|real| (source, real)));
    }

    /// Adds the model files below `folder`, which need not exist, with ids from `root` on.
    pub(super) fn walk(&mut self, source: Source, root: &Path, folder: &Path, tell: impl Fn(&Path) -> Told) {
        if !self.is_there(source, folder) {
            return;
        }
        // Links are followed, since people link models in; the walker itself refuses loops.
        let mut entries = WalkDir::new(folder)
            .follow_links(true)
            .max_depth(MAX_DEPTH)
            .sort_by_file_name()
            .into_iter();
        // Folders that links lead to and that are nobody else's: a person's, who alone decides what is deleted there.
        let mut outside = HashSet::new();
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    let real = lies_outside(source, root, entry.path());
                    if real.as_deref().is_some_and(|real| self.is_owned(&entry, real)) || !self.enters(&entry)
                    {
                        entries.skip_current_dir();
                    } else if real.is_some() {
                        outside.insert(entry.into_path());
                    }
                }
                Ok(entry) if entry.file_type().is_file() && scan::is_model_name(entry.file_name()) => {
                    let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
                    let folder = entry.path().parent();
                    let source = match folder.is_some_and(|folder| outside.contains(folder)) {
                        true => Source::Folder,
                        false => source,
                    };
                    self.add(source, id(source, below, entry.path()), entry.path(), tell(below));
                }
                Ok(_) => (),
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let reason = match error.loop_ancestor() {
                        Some(ancestor) => format!("it links back to {}", ancestor.display()),
                        None => error
                            .io_error()
                            .map_or_else(|| error.to_string(), ToString::to_string),
                    };
                    self.skipped.push((path, reason));
                }
            }
        }
    }

    /// Whether there is a folder to look into. That another program is not installed is no news; that a folder which a
    /// person named is missing is.
    pub(super) fn is_there(&mut self, source: Source, folder: &Path) -> bool {
        use std::io::ErrorKind::{NotADirectory, NotFound};

        let reason = match folder.metadata() {
            Ok(about) if about.is_dir() => return true,
            Ok(_) if source == Source::Folder => "it is not a folder".to_owned(),
            Err(error) if source == Source::Folder && error.kind() == NotFound => {
                "the folder is not there; it may be on a disk that is not connected".to_owned()
            }
            Ok(_) => return false,
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return false,
            Err(error) => error.to_string(),
        };
        self.skipped.push((folder.to_owned(), reason));
        false
    }

    /// Whether a folder that lies outside of the one that is looked through is a source's, which has its models then.
    fn is_owned(&mut self, entry: &DirEntry, real: &Path) -> bool {
        let Some((owner, _)) = self.owned.iter().find(|(_, folder)| real.starts_with(folder)) else {
            return false;
        };
        let reason = format!("it belongs to {}; its models are found there", owner.name());
        self.skipped.push((entry.path().to_owned(), reason));
        true
    }

    /// Whether a folder on the way is looked into.
    fn enters(&mut self, entry: &DirEntry) -> bool {
        let path = entry.path();
        if entry.depth() == MAX_DEPTH {
            let reason = format!("folders are looked into {MAX_DEPTH} deep, and this one is not");
            self.skipped.push((path.to_owned(), reason));
            return false;
        }
        // One that cannot be found is told by the walker.
        let Ok(real) = path.canonicalize() else {
            return true;
        };
        if entry.depth() > 0 && self.left_out.contains(&real) {
            return false;
        }
        if is_of_the_system(&real) {
            let reason = "it holds no files but what the system tells of itself".to_owned();
            self.skipped.push((path.to_owned(), reason));
            return false;
        }
        match self.folders.get(&real) {
            None => {
                self.folders.insert(real, path.to_owned());
                true
            }
            // Of two folders one of which lies in the other there is nothing to tell.
            Some(before) if before == path => false,
            Some(before) => {
                let reason = format!("it is the same folder as {}", before.display());
                self.skipped.push((path.to_owned(), reason));
                false
            }
        }
    }

    /// Adds one file.
    pub(super) fn add(&mut self, source: Source, id: FileId, path: &Path, told: Told) {
        let note = told.note.clone();
        let id = match self.by_path {
            true => id_by_path(source, note.as_deref().unwrap_or(path)),
            false => id,
        };
        match scan::describe(id, source, path, told, &mut self.headers) {
            Described::Model(file, files) => self.models.push(Model {
                file: *file,
                files,
                other_names: Vec::new(),
                note,
                bytes: Bytes::of(path),
            }),
            // The first part stands for it.
            Described::PartBehind(_) => (),
            // Whether it is of use to any of them is seen when all are there.
            Described::Projector => self.projectors.push((source, path.to_owned())),
        }
    }

    /// Keeps each model once, under an id of its own. Of several names of the same bytes the one
    /// stays whose source is the person's own. An image projector is passed over where no model lies beside it.
    pub(super) fn settle(&mut self) {
        let folders: HashSet<_> = self.models.iter().map(|model| model.file.path.parent()).collect();
        let of_none = |(_, path): &&(Source, PathBuf)| !folders.contains(&path.parent());
        let of_none = self.projectors.iter().filter(of_none);
        let of_none = of_none.map(|(_, path)| (path.clone(), scan::NO_MODEL.to_owned()));
        self.skipped.extend(of_none);
        let mut models = std::mem::take(&mut self.models);
        models.sort_by_key(|model| rank(model.file.source));
        let mut places: HashMap<Bytes, usize> = HashMap::new();
        let mut ids = HashSet::new();
        for mut model in models {
            let path = model.file.path.clone();
            if let Some(bytes) = model.bytes {
                match places.get(&bytes).and_then(|place| self.models.get_mut(*place)) {
                    None => drop(places.insert(bytes, self.models.len())),
                    Some(kept) => {
                        if kept.file.path != path {
                            let reason = format!("it is the same file as {}", kept.file.path.display());
                            self.skipped.push((path, reason));
                            kept.other_names.extend(model.files);
                        }
                        continue;
                    }
                }
            }
            if !ids.insert(model.file.id.clone()) {
                model.file.id = id_by_path(model.file.source, &path);
                ids.insert(model.file.id.clone());
            }
            self.models.push(model);
        }
    }

    /// Puts the models in order: starters first, then by name.
    pub(super) fn sort(&mut self) {
        self.models.sort_by_cached_key(|Model { file, .. }| {
            (
                Reverse(file.source == Source::Starter),
                file.name.to_lowercase(),
                file.id.clone(),
            )
        });
    }

    /// Everything that some name leads to, links followed: what is listed, other names of it, and projectors.
    pub(super) fn needed(&self) -> HashSet<PathBuf> {
        let models = self.models.iter();
        let names = models.flat_map(|model| model.files.iter().chain(&model.other_names));
        let projectors = self.projectors.iter().map(|(_, path)| path);
        names
            .chain(projectors)
            .filter_map(|path| path.canonicalize().ok())
            .collect()
    }

    /// What is listed.
    pub(super) fn files(self) -> Vec<LibraryFile> {
        self.models.into_iter().map(|model| model.file).collect()
    }
}

/// Where a folder really lies, if that is outside of the root of a source of Hearth's own: a link leads there, and what
/// lies there is not Hearth's to delete.
pub(super) fn lies_outside(source: Source, root: &Path, folder: &Path) -> Option<PathBuf> {
    if !matches!(source, Source::Starter | Source::Hearth) {
        return None;
    }
    let (root, real) = (root.canonicalize().ok()?, folder.canonicalize().ok()?);
    (!real.starts_with(root)).then_some(real)
}

/// The id of a file in a source; of one that stands alone or in a person's folder its path.
pub(super) fn id(source: Source, below: &Path, path: &Path) -> FileId {
    match source {
        Source::Folder => FileId(text(path.as_os_str())),
        // With forward slashes on every system, so that ids are the same everywhere.
        source => {
            let parts: Vec<_> = below.components().map(|part| text(part.as_os_str())).collect();
            FileId(format!("{}/{}", key(source), parts.join("/")))
        }
    }
}

/// The id of a file whose place in its source says too little.
fn id_by_path(source: Source, path: &Path) -> FileId {
    FileId(format!("{}/{}", key(source), text(path.as_os_str())))
}

/// Whether what is shown at a path is made by the system at each look, without an end on some.
fn is_of_the_system(path: &Path) -> bool {
    cfg!(target_os = "linux")
        && ["/proc", "/sys", "/dev"]
            .iter()
            .any(|root| path.starts_with(root))
}

/// Which of two names of one file is listed: the lower. What a person may delete without a thought goes before what is
/// another program's.
fn rank(source: Source) -> u8 {
    match source {
        Source::Starter => 0,
        Source::Hearth => 1,
        Source::HuggingFace => 2,
        Source::Folder => 3,
        Source::LmStudio | Source::Ollama | Source::Jan | Source::Gpt4All | Source::LlamaCpp => 4,
    }
}

/// What ids of a source begin with.
pub(super) fn key(source: Source) -> &'static str {
    match source {
        Source::Starter => "starter",
        Source::Hearth => "hearth",
        Source::HuggingFace => "hub",
        Source::LmStudio => "lm-studio",
        Source::Ollama => "ollama",
        Source::Jan => "jan",
        Source::Gpt4All => "gpt4all",
        Source::LlamaCpp => "llama-cpp",
        Source::Folder => "folder",
    }
}

/// A name as text. What is no Unicode in it is spelled out, since ids must tell two such names apart.
fn text(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a text cannot fail.
            write!(text, "\u{fffd}{byte:02x}").unwrap_or_default();
        }
    }
    text
}
