//! Templates that are wrong, or made to hang or break the engine: each is refused, and names what is wrong.

use super::*;

fn check_refusal(source: &str, expected: Expect) {
    expected.assert_eq(&refusal(source, &["U:hi"]));
}

#[test]
fn what_is_no_template() {
    check_refusal("{#", expect!["line 1: syntax error: unexpected end of comment"]);
    check_refusal(
        "{{ a[\"foo\"(",
        expect!["line 1: syntax error: unexpected end of input, expected expression"],
    );
    check_refusal(
        "{{ 'abc",
        expect!["line 1: syntax error: unexpected end of input, expected end of variable block"],
    );
    check_refusal(
        "{{",
        expect!["line 1: syntax error: unexpected end of input, expected expression"],
    );
    check_refusal(
        "{% if true %}\n\nx",
        expect!["line 2: syntax error: unexpected end of input, expected end of block"],
    );
    check_refusal(
        "x\n{% for message in messages %}\n{{ message.content }}\n",
        expect!["line 3: syntax error: unexpected end of input, expected end of block"],
    );
    check_refusal(
        "{% for x in %}{% endfor %}",
        expect!["line 1: syntax error: unexpected end of block"],
    );
    check_refusal(
        "{% endif %}",
        expect!["line 1: syntax error: unknown statement endif"],
    );
    check_refusal(
        "{{ 1 + }}",
        expect!["line 1: syntax error: unexpected end of variable block"],
    );
    check_refusal(
        "{% nonsense %}",
        expect!["line 1: syntax error: unknown statement nonsense"],
    );
}

#[test]
fn what_a_chat_template_cannot_have() {
    check_refusal(
        "a\n{% include 'other' %}",
        expect!["line 2: the tag include has no place in a chat template"],
    );
    check_refusal(
        "{% extends 'base' %}",
        expect!["line 1: the tag extends has no place in a chat template"],
    );
    check_refusal(
        "{%- autoescape false %}{% endautoescape %}",
        expect!["line 1: the tag autoescape has no place in a chat template"],
    );
    check_refusal(
        "\n\n{{ '\\N{BULLET}' }}",
        expect![[r#"line 3: the string '\N{BULLET}' has an escape that is no text"#]],
    );
    check_refusal(
        "{{ '\\ud800' }}",
        expect![[r#"line 1: the string '\ud800' has an escape that is no text"#]],
    );
    check_refusal(
        "{{ messages | from_json }}",
        expect!["line 1: unknown filter: filter from_json is unknown"],
    );
    check_refusal(
        "\n{{ messages.append(1) }}",
        expect!["line 2: unknown method: sequence has no method named append"],
    );
    check_refusal(
        "{{ nothing.at.all }}",
        expect!["line 1: undefined value: `nothing` is undefined"],
    );
    check_refusal(
        "{% for tool in tools %}{% endfor %}",
        expect!["line 1: invalid operation: None cannot be iterated"],
    );
    check_refusal(
        "{{ raise_exception('Not today.') }}",
        expect!["it refuses this chat: Not today"],
    );
    check_refusal(
        "{% macro m() %}{{ raise_exception('No.') }}{% endmacro %}\n{{ m() }}",
        expect!["it refuses this chat: No"],
    );
    check_refusal(
        "{% macro m() %}\n{{ 1 / 0 }}{% endmacro %}\n{{ m() }}",
        expect!["line 2: invalid operation: unable to calculate 1 / 0"],
    );
}

#[test]
fn what_would_run_for_ever() {
    check_refusal(
        "{% for x in range(10**9) %}{% endfor %}",
        expect!["line 1: invalid operation: range has too many elements"],
    );
    check_refusal(
        "{{ range(10**9) | list }}",
        expect!["line 1: invalid operation: range has too many elements"],
    );
    check_refusal(
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        expect!["line 1: invalid operation: recursion limit exceeded"],
    );
    check_refusal(
        "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
        expect!["line 1: invalid operation: recursion limit exceeded"],
    );
}

#[test]
fn what_would_fill_the_memory() {
    check_refusal(
        "{{ 'a' * 10**9 }}",
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        "{% set l = [0] * 10**9 %}",
        expect!["line 1: invalid operation: repeated sequence is too large"],
    );
    check_refusal(
        "{{ '{:1000000000}'.format(1) }}",
        expect!["line 1: invalid operation: a field of the format string is too wide"],
    );
    check_refusal(
        "{{ '%1000000000d' | format(1) }}",
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        "{{ 'a'.rjust(10**9, messages[0].content * 1000) | length }}",
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}",
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s.replace('x', 'xx') %}{% endfor %}",
        expect!["line 1: it does far more work than a chat needs"],
    );
}

/// Values that share their parts are small in memory and huge in writing.
#[test]
fn what_would_be_huge_in_writing() {
    let shared =
        "{% set ns = namespace(x=[1]) %}{% for i in range(40) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
    check_refusal(
        &format!("{shared}{{{{ ns.x | tojson }}}}"),
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        &format!("{shared}{{{{ ns.x }}}}"),
        expect!["line 1: it does far more work than a chat needs"],
    );
    let text = "{% set s = 'x' * 1000000 %}{% set l = [s] * 100000 %}";
    check_refusal(
        &format!("{text}{{{{ l | tojson }}}}"),
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        &format!("{text}{{{{ l | join }}}}"),
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        "{{ ([[1]] * 1000) | tojson(indent='x' * 1000000) }}",
        expect!["line 1: it does far more work than a chat needs"],
    );
}

#[test]
fn what_would_overflow_the_stack() {
    check_refusal(
        &format!("{{{{ {}1 }}}}", "1+".repeat(100_000)),
        expect!["line 1: a tag is longer than any real template needs"],
    );
    check_refusal(
        &format!("{{{{ {}1{} }}}}", "(".repeat(1500), ")".repeat(1500)),
        expect!["line 1: syntax error: template exceeds maximum recursion limits"],
    );
    check_refusal(
        &"{% if 1 %}".repeat(20_000),
        expect!["line 1: syntax error: template exceeds maximum recursion limits"],
    );
    let nested =
        "{% set ns = namespace(x=[1]) %}{% for i in range(90000) %}{% set ns.x = [ns.x] %}{% endfor %}";
    check_refusal(
        &format!("{nested}{{{{ ns.x }}}}"),
        expect!["line 1: it does far more work than a chat needs"],
    );
    check_refusal(
        &format!("{nested}{{{{ ns.x | tojson }}}}"),
        expect!["line 1: it does far more work than a chat needs"],
    );
}

/// Deep, but within the limits: neither refused nor a crash.
#[test]
fn what_is_deep_and_legal() {
    let chain = format!("{{{{ {}1 }}}}", "1+".repeat(1_900));
    assert_eq!(render(&chain, &chat(&["U:hi"])).expect("renders").text, "1901");
    let branches = format!(
        "{{% if false %}}{}{{% else %}}yes{{% endif %}}",
        "{% elif 0 %}".repeat(20_000)
    );
    assert_eq!(render(&branches, &chat(&["U:hi"])).expect("renders").text, "yes");
    let nested =
        "{% set ns = namespace(x=[1]) %}{% for i in range(30000) %}{% set ns.x = [ns.x] %}{% endfor %}ok";
    assert_eq!(render(nested, &chat(&["U:hi"])).expect("renders").text, "ok");
}

#[test]
fn a_source_beyond_the_limit_is_not_read() {
    check_refusal(
        &"x".repeat(1 << 20),
        expect!["it has 1024 kB, more than the 256 kB a template may have"],
    );
}

/// Long chats are no attack.
#[test]
fn a_long_chat_is_rendered() {
    let line = "All work and no play makes Jack a dull boy. ".repeat(200);
    let messages: Vec<PromptMessage> = (0..1_000)
        .map(|at| message(if at % 2 == 0 { Role::User } else { Role::Assistant }, &line))
        .collect();
    for (name, source) in shapes::ALL {
        let rendered = render(source, &messages).expect(name);
        let content: usize = rendered.content.iter().map(ExactSizeIterator::len).sum();
        assert!(content >= 1_000 * line.trim().len(), "{name}");
    }
}
