//! What the person calls files. Kept in the database; held here too, so that every list has the names at once.

use std::collections::HashMap;
use std::sync::Arc;

use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, FileId, Result};
use tokio::sync::watch;

use super::Library;
use crate::store::Store;

/// Longest name, in characters.
const MAX_NAME: usize = 200;

/// The person's names by file. Cheap to clone; all clones are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(Arc<watch::Sender<HashMap<FileId, String>>>);

impl Names {
    /// Gives files the names that the person gave them.
    pub(super) fn apply<'a>(&self, files: impl Iterator<Item = &'a mut LibraryFile>) {
        let names = self.0.borrow();
        for file in files {
            if let Some(name) = names.get(&file.id) {
                file.name.clone_from(name);
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut HashMap<FileId, String>)) {
        self.0.send_modify(change);
    }
}

impl Library {
    /// Takes the names that are stored. Where they cannot be read, files are called as they call themselves.
    pub(crate) async fn read_names(&self, store: &Store) {
        match store.file_names().await {
            Ok(stored) => self.names.change(|names| *names = stored),
            Err(error) => tracing::warn!(%error, "the names of files cannot be read"),
        }
    }

    /// Calls a file by another name; `None` by its own again. The disk is looked at before and after; `write` alone
    /// decides when [`Self::write_name`] is done.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a name that is none, [`Error::NotFound`], that of `write`.
    pub(crate) async fn rename<Written: Future<Output = Result<()>>>(
        &self,
        file: &FileId,
        name: Option<String>,
        write: impl FnOnce(Option<String>) -> Written,
    ) -> Result<LibraryFile> {
        let name = name.as_deref().map(checked).transpose()?;
        self.listed(file).await?;
        write(name).await?;
        self.listed(file).await
    }

    /// Stores what a file is called from now on. Waits for no model's folder.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn write_name(&self, store: &Store, file: &FileId, name: Option<String>) -> Result<()> {
        store.name_file(file, name.as_deref()).await?;
        self.names.change(|names| {
            match name {
                Some(name) => names.insert(file.clone(), name),
                None => names.remove(file),
            };
        });
        self.choices.touch();
        Ok(())
    }

    /// Forgets what a file that is deleted was called.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn forget_name(&self, store: &Store, file: &FileId) -> Result<()> {
        store.name_file(file, None).await?;
        self.names.change(|names| drop(names.remove(file)));
        Ok(())
    }
}

/// A name without the blanks around it, if it is one.
fn checked(name: &str) -> Result<String> {
    let name = name.trim();
    let problem = match name.chars().count() {
        1..=MAX_NAME if name.contains(char::is_control) => "must be one line of text".to_owned(),
        1..=MAX_NAME => return Ok(name.to_owned()),
        _ => format!("must have 1 to {MAX_NAME} characters"),
    };
    Err(Error::invalid("name", problem))
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::ModelRef;

    use super::super::tests::fixture::{Fixture, tiny_gguf};
    use super::*;

    async fn store(fixture: &Fixture) -> Store {
        let path = fixture.folder.path().join("hearth.db");
        Store::open(&path).await.expect("open")
    }

    #[tokio::test]
    async fn a_name_is_shown_found_and_kept() {
        let fixture = Fixture::new();
        fixture.write("models/p/r/m-Q4_0.gguf", &tiny_gguf());
        let (library, store) = (&fixture.library, store(&fixture).await);
        let id = FileId::from("hearth/p/r/m-Q4_0.gguf");
        let own = library.listed(&id).await.expect("listed").name;

        let named = fixture
            .rename(&store, &id, Some("  My pet \u{1f408} ".into()))
            .await;
        assert_eq!(named.expect("renamed").name, "My pet \u{1f408}");
        for name in ["my pet \u{1f408}", "m-Q4_0", id.as_str()] {
            let found = library
                .resolve(&ModelRef::Name(name.into()))
                .await
                .expect("found");
            assert_eq!(
                (&found.id, found.name.as_str()),
                (&id, "My pet \u{1f408}"),
                "{name}"
            );
        }
        // A new start reads it.
        let again = Library::new(&fixture.config, crate::net::Net::default());
        assert_eq!(again.listed(&id).await.expect("listed").name, own);
        again.read_names(&store).await;
        assert_eq!(again.listed(&id).await.expect("listed").name, "My pet \u{1f408}");

        let reset = fixture.rename(&store, &id, None).await.expect("reset");
        assert_eq!(reset.name, own);
        assert_eq!(store.file_names().await, Ok(HashMap::new()));
    }

    #[tokio::test]
    async fn what_is_no_name_and_what_is_no_file_is_refused() {
        let fixture = Fixture::new();
        fixture.write("models/m.gguf", &tiny_gguf());
        let store = store(&fixture).await;
        let id = FileId::from("hearth/m.gguf");
        let most = "ü".repeat(MAX_NAME);
        for name in ["", "  \t", &"ü".repeat(MAX_NAME + 1), "two\nlines"] {
            let refused = fixture.rename(&store, &id, Some(name.into())).await;
            assert!(
                matches!(&refused, Err(Error::Invalid { field, .. }) if field == "name"),
                "{refused:?}"
            );
        }
        let named = fixture.rename(&store, &id, Some(format!(" {most}\n"))).await;
        assert_eq!(named.expect("renamed").name, most);
        let unknown = fixture
            .rename(&store, &"hearth/none.gguf".into(), Some("x".into()))
            .await;
        assert!(matches!(&unknown, Err(Error::NotFound { .. })), "{unknown:?}");
        assert_eq!(store.file_names().await.expect("names").len(), 1);
    }
}
