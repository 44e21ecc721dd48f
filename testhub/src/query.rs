//! The query of an address.

use axum::http::Uri;

/// The values of a parameter, decoded.
pub(crate) fn parameters<'a>(uri: &'a Uri, name: &'a str) -> impl Iterator<Item = String> + 'a {
    let pairs = uri
        .query()
        .unwrap_or("")
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    pairs
        .filter(move |(key, _)| *key == name)
        .map(|(_, value)| decoded(value))
}

/// A value as forms write it: a plus is a space, `%2F` a slash.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits: Vec<u8> = rest.by_ref().take(2).collect();
                let digits = String::from_utf8(digits).expect("two digits");
                u8::from_str_radix(&digits, 16).expect("two digits")
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).expect("a text")
}
