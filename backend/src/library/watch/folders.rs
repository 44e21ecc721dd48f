//! The folders that the system watches, and which of its news matter.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{CreateKind, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::super::scan;
use super::super::sources::is_note;

/// What the system told. It is told on a thread of its own.
#[derive(Default)]
pub(super) struct News {
    heard: Notify,
    map: Mutex<Map>,
    /// Whether a folder came: what is put into it before the system watches it too is not heard of.
    folder_came: AtomicBool,
    /// Whether the system has no more room for what it would have to watch.
    is_full: AtomicBool,
}

/// Where what lies.
#[derive(Default)]
struct Map {
    /// The folders that belong to the library, whether they are there or not.
    roots: Vec<PathBuf>,
    /// Those that are watched with all that is below them.
    trees: Vec<PathBuf>,
    /// All that are watched.
    watched: HashMap<PathBuf, RecursiveMode>,
    /// Those of them that were removed or renamed, and may be there again as others.
    lost: HashSet<PathBuf>,
}

impl News {
    /// Waits for news since the last call.
    pub(super) async fn heard(&self) {
        self.heard.notified().await;
    }

    /// Whether a folder came since the last call.
    pub(super) fn folder_came(&self) -> bool {
        self.folder_came.swap(false, Ordering::AcqRel)
    }

    fn hear(&self, event: notify::Result<Event>) {
        let matters = match event {
            Ok(event) => {
                // Systems that do not tell what came watch whole trees at once.
                if let EventKind::Create(CreateKind::Folder) | EventKind::Modify(ModifyKind::Name(_)) =
                    event.kind
                {
                    self.folder_came.store(true, Ordering::Release);
                }
                self.map().hear(&event)
            }
            Err(error) => {
                tracing::debug!(%error, "the system failed to tell what has changed");
                if matches!(error.kind, ErrorKind::MaxFilesWatch) {
                    self.is_full.store(true, Ordering::Release);
                }
                true
            }
        };
        if matters {
            self.heard.notify_one();
        }
    }

    fn map(&self) -> MutexGuard<'_, Map> {
        self.map.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Map {
    /// Whether an event may change the list.
    fn hear(&mut self, event: &Event) -> bool {
        // Some were lost.
        if event.need_rescan() {
            return true;
        }
        let is_content = match event.kind {
            EventKind::Access(_) => return false,
            EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Any) => true,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
                let lost = event.paths.iter().filter(|path| self.watched.contains_key(*path));
                let before = self.lost.len();
                self.lost.extend(lost.cloned());
                if self.lost.len() > before {
                    return true;
                }
                false
            }
            _ => false,
        };
        event.paths.iter().any(|path| self.matters(path, is_content))
    }

    /// Whether it matters that something at a path changed: its content, or that it is there.
    fn matters(&self, path: &Path, is_content: bool) -> bool {
        let is_below = |tree: &PathBuf| path.starts_with(tree);
        if self.trees.iter().any(is_below) {
            return !is_content || is_read(path);
        }
        // Elsewhere only the ways to the roots, and files that links lead to.
        let is_on_the_way = self.roots.iter().any(|root| root.starts_with(path));
        (is_on_the_way && !is_content) || is_read(path)
    }
}

/// Whether a look reads a file of this name. What others are filled with does not change the list.
fn is_read(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| scan::is_model_name(name) || is_note(path))
}

/// What the system watches for us.
pub(super) struct Folders {
    news: Arc<News>,
    /// `None` where the system gives none.
    watcher: Option<RecommendedWatcher>,
    watched: HashMap<PathBuf, Watched>,
    /// Folders that it did not take.
    refused: HashSet<PathBuf>,
}

struct Watched {
    mode: RecursiveMode,
    /// What was there: the same path may have become another folder.
    number: Option<file_id::FileId>,
}

impl Folders {
    /// Nothing is watched yet, and nothing ever where the system is not asked.
    pub(super) fn new(news: Arc<News>, asks: bool) -> Self {
        let watcher = asks.then(|| {
            let news = Arc::clone(&news);
            notify::recommended_watcher(move |event| news.hear(event))
        });
        let watcher = watcher.transpose().inspect_err(|error| {
            tracing::warn!(%error, "the system does not watch folders; the library looks every few seconds");
        });
        Self {
            news,
            watcher: watcher.ok().flatten(),
            watched: HashMap::new(),
            refused: HashSet::new(),
        }
    }

    /// Whether changes may go unheard.
    pub(super) fn is_deaf(&self) -> bool {
        self.watcher.is_none() || !self.refused.is_empty() || self.news.is_full.load(Ordering::Acquire)
    }

    /// Makes it time to look.
    pub(super) fn look_again(&self) {
        self.news.heard.notify_one();
    }

    /// Watches these roots, the ways to those that are not there, and these single folders; nothing else. Tells whether
    /// that is more than before. Waits for the disk.
    pub(super) fn watch(&mut self, roots: &[PathBuf], single: &HashSet<PathBuf>) -> bool {
        let wanted = Wanted::of(roots, single);
        let mut lost = {
            let mut map = self.news.map();
            map.watched = wanted.folders.clone();
            map.roots = wanted.roots;
            map.trees = wanted.trees;
            std::mem::take(&mut map.lost)
        };
        let Some(watcher) = &mut self.watcher else {
            return false;
        };
        let mut is_kept = |path: &PathBuf, watched: &mut Watched| {
            !lost.remove(path)
                && wanted.folders.get(path) == Some(&watched.mode)
                && file_id::get_file_id(path).ok() == watched.number
        };
        self.watched.retain(|path, watched| {
            let is_kept = is_kept(path, watched);
            if !is_kept && let Err(error) = watcher.unwatch(path) {
                // What is gone is not watched any more.
                tracing::debug!(%error, path = %path.display(), "a folder was not watched");
            }
            is_kept
        });
        let refused = std::mem::take(&mut self.refused);
        let mut more = false;
        for (path, mode) in wanted.folders {
            if self.watched.contains_key(&path) {
                continue;
            }
            match watcher.watch(&path, mode) {
                Ok(()) => {
                    more = true;
                    let number = file_id::get_file_id(&path).ok();
                    self.watched.insert(path, Watched { mode, number });
                }
                Err(error) => {
                    if !refused.contains(&path) {
                        let path = path.display();
                        tracing::warn!(%error, %path, "the system does not watch this folder; the library looks every few seconds");
                    }
                    self.refused.insert(path);
                }
            }
        }
        more
    }
}

/// What shall be watched, as the disk calls it.
#[derive(Default)]
struct Wanted {
    folders: HashMap<PathBuf, RecursiveMode>,
    roots: Vec<PathBuf>,
    trees: Vec<PathBuf>,
}

impl Wanted {
    fn of(roots: &[PathBuf], single: &HashSet<PathBuf>) -> Self {
        let mut wanted = Self::default();
        let mut single = single.clone();
        for root in roots {
            // What a folder itself is called is told by the one it lies in; of one that is not there, the next above it
            // that is.
            let above = root.ancestors().skip(1).find(|folder| folder.is_dir());
            if let Some(above) = above
                && let (Ok(real), Ok(rest)) = (above.canonicalize(), root.strip_prefix(above))
            {
                wanted.roots.push(real.join(rest));
                single.insert(real);
            }
            if let Ok(real) = root.canonicalize()
                && real.is_dir()
            {
                // It may be a link.
                single.extend(real.parent().map(Path::to_owned));
                wanted.roots.push(real.clone());
                wanted.trees.push(real);
            }
        }
        let all = wanted.trees.clone();
        let lies_in_another = |path: &PathBuf| all.iter().any(|tree| path != tree && path.starts_with(tree));
        wanted.trees.retain(|tree| !lies_in_another(tree));
        let trees = wanted.trees.iter().cloned();
        wanted
            .folders
            .extend(trees.map(|tree| (tree, RecursiveMode::Recursive)));
        for folder in single {
            if !wanted.trees.iter().any(|tree| folder.starts_with(tree)) {
                wanted.folders.insert(folder, RecursiveMode::NonRecursive);
            }
        }
        wanted
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, DataChange, Flag, MetadataKind, RemoveKind, RenameMode};

    use super::*;

    /// The kinds are those that Linux, macOS and Windows tell.
    #[test]
    fn only_what_may_change_the_list_is_heard() {
        let watched = ["/home", "/home/models", "/far"].map(PathBuf::from);
        let mode = RecursiveMode::NonRecursive;
        let map = || Map {
            roots: vec!["/home/models".into(), "/home/later/models".into()],
            trees: vec!["/home/models".into()],
            watched: watched.iter().map(|path| (path.clone(), mode)).collect(),
            lost: HashSet::new(),
        };
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Content));
        let changed = EventKind::Modify(ModifyKind::Any);
        let rights = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::Any));
        let made = EventKind::Create(CreateKind::Any);
        let removed = EventKind::Remove(RemoveKind::Any);
        let read = EventKind::Access(AccessKind::Any);
        let cases = [
            (made, "/home/models/new folder", true),
            (made, "/home/models/a.gguf", true),
            (written, "/home/models/a.gguf", true),
            (changed, "/home/models/p/A.GGUF", true),
            (written, "/home/models/p/model.yml", true),
            (written, "/home/models/manifests/h/n/m/1.5b", true),
            (read, "/home/models/a.gguf", false),
            // A download that grows, and what Windows tells of the folder it lies in.
            (written, "/home/models/a.gguf.part", false),
            (changed, "/home/models/p", false),
            (renamed, "/home/models/a.gguf.part", true),
            (rights, "/home/models/p", true),
            (removed, "/home/models", true),
            // Only the ways to the roots.
            (made, "/home/later", true),
            (made, "/home/later/models", true),
            (made, "/home/other", false),
            (changed, "/home/later", false),
            (written, "/home/hearth.db-wal", false),
            // Where a link leads to.
            (written, "/far/m.gguf", true),
            (removed, "/far/m.gguf", true),
            (made, "/far/notes.txt", false),
            (renamed, "/far", true),
        ];
        for (kind, path, expected) in cases {
            let event = Event::new(kind).add_path(path.into());
            assert_eq!(map().hear(&event), expected, "{kind:?} {path}");
        }
        let lost = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert!(map().hear(&lost));
    }

    #[test]
    fn what_is_watched_covers_all_roots_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let base = folder.path().canonicalize().expect("it is there");
        let at = |name: &str| base.join(name);
        std::fs::create_dir_all(at("a/inner/deep")).expect("folders");
        std::fs::create_dir_all(at("far")).expect("a folder");
        let roots = ["a/inner", "a", "a/inner/deep", "not/there/yet"].map(at);
        let single = ["far", "a/inner"].map(at).into();
        let wanted = Wanted::of(&roots, &single);
        let mut folders: Vec<_> = wanted.folders.into_iter().collect();
        folders.sort();
        let all = RecursiveMode::Recursive;
        let one = RecursiveMode::NonRecursive;
        assert_eq!(folders, [(base.clone(), one), (at("a"), all), (at("far"), one)]);
        assert!(wanted.roots.contains(&at("not/there/yet")));
    }
}
