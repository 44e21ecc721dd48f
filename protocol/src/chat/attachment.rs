//! Files of text beside a message.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Most files beside one message.
pub const MOST_ATTACHMENTS: usize = 20;

/// Longest text of one, in bytes: about 250,000 tokens, more than most contexts hold.
pub const LONGEST_ATTACHMENT: usize = 1 << 20;

/// A file of text beside a message: prose, code, Markdown, CSV. It is stored with the message as it was when it was
/// read, and the model reads it before the message's own text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// The file's name, without its folder.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Attachment {
    /// Checks all that stand beside one message.
    ///
    /// # Errors
    /// [`Error::Invalid`] where there are too many, or one is too long or has no name.
    pub fn validate_all(attachments: &[Self]) -> Result<()> {
        if attachments.len() > MOST_ATTACHMENTS {
            let problem = format!("are more than {MOST_ATTACHMENTS}; send the rest with the next message");
            return Err(Error::invalid("attachments", problem));
        }
        for attachment in attachments {
            if attachment.name.trim().is_empty() {
                return Err(Error::invalid("attachments", "must have names"));
            }
            if attachment.text.len() > LONGEST_ATTACHMENT {
                return Err(Error::invalid(&attachment.name, too_long()));
            }
        }
        Ok(())
    }
}

/// What is wrong with a file whose text is longer than [`LONGEST_ATTACHMENT`], as the rest of a sentence.
pub fn too_long() -> String {
    let most = LONGEST_ATTACHMENT >> 20;
    format!("is longer than {most} MiB of text, which no model reads; attach a part of it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_a_message_has_limits() {
        let file = |name: &str, length| Attachment {
            name: name.into(),
            text: "x".repeat(length),
        };
        let check = |attachments: Vec<Attachment>| Attachment::validate_all(&attachments).is_ok();
        assert!(check(Vec::new()));
        assert!(check(vec![file("a.csv", 0), file("b", LONGEST_ATTACHMENT)]));
        assert!(!check(vec![file("b", LONGEST_ATTACHMENT + 1)]));
        assert!(!check(vec![file(" ", 1)]));
        assert!(check(vec![file("a", 1); MOST_ATTACHMENTS]));
        assert!(!check(vec![file("a", 1); MOST_ATTACHMENTS + 1]));
    }
}
