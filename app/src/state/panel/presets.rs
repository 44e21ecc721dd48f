//! Presets: named sets of settings, and the field in which one gets its name.

use hearth_protocol::chat::preset::Preset;

use super::effective::Effective;

use crate::text::{Texts, say};

/// The presets.
#[derive(Debug, Default)]
pub(crate) struct Presets {
    /// All of them, the person's own first; `None` until they are listed.
    pub(crate) all: Option<Vec<Preset>>,
    /// The name that is being typed.
    pub(crate) naming: Option<Naming>,
}

/// A name that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Naming {
    /// What it is for.
    pub(crate) of: Named,
    /// The text so far.
    pub(crate) text: String,
    /// Why the last one did not do.
    pub(crate) problem: Option<String>,
    /// Whether it is being stored.
    pub(crate) running: bool,
}

/// What gets a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    /// The settings of the open chat.
    Settings,
    /// The preset that is called so now.
    Preset(String),
}

impl Presets {
    /// All that are known.
    pub(crate) fn listed(&self) -> &[Preset] {
        self.all.as_deref().unwrap_or_default()
    }

    /// The one of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Preset> {
        let name = name.to_lowercase();
        self.listed()
            .iter()
            .find(|preset| preset.name.to_lowercase() == name)
    }

    /// The one that gives just these settings.
    pub(super) fn that_gives(&self, now: &Effective) -> Option<&Preset> {
        self.listed().iter().find(|preset| gives(preset, now))
    }

    /// Takes one out of the list.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Preset> {
        let all = self.all.as_mut()?;
        let index = all.iter().position(|preset| preset.name == name)?;
        Some(all.remove(index))
    }

    /// Begins to type a name.
    pub(crate) fn begin(&mut self, of: Named, text: String) {
        self.naming = Some(Naming {
            of,
            text,
            problem: None,
            running: false,
        });
    }

    /// What the person should know before the name is taken.
    pub(crate) fn remark(&self, texts: &Texts) -> Option<String> {
        let naming = self.naming.as_ref()?;
        if let Some(problem) = &naming.problem {
            return Some(problem.clone());
        }
        let known = self.get(naming.text.trim())?;
        match &naming.of {
            Named::Preset(name) if *name == known.name => None,
            Named::Preset(_) => Some(say!(texts, "panel-preset-taken")),
            Named::Settings if known.shipped => Some(say!(texts, "panel-preset-shipped")),
            Named::Settings => Some(say!(texts, "panel-preset-replaces", preset = known.name.as_str())),
        }
    }
}

/// Whether a preset sets something, and all that it sets is so.
pub(super) fn gives(preset: &Preset, now: &Effective) -> bool {
    let options = &preset.options;
    let prompt = options
        .system_prompt
        .as_ref()
        .map(|prompt| *prompt == now.system_prompt);
    let sampling = options
        .sampling
        .as_ref()
        .map(|sampling| *sampling == now.sampling);
    let answer = options.answer.as_ref().map(|answer| *answer == now.answer);
    let set: Vec<bool> = [prompt, sampling, answer].into_iter().flatten().collect();
    !set.is_empty() && set.iter().all(|is_so| *is_so)
}
