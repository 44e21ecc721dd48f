//! What a person wrote of files on the disk, and when each answered last. Of a file of a model that the catalogue has it
//! is what was written of that model, so that both are the same wherever they are shown; of any other file it is kept by
//! the file's id.

use std::collections::HashMap;

use hearth_protocol::catalogue::ModelEdits;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::{FileNotes, FileRecord};
use hearth_protocol::{Error, FileId, ModelId, Result};

use super::{Catalogue, checked};
use crate::store::catalogue::StoredModel;

/// Where the notes of files stand among the named values: a JSON object by the files' ids.
const KEY: &str = "file_notes";

impl Catalogue {
    /// What is remembered of each listed file.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::Internal`] where the library cannot be read.
    pub(crate) async fn file_records(&self) -> Result<Vec<FileRecord>> {
        let (files, used) = (self.library.list().await?, self.store.files_used().await?);
        let mut own = self.own_notes().await?;
        let mut of_models: HashMap<ModelId, Option<FileNotes>> = HashMap::new();
        let mut records = Vec::with_capacity(files.len());
        for file in files {
            let of_model = match &file.model {
                Some(model) if !of_models.contains_key(model) => {
                    let notes = self.known_model(model).await?.map(|known| notes_of(known.edits));
                    of_models.insert(model.clone(), notes.clone());
                    notes
                }
                Some(model) => of_models.get(model).cloned().flatten(),
                None => None,
            };
            records.push(FileRecord {
                notes: of_model.unwrap_or_else(|| own.remove(&file.id).unwrap_or_default()),
                used_at: used.get(&file.id).copied(),
                file: file.id,
            });
        }
        Ok(records)
    }

    /// Replaces what the person wrote of a file; gives it as it is stored.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Invalid`] names what is too long; [`Error::Storage`].
    pub(crate) async fn write_file_notes(&self, file: &FileId, notes: FileNotes) -> Result<FileNotes> {
        let edits = checked(ModelEdits {
            notes: notes.notes,
            tags: notes.tags,
            favourite: notes.favourite,
            ..ModelEdits::default()
        })?;
        let listed = self.library.matches(&ModelRef::File(file.clone())).await?;
        let model = listed.into_iter().find_map(|file| file.model);
        let known = match &model {
            Some(model) => self.known_model(model).await?,
            None => None,
        };
        let Some(known) = known else {
            let notes = notes_of(edits);
            self.change_own_notes(file, notes.clone()).await?;
            return Ok(notes);
        };
        let edits = ModelEdits {
            display_name: known.edits.display_name,
            hidden: known.edits.hidden,
            ..edits
        };
        self.store.edit_catalogue_model(&known.model.id, &edits).await?;
        Ok(notes_of(edits))
    }

    /// Forgets what was written of a file that is deleted. What was written of its model stays.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn forget_file_notes(&self, file: &FileId) -> Result<()> {
        self.change_own_notes(file, FileNotes::default()).await
    }

    /// The model of the catalogue that this is, or that it is a repository of.
    pub(super) async fn known_model(&self, model: &ModelId) -> Result<Option<StoredModel>> {
        match self.store.catalogue_model(model).await {
            Ok(known) => Ok(Some(known)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn own_notes(&self) -> Result<HashMap<FileId, FileNotes>> {
        let stored = self.store.read_setting(KEY).await?;
        let parsed = stored.map(|stored| serde_json::from_str(&stored)).transpose();
        Ok(parsed
            .inspect_err(|error| tracing::warn!(%error, "the notes of files cannot be read"))
            .ok()
            .flatten()
            .unwrap_or_default())
    }

    async fn change_own_notes(&self, file: &FileId, notes: FileNotes) -> Result<()> {
        let _alone = self.file_notes.lock().await;
        let mut own = self.own_notes().await?;
        if notes == FileNotes::default() {
            if own.remove(file).is_none() {
                return Ok(());
            }
        } else {
            own.insert(file.clone(), notes);
        }
        let text = serde_json::to_string(&own).map_err(Error::internal)?;
        self.store.write_setting(KEY, &text).await
    }
}

fn notes_of(edits: ModelEdits) -> FileNotes {
    FileNotes {
        notes: edits.notes,
        tags: edits.tags,
        favourite: edits.favourite,
    }
}
