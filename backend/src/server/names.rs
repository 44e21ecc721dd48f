//! What models are called to the outside: short names that stay, one for each file of the library.

use std::collections::HashMap;

use hearth_protocol::engine::{LoadedModel, ModelRef};
use hearth_protocol::library::{FileState, LibraryEvent, LibraryFile};
use hearth_protocol::{Client, FileId};

use super::followed::Followed;
use crate::library::typed_name;

/// The library by the names of its models.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Models that can be used, in the library's order, with their names.
    models: Vec<(String, LibraryFile)>,
    by_file: HashMap<FileId, usize>,
}

impl Names {
    fn new(files: Vec<LibraryFile>) -> Self {
        let files: Vec<_> = files
            .into_iter()
            .filter(|file| file.state == FileState::Ready)
            .collect();
        let typed: Vec<String> = files.iter().map(typed_name).collect();
        let mut uses: HashMap<String, usize> = HashMap::new();
        for name in &typed {
            *uses.entry(name.to_lowercase()).or_default() += 1;
        }
        let unique = |name: String, file: &LibraryFile| match uses.get(&name.to_lowercase()) {
            Some(1) => name,
            // Two files of one name are told apart by their whole ids.
            _ => file.id.0.clone(),
        };
        let models: Vec<_> = typed
            .into_iter()
            .zip(files)
            .map(|(name, file)| (unique(name, &file), file))
            .collect();
        let by_file = models
            .iter()
            .enumerate()
            .map(|(place, (_, file))| (file.id.clone(), place))
            .collect();
        Self { models, by_file }
    }

    /// The models that can be used, with their names.
    pub(super) fn models(&self) -> &[(String, LibraryFile)] {
        &self.models
    }

    /// The name of a model in memory; one that was loaded from elsewhere has its display name.
    pub(super) fn of(&self, model: &LoadedModel) -> String {
        let known = self
            .by_file
            .get(&model.file)
            .and_then(|place| self.models.get(*place));
        known.map_or_else(|| model.name.clone(), |(name, _)| name.clone())
    }

    /// The model of this name, or of this id.
    pub(super) fn find(&self, name: &str) -> Option<&(String, LibraryFile)> {
        self.models
            .iter()
            .find(|(known, file)| known.eq_ignore_ascii_case(name) || file.id.as_str() == name)
    }

    /// What a request means by a model's name. None, or an empty one, is whatever model would answer; other names than
    /// those here, such as display names, are looked up by the library. A path never leads out of the library.
    pub(super) fn meant(&self, name: Option<&str>) -> Option<ModelRef> {
        let name = name.map(str::trim).filter(|name| !name.is_empty())?;
        Some(match self.find(name) {
            Some((_, file)) => ModelRef::File(file.id.clone()),
            None => ModelRef::Name(name.to_owned()),
        })
    }
}

/// The names, kept true while files come and go. Must be called within the runtime.
pub(super) fn follow(client: &Client) -> Followed<Names> {
    Followed::start(client, Client::watch_library, |event| match event {
        LibraryEvent::Files(files) => Some(Names::new(files)),
        LibraryEvent::Closed(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use hearth_protocol::library::Source;
    use hearth_protocol::{ByteSize, UnixMillis};

    use super::*;

    fn file(id: &str) -> LibraryFile {
        LibraryFile {
            id: FileId::from(id),
            name: "A model".into(),
            model: None,
            path: format!("/models/{id}").into(),
            size: ByteSize(1),
            source: Source::Hearth,
            architecture: None,
            quantisation: None,
            parameters: None,
            context_length: None,
            has_chat_template: false,
            state: FileState::Ready,
            modified_at: UnixMillis(0),
        }
    }

    #[test]
    fn names_are_short_and_unique() {
        let damaged = LibraryFile {
            state: FileState::Damaged { reason: "x".into() },
            ..file("hearth/bad.gguf")
        };
        let names = Names::new(vec![
            file("starter/Tiny-Q4_0.gguf"),
            file("hearth/a/twice.gguf"),
            file("hearth/b/Twice.GGUF"),
            damaged,
        ]);
        let all: Vec<_> = names.models().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(all, ["Tiny-Q4_0", "hearth/a/twice.gguf", "hearth/b/Twice.GGUF"]);
    }

    #[test]
    fn what_a_request_means_is_found() {
        let names = Names::new(vec![file("starter/Tiny-Q4_0.gguf")]);
        let tiny = Some(ModelRef::File(FileId::from("starter/Tiny-Q4_0.gguf")));
        assert_eq!(names.meant(Some("tiny-q4_0")), tiny);
        assert_eq!(names.meant(Some("starter/Tiny-Q4_0.gguf")), tiny);
        assert_eq!(
            names.meant(Some("A model")),
            Some(ModelRef::Name("A model".into()))
        );
        assert_eq!(names.meant(Some(" ")), None);
        assert_eq!(names.meant(None), None);
    }
}
