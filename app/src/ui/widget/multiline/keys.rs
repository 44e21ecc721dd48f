//! What the keys of a field of several lines mean. Pure.

use makepad_widgets::{KeyCode, KeyEvent, KeyModifiers};

/// A way of the caret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To the next sign.
    Sign,
    /// To the next word.
    Word,
    /// To the next row.
    Row,
    /// As many rows on as are in view.
    Page,
    /// To the end of the row.
    RowEnd,
    /// To the end of the text.
    TextEnd,
}

/// What a key asks for; `back` is to the left or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// The caret goes there.
    Go {
        /// The way.
        way: Way,
        /// To the left or up.
        back: bool,
        /// What it passes is marked.
        extends: bool,
    },
    /// What is marked goes, or else what lies on this way.
    Remove {
        /// The way.
        way: Way,
        /// To the left or up.
        back: bool,
    },
    /// Begins a line.
    Break,
    /// Enter, where that does not begin a line.
    Enter,
    /// Marks the whole text.
    MarkAll,
    /// Undoes the last step.
    Undo,
    /// Does again what was undone.
    Redo,
}

/// What a key means; `None` where it is not for the field. `breaks`: Enter begins a line, as it does with Shift.
/// `pages`: Page Up and Page Down are for it, not for what lies around it.
pub(super) fn command(key: &KeyEvent, breaks: bool, pages: bool) -> Option<Command> {
    let KeyModifiers {
        shift,
        control,
        alt,
        logo,
    } = key.modifiers;
    let primary = key.modifiers.is_primary();
    // The key that makes steps longer: of words, and on a Mac, with another, of whole rows and the text.
    let is_mac = cfg!(target_os = "macos");
    let by_word = if is_mac { alt } else { control };
    let to_end = is_mac && logo;
    let go = |way, back| {
        Some(Command::Go {
            way,
            back,
            extends: shift,
        })
    };
    let sideways = match (to_end, by_word) {
        (true, _) => Way::RowEnd,
        (_, true) => Way::Word,
        _ => Way::Sign,
    };
    let upwards = if to_end { Way::TextEnd } else { Way::Row };
    let edge = if primary { Way::TextEnd } else { Way::RowEnd };
    match key.key_code {
        KeyCode::ArrowLeft => go(sideways, true),
        KeyCode::ArrowRight => go(sideways, false),
        KeyCode::ArrowUp if !by_word => go(upwards, true),
        KeyCode::ArrowDown if !by_word => go(upwards, false),
        KeyCode::PageUp if pages && !primary => go(Way::Page, true),
        KeyCode::PageDown if pages && !primary => go(Way::Page, false),
        KeyCode::Home => go(edge, true),
        KeyCode::End => go(edge, false),
        KeyCode::Backspace => Some(Command::Remove {
            way: sideways,
            back: true,
        }),
        KeyCode::Delete if !shift => Some(Command::Remove {
            way: sideways,
            back: false,
        }),
        KeyCode::ReturnKey | KeyCode::NumpadEnter if !(control || alt || logo) => Some(if shift || breaks {
            Command::Break
        } else {
            Command::Enter
        }),
        KeyCode::KeyA if primary && !shift && !alt => Some(Command::MarkAll),
        KeyCode::KeyZ if primary && !alt => Some(if shift { Command::Redo } else { Command::Undo }),
        KeyCode::KeyY if primary && !shift && !alt => Some(Command::Redo),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(key_code: KeyCode, modifiers: KeyModifiers) -> Option<Command> {
        let key = KeyEvent {
            key_code,
            is_repeat: false,
            modifiers,
            time: 0.0,
        };
        command(&key, false, true)
    }

    #[test]
    fn keys_go_and_remove_as_elsewhere() {
        let none = KeyModifiers::default();
        let shift = KeyModifiers { shift: true, ..none };
        let mac = cfg!(target_os = "macos");
        let word = KeyModifiers {
            control: !mac,
            alt: mac,
            ..none
        };
        let primary = KeyModifiers {
            control: !mac,
            logo: mac,
            ..none
        };
        let go = |way, back, extends| Some(Command::Go { way, back, extends });
        let remove = |way, back| Some(Command::Remove { way, back });
        let cases = [
            (KeyCode::ArrowLeft, none, go(Way::Sign, true, false)),
            (KeyCode::ArrowRight, shift, go(Way::Sign, false, true)),
            (KeyCode::ArrowLeft, word, go(Way::Word, true, false)),
            (KeyCode::ArrowUp, none, go(Way::Row, true, false)),
            (KeyCode::PageDown, shift, go(Way::Page, false, true)),
            (KeyCode::End, none, go(Way::RowEnd, false, false)),
            (KeyCode::Home, primary, go(Way::TextEnd, true, false)),
            (KeyCode::Backspace, none, remove(Way::Sign, true)),
            (KeyCode::Delete, word, remove(Way::Word, false)),
            (KeyCode::ReturnKey, none, Some(Command::Enter)),
            (KeyCode::NumpadEnter, shift, Some(Command::Break)),
            (KeyCode::ReturnKey, primary, None),
            (KeyCode::KeyA, primary, Some(Command::MarkAll)),
            (KeyCode::KeyZ, primary, Some(Command::Undo)),
            (KeyCode::KeyY, primary, Some(Command::Redo)),
            (KeyCode::KeyA, none, None),
            (KeyCode::PageUp, primary, None),
        ];
        for (key, modifiers, expected) in cases {
            assert_eq!(pressed(key, modifiers), expected, "{key:?} {modifiers:?}");
        }
    }
}
