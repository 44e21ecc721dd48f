//! Keys that are pressed together: read from the settings, written for them, and named for a person.

use crate::text::{Key, Texts, key, say};

/// Keys that are pressed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Chord {
    /// Ctrl, or Cmd on a Mac.
    pub(crate) primary: bool,
    /// Shift.
    pub(crate) shift: bool,
    /// Alt, or Option on a Mac.
    pub(crate) alt: bool,
    /// The key that is no modifier; one of [`NAMES`].
    pub(crate) key: &'static str,
}

/// Why keys cannot be an action's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// They type.
    Types,
    /// Fields need them, to copy or to undo.
    Edits,
}

/// Keys that can be part of a chord, by the names that the settings have for them.
pub(crate) const NAMES: [&str; 68] = [
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "h",
    "i",
    "j",
    "k",
    "l",
    "m",
    "n",
    "o",
    "p",
    "q",
    "r",
    "s",
    "t",
    "u",
    "v",
    "w",
    "x",
    "y",
    "z",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "f1",
    "f2",
    "f3",
    "f4",
    "f5",
    "f6",
    "f7",
    "f8",
    "f9",
    "f10",
    "f11",
    "f12",
    "comma",
    "period",
    "slash",
    "semicolon",
    "quote",
    "backslash",
    "minus",
    "plus",
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "pageup",
    "pagedown",
    "enter",
    "space",
    "delete",
    "backspace",
];

/// What a person reads for keys that have no sign of their own.
const WORDS: [(&str, Key); 12] = [
    ("left", key!("key-left")),
    ("right", key!("key-right")),
    ("up", key!("key-up")),
    ("down", key!("key-down")),
    ("home", key!("key-home")),
    ("end", key!("key-end")),
    ("pageup", key!("key-page-up")),
    ("pagedown", key!("key-page-down")),
    ("enter", key!("key-enter")),
    ("space", key!("key-space")),
    ("delete", key!("key-delete")),
    ("backspace", key!("key-backspace")),
];

/// The signs of the other keys that are no letters or digits.
const SIGNS: [(&str, &str); 8] = [
    ("comma", ","),
    ("period", "."),
    ("slash", "/"),
    ("semicolon", ";"),
    ("quote", "'"),
    ("backslash", "\\"),
    ("minus", "-"),
    ("plus", "+"),
];

/// Letters that fields need with the primary key.
const EDITING: [&str; 6] = ["a", "c", "v", "x", "y", "z"];

impl Chord {
    /// Reads what the settings hold, such as `mod+shift+c`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (modifiers, key) = text.rsplit_once('+').unwrap_or(("", text));
        let mut chord = Self {
            primary: false,
            shift: false,
            alt: false,
            key: NAMES.into_iter().find(|name| *name == key)?,
        };
        for modifier in modifiers.split('+').filter(|modifier| !modifier.is_empty()) {
            match modifier {
                "mod" => chord.primary = true,
                "shift" => chord.shift = true,
                "alt" => chord.alt = true,
                _ => return None,
            }
        }
        Some(chord)
    }

    /// What the settings hold for it.
    pub(crate) fn written(self) -> String {
        let modifiers = [(self.primary, "mod"), (self.alt, "alt"), (self.shift, "shift")];
        let modifiers = modifiers.into_iter().filter(|(held, _)| *held);
        let mut parts: Vec<_> = modifiers.map(|(_, name)| name).collect();
        parts.push(self.key);
        parts.join("+")
    }

    /// What a person reads, as in `Ctrl Shift C`.
    pub(crate) fn label(self, texts: &Texts) -> String {
        let (primary, alt) = if cfg!(target_os = "macos") {
            (key!("key-command"), key!("key-option"))
        } else {
            (key!("key-control"), key!("key-alt"))
        };
        let modifiers = [
            (self.primary, primary),
            (self.alt, alt),
            (self.shift, key!("key-shift")),
        ];
        let modifiers = modifiers.into_iter().filter(|(held, _)| *held);
        let mut parts: Vec<_> = modifiers.map(|(_, words)| texts.say(words, &[])).collect();
        let word = WORDS.into_iter().find(|(name, _)| *name == self.key);
        let sign = SIGNS.into_iter().find(|(name, _)| *name == self.key);
        parts.push(match (word, sign) {
            (Some((_, words)), _) => texts.say(words, &[]),
            (None, Some((_, sign))) => sign.to_owned(),
            (None, None) => self.key.to_uppercase(),
        });
        parts.join(" ")
    }

    /// Why no action can have these keys; `None` where one can.
    pub(crate) fn fault(self) -> Option<Fault> {
        let is_function = self.key.len() > 1 && self.key[1..].chars().all(|it| it.is_ascii_digit());
        if !self.primary && !self.alt && !is_function {
            return Some(Fault::Types);
        }
        let edits = self.primary && !self.shift && !self.alt && EDITING.contains(&self.key);
        edits.then_some(Fault::Edits)
    }
}

impl Fault {
    /// What a person reads.
    pub(crate) fn words(self, texts: &Texts) -> String {
        match self {
            Self::Types => say!(texts, "shortcut-fault-types"),
            Self::Edits => say!(texts, "shortcut-fault-edits"),
        }
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::settings::Language;

    use super::*;

    #[test]
    fn keys_are_written_as_they_are_read() {
        for text in ["mod+k", "f2", "alt+left", "mod+shift+c", "mod+alt+shift+comma"] {
            assert_eq!(Chord::read(text).map(Chord::written).as_deref(), Some(text));
        }
        for text in ["", "mod+", "mod", "hyper+k", "mod+K", "mod++k+"] {
            assert_eq!(Chord::read(text), None, "{text}");
        }
    }

    #[test]
    fn keys_are_named_in_the_person_s_language() {
        let (english, german) = (Texts::of(Language::English), Texts::of(Language::German));
        let cases = [
            ("f2", "F2", "F2"),
            ("alt+left", "Alt Left", "Alt Links"),
            ("mod+comma", "Ctrl ,", "Strg ,"),
            ("mod+shift+c", "Ctrl Shift C", "Strg Umschalt C"),
            ("mod+pagedown", "Ctrl Page Down", "Strg Bild ab"),
        ];
        for (text, in_english, in_german) in cases {
            let chord = Chord::read(text).expect("keys");
            if cfg!(not(target_os = "macos")) {
                assert_eq!(chord.label(&english), in_english);
                assert_eq!(chord.label(&german), in_german);
            }
        }
    }

    #[test]
    fn keys_that_type_or_edit_are_left_to_fields() {
        let cases = [
            ("a", Some(Fault::Types)),
            ("shift+a", Some(Fault::Types)),
            ("enter", Some(Fault::Types)),
            ("f5", None),
            ("shift+f5", None),
            ("mod+c", Some(Fault::Edits)),
            ("mod+shift+c", None),
            ("mod+b", None),
            ("alt+x", None),
        ];
        for (text, fault) in cases {
            let chord = Chord::read(text).expect("keys");
            assert_eq!(chord.fault(), fault, "{text}");
        }
    }
}
