//! What of loading a model is a text, and how it is read.

use std::path::PathBuf;

use hearth_protocol::engine::{LoadOptions, LoraAdapter};

use crate::state::panel::forms::{read_stop, shown_stop};
use crate::text::{Key, key};

/// Sets the strength of an adapter apart from its path.
const STRENGTH: &str = " * ";

/// A text of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LoadText {
    /// Devices by name, with commas between; none for all.
    Devices,
    /// The share of each device, with commas between.
    Shares,
    /// Jinja, or the name of a built-in template.
    Template,
    /// Adapters, one a line, with their strength behind a star.
    Adapters,
    /// Texts that end an answer, one a line.
    Ends,
}

impl LoadText {
    pub(crate) const ALL: [Self; 5] = [
        Self::Devices,
        Self::Shares,
        Self::Template,
        Self::Adapters,
        Self::Ends,
    ];

    /// As it stands in its field.
    pub(crate) fn show(self, options: &LoadOptions) -> String {
        match self {
            Self::Devices => options.devices.join(", "),
            Self::Shares => {
                let shares: Vec<String> = options.tensor_split.iter().map(f32::to_string).collect();
                shares.join(", ")
            }
            Self::Template => options.chat_template.clone().unwrap_or_default(),
            Self::Adapters => {
                let line = |adapter: &LoraAdapter| match adapter.scale {
                    1.0 => adapter.path.display().to_string(),
                    scale => format!("{}{STRENGTH}{scale}", adapter.path.display()),
                };
                let lines: Vec<String> = options.lora.iter().map(line).collect();
                lines.join("\n")
            }
            Self::Ends => {
                let lines: Vec<String> = options
                    .reverse_prompts
                    .iter()
                    .map(|text| shown_stop(text))
                    .collect();
                lines.join("\n")
            }
        }
    }

    /// Takes what was typed.
    ///
    /// # Errors
    /// What is wrong with it; the options stay as they are.
    pub(crate) fn read(self, text: &str, options: &mut LoadOptions) -> Result<(), Key> {
        let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        match self {
            Self::Devices => options.devices = parts().map(str::to_owned).collect(),
            Self::Shares => {
                let shares: Result<Vec<f32>, _> = parts().map(str::parse).collect();
                options.tensor_split = shares.map_err(|_| key!("load-shares-bad"))?;
            }
            Self::Template => options.chat_template = (!text.trim().is_empty()).then(|| text.to_owned()),
            Self::Adapters => {
                let adapters: Result<Vec<LoraAdapter>, Key> = lines().map(adapter).collect();
                options.lora = adapters?;
            }
            Self::Ends => options.reverse_prompts = lines().map(read_stop).collect(),
        }
        Ok(())
    }
}

fn adapter(line: &str) -> Result<LoraAdapter, Key> {
    let (path, scale) = match line.rsplit_once(STRENGTH) {
        None => (line, 1.0),
        Some((path, scale)) => {
            let scale = scale.trim().replace(',', ".").parse();
            (path.trim(), scale.map_err(|_| key!("load-adapters-bad"))?)
        }
    };
    Ok(LoraAdapter {
        path: PathBuf::from(path),
        scale,
    })
}
