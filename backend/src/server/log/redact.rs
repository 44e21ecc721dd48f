//! Takes keys and tokens out of texts.

/// What keys and tokens begin with: ours, OpenAI's, Anthropic's, Hugging Face's.
const PREFIXES: [&str; 3] = ["hearth-", "sk-", "hf_"];

/// Shortest rest behind a prefix that can be a key.
const SHORTEST: usize = 16;

/// What stands for a key.
const REDACTED: &str = "[redacted]";

/// What a token stands behind in a header.
const BEARER: &str = "bearer ";

/// The text without keys and tokens: whatever begins as one does, and whatever stands behind `Bearer`.
pub(super) fn redact(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_in_word = false;
    while let Some(letter) = rest.chars().next() {
        let secret = if is_in_word { None } else { secret(rest) };
        if let Some((shown, length)) = secret {
            clean.push_str(rest.get(..shown).unwrap_or_default());
            clean.push_str(REDACTED);
            rest = rest.get(shown + length..).unwrap_or_default();
            is_in_word = false;
            continue;
        }
        clean.push(letter);
        is_in_word = letter.is_alphanumeric();
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    }
    clean
}

/// The bytes that may be shown of a text that begins with a secret, and those of the secret behind them; `None` where it
/// begins with none.
fn secret(text: &str) -> Option<(usize, usize)> {
    let begins_bearer = text
        .get(..BEARER.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(BEARER));
    if begins_bearer {
        let token = text.get(BEARER.len()..)?;
        let length = token
            .find(|letter: char| letter.is_whitespace() || matches!(letter, '"' | ',' | ';'))
            .unwrap_or(token.len());
        return (length > 0).then_some((BEARER.len(), length));
    }
    let prefix = PREFIXES.iter().find(|prefix| text.starts_with(*prefix))?;
    let key = text.get(prefix.len()..)?;
    let length = key.find(|letter| !is_of_key(letter)).unwrap_or(key.len());
    (length >= SHORTEST).then_some((0, prefix.len() + length))
}

fn is_of_key(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')
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
            ("?api_key=sk-0123456789abcdef0&x=1", "?api_key=[redacted]&x=1"),
            (
                "GET /v1/models/hf_0123456789abcdefXY 404",
                "GET /v1/models/[redacted] 404",
            ),
            (
                "{\"authorization\":\"Bearer a.b+c/d=\"}",
                "{\"authorization\":\"Bearer [redacted]\"}",
            ),
            ("ask-0123456789abcdef0", "ask-0123456789abcdef0"),
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
