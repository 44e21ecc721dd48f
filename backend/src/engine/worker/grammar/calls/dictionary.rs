//! Calls with Gemma's dictionaries.

use hearth_protocol::tools::Tool;

use super::super::builder::Builder;
use super::super::tree::Tree;

/// Gemma's dictionaries.
const DICTIONARY: &str = r#"
root   ::= "{" (pair ("," pair)*)? "}"
pair   ::= [a-zA-Z0-9_]{1,64} ":" value
value  ::= text | root | list | "true" | "false" | "null" | "-"? [0-9]{1,15} ("." [0-9]{1,15})?
list   ::= "[" (value ("," value)*)? "]"
"#;

/// Calls with Gemma's dictionaries. What is in them is not kept to the tool's schema.
pub(super) fn dictionaries(
    builder: &mut Builder,
    tools: &[&Tool],
    [open, quote, close]: [&str; 3],
    one: bool,
) -> Result<Tree, String> {
    // `<|"|>` up to the next: a text.
    let quoted = serde_json::Value::from(quote).to_string();
    let text = builder.until(quote);
    let rest = builder.rule(text);
    let dictionary = builder.gbnf(&format!(
        "{DICTIONARY}\ntext ::= {quoted} text-rest\ntext-rest ::= \"\"\n"
    ))?;
    if let (Tree::Rule(root), Tree::Rule(rest)) = (&dictionary, rest) {
        builder.redirect(&root.replace("root", "text-rest"), Tree::Rule(rest));
    }
    let calls = tools
        .iter()
        .map(|tool| Tree::text(format!("{open}call:{}", tool.name)));
    let call = Tree::all(vec![Tree::any(calls.collect()), dictionary, Tree::text(close)]);
    let more = Tree::repeat(call.clone(), 0, if one { Some(0) } else { None });
    Ok(Tree::all(vec![call, more]))
}
