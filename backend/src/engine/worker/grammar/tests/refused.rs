//! Bad requests, among them those on which llama.cpp would throw, abort, recurse or write without end.

use serde_json::{Map, Value};

use super::*;

fn check(format: Format, problem: &str) {
    let (field, said) = refusal(&with(format.clone()));
    assert_eq!(field, "response_format", "{said}");
    assert!(said.contains(problem), "{problem}: {said}");
}

#[test]
fn bad_gbnf() {
    let cases = [
        ("", "no rule “root”"),
        ("a ::= \"b\"", "no rule “root”"),
        ("root ::= a", "no rule"),
        ("root ::= \"a", "ends within a text"),
        ("root ::= [a", "ends within a text"),
        ("root ::= (\"a\"", "not closed"),
        ("root ::= *", "nothing to repeat"),
        ("root = \"a\"", "“::=” is missing"),
        ("root ::= \"a\" }", "cannot stand there"),
        ("root ::= \"\\q\"", "no escape"),
        ("root ::= \"\\ud800\"", "no character"),
        ("root ::= \"\\x4\"", "hexadecimal"),
        ("root ::= [z-a]", "upside down"),
        ("root ::= \"a\"{3,2}", "fewer times"),
        ("root ::= \"a\"{99999999999999999999}", "too many"),
        ("root ::= \"a\"{,3}", "missing"),
        ("root ::= root \"a\"", "left recursion"),
        ("root ::= a\na ::= b\nb ::= \"x\"? a", "left recursion"),
        ("root ::= <[12]>", "by its number"),
        ("root ::= !<a>", "not supported"),
        (
            "root ::= [a-z]{100000} [a-z]{100000} [a-z]{100000} [a-z]{100000} [a-z]{100000} [a-z]",
            "too large",
        ),
        ("root ::= \"a\"\nroot", "missing"),
    ];
    for (text, problem) in cases {
        check(Format::Gbnf(text.into()), problem);
    }
    check(
        Format::Gbnf(format!("root ::= {}", "(".repeat(100_000))),
        "nested",
    );
    check(Format::Gbnf(" ".repeat(LONGEST_GBNF + 1)), "longer than");
    // The line is told.
    let (_, said) = refusal(&with(Format::Gbnf("root ::= \"a\"\n\nb ::= ?".into())));
    assert!(said.contains("line 3"), "{said}");
}

/// Repetitions within repetitions share their rules.
#[test]
fn a_thousand_millions_are_counted() {
    let text = "root ::= ((\"a\"{100}){100}){100}";
    assert!(matches(
        &with(Format::Gbnf(text.into())),
        style(Family::Hermes),
        &"a".repeat(1_000_000)
    ));
    assert!(!matches(
        &with(Format::Gbnf(text.into())),
        style(Family::Hermes),
        &"a".repeat(999_999)
    ));
}

/// llama.cpp looks for left recursion by going every way through the rules; this has 2^60 of them.
#[test]
fn a_grammar_of_many_ways_is_read_at_once() {
    let rules = (0..60).map(|rule| format!("r{rule} ::= r{} | r{}\n", rule + 1, rule + 1));
    let text = format!("root ::= r0\n{}r60 ::= \"x\"\n", rules.collect::<String>());
    assert!(matches(&with(Format::Gbnf(text)), style(Family::Hermes), "x"));
}

/// llama.cpp recurses once for each of these rules.
#[test]
fn a_long_chain_of_rules_needs_no_stack() {
    let rules = (0..40_000).map(|rule| format!("r{rule} ::= r{}\n", rule + 1));
    let text = format!("root ::= r0\n{}r40000 ::= \"x\"\n", rules.collect::<String>());
    check(Format::Gbnf(text), "too ambiguous");
}

#[test]
fn bad_expressions() {
    let cases = [
        ("a(?=b)", "look-around"),
        ("(?<!a)b", "look-around"),
        ("(a)\\1", "backreference"),
        ("\\bword\\b", "border of a word"),
        ("a^b", "beginning only"),
        ("a$b", "end only"),
        ("(?m)^a", "beginning only"),
        ("(a", "unclosed group"),
        ("[z-a]", "invalid character class range"),
        ("a{2,1}", "invalid repetition"),
        ("*", "missing expression"),
        ("[a&&b]", "matches no text"),
        ("(?-u)\\xFF", ""),
    ];
    for (expression, problem) in cases {
        check(Format::Regex(expression.into()), problem);
    }
    check(Format::Regex("(".repeat(5000) + &")".repeat(5000)), "nest");
    check(Format::Regex("a".repeat(70_000)), "longer than");
}

#[test]
fn bad_schemas() {
    let deep = (0..200).fold(json!({}), |schema, _| json!({"items": schema}));
    // Each level is converted once for each of its types: 3^20 times.
    let types = (0..20).fold(
        json!({"type": "string"}),
        |schema, _| json!({"type": ["object", "object", "array"], "properties": {"a": schema}}),
    );
    // A chain of references is as deep as it is long.
    let link = |link: usize| json!({"properties": {"a": {"$ref": format!("#/$defs/{}", link + 1)}}});
    let mut chain: Map<String, Value> = (0..2000).map(|place| (place.to_string(), link(place))).collect();
    chain.insert("2000".into(), json!({}));
    let many: Map<String, Value> = (0..300).map(|name| (name.to_string(), json!({}))).collect();
    let long = Map::from_iter([("é".repeat(300), json!({}))]);
    let circle = json!({"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}});
    let left = json!({"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}});
    let cases = [
        (json!(1), "no JSON object"),
        (json!([]), "no JSON object"),
        (json!({"type": "nothing"}), "JSON does not have"),
        (json!({"type": []}), "names no type"),
        (json!({"enum": []}), "no list of values"),
        (json!({"anyOf": []}), "no list of schemas"),
        (json!({"anyOf": {}}), "no list of schemas"),
        (json!({"properties": []}), "no JSON object"),
        (json!({"properties": {"a": 1}}), "“a” is no JSON object"),
        (json!({"type": "array", "items": 1}), "no JSON object"),
        (json!({"$ref": "#/$defs/a"}), "which is not there"),
        (json!({"$ref": "https://example.org/a"}), "can be followed"),
        (json!({"$ref": 1}), "no text"),
        (
            json!({"allOf": [{"$ref": "#/$defs/a"}], "$defs": circle}),
            "refers to itself",
        ),
        (json!({"$ref": "#/$defs/a", "$defs": left}), "left recursion"),
        (
            json!({"type": "integer", "minimum": 5, "maximum": 4}),
            "above its maximum",
        ),
        (
            json!({"type": "string", "minLength": 5, "maxLength": 4}),
            "above its most",
        ),
        (json!({"type": "string", "minLength": -1}), "llama.cpp cannot"),
        (json!({"type": "string", "minLength": "a"}), "llama.cpp cannot"),
        (json!({"type": "string", "pattern": 1}), "llama.cpp cannot"),
        (json!({"type": "string", "pattern": "^(a$"}), "llama.cpp cannot"),
        (
            json!({"type": "string", "pattern": "^\\d+$"}),
            "cannot be enforced",
        ),
        (
            json!({"type": "string", "pattern": "a"}),
            "only one from “^” to “$”",
        ),
        (
            json!({"type": "string", "pattern": "^a(?=b)$"}),
            "cannot be enforced",
        ),
        (
            json!({"type": "number", "multipleOf": 2}),
            "“multipleOf”, which cannot be enforced",
        ),
        (
            json!({"type": "number", "minimum": 2}),
            "for the type integer only",
        ),
        (json!({"not": {"type": "null"}}), "“not”"),
        (
            json!({"type": "object", "properties": {}, "required": ["a"]}),
            "requires “a”",
        ),
        (
            json!({"anyOf": [{"type": "null"}], "properties": {}}),
            "beside “anyOf”",
        ),
        (deep, "nested more than"),
        (types, "more than 20000 parts"),
        (json!({"$ref": "#/$defs/0", "$defs": chain}), "nested more than"),
        (json!({"properties": many}), "more than 256 properties"),
        (json!({"properties": long}), "longer than 256 bytes"),
        (json!({"const": "x".repeat(2 << 20)}), "larger than"),
        (json!({"type": "string", "minLength": 1_000_000}), "too many"),
    ];
    for (schema, problem) in cases {
        check(Format::JsonSchema(schema), problem);
    }
}

/// Where llama.cpp's reader says yes or no without harm, this one says the same.
#[test]
fn the_reader_agrees_with_llama_cpp() {
    let good = [
        "root ::= \"a\"",
        "root ::= [a-z]* | (\"x\" | \"y\")? \"z\"{2,5}\n",
        "# c\nroot ::= a # c\na ::=\n  \"b\" |\n  \"c\"\n\n",
        "root ::= [^\\n\\]\\-\\\\] \"\\x20\\u00e9\\U0001F600\"",
        "root ::= (\n \"a\"\n |\n \"b\" )",
        "root ::= a-b c1\na-b ::= .\nc1 ::= [-a] [a-]",
        "root ::= \"\" | \"x\" root",
        "\n\nroot ::=\n\"a\"",
        "root ::= | \" \"",
    ];
    let bad = [
        "root ::= \"a",
        "root ::= b",
        "root = \"a\"",
        "root ::= \"a\" \"",
        "root ::= )",
        "root ::= \"\\q\"",
        "root ::= root",
        "root ::= a\na ::= root \"x\"",
        "a ::= \"x\"",
        "root ::= \"a\"{x}",
        "root ::= ?",
        "root ::= \"a\" ::= \"b\"",
    ];
    for (texts, expected) in [(&good[..], true), (&bad[..], false)] {
        for text in texts {
            let ours = Grammar::demanded(&with(Format::Gbnf((*text).into())), &style(Family::Hermes), "");
            assert_eq!(ours.is_ok(), expected, "{text:?}: {ours:?}");
            assert_eq!(llama_cpp_reads(text), expected, "{text:?}");
        }
    }
}

fn llama_cpp_reads(text: &str) -> bool {
    use llama_cpp_sys_2 as sys;
    let text = std::ffi::CString::new(text).expect("no zero");
    // SAFETY: both texts end with a zero byte; without a vocabulary the sampler may be made and freed.
    unsafe {
        let sampler = sys::llama_rs_sampler_init_grammar(std::ptr::null(), text.as_ptr(), c"root".as_ptr());
        if sampler.is_null() {
            return false;
        }
        sys::llama_sampler_free(sampler);
    }
    true
}

#[test]
fn bad_tools_are_named() {
    let tool = Tool {
        name: "broken".into(),
        description: None,
        parameters: Some(json!({"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}})),
    };
    for tool_choice in [ToolChoice::Auto, ToolChoice::Required] {
        let options = AnswerOptions {
            tools: vec![tool.clone()],
            tool_choice,
            ..AnswerOptions::default()
        };
        let (field, said) = refusal(&options);
        assert_eq!(field, "tools");
        assert!(said.contains("broken") && said.contains("not there"), "{said}");
    }
}
