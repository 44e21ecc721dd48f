//! How the window looks, which language it speaks and where it stands.

use serde::{Deserialize, Serialize};

/// Colours of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the desktop is, also when it changes.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// The one colour beside the neutral ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accent {
    /// Orange.
    #[default]
    Ember,
    /// Green.
    Moss,
    /// Blue.
    Lake,
    /// Violet.
    Iris,
    /// Pink.
    Rose,
}

/// Size of the text of messages and code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextSize {
    /// A step below the usual.
    Small,
    /// The usual.
    #[default]
    Default,
    /// A step above the usual.
    Large,
}

/// Room around the rows of lists and cards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// The usual.
    #[default]
    Comfortable,
    /// Less, so that more rows are seen at once.
    Compact,
}

/// A language of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
}

/// Size of everything in the window, in per cent of the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Zoom(pub u16);

impl Zoom {
    /// What can be chosen, smallest first.
    pub const STEPS: [Self; 10] = [
        Self(70),
        Self(80),
        Self(90),
        Self(100),
        Self(110),
        Self(120),
        Self(130),
        Self(150),
        Self(170),
        Self(200),
    ];

    /// The next larger step; the largest stays.
    pub fn larger(self) -> Self {
        let larger = Self::STEPS.into_iter().find(|step| *step > self);
        larger.unwrap_or(self)
    }

    /// The next smaller step; the smallest stays.
    pub fn smaller(self) -> Self {
        let smaller = Self::STEPS.into_iter().rev().find(|step| *step < self);
        smaller.unwrap_or(self)
    }

    /// Whether it is between the smallest step and the largest.
    pub fn is_valid(self) -> bool {
        let [smallest, .., largest] = Self::STEPS;
        (smallest..=largest).contains(&self)
    }
}

impl Default for Zoom {
    fn default() -> Self {
        Self(100)
    }
}

/// Where the window stood when it was last seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowPlace {
    /// Left edge with its frame, in pixels of the whole desktop; below 0 on a screen to the left of the first. Without
    /// a place, the desktop chooses one.
    pub at: Option<(i32, i32)>,
    /// Width of its content, in the desktop's pixels at its own scale.
    pub width: u32,
    /// Height of its content.
    pub height: u32,
    /// Whether it filled the screen.
    pub maximised: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zoom_goes_from_step_to_step_and_stays_at_the_ends() {
        let cases = [
            (100, 90, 110),
            (130, 120, 150),
            (70, 70, 80),
            (200, 170, 200),
            // Between two steps, as a file may have it.
            (125, 120, 130),
        ];
        for (zoom, smaller, larger) in cases {
            let zoom = Zoom(zoom);
            assert_eq!((zoom.smaller(), zoom.larger()), (Zoom(smaller), Zoom(larger)));
        }
    }
}
