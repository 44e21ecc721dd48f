use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn check(source: &str, literals: Literals, expected: Expect) {
    expected.assert_eq(&rewrite(source, literals).expect("it is rewritten"));
}

#[test]
fn text_and_comments_stay() {
    for source in ["", "text { % } # }} %}", "{# 'x' {{ y }} #}", "{##}", "{", "é{"] {
        assert_eq!(rewrite(source, Literals::Marked).as_deref(), Ok(source));
    }
}

#[test]
fn literals_are_marked_wherever_they_stand() {
    check(
        "{{ 'a' + \"b\" ~ x['c'] }}",
        Literals::Marked,
        expect!["{{ ('a'|__literal__) + ('b'|__literal__) ~ x[('c'|__literal__)] }}"],
    );
    check(
        "{%- set x = {'a': [\"it's\", 'b' 'c']} -%}",
        Literals::Marked,
        expect![[r#"{%- set x = {('a'|__literal__): [('it\'s'|__literal__), ('bc'|__literal__)]} -%}"#]],
    );
    check(
        "{% if x is in ['a'] %}'text'{% endif %}",
        Literals::Marked,
        expect!["{% if x is in [('a'|__literal__)] %}'text'{% endif %}"],
    );
    check(
        "{{ '}}' ~ '%}' ~ \"{{\" }}",
        Literals::Marked,
        expect!["{{ ('}}'|__literal__) ~ ('%}'|__literal__) ~ ('{{'|__literal__) }}"],
    );
    check("{{ 'a' + \"b\" }}", Literals::Plain, expect!["{{ 'a' + 'b' }}"]);
}

#[test]
fn loops_pass_their_values_through_a_function() {
    check(
        "{% for x in xs %}",
        Literals::Plain,
        expect!["{% for x in __iterated__((xs)) %}"],
    );
    check(
        "{%- for k, v in d.items() if k in 'ab' -%}",
        Literals::Plain,
        expect!["{%- for k, v in __iterated__((d.items())) if k in 'ab' -%}"],
    );
    check(
        "{% for x in (a if b else c) recursive %}",
        Literals::Plain,
        expect!["{% for x in __iterated__(((a if b else c))) recursive %}"],
    );
    check(
        "{% for x in ['a', 'b'] if x != 'b' %}",
        Literals::Marked,
        expect![
            "{% for x in __iterated__(([('a'|__literal__), ('b'|__literal__)])) if x != ('b'|__literal__) %}"
        ],
    );
    // What is no loop stays, for the engine to refuse.
    check("{% for x in %}", Literals::Plain, expect!["{% for x in %}"]);
    check("{% for x %}", Literals::Plain, expect!["{% for x %}"]);
    check("{{ for }}", Literals::Plain, expect!["{{ for }}"]);
}

#[test]
fn generation_is_a_call() {
    check(
        "{%- generation -%}x{%- endgeneration +%}",
        Literals::Plain,
        expect!["{%- call __generation__() -%}x{%- endcall +%}"],
    );
    check(
        "{% set generation = 1 %}{{ generation }}",
        Literals::Plain,
        expect!["{% set generation = 1 %}{{ generation }}"],
    );
}

#[test]
fn raw_blocks_stay_and_keep_their_first_line_break() {
    check(
        "{% raw %}\n{{ 'x' }}{% endraw %}{{ 'y' }}",
        Literals::Marked,
        expect![[r#"
        {% raw +%}
        {{ 'x' }}{% endraw %}{{ ('y'|__literal__) }}"#]],
    );
    check(
        "{%- raw -%}{% for %}{%- endraw -%}",
        Literals::Marked,
        expect!["{%- raw -%}{% for %}{%- endraw -%}"],
    );
    check(
        "{% raw %}{{ 'x' }} never closed",
        Literals::Marked,
        expect!["{% raw +%}{{ 'x' }} never closed"],
    );
}

#[test]
fn line_ends_are_made_one_kind_and_lines_keep_their_numbers() {
    check(
        "a\r\nb\rc",
        Literals::Plain,
        expect![[r#"
        a
        b
        c"#]],
    );
    check(
        "{{ 'a'\n'b'\n}}\n{{ 'a\\\nb' }}",
        Literals::Plain,
        expect![[r#"
        {{ 'ab'

        }}
        {{ 'ab'
         }}"#]],
    );
}

#[test]
fn what_is_refused_names_its_line() {
    let reason = |source: &str| match rewrite(source, Literals::Plain) {
        Err(Failure::Template(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason("\n\n{% import 'x' as y %}"),
        "line 3: the tag import has no place in a chat template"
    );
    assert_eq!(
        reason("\n{{ '\\N{X}' }}"),
        "line 2: the string '\\N{X}' has an escape that is no text"
    );
    assert_eq!(
        reason(&format!("{{{{ {} }}}}", "x ".repeat(MAX_TAG_TOKENS + 1))),
        "line 1: a tag is longer than any real template needs"
    );
}

/// Pieces of templates in no order.
fn template_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "-",
        "+",
        "'",
        "\"",
        "\\",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        " for ",
        " in ",
        " if ",
        " raw ",
        " endraw ",
        "generation",
        "x",
        "é",
        "'a'",
        "\n",
        "1",
        "|",
        "{% raw %}",
        "{% for x in y %}",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_source_is_rewritten_or_refused(source in template_like()) {
        for literals in [Literals::Plain, Literals::Marked] {
            if let Ok(rewritten) = rewrite(&source, literals) {
                prop_assert!(rewritten.matches('\n').count() >= source.matches('\n').count().saturating_sub(1));
            }
        }
    }

    #[test]
    fn text_without_tags_is_kept(source in "[^{\r\u{fdd0}\u{fdd1}]{0,40}") {
        prop_assert_eq!(rewrite(&source, Literals::Marked), Ok(source));
    }
}
