//! Holds back bytes until they are whole characters.
//!
//! Tokens are cut anywhere, also within a character. Whatever the cuts, the pieces together are the text that
//! [`String::from_utf8_lossy`] makes of all the bytes: a U+FFFD stands only where the model wrote bytes that are
//! no UTF-8, or ended within a character.

/// The bytes of one answer on their way to text.
#[derive(Debug, Default)]
pub(super) struct Utf8Hold {
    /// The start of a character whose end has not come: at most three bytes.
    held: Vec<u8>,
}

impl Utf8Hold {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Takes bytes and gives the characters that are whole now, with U+FFFD for bytes that can be none.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let begun = self
            .held
            .utf8_chunks()
            .last()
            .map_or(0, |chunk| begun(chunk.invalid()));
        let held = self.held.split_off(self.held.len() - begun);
        let whole = std::mem::replace(&mut self.held, held);
        String::from_utf8_lossy(&whole).into_owned()
    }

    /// Ends the text: gives one U+FFFD for a character that was begun and not ended.
    pub(super) fn flush(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        String::from_utf8_lossy(&held).into_owned()
    }
}

/// How many bytes at the end of the input are the start of a character; 0 where they can become none.
fn begun(invalid: &[u8]) -> usize {
    match std::str::from_utf8(invalid) {
        Err(error) if error.error_len().is_none() => invalid.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
