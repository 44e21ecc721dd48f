//! The Hugging Face cache, as `huggingface_hub` lays it out.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use hearth_protocol::library::Source;
use hearth_protocol::{ModelId, Result};
use hf_hub::HFClient;
use hf_hub::cache::HFCacheInfo;

use super::super::found::{self, Found};
use super::super::scan::{self, Told};
use crate::hub::MAIN;
use crate::net::Net;

/// What a repository of the cache is that holds models.
const MODEL: &str = "model";

/// The cache. Cheap to clone.
#[derive(Debug, Clone)]
pub(in super::super) struct HubCache {
    /// Where it lies; need not exist.
    pub(in super::super) folder: PathBuf,
    net: Net,
    /// What reads the cache; made at the first look, since that reads the system's certificates.
    hub: Arc<OnceLock<HFClient>>,
}

impl HubCache {
    pub(in super::super) fn new(folder: PathBuf, net: Net) -> Self {
        Self {
            folder,
            net,
            hub: Arc::default(),
        }
    }

    /// Adds the models of the cache. Of a file that several revisions hold the one of the branch `main` is taken, else the
    /// newest.
    pub(in super::super) async fn look_through(&self, found: &mut Found) {
        if !self.folder.exists() {
            return;
        }
        found.pass(&self.folder);
        let info = match self.read().await {
            Ok(info) => info,
            Err(reason) => return found.skipped.push((self.folder.clone(), reason)),
        };
        let skipped = info
            .warnings
            .into_iter()
            .map(|warning| (self.folder.clone(), warning));
        found.skipped.extend(skipped);
        let mut seen = HashSet::new();
        // Beside models the cache holds data sets and spaces.
        for mut repo in info.repos.into_iter().filter(|repo| repo.repo_type == MODEL) {
            repo.revisions.sort_by_key(|revision| {
                let is_main = revision.refs.iter().any(|name| name == MAIN);
                Reverse((is_main, revision.last_modified))
            });
            for file in repo.revisions.into_iter().flat_map(|revision| revision.files) {
                let below = Path::new(&repo.repo_id).join(&file.file_name);
                if scan::is_model_name(file.file_name.as_ref()) && seen.insert(below.clone()) {
                    let told = Told {
                        model: Some(ModelId(repo.repo_id.clone())),
                        ..Told::default()
                    };
                    let id = found::id(Source::HuggingFace, &below, &file.file_path);
                    found.add(Source::HuggingFace, id, &file.file_path, told);
                }
            }
        }
    }

    async fn read(&self) -> std::result::Result<HFCacheInfo, String> {
        let hub = self.hub().map_err(|error| error.to_string())?;
        hub.scan_cache().send().await.map_err(|error| error.to_string())
    }

    fn hub(&self) -> Result<HFClient> {
        if let Some(hub) = self.hub.get() {
            return Ok(hub.clone());
        }
        let made = self.net.hub(&self.folder)?;
        Ok(self.hub.get_or_init(|| made).clone())
    }
}
