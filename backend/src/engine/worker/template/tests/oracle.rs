//! Every template of the collection with every conversation gives what Jinja2 gives, or is refused by both.
//!
//! `recorded.txt` holds what Jinja2 3.1.6 rendered in the environment of transformers; `oracle.py` makes it anew.
//! `differences.txt` lists every cell that is not the same, with its cause.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

use super::super::collection;
use super::super::variables::Variables;
use super::*;

/// Share of cells that agree.
const WANTED: f64 = 0.994;

/// What came out of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Text([u8; 4]),
    Refused,
}

fn digest(text: &str) -> [u8; 4] {
    let digest = Sha256::digest(text.as_bytes());
    [digest[0], digest[1], digest[2], digest[3]]
}

fn read_outcome(text: &str) -> Outcome {
    match text {
        "-" => Outcome::Refused,
        digits => Outcome::Text(u32::from_str_radix(digits, 16).expect("a digest").to_be_bytes()),
    }
}

/// A conversation as the renderer takes it; variables it does not have are not there.
fn variables(conversation: &Map<String, Json>) -> Variables {
    let mut data = conversation.clone();
    let mut token = |name: &str| {
        let token = data.remove(name);
        token.and_then(|token| token.as_str().map(str::to_owned))
    };
    Variables {
        bos: token("bos_token"),
        eos: token("eos_token"),
        data,
        now: "2026-07-05T09:03:07+00:00[UTC]".parse().expect("a date"),
    }
}

/// The cells that are known to differ: what, template and conversation, with the cause behind.
fn listed() -> BTreeSet<String> {
    let lines = include_str!("oracle/differences.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            assert_eq!(words.len(), 4, "{line:?} names no cause");
            words[..3].join(" ")
        })
        .collect()
}

#[test]
fn the_collection_renders_as_jinja2_renders_it() {
    let conversations: Map<String, Json> =
        serde_json::from_str(include_str!("oracle/conversations.json")).expect("conversations");
    assert!(conversations.len() >= 52);
    let templates: BTreeMap<String, String> = collection::templates().into_iter().collect();
    let (mut equal, mut both_refuse, mut rows) = (0, 0, 0);
    let mut differing = BTreeSet::new();
    for row in include_str!("oracle/recorded.txt").lines() {
        rows += 1;
        let mut words = row.split(' ');
        let name = words.next().expect("a name");
        let source = templates
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not in the collection"));
        let recorded = read_outcome(words.next().expect("a digest"));
        assert_eq!(
            Outcome::Text(digest(source)),
            recorded,
            "{name} is another template"
        );
        let template = ChatTemplate::parse(source, "", "");
        for (conversation, outcome) in conversations.iter().zip(words) {
            let (conversation, variables) = (
                conversation.0,
                variables(conversation.1.as_object().expect("variables")),
            );
            let text = template
                .as_ref()
                .ok()
                .and_then(|template| template.plain.render(&variables).ok());
            let ours = text
                .as_deref()
                .map_or(Outcome::Refused, |text| Outcome::Text(digest(text)));
            let what = match (ours, read_outcome(outcome)) {
                (Outcome::Refused, Outcome::Refused) => {
                    both_refuse += 1;
                    continue;
                }
                (ours, theirs) if ours == theirs => {
                    equal += 1;
                    continue;
                }
                (Outcome::Refused, _) => "only-refused-here",
                (_, Outcome::Refused) => "only-rendered-here",
                _ => "other-text",
            };
            differing.insert(format!("{what} {name} {conversation}"));
        }
    }
    assert_eq!(rows, templates.len(), "each template has a row");
    let cells = rows * conversations.len();
    let agreeing = f64::from(equal + both_refuse) / cells as f64;
    println!(
        "{cells} cells: {equal} equal, {both_refuse} refused by both, {} differ; {:.2} % agree",
        differing.len(),
        agreeing * 100.0
    );
    let listed = listed();
    let news: Vec<_> = differing.difference(&listed).collect();
    assert!(news.is_empty(), "these differ and are not listed:\n{news:#?}");
    let gone: Vec<_> = listed.difference(&differing).collect();
    assert!(gone.is_empty(), "these are listed and do not differ:\n{gone:#?}");
    assert!(agreeing >= WANTED, "{agreeing}");
}

/// The marks are of use only where the marking render gives the same text.
#[test]
fn marks_change_nearly_no_text_of_the_collection() {
    let conversations: Map<String, Json> =
        serde_json::from_str(include_str!("oracle/conversations.json")).expect("conversations");
    let (mut rendered, mut unmarked) = (0, BTreeMap::<String, u32>::new());
    for (name, source) in collection::templates() {
        let Ok(template) = ChatTemplate::parse(&source, "", "") else {
            continue;
        };
        for conversation in conversations.values() {
            let variables = variables(conversation.as_object().expect("variables"));
            let Ok(text) = template.plain.render(&variables) else {
                continue;
            };
            rendered += 1;
            let marked = template.marking.render(&variables).ok();
            if marked.and_then(|marked| Rendered::read(&marked, &text)).is_none() {
                *unmarked.entry(name.clone()).or_default() += 1;
            }
        }
    }
    let count: u32 = unmarked.values().sum();
    println!("{rendered} rendered, {count} of them without marks: {unmarked:?}");
    assert!(f64::from(count) <= 0.005 * f64::from(rendered), "{unmarked:?}");
}
