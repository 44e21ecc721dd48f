//! What Jinja2 makes of a template is what this engine makes of it, with and without marks.
//!
//! `jinja2.json` holds templates with the texts that Jinja2 3.1.6 rendered in the environment of transformers, null
//! where it refused.

use std::collections::BTreeMap;

use serde_json::json;

use super::super::variables::Variables;
use super::*;

/// Templates and their texts, by subject.
type Table = BTreeMap<String, Vec<(String, Option<String>)>>;

#[test]
fn every_construct_gives_the_text_of_jinja2() {
    let table: Table = serde_json::from_str(include_str!("jinja2.json")).expect("a table");
    let variables = json!({"messages": [], "tools": null, "documents": null, "add_generation_prompt": true});
    let variables = Variables {
        data: variables.as_object().cloned().unwrap_or_default(),
        bos: Some(String::new()),
        eos: Some(String::new()),
        now: noon(),
    };
    let mut wrong = Vec::new();
    for (subject, (source, expected)) in table
        .iter()
        .flat_map(|(subject, rows)| rows.iter().map(move |row| (subject, row)))
    {
        let template = ChatTemplate::parse(source, "", "").ok();
        let plain = template
            .as_ref()
            .and_then(|template| template.plain.render(&variables).ok());
        let marked = template
            .as_ref()
            .and_then(|template| template.marking.render(&variables).ok());
        let marked = marked.map(|marked| Marked::read(&marked));
        let balanced = marked.as_ref().is_none_or(|marked| marked.balanced);
        let without_marks = marked.map(|marked| marked.text);
        if plain != *expected || without_marks != *expected || !balanced {
            wrong.push(format!(
                "{subject}: {source:?}\n  jinja2 {expected:?}\n  plain  {plain:?}\n  marked {without_marks:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        table.values().map(Vec::len).sum::<usize>() > 250,
        "the table is whole"
    );
}
