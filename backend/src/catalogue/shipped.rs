//! The curated catalogue that Hearth brings: a TOML file for each model in `resources/catalogue`, read only when the
//! database holds another version of it.

use hearth_protocol::catalogue::{AdvisedSampling, Capability, FileRole, ModelCard, ModelSummary};
use hearth_protocol::{ByteSize, Error, ModelId, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::files::{RepositoryFile, fold};
use super::fit;
use crate::store::catalogue::NewModel;

/// Name and text of each entry, by name.
const ENTRIES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// Counts with the contents as their version: a change of what is made of the entries is one of the catalogue too.
const FORM: &[u8] = b"2";

/// A model as it stands in its file. Figures that are not known are left out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The model as its maker calls it, `author/name`.
    pub(super) id: ModelId,
    /// Display name.
    pub(super) name: String,
    /// Place among Hearth's first recommendations, from 1, which is the starter. All others follow by size.
    pub(super) pick: Option<u32>,
    /// One or two sentences on what it is.
    pub(super) summary: String,
    /// What it is good for, a phrase each.
    pub(super) good_for: Vec<String>,
    pub(super) author: Link,
    pub(super) licence: Link,
    /// All of them, those of experts that rest too.
    pub(super) parameters: Option<u64>,
    /// Those that work on each token.
    pub(super) active_parameters: Option<u64>,
    /// Tokens.
    pub(super) context_length: Option<u32>,
    /// As GGUF names it.
    pub(super) architecture: Option<String>,
    /// Day, `YYYY-MM-DD`.
    pub(super) released_on: Option<String>,
    /// Codes.
    #[serde(default)]
    pub(super) languages: Vec<String>,
    /// How many, where they are not listed.
    pub(super) language_count: Option<u32>,
    #[serde(default)]
    pub(super) capabilities: Vec<Capability>,
    /// Numbers in each vector.
    pub(super) embedding_length: Option<u32>,
    /// Whether the hub wants its licence accepted before it gives the files.
    #[serde(default)]
    pub(super) gated: bool,
    /// Name of the file that is usually taken.
    pub(super) recommended: Option<String>,
    pub(super) sampling: Option<AdvisedSampling>,
    pub(super) sampling_thinking: Option<AdvisedSampling>,
    /// Name of the chat template where the file has none.
    pub(super) prompt_template: Option<String>,
    /// Text that ends an answer where the file does not say it.
    pub(super) reverse_prompt: Option<String>,
    /// On the hub, the preferred one first.
    pub(super) repositories: Vec<ModelId>,
    #[serde(default)]
    pub(super) files: Vec<FileEntry>,
}

/// A name with the page that belongs to it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileEntry {
    /// Path in its repository.
    pub(super) name: String,
    /// Bytes.
    pub(super) size: Option<u64>,
    pub(super) sha256: Option<String>,
    /// Commit that both are of.
    pub(super) revision: Option<String>,
    /// Where it is not the first of the repositories.
    pub(super) repository: Option<ModelId>,
}

/// Changes with every change of the shipped catalogue.
pub(super) fn version() -> String {
    version_of(ENTRIES)
}

fn version_of(entries: &[(&str, &str)]) -> String {
    let mut hash = Sha256::new_with_prefix(FORM);
    for (name, text) in entries {
        // With its length before it, so that no two lists of texts are one text.
        hash.update(text.len().to_le_bytes());
        hash.update(name);
        hash.update(text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The models of the shipped catalogue in Hearth's order: its picks, then all others from the smallest.
///
/// # Errors
/// [`Error::Internal`] names the entry that cannot be read; a test reads them all.
pub(super) fn models() -> Result<Vec<NewModel>> {
    let mut models: Vec<(u32, NewModel)> = entries()?
        .into_iter()
        .map(|entry| (entry.pick.unwrap_or(u32::MAX), entry.into_model()))
        .collect();
    models.sort_by_cached_key(|(pick, new)| {
        let size = new.model.download_size;
        (*pick, size.is_none(), size, new.model.name.clone())
    });
    let place = |(place, (_, model))| NewModel {
        place: Some(place),
        ..model
    };
    Ok((0..).zip(models).map(place).collect())
}

pub(super) fn entries() -> Result<Vec<Entry>> {
    let read = |(name, text): &(&str, &str)| {
        toml::from_str(text).map_err(|error| Error::internal(format!("{name}.toml: {error}")))
    };
    ENTRIES.iter().map(read).collect()
}

impl Entry {
    fn into_model(self) -> NewModel {
        let files = self.files.into_iter().filter_map(|file| {
            Some(RepositoryFile {
                repository: file.repository.or_else(|| self.repositories.first().cloned())?,
                revision: file.revision,
                name: file.name,
                size: file.size.map(ByteSize),
                sha256: file.sha256,
            })
        });
        let files = fold(files.collect());
        let models = files.iter().filter(|file| file.role == FileRole::Model);
        let smallest = models.clone().filter_map(|file| file.size).min();
        let usual = models
            .clone()
            .find(|file| Some(&file.name) == self.recommended.as_ref())
            .and_then(|file| file.size);
        let context = fit::default_context(self.context_length);
        let least_memory = smallest
            .zip(fit::ContextBytes::rough(self.parameters, smallest, context))
            .map(|(weights, context)| weights.0.saturating_add(context.bytes));
        NewModel {
            model: ModelSummary {
                id: self.id,
                name: self.name,
                author: self.author.name,
                summary: Some(self.summary),
                parameters: self.parameters,
                active_parameters: self.active_parameters,
                context_length: self.context_length,
                capabilities: self.capabilities,
                licence: Some(self.licence.name),
                released_on: self.released_on,
                download_size: usual.or(smallest),
                downloads: None,
                likes: None,
                updated_at: None,
                fetched_at: None,
                gated: self.gated,
                featured: true,
                favourite: false,
                hidden: false,
            },
            place: None,
            card: ModelCard {
                good_for: self.good_for,
                author_url: self.author.url,
                licence_url: self.licence.url,
                architecture: self.architecture,
                languages: self.languages,
                language_count: self.language_count,
                embedding_length: self.embedding_length,
                sampling: self.sampling,
                sampling_thinking: self.sampling_thinking,
                prompt_template: self.prompt_template,
                reverse_prompt: self.reverse_prompt,
                repositories: self.repositories,
                base_models: Vec::new(),
            },
            usual_file: self.recommended,
            least_memory,
            trending_score: None,
            files,
            detailed_at: None,
        }
    }
}

#[cfg(test)]
mod tests;
