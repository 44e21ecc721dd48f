//! Whose turn it is among answers that wait: pure.

/// The first of the other kind than began last, else the first of all. `waiting` has the places in the order they came,
/// each with whether the answer belongs to a chat.
pub(super) fn next(waiting: impl Iterator<Item = (usize, bool)>, chat_began: bool) -> Option<usize> {
    let mut first = None;
    for (place, is_chat) in waiting {
        if is_chat != chat_began {
            return Some(place);
        }
        first = first.or(Some(place));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chats_and_programs_take_turns() {
        const CHAT: bool = true;
        const PROGRAM: bool = false;
        let cases: [(&[bool], bool, Option<usize>); 6] = [
            (&[], CHAT, None),
            (&[PROGRAM, PROGRAM, CHAT], PROGRAM, Some(2)),
            (&[PROGRAM, PROGRAM, CHAT], CHAT, Some(0)),
            (&[PROGRAM, PROGRAM], PROGRAM, Some(0)),
            (&[CHAT, CHAT], CHAT, Some(0)),
            (&[CHAT, PROGRAM], CHAT, Some(1)),
        ];
        for (waiting, chat_began, expected) in cases {
            let places = waiting.iter().copied().enumerate();
            assert_eq!(
                next(places, chat_began),
                expected,
                "{waiting:?} after {chat_began}"
            );
        }
    }
}
