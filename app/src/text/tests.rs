//! The files of texts against each other and against what the code asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fluent_bundle::FluentResource;

use super::*;

/// How keys are named in the code, whatever follows up to the end of the call.
const CALLS: [&str; 4] = ["key!(", "say!(", "TEXT_", "TIP_"];

/// Variables by message.
type Messages = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_language_has_the_same_messages_with_the_same_variables() {
    let english = messages(ENGLISH);
    let german = messages(GERMAN);
    for (name, variables) in &english {
        assert_eq!(german.get(name), Some(variables), "{name}");
    }
    for name in german.keys() {
        assert!(english.contains_key(name), "{name} is in no other language");
    }
}

#[test]
fn every_message_that_is_asked_for_exists_and_every_one_is_asked_for() {
    let known = messages(ENGLISH);
    let mut asked = Messages::new();
    for file in sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        for (key, variables) in calls(&text) {
            let wanted = known.get(&key);
            assert!(wanted.is_some(), "{} asks for {key}", file.display());
            if let Some(variables) = &variables {
                assert_eq!(wanted, Some(variables), "{key} in {}", file.display());
            }
            asked.entry(key).or_default();
        }
    }
    for name in known.keys() {
        assert!(asked.contains_key(name), "nobody asks for {name}");
    }
}

#[test]
fn calls_are_found_with_their_variables() {
    let named = |names: &[&str]| {
        Some(
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<BTreeSet<_>>(),
        )
    };
    let text = r#"
        let a = key!("first-key");
        say!(self.texts(), "second-key", title = f(1, "x"), count = 2);
        say!(
            texts,
            "third-key",
        );
        TEXT_FOURTH "fourth-key"
    "#;
    let expected = [
        ("first-key".to_owned(), None),
        ("second-key".to_owned(), named(&["count", "title"])),
        ("third-key".to_owned(), named(&[])),
        ("fourth-key".to_owned(), named(&[])),
    ];
    assert_eq!(calls(text), expected);
}

#[test]
fn words_take_their_values_and_are_said_in_their_language() {
    let (english, german) = (Texts::of(Language::English), Texts::of(Language::German));
    assert_eq!(say!(english, "settings-title"), "Settings");
    assert_eq!(say!(german, "settings-title"), "Einstellungen");
    assert_eq!(say!(english, "zoom-value", percent = 130), "130 %");
}

/// Literals in designs that are the same in every language: names of programs, of what is sent over the network, and of
/// formats.
const NAMES: [&str; 20] = [
    "Hearth",
    "curl",
    "Python",
    "JavaScript",
    "GET",
    "POST",
    "/v1/models",
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/embeddings",
    "https://chat.example.org",
    "F32",
    "F16",
    "BF16",
    "Q8_0",
    "Q5_1",
    "Q5_0",
    "Q4_1",
    "Q4_0",
    "YaRN",
];
/// Sentences that are no words of the window: a name of another library, and texts of examples for programs.
const SENTENCES: [&str; 2] = ["Plain Text", "Once upon a time"];

#[test]
fn what_designs_and_rust_say_goes_through_the_files_of_texts() {
    for file in sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))) {
        // What `main` says stands in the terminal, in the language of commands.
        let is_test = file
            .components()
            .any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs");
        if is_test || file.ends_with("src/main.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a source file");
        let found = literals(&text);
        assert!(
            found.is_empty(),
            "{} says {found:?} in English only",
            file.display()
        );
    }
}

#[test]
fn literals_that_a_person_reads_are_found() {
    let text = r#"
        label = { text: "Words" }, tip: (TEXT_TIP), text: "curl"
        // A comment with "Many words in it".
        let said = format!("Used {tool} twice");
        tracing::warn!("A log line for us");
        let key = "not-words";
        #[expect(reason = "It is so")]
    #[cfg(test)]
        let more = "More words here";
    "#;
    assert_eq!(literals(text), ["Words", "Used {tool} twice"]);
}

/// The literals of a source that a person would read, before its tests begin.
fn literals(text: &str) -> Vec<&str> {
    const DESIGNED: [&str; 4] = ["text: ", "tip: ", "label: ", "title: "];
    const OURS: [&str; 7] = [
        "//",
        "tracing::",
        "reason = ",
        "expect(",
        "eprintln!",
        "println!",
        "context(",
    ];
    let code = text.split("#[cfg(test)]\n").next().unwrap_or_default();
    let lines = code
        .lines()
        .filter(|line| !OURS.iter().any(|ours| line.contains(ours)));
    let mut found = Vec::new();
    for line in lines {
        let parts: Vec<_> = line.split('"').collect();
        for (before, literal) in parts.iter().zip(parts.iter().skip(1)).step_by(2) {
            // Within another literal, its quotation marks are escaped.
            let literal = literal.trim_end_matches('\\');
            let designed = DESIGNED.iter().any(|property| before.ends_with(property));
            let has_words = literal.chars().any(char::is_alphabetic);
            let is_label = designed && has_words && !NAMES.contains(&literal);
            if is_label || (is_sentence(literal) && !SENTENCES.contains(&literal)) {
                found.push(literal);
            }
        }
    }
    found
}

/// Whether a text begins as a sentence does and goes on with a word.
fn is_sentence(text: &str) -> bool {
    let Some((first, rest)) = text.split_once(' ') else {
        return false;
    };
    let begins =
        first.starts_with(|it: char| it.is_ascii_uppercase()) && first.chars().all(char::is_alphabetic);
    begins && rest.starts_with(|it: char| it.is_alphabetic() || it == '{')
}

/// All messages of a file; fails where it cannot be read whole.
fn messages(text: &str) -> Messages {
    let resource = match FluentResource::try_new(text.to_owned()) {
        Ok(resource) => resource,
        Err((_, errors)) => panic!("{errors:?}"),
    };
    assert!(resource.entries().count() > 0);
    let mut messages = Messages::new();
    let mut current = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, _)) = line
            .split_once(" =")
            .filter(|_| !line.starts_with([' ', '-', '}']))
        {
            let twice = messages.insert(name.to_owned(), BTreeSet::new());
            assert!(twice.is_none(), "{name} is there twice");
            current = Some(name.to_owned());
        }
        let Some(variables) = current.as_ref().and_then(|name| messages.get_mut(name)) else {
            continue;
        };
        for (_, rest) in line.match_indices('$').map(|(at, _)| line.split_at(at + 1)) {
            let end = rest
                .find(|it: char| !it.is_ascii_alphanumeric())
                .unwrap_or(rest.len());
            variables.insert(rest[..end].to_owned());
        }
    }
    messages
}

/// The keys that a source names, in their order, with the variables of a call that has them.
fn calls(text: &str) -> Vec<(String, Option<BTreeSet<String>>)> {
    let mut found: Vec<(usize, String, Option<BTreeSet<String>>)> = Vec::new();
    for call in CALLS {
        for (at, _) in text.match_indices(call) {
            let rest = &text[at + call.len()..];
            let Some((before, key)) = rest.split_once('"') else {
                continue;
            };
            let Some((key, after)) = key.split_once('"') else {
                continue;
            };
            let is_near = match call {
                "key!(" => before.trim().is_empty(),
                "say!(" => before.trim_end().ends_with(','),
                // A constant and its key stand in one line: `TEXT_NAME "key"`.
                _ => {
                    before.ends_with(' ')
                        && !before
                            .trim_end()
                            .contains(|it: char| it.is_whitespace() || it == ')')
                }
            };
            let is_key = key.contains('-')
                && key
                    .chars()
                    .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-');
            if is_near && is_key {
                let variables = match call {
                    "key!(" => None,
                    "say!(" => Some(variables(after)),
                    _ => Some(BTreeSet::new()),
                };
                found.push((at, key.to_owned(), variables));
            }
        }
    }
    found.sort_by_key(|(at, ..)| *at);
    found
        .into_iter()
        .map(|(_, key, variables)| (key, variables))
        .collect()
}

/// The names in `, name = value, other = value)` up to the end of the call.
fn variables(call: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let (mut depth, mut in_text, mut start) = (0, false, 0);
    for (at, sign) in call.char_indices() {
        match sign {
            '"' => in_text = !in_text,
            _ if in_text => (),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => start = at + 1,
            '=' if depth == 0 && !call[at + 1..].starts_with('=') => {
                names.insert(call[start..at].trim().to_owned());
            }
            _ => (),
        }
    }
    names
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("text/tests.rs") {
            files.push(path);
        }
    }
    files
}
