//! What the tests of the library share: a library over folders of a test, and what may lie in them.

use std::fs;
use std::path::PathBuf;

use hearth_protocol::library::{LibraryFile, ScanEvent, Source};
use hearth_protocol::settings::Settings;
use hearth_protocol::{EventSink, FileId, RequestId, Result, Waker};

use super::super::Library;
use crate::config::{Config, HubConfig, ProgramFolder, WorkerCommand};
use crate::net::Net;
use crate::store::Store;

/// A model's folder in the Hugging Face cache.
pub(in crate::library) const REPO: &str = "hub/models--owner--name";

/// Two commits of it.
pub(in crate::library) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
pub(in crate::library) const OTHER_COMMIT: &str = "fedcba9876543210fedcba9876543210fedcba98";

/// A GGUF with one tensor, enough to be listed as usable.
pub(in crate::library) fn tiny_gguf() -> Vec<u8> {
    tiny_gguf_with("llama", &[])
}

/// What reads images for a model.
pub(in crate::library) fn tiny_projector() -> Vec<u8> {
    tiny_gguf_with("clip", &[])
}

/// A part of a model: which, from 0, of how many.
pub(in crate::library) fn tiny_part(part: u16, parts: u16) -> Vec<u8> {
    tiny_gguf_with("llama", &[("split.no", part), ("split.count", parts)])
}

pub(in crate::library) fn tiny_gguf_with(architecture: &str, numbers: &[(&str, u16)]) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let mut bytes = b"GGUF\x03\0\0\0".to_vec();
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend((2 + numbers.len() as u64).to_le_bytes());
    for (key, number) in numbers {
        bytes.extend(
            [
                text(key),
                2_u32.to_le_bytes().to_vec(),
                number.to_le_bytes().to_vec(),
            ]
            .concat(),
        );
    }
    bytes.extend(
        [
            text("general.architecture"),
            8_u32.to_le_bytes().to_vec(),
            text(architecture),
        ]
        .concat(),
    );
    bytes.extend(
        [
            text("llama.context_length"),
            4_u32.to_le_bytes().to_vec(),
            64_u32.to_le_bytes().to_vec(),
        ]
        .concat(),
    );
    bytes.extend(
        [
            text("t"),
            1_u32.to_le_bytes().to_vec(),
            8_u64.to_le_bytes().to_vec(),
        ]
        .concat(),
    );
    bytes.extend(0_u32.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(32) + 32, 0);
    bytes
}

/// A library over folders of a test, those of other programs too.
pub(in crate::library) struct Fixture {
    pub(in crate::library) folder: tempfile::TempDir,
    pub(in crate::library) config: Config,
    pub(in crate::library) library: Library,
}

impl Fixture {
    pub(in crate::library) fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let at = |name: &str| folder.path().join(name);
        let program = |program, name| ProgramFolder {
            program,
            folder: at(name),
        };
        let config = Config {
            home: folder.path().to_owned(),
            worker: WorkerCommand {
                program: PathBuf::new(),
                arguments: Vec::new(),
            },
            starter_models: at("starter"),
            toolkit: Default::default(),
            login: None,
            hub_cache: Some(at("hub")),
            other_programs: vec![
                program(Source::LmStudio, "lm-studio"),
                program(Source::Ollama, "ollama"),
                program(Source::Jan, "jan"),
                program(Source::Gpt4All, "gpt4all"),
                program(Source::LlamaCpp, "llama-cpp"),
            ],
            hub: HubConfig::default(),
        };
        let library = Library::new(&config, Net::default());
        Self {
            folder,
            config,
            library,
        }
    }

    /// A path in the test's folder.
    pub(in crate::library) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file, and makes the folders above it.
    pub(in crate::library) fn write(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("parent")).expect("folders");
        fs::write(&path, bytes).expect("write");
        path
    }

    /// Takes further folders from now on, and leaves these programs out.
    pub(in crate::library) fn choose(&self, folders: &[&str], ignored: &[Source]) {
        self.library.heed(&Settings {
            model_folders: folders.iter().map(|folder| self.path(folder)).collect(),
            ignored_sources: ignored.to_vec(),
            ..Settings::default()
        });
    }

    /// Calls a file by another name, as the dispatcher does.
    pub(in crate::library) async fn rename(
        &self,
        store: &Store,
        file: &FileId,
        name: Option<String>,
    ) -> Result<LibraryFile> {
        let write = |name| self.library.write_name(store, file, name);
        self.library.rename(file, name, write).await
    }

    pub(in crate::library) async fn list(&self) -> Vec<LibraryFile> {
        self.library.list().await.expect("list")
    }

    pub(in crate::library) async fn ids(&self) -> Vec<String> {
        let files = self.list().await.into_iter();
        files.map(|file| file.id.0).collect()
    }

    /// Everything below a folder of the test's, folders too, with `/` between them.
    pub(in crate::library) fn everything(&self, folder: &str) -> Vec<String> {
        let root = self.path(folder);
        let entries = walkdir::WalkDir::new(&root).min_depth(1).sort_by_file_name();
        let below = |entry: walkdir::DirEntry| {
            let below = entry.path().strip_prefix(&root).expect("below").iter();
            below
                .map(|part| part.to_string_lossy())
                .collect::<Vec<_>>()
                .join("/")
        };
        entries.into_iter().flatten().map(below).collect()
    }

    /// What a scan passes over.
    pub(in crate::library) async fn skipped(&self) -> Vec<PathBuf> {
        self.reasons().await.into_iter().map(|(path, _)| path).collect()
    }

    /// What a scan passes over, and why.
    pub(in crate::library) async fn reasons(&self) -> Vec<(PathBuf, String)> {
        let (sink, events) = EventSink::new(RequestId(1), Waker::none());
        self.library.scan(sink).await;
        let mut skipped = Vec::new();
        let mut found = 0;
        while let Some(event) = events.next() {
            match event {
                ScanEvent::Skipped { path, reason } => skipped.push((path, reason)),
                ScanEvent::Finished { files } => assert_eq!(files, found),
                ScanEvent::Found(_) => found += 1,
                ScanEvent::Failed(error) => panic!("{error}"),
            }
        }
        skipped
    }
}
