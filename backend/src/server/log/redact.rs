//! Takes keys and tokens out of texts.

/// What keys and tokens begin with: ours, OpenAI's, Anthropic's, Hugging Face's.
const PREFIXES: [&str; 3] = ["hearth-", "sk-", "hf_"];

/// Shortest rest behind a prefix that can be a key.
const SHORTEST: usize = 16;

/// What stands for a key.
const REDACTED: &str = "[redacted]";

/// The text without keys and tokens: whatever begins as one does, and whatever stands behind `Bearer`.
pub(super) fn redact(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_behind_bearer = false;
    while !rest.is_empty() {
        let end = rest.find(|letter| !is_of_key(letter)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if is_key(word) || (is_behind_bearer && !word.is_empty()) {
            clean.push_str(REDACTED);
        } else {
            clean.push_str(word);
        }
        if !word.is_empty() {
            is_behind_bearer = word.eq_ignore_ascii_case("bearer");
        }
        let gap = behind.find(is_of_key).unwrap_or(behind.len());
        let (between, behind) = behind.split_at(gap);
        clean.push_str(between);
        rest = behind;
    }
    clean
}

fn is_of_key(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+' | '/' | '=')
}

fn is_key(word: &str) -> bool {
    PREFIXES.iter().any(|prefix| {
        word.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() >= SHORTEST)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_tokens_do_not_stay() {
        let cases = [
            ("key sk-0123456789abcdef0 is wrong", "key [redacted] is wrong"),
            (
                "Authorization: Bearer abc.def",
                "Authorization: Bearer [redacted]",
            ),
            ("{\"k\":\"hf_0123456789abcdefXY\"}", "{\"k\":\"[redacted]\"}"),
            ("hearth-AbCdEf0123456789_-x", "[redacted]"),
            ("POST /v1/models 200", "POST /v1/models 200"),
            ("sk-short and hearth-cli stay", "sk-short and hearth-cli stay"),
            ("Ünïcode — stays", "Ünïcode — stays"),
            ("", ""),
        ];
        for (text, clean) in cases {
            assert_eq!(redact(text), clean);
        }
    }
}
