//! A model of the list, in words.

use hearth_protocol::ModelId;
use hearth_protocol::catalogue::{Capability, Fit, ModelSummary};

use super::{Discover, fit};
use crate::state::AppState;
use crate::state::format;
use crate::text::{Texts, say};

/// A model of the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Card {
    /// Which.
    pub(crate) model: ModelId,
    /// Its name.
    pub(crate) name: String,
    /// Whether Hearth picked it.
    pub(crate) is_picked: bool,
    /// Whether the person likes it.
    pub(crate) is_favourite: bool,
    /// Whether its licence must be accepted first.
    pub(crate) is_gated: bool,
    /// One sentence on what it is; its name on the hub where nobody has written one.
    pub(crate) summary: String,
    /// `Qwen · 8.2 B · 2.1 M downloads`.
    pub(crate) facts: String,
    /// What it can do.
    pub(crate) abilities: Vec<Capability>,
    /// How it fits this machine; `None` where that is not known.
    pub(crate) fit: Option<Fit>,
    /// Whether its details are shown.
    pub(crate) is_chosen: bool,
}

impl AppState {
    /// A model of the list.
    pub(crate) fn card(&self, model: &ModelSummary) -> Card {
        let texts = self.texts();
        let shown = self.discover.shown.as_ref();
        let parameters = model.parameters.map(|count| format::parameters(texts, count));
        let downloads = model.downloads.map(|count| {
            let short = short(texts, count);
            say!(texts, "discover-downloads", count = count, number = short)
        });
        let author = (!model.author.is_empty()).then(|| model.author.clone());
        let facts: Vec<_> = [author, parameters, downloads].into_iter().flatten().collect();
        Card {
            model: model.id.clone(),
            name: model.name.clone(),
            is_picked: model.featured,
            is_favourite: model.favourite,
            is_gated: model.gated,
            summary: model.summary.clone().unwrap_or_else(|| model.id.to_string()),
            facts: facts.join(" · "),
            abilities: model.capabilities.clone(),
            fit: self.discover.fit_of(model),
            is_chosen: shown.is_some_and(|shown| shown.model == model.id),
        }
    }
}

impl Discover {
    /// How a model fits this machine, as far as that is known.
    fn fit_of(&self, model: &ModelSummary) -> Option<Fit> {
        let told = self.fits.get(&model.id).copied();
        let reckoned = || Some(fit::rough(model.download_size?, self.devices.as_ref()?));
        told.or_else(reckoned).filter(|fit| *fit != Fit::Unknown)
    }
}

/// A large number, shortened: `2.1 M`, `240 k`, `512`.
pub(super) fn short(texts: &Texts, count: u64) -> String {
    let (value, digits) = match count {
        ..10_000 => return format::count(count),
        10_000..1_000_000 => (count as f64 / 1e3, 0),
        _ => (count as f64 / 1e6, 1),
    };
    let number = format::decimal(texts, &format!("{value:.digits$}"));
    match digits {
        0 => say!(texts, "number-thousands", number = number),
        _ => say!(texts, "number-millions-short", number = number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_short_and_say_what_they_are() {
        let texts = Texts::default();
        let plain = |text: String| text.replace('\u{a0}', "~");
        let cases = [
            (8_190_735_360, "8.2~B"),
            (137_000_000, "137~M"),
            (260_032, "260~k"),
            (999_600_000, "1~B"),
            (24_000_000_000, "24~B"),
            (671_026_404_352, "671~B"),
        ];
        for (count, text) in cases {
            assert_eq!(plain(format::parameters(&texts, count)), text);
        }
        let cases = [
            (512, "512"),
            (9_999, "9~999"),
            (240_400, "240~k"),
            (2_100_000, "2.1~M"),
        ];
        for (count, text) in cases {
            assert_eq!(plain(short(&texts, count)), text);
        }
    }
}
