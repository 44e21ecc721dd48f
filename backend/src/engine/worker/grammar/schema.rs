//! JSON schemas as grammars, by llama.cpp's converter, which is given only what it can take.

use hearth_protocol::schema::{Strictness, check};
use serde_json::Value;

/// The grammar of the JSON that a schema describes, in GBNF.
///
/// # Errors
/// What is wrong with the schema, in words.
pub(super) fn grammar(schema: &Value, strictness: Strictness) -> Result<String, String> {
    check(schema, strictness)?;
    llama_cpp_2::json_schema_to_grammar(&schema.to_string())
        .map_err(|_| "llama.cpp cannot turn the schema into a grammar".to_owned())
}
