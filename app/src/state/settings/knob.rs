//! The settings that stand in rows: what each is called, what it can be, and where its value stands.
//!
//! Those of the look have controls of their own, and are here for what all have in common: the way back to the default.

mod table;

use hearth_protocol::settings::Settings;

use crate::state::number::Shape;
use crate::state::panel::parameter::Parameter;
use crate::text::{Key, key};

pub(super) use table::{read_sampling, write_sampling};

/// A setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Knob {
    Theme,
    Accent,
    Language,
    TextSize,
    Density,
    Zoom,
    DownloadPlace,
    DownloadsAtOnce,
    SpeedLimit,
    Mirror,
    Proxy,
    Offline,
    ServeAtLogin,
    Guard,
    GuardLimit,
    IdleMinutes,
    KvLimit,
    Context,
    GpuLayers,
    Threads,
    AtOnce,
    FlashAttention,
    KvFormat,
    KvOnCpu,
    Mmap,
    Mlock,
    Speculation,
    Titles,
    DefaultModel,
    /// A number that says how tokens are chosen.
    Sampling(Parameter),
}

/// Words to choose by, and what choosing does.
pub(crate) type Choice = (Key, fn(&mut Settings));

/// What a setting can be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// On or off.
    Switch {
        read: fn(&Settings) -> bool,
        write: fn(&mut Settings, bool),
    },
    /// One of a few, each with what choosing it does. None of them is chosen where another row says more.
    Choice(&'static [Choice]),
    /// A number in a field.
    Number {
        shape: Shape,
        unit: Option<Key>,
        read: fn(&Settings) -> Option<f64>,
        write: fn(&mut Settings, Option<f64>),
    },
    /// One that says how tokens are chosen.
    Sampling(Parameter),
    /// A text in a field; none where it is empty.
    Text {
        empty: Key,
        read: fn(&Settings) -> Option<&str>,
        write: fn(&mut Settings, Option<String>),
    },
    /// One with controls of its own.
    Look(fn(&mut Settings, &Settings)),
}

impl Knob {
    /// What it is called, and what it means.
    pub(crate) fn words(self) -> (Key, Key) {
        match self.kind() {
            Kind::Number { shape, .. } => (shape.label, shape.help),
            Kind::Sampling(parameter) => (parameter.shape().label, parameter.shape().help),
            _ => table::words(self),
        }
    }

    /// Its name among the elements of the window.
    pub(crate) fn name(self) -> &'static str {
        match self.kind() {
            Kind::Sampling(parameter) => parameter.name(),
            _ => {
                let key = self.words().0.0;
                key.strip_prefix("setting-").unwrap_or(key)
            }
        }
    }

    /// What it can be.
    pub(crate) fn kind(self) -> Kind {
        table::kind(self)
    }

    /// Gives it its default.
    pub(crate) fn reset(self, settings: &mut Settings) {
        let usual = Settings::default();
        match self.kind() {
            Kind::Switch { read, write } => write(settings, read(&usual)),
            Kind::Choice(choices) => {
                if let Some((_, choose)) = chosen(choices, &usual).and_then(|at| choices.get(at)) {
                    choose(settings);
                }
            }
            Kind::Number { read, write, .. } => write(settings, read(&usual)),
            Kind::Sampling(parameter) => {
                table::write_sampling(parameter, settings, table::read_sampling(parameter, &usual))
            }
            Kind::Text { read, write, .. } => write(settings, read(&usual).map(str::to_owned)),
            Kind::Look(copy) => copy(settings, &usual),
        }
    }

    /// Whether it differs from its default.
    pub(crate) fn is_changed(self, settings: &Settings) -> bool {
        let mut usual = settings.clone();
        self.reset(&mut usual);
        usual != *settings
    }
}

/// Which of these the settings have.
pub(crate) fn chosen(choices: &[Choice], settings: &Settings) -> Option<usize> {
    choices.iter().position(|(_, choose)| {
        let mut with = settings.clone();
        choose(&mut with);
        with == *settings
    })
}

/// A card of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Card {
    Downloads,
    Network,
    Memory,
    Kept,
    Loading,
    Answers,
    Chats,
}

impl Card {
    /// Its rows.
    pub(crate) const fn knobs(self) -> &'static [Knob] {
        match self {
            Self::Downloads => &[Knob::DownloadPlace, Knob::DownloadsAtOnce, Knob::SpeedLimit],
            Self::Network => &[Knob::Offline, Knob::Mirror, Knob::Proxy, Knob::ServeAtLogin],
            Self::Memory => &[Knob::Guard, Knob::GuardLimit, Knob::IdleMinutes],
            Self::Kept => &[Knob::KvLimit],
            Self::Loading => &[
                Knob::Context,
                Knob::GpuLayers,
                Knob::Threads,
                Knob::AtOnce,
                Knob::FlashAttention,
                Knob::KvFormat,
                Knob::KvOnCpu,
                Knob::Mmap,
                Knob::Mlock,
                Knob::Speculation,
            ],
            Self::Answers => &[
                Knob::Sampling(Parameter::Temperature),
                Knob::Sampling(Parameter::TopP),
                Knob::Sampling(Parameter::TopK),
                Knob::Sampling(Parameter::MinP),
                Knob::Sampling(Parameter::RepeatPenalty),
                Knob::Sampling(Parameter::MaxTokens),
            ],
            Self::Chats => &[Knob::Titles],
        }
    }
}

/// A whole number between two others, in a field.
const fn whole(label: Key, help: Key, range: (f64, f64), empty: Option<Key>) -> Shape {
    Shape {
        empty,
        ..Shape::counted(label, help, range)
    }
}

/// What an empty field means where Hearth then finds out by itself.
const AUTOMATIC: Option<Key> = Some(key!("setting-automatic"));

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const CARDS: [Card; 7] = [
        Card::Downloads,
        Card::Network,
        Card::Memory,
        Card::Kept,
        Card::Loading,
        Card::Answers,
        Card::Chats,
    ];

    #[test]
    fn each_setting_has_a_name_of_its_own_and_the_defaults_are_no_change() {
        let mut names = BTreeSet::new();
        for knob in CARDS.into_iter().flat_map(|card| card.knobs()) {
            assert!(names.insert(knob.name()), "{knob:?}");
            assert!(!knob.is_changed(&Settings::default()), "{knob:?}");
        }
    }

    #[test]
    fn what_is_changed_comes_back_and_nothing_else_does() {
        for knob in CARDS.into_iter().flat_map(|card| card.knobs()).copied() {
            let mut settings = Settings {
                offline: knob != Knob::Offline,
                ..Settings::default()
            };
            let before = settings.clone();
            match knob.kind() {
                Kind::Switch { read, write } => {
                    let on = read(&settings);
                    write(&mut settings, !on);
                }
                Kind::Choice(choices) => {
                    let at = chosen(choices, &settings).expect("one is the default");
                    choices[(at + 1) % choices.len()].1(&mut settings);
                    assert_ne!(chosen(choices, &settings), Some(at), "{knob:?}");
                }
                Kind::Number { shape, write, .. } => write(&mut settings, Some(shape.range.1)),
                Kind::Sampling(parameter) => {
                    let value = if parameter.shape().whole { 7.0 } else { 0.37 };
                    table::write_sampling(parameter, &mut settings, Some(value));
                }
                Kind::Text { write, .. } => write(&mut settings, Some("http://hub.example.org".into())),
                Kind::Look(_) => unreachable!("cards hold none of them"),
            }
            assert_eq!(settings.validate(), Ok(()), "{knob:?}");
            assert!(knob.is_changed(&settings), "{knob:?}");
            knob.reset(&mut settings);
            assert_eq!(settings, before, "{knob:?}");
        }
    }
}
