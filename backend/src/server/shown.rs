//! Pictures that tools show. Chat templates know pictures of a person alone, so that they stand in a person's turn.

use hearth_protocol::Image;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;

/// Moves the pictures of tools' results to the head of the person's turn behind them, which is made where there is none.
/// The results of one turn stay together.
pub(super) fn behind_tools(messages: Vec<PromptMessage>) -> Vec<PromptMessage> {
    let mut moved = Vec::with_capacity(messages.len());
    let mut shown: Vec<Image> = Vec::new();
    for mut message in messages {
        match message.role {
            Role::Tool => shown.append(&mut message.images),
            Role::User => {
                message.images.splice(0..0, shown.drain(..));
            }
            Role::System | Role::Assistant => moved.extend(turn(&mut shown)),
        }
        moved.push(message);
    }
    moved.extend(turn(&mut shown));
    moved
}

/// A turn that only shows.
fn turn(shown: &mut Vec<Image>) -> Option<PromptMessage> {
    let images = std::mem::take(shown);
    (!images.is_empty()).then(|| PromptMessage {
        images,
        ..PromptMessage::text(Role::User, "")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_tools_stand_in_the_persons_turn_behind_them() {
        const CALL: char = 'a';
        const TOOL: char = 't';
        const SHOWS: char = 'T';
        const SAYS: char = 'u';
        // A letter for each message, and behind it how many pictures it has.
        let cases = [
            (vec![SAYS, CALL, TOOL], "u0 a0 t0"),
            (vec![CALL, SHOWS], "a0 t0 u1"),
            (vec![CALL, SHOWS, TOOL, SHOWS], "a0 t0 t0 t0 u2"),
            (vec![CALL, SHOWS, SAYS], "a0 t0 u1"),
            (vec![CALL, SHOWS, CALL, TOOL, SAYS], "a0 t0 u1 a0 t0 u0"),
        ];
        for (messages, expected) in cases {
            let message = |letter: &char| {
                let role = match *letter {
                    SAYS => Role::User,
                    CALL => Role::Assistant,
                    _ => Role::Tool,
                };
                let image = Image::new(b"GIF89a..".to_vec()).expect("a picture");
                PromptMessage {
                    images: if *letter == SHOWS { vec![image] } else { Vec::new() },
                    ..PromptMessage::text(role, letter.to_lowercase().to_string())
                }
            };
            let moved = behind_tools(messages.iter().map(message).collect());
            let found: Vec<_> = moved
                .iter()
                .map(|message| {
                    let letter = match message.role {
                        Role::User => SAYS,
                        Role::Assistant => CALL,
                        _ => TOOL,
                    };
                    format!("{letter}{}", message.images.len())
                })
                .collect();
            assert_eq!(found.join(" "), expected, "{messages:?}");
        }
    }
}
