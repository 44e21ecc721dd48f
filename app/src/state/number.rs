//! Numbers that can be set: what each is like, how it stands in its field, and what is wrong with one that was typed.

use super::format;
use super::load_dialog::number::LoadNumber;
use super::panel::parameter::Parameter;
use crate::msg::Msg;
use crate::msg::load::LoadMsg;
use crate::msg::number::NumberMsg;
use crate::msg::panel::PanelMsg;
use crate::text::{Key, Texts, say};

/// Digits behind the point that are always shown of a number that is not whole.
const DIGITS: usize = 2;

/// A number of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    /// Of the panel beside the chat.
    Panel(Parameter),
    /// Of how a model is loaded.
    Load(LoadNumber),
}

/// What a number is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    /// What it is called.
    pub(crate) label: Key,
    /// What it does, in a few plain words.
    pub(crate) help: Key,
    /// The least and the most.
    pub(crate) range: (f64, f64),
    /// Its slider; `None` has none.
    pub(crate) slider: Option<Slider>,
    /// What one press of an arrow key changes.
    pub(crate) step: f64,
    /// Whether it is a whole number.
    pub(crate) whole: bool,
    /// Whether its thousands stand apart.
    pub(crate) grouped: bool,
    /// What an empty field means; `None` must not be empty.
    pub(crate) empty: Option<Key>,
}

/// The ends of a slider, which are those that make sense, and how it goes from one to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slider {
    /// At its left.
    pub(crate) from: f64,
    /// At its right.
    pub(crate) to: f64,
    /// Whether small numbers have more room: the way grows with the root of the number.
    pub(crate) rooted: bool,
}

/// A number as it is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NumberView {
    /// Which.
    pub(crate) number: Number,
    /// What it is like.
    pub(crate) shape: Shape,
    /// What it does, in words.
    pub(crate) help: String,
    /// The text in its field.
    pub(crate) text: String,
    /// Where its slider stands, from 0.0 to 1.0.
    pub(crate) share: Option<f64>,
    /// What is wrong with the text.
    pub(crate) problem: Option<String>,
    /// What it would be if nobody had set it here, where that is something else: `0.80`.
    pub(crate) usual: Option<String>,
}

/// What is wrong with a text in the field of a number, with the least and the most as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is no number.
    NoNumber(String, String),
    /// It is no whole number.
    NoWholeNumber(String, String),
    /// It lies outside of these.
    OutOfRange(String, String),
}

impl Number {
    /// Its name among the elements of the window.
    #[cfg(feature = "probe")]
    pub(crate) fn name(self) -> String {
        match self {
            Self::Panel(parameter) => format!("panel.{}", parameter.name()),
            Self::Load(number) => format!("load_dialog.{}", number.name()),
        }
    }

    /// The message that this happens to it.
    pub(crate) fn message(self, happens: NumberMsg) -> Msg {
        match self {
            Self::Panel(parameter) => Msg::Panel(PanelMsg::Number(parameter, happens)),
            Self::Load(number) => Msg::LoadDialog(LoadMsg::Number(number, happens)),
        }
    }
}

impl Shape {
    /// A whole number without a slider, in a field that must not be empty.
    pub(crate) const fn counted(label: Key, help: Key, range: (f64, f64)) -> Self {
        Self {
            label,
            help,
            range,
            slider: None,
            step: 1.0,
            whole: true,
            grouped: true,
            empty: None,
        }
    }

    /// A value as it stands in its field; empty for none.
    pub(crate) fn text(&self, value: Option<f64>) -> String {
        let Some(value) = value else {
            return String::new();
        };
        match (self.whole, self.grouped) {
            (true, true) => format::count(value as u64),
            (true, false) => format!("{value:.0}"),
            // The shortest digits that give this `f32` again: 0.8 and not 0.800000011920929.
            (false, _) => with_digits(&(value as f32).to_string()),
        }
    }

    /// A value in words, in which an empty one has its meaning.
    pub(crate) fn words(&self, value: Option<f64>, texts: &Texts) -> String {
        match (value, self.empty) {
            (None, Some(empty)) => texts.say(empty, &[]).to_lowercase(),
            _ => self.text(value),
        }
    }

    /// What was typed; `None` of the value is an empty field that may be empty.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(&self, text: &str) -> Result<Option<f64>, Fault> {
        // A comma may stand for the point, and spaces between thousands.
        let digits: String = text.split_whitespace().collect();
        let digits = digits.replace(',', ".").replace('\u{2212}', "-");
        if digits.is_empty() && self.empty.is_some() {
            return Ok(None);
        }
        let (from, to) = self.ends();
        let number = digits.parse().ok().filter(|number: &f64| number.is_finite());
        let Some(number) = number.filter(|number| !self.whole || number.fract() == 0.0) else {
            return Err(match self.whole {
                true => Fault::NoWholeNumber(from, to),
                false => Fault::NoNumber(from, to),
            });
        };
        let (least, most) = self.range;
        // As it will be kept: what rounds to the end is the end.
        let kept = if self.whole {
            number
        } else {
            f64::from(number as f32)
        };
        if !(f64::from(least as f32)..=most).contains(&kept) {
            return Err(Fault::OutOfRange(from, to));
        }
        Ok(Some(number))
    }

    /// The least and the most, as short as they can be written.
    fn ends(&self) -> (String, String) {
        let (least, most) = self.range;
        let short = |value| match self.text(Some(value)) {
            number if number.contains('.') => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
            number => number,
        };
        (short(least), short(most))
    }

    /// Where the slider stands, from 0.0 to 1.0; `None` where there is none.
    pub(crate) fn share(&self, value: Option<f64>) -> Option<f64> {
        let Slider { from, to, rooted } = self.slider?;
        let share = ((value.unwrap_or(from) - from) / (to - from)).clamp(0.0, 1.0);
        Some(if rooted { share.sqrt() } else { share })
    }

    /// The number at this share of the slider, in whole steps.
    pub(crate) fn at(&self, share: f64) -> Option<f64> {
        let Slider { from, to, rooted } = self.slider?;
        let share = if rooted { share * share } else { share };
        let stepped = ((from + (to - from) * share) / self.step).round() * self.step;
        Some(stepped.clamp(from, to))
    }

    /// The number so many steps further. Whole steps, so that 0.1 and 0.2 do not become 0.30000000000000004.
    pub(crate) fn stepped(&self, from: f64, steps: f64) -> f64 {
        let (least, most) = self.range;
        (((from / self.step).round() + steps) * self.step).clamp(least, most)
    }
}

impl Fault {
    /// What a person reads.
    pub(crate) fn words(&self, texts: &Texts) -> String {
        match self {
            Self::NoNumber(least, most) => say!(
                texts,
                "problem-no-number",
                least = least.as_str(),
                most = most.as_str(),
            ),
            Self::NoWholeNumber(least, most) => say!(
                texts,
                "problem-no-whole-number",
                least = least.as_str(),
                most = most.as_str(),
            ),
            Self::OutOfRange(least, most) => say!(
                texts,
                "problem-range",
                least = least.as_str(),
                most = most.as_str(),
            ),
        }
    }
}

fn with_digits(number: &str) -> String {
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let dot = if digits == 0 { "." } else { "" };
    let zeros = "0".repeat(DIGITS.saturating_sub(digits));
    format!("{number}{dot}{zeros}")
}
