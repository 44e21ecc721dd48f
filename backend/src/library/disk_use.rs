//! What model files take on the disk. Bytes that have several names count once.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hearth_protocol::library::{DiskUse, Leftover, ModelUse, Source, SourceUse};
use hearth_protocol::settings::DownloadPlace;
use hearth_protocol::{ByteSize, Result};

use super::Library;
use super::found::{Bytes, Found};
use crate::files::{blocking, free_space};

impl Library {
    /// What all files take, and what these leftovers take besides.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::Internal`] where the reading thread broke off.
    pub(crate) async fn disk_use(&self, leftovers: &[Leftover]) -> Result<DiskUse> {
        let found = self.find().await?;
        let downloads = self.downloads();
        let disk = blocking(move || Ok((add_up(&found), free(&downloads))));
        let (mut used, free) = disk.await?;
        used.leftovers = ByteSize(leftovers.iter().map(|leftover| leftover.size.0).sum());
        used.free = free;
        Ok(used)
    }

    /// The folder that downloads go to.
    fn downloads(&self) -> PathBuf {
        match (&self.hub_cache, self.choices.now().download_place) {
            (Some(cache), DownloadPlace::HubCache) => cache.folder.clone(),
            _ => self.models.clone(),
        }
    }
}

fn free(folder: &Path) -> Option<ByteSize> {
    let free = free_space(folder);
    free.inspect_err(|error| tracing::debug!(%error, "the free space is not known"))
        .ok()
        .map(ByteSize)
}

fn add_up(found: &Found) -> DiskUse {
    let mut counted = HashSet::new();
    // What cannot be looked at has gone since it was found, and takes no room.
    let mut size = |path: &PathBuf| match Bytes::of(path) {
        Some(bytes) if counted.insert(bytes) => bytes.length,
        _ => 0,
    };
    let mut used = DiskUse::default();
    for model in &found.models {
        let bytes = model.files.iter().map(&mut size).sum();
        add(&mut used, model.file.source, bytes, 1);
        used.models.push(ModelUse {
            file: model.file.id.clone(),
            size: ByteSize(bytes),
        });
    }
    for (source, path) in &found.projectors {
        add(&mut used, *source, size(path), 0);
    }
    used.models.sort_by_key(|model| Reverse(model.size));
    used.sources.sort_by_key(|source| Reverse(source.size));
    used
}

fn add(used: &mut DiskUse, source: Source, bytes: u64, models: u32) {
    used.total.0 += bytes;
    match used.sources.iter_mut().find(|used| used.source == source) {
        Some(used) => {
            used.size.0 += bytes;
            used.models += models;
        }
        None => used.sources.push(SourceUse {
            source,
            models,
            size: ByteSize(bytes),
        }),
    }
}
