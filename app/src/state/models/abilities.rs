//! What models can do beyond text. The catalogue says it of those on the hub; a file of an encoder says it itself.

use std::collections::HashMap;

use hearth_protocol::ModelId;
use hearth_protocol::catalogue::Capability;
use hearth_protocol::library::LibraryFile;

use crate::text::{Key, key};

/// What a row tells, in its order. Code and ranking are for the page that finds models.
pub(crate) const SHOWN: [(Capability, Key); 4] = [
    (Capability::Vision, key!("ability-vision")),
    (Capability::Tools, key!("ability-tools")),
    (Capability::Reasoning, key!("ability-reasoning")),
    (Capability::Embedding, key!("ability-embedding")),
];

/// What the catalogue says of the models of the files here.
#[derive(Debug, Default)]
pub(crate) struct Abilities {
    /// By model; `None` while the answer is awaited.
    known: HashMap<ModelId, Option<Vec<Capability>>>,
}

impl Abilities {
    /// The models of these files that nobody has asked about yet. They count as asked about from now on.
    pub(in crate::state) fn take_unknown(&mut self, files: &[LibraryFile]) -> Vec<ModelId> {
        let mut unknown: Vec<_> = files.iter().filter_map(|file| file.model.clone()).collect();
        unknown.sort();
        unknown.dedup();
        unknown.retain(|model| !self.known.contains_key(model));
        self.known
            .extend(unknown.iter().cloned().map(|model| (model, None)));
        unknown
    }

    /// Takes what the catalogue says.
    pub(in crate::state) fn learn(&mut self, model: ModelId, abilities: Vec<Capability>) {
        self.known.insert(model, Some(abilities));
    }

    /// What the model of a file can do, as far as it is shown.
    pub(crate) fn of(&self, file: &LibraryFile) -> Vec<Capability> {
        let known = file.model.as_ref().and_then(|model| self.known.get(model));
        let known = known.and_then(Option::as_deref).unwrap_or_default();
        let can = |ability: &Capability| {
            known.contains(ability) || (*ability == Capability::Embedding && is_encoder(file))
        };
        SHOWN
            .into_iter()
            .map(|(ability, _)| ability)
            .filter(can)
            .collect()
    }
}

/// Whether a file's architecture is one that only turns text into vectors.
fn is_encoder(file: &LibraryFile) -> bool {
    let architecture = file.architecture.as_deref().unwrap_or_default();
    architecture.contains("bert") || architecture == "gemma-embedding"
}
