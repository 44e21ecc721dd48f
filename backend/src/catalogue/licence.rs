//! Licences: the hub's words for them and those of the catalogue. Pure.

/// The hub's word, and the name that the catalogue has for it: the SPDX id, else what its author calls it.
const NAMES: [(&str, &str); 22] = [
    ("afl-3.0", "AFL-3.0"),
    ("agpl-3.0", "AGPL-3.0"),
    ("apache-2.0", "Apache-2.0"),
    ("bsd-2-clause", "BSD-2-Clause"),
    ("bsd-3-clause", "BSD-3-Clause"),
    ("cc-by-4.0", "CC-BY-4.0"),
    ("cc-by-nc-4.0", "CC-BY-NC-4.0"),
    ("cc-by-nc-nd-4.0", "CC-BY-NC-ND-4.0"),
    ("cc-by-nc-sa-4.0", "CC-BY-NC-SA-4.0"),
    ("cc-by-sa-4.0", "CC-BY-SA-4.0"),
    ("cc0-1.0", "CC0-1.0"),
    ("gemma", "Gemma Terms of Use"),
    ("gpl-3.0", "GPL-3.0"),
    ("lgpl-3.0", "LGPL-3.0"),
    ("llama2", "Llama 2 Community License"),
    ("llama3", "Llama 3 Community License"),
    ("llama3.1", "Llama 3.1 Community License"),
    ("llama3.2", "Llama 3.2 Community License"),
    ("llama3.3", "Llama 3.3 Community License"),
    ("mit", "MIT"),
    ("openrail", "OpenRAIL"),
    ("unlicense", "Unlicense"),
];

/// The hub's word for a licence, by either; `None` where the hub has none for it.
pub(super) fn hub_name(licence: &str) -> Option<&'static str> {
    let is_same = |name: &str| name.eq_ignore_ascii_case(licence);
    let mut names = NAMES.into_iter();
    names
        .find(|(word, name)| is_same(word) || is_same(name))
        .map(|(word, _)| word)
}

/// The catalogue's name for what the hub calls so; a word that is not known stays as it is.
pub(super) fn name(word: &str) -> String {
    let known = NAMES.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(word));
    known.map_or(word, |(_, name)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_is_known_by_either_name() {
        for text in ["apache-2.0", "Apache-2.0", "APACHE-2.0"] {
            assert_eq!(hub_name(text), Some("apache-2.0"));
        }
        assert_eq!(hub_name("gemma terms of use"), Some("gemma"));
        assert_eq!(hub_name("of its own"), None);
        assert_eq!(name("llama3.2"), "Llama 3.2 Community License");
        assert_eq!(name("bigscience-x"), "bigscience-x");
    }
}
