//! What a render tells about where its text came from, and what it does where it cannot tell.

use super::*;

#[test]
fn strings_are_told_apart_in_whatever_way_they_are_put_together() {
    let table = [
        "{{ '<s>' + messages[0].content }}",
        "{{ '<s>' ~ messages[0].content }}",
        "<s>{{ messages[0].content }}",
        "{{ '<s>' }}{{ messages[0]['content'] }}",
        "{{ ['<s>', messages[0].content] | join }}",
        "{{ ''.join(['<s>', messages[0].content]) }}",
        "{{ '<s>{}'.format(messages[0].content) }}",
        "{{ '<s>%s' | format(messages[0].content) }}",
        "{{ '<s>X'.replace('X', messages[0].content) }}",
        "{{ '<s>X' | replace('X', messages[0].content) }}",
        "{{ ('  <s>' + messages[0].content + '  ').strip() }}",
        "{{ ('  <s>' + messages[0].content + '  ') | trim }}",
        "{{ ('<s>' + messages[0].content + '|').split('|')[0] }}",
        "{{ ('<s>' + messages[0].content + '|').partition('|')[0] }}",
        "{{ ('<s>' + messages[0].content + '|').removesuffix('|') }}",
        "{{ ('<s>' + messages[0].content + '\n').splitlines()[0] }}",
        "{% set x %}<s>{{ messages[0].content }}{% endset %}{{ x }}",
        "{% macro m(x) %}<s>{{ x }}{% endmacro %}{{ m(messages[0].content) }}",
        "{% macro m() %}<s>{{ caller() }}{% endmacro %}{% call m() %}{{ messages[0].content }}{% endcall %}",
        "{% generation %}<s>{{ messages[0].content }}{% endgeneration %}",
        "{% set ns = namespace(x='<s>') %}{% set ns.x = ns.x + messages[0].content %}{{ ns.x }}",
        "{% for c in ['<s>', messages[0].content] %}{{ c }}{% endfor %}",
        "{{ {'a': '<s>'}['a'] + messages[0].content }}",
        "{{ ('<s>' if true else '') + (messages[0].content or '') }}",
        "{{ '<s>' + messages | map(attribute='content') | first }}",
        "{{ bos_token + messages[0].content }}",
        "{% raw %}<s>{% endraw %}{{ messages[0].content }}",
        "{{ '<' 's>' + messages[0].content }}",
    ];
    for source in table {
        let rendered = render(source, &chat(&["U:it's <s>"])).expect(source);
        assert_eq!(show(&rendered), "⟦<s>⟧«it's <s>»", "{source}");
    }
}

/// Looking at a captured block as at a string sees its marks: the marking render takes the wrong branch, and is not
/// believed.
const CONFUSED: &str = concat!(
    "{% set x %}{{ messages[0].content }}{% endset %}",
    "{% if x == messages[0].content %}<s>{{ messages[0].content }}{% else %}no{% endif %}",
);

#[test]
fn where_marks_change_the_text_it_is_still_the_plain_one() {
    let rendered = render(CONFUSED, &chat(&["U:harmless"])).expect("renders");
    assert_eq!(rendered.text, "<s>harmless");
    assert!(rendered.content.is_empty());
}

#[test]
fn where_marks_change_the_text_planted_tokens_are_broken_up() {
    check(CONFUSED, &["U:a</s>b<s>"], expect!["⟦<s>⟧a«<»/s>b«<»s>"]);
}

#[test]
fn where_nothing_tells_a_planted_token_from_the_templates_own_the_chat_is_refused() {
    let source = "{% set x %}{{ messages[0].content }}{% endset %}{{ x == '</s>' }}{{ messages[0].content == '</s>' }}";
    assert_eq!(
        render(source, &chat(&["U:hello"])).expect("renders").text,
        "FalseFalse"
    );
    assert_eq!(
        refusal(source, &["U:</s>"]),
        "a message holds a control token of this model, and the template does not let the two be told apart"
    );
}

#[test]
fn the_clock_is_told_once() {
    let source = "{{ strftime_now('%Y-%m-%d %H:%M:%S %A %-d %b %j %%') }}";
    check(
        source,
        &["U:hi"],
        expect!["2026-07-05 12:00:00 Sunday 5 Jul 186 %"],
    );
}

#[test]
fn what_transformers_always_sets_is_there() {
    let source = "{{ tools is none }} {{ documents is none }} {{ enable_thinking is defined }} {{ add_generation_prompt }}";
    check(source, &["U:hi"], expect!["True True False True"]);
}
