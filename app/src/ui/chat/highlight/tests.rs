//! Colours of code, by small examples and by property.

use super::*;

fn highlight(language: &str, code: &str) -> Vec<Line> {
    let mut highlighter = Highlighter::default();
    highlighter.update(&Grammars::new(), language, code);
    highlighter.lines
}

fn check(language: &str, code: &str, expected: &[&[(Token, &str)]]) {
    let found = highlight(language, code);
    let found: Vec<Vec<_>> = found
        .iter()
        .map(|line| line.iter().map(|(token, text)| (*token, text.as_str())).collect())
        .collect();
    assert_eq!(found, expected, "{code}");
}

#[test]
fn pieces_have_their_kinds() {
    use Token::*;
    check(
        "python",
        "def f(x):  # two\n    return 4.85",
        &[
            &[
                (Keyword, "def"),
                (Plain, " "),
                (Name, "f"),
                (Plain, "(x):  "),
                (Comment, "# two"),
            ],
            &[
                (Plain, "    "),
                (Keyword, "return"),
                (Plain, " "),
                (Number, "4.85"),
            ],
        ],
    );
    check(
        "rust",
        "let a = 1; /* b\nc */ let",
        &[
            &[
                (Keyword, "let"),
                (Plain, " a = "),
                (Number, "1"),
                (Plain, "; "),
                (Comment, "/* b"),
            ],
            &[(Comment, "c */"), (Plain, " "), (Keyword, "let")],
        ],
    );
    check("js", r#"x = "a\"b""#, &[&[(Plain, "x = "), (Text, r#""a\"b""#)]]);
}

fn comments(language: &str, code: &str) -> Vec<String> {
    let pieces = highlight(language, code).into_iter().flatten();
    let comments = pieces.filter(|(token, _)| *token == Token::Comment);
    comments.map(|(_, text)| text).collect()
}

#[test]
fn what_looks_like_a_comment_in_a_page_begins_none() {
    let cases = [
        ("xml", "<a>/*</a>\n<b>c</b>"),
        ("html", "<p>text/*</p>\n<b>c</b>"),
        ("markdown", "see src/**/*.rs\nand <b>so</b> on"),
        ("html", "<b> /* naé\n"),
        ("markdown", "<b> /* naé  \nx"),
    ];
    for (language, code) in cases {
        assert_eq!(comments(language, code), [""; 0], "{code}");
    }
    let style = "<style>\na { /* b\n*/ }\nc { d: e /* f */ }\n</style>";
    assert_eq!(comments("html", style).concat(), "/* b*//* f */");
}

/// The grammar of JavaScript never ends on such a line.
#[test]
fn comments_behind_names_are_read_in_scripts_and_in_pages() {
    use Token::*;
    let expected: &[&[(Token, &str)]] = &[
        &[(Plain, "a "), (Comment, "/* b")],
        &[(Comment, "c */"), (Plain, " d")],
    ];
    for language in ["js", "javascript", "jsx", "tsx"] {
        check(language, "a /* b\nc */ d", expected);
    }
    for language in ["html", "vue", "php", "markdown"] {
        for tag in ["<script>\n", "<script>\n\n", "<script\n  type=\"module\"\n>\n"] {
            let code = format!("{tag}a /* b\nc */ d\n</script>\n<a b=\"c() /* d */\">");
            assert_eq!(comments(language, &code), ["/* b", "c */"], "{language} {tag}");
        }
    }
}

#[test]
fn what_no_grammar_knows_is_plain() {
    use Token::*;
    check("nolanguage", "if x # no", &[&[(Plain, "if x # no")]]);
    check("", "let", &[&[(Plain, "let")]]);
    check("text", "let", &[&[(Plain, "let")]]);
}

#[test]
fn languages_are_found_by_the_names_people_use() {
    let grammars = Grammars::new();
    let names = "rust rs python py python3 javascript js jsx ts typescript tsx c cpp c++ csharp c# java \
        kotlin swift go golang ruby php bash sh shell zsh console sql html css scss xml \
        json jsonc yaml yml toml ini dockerfile makefile cmake lua perl r haskell scala elixir \
        clojure diff markdown latex nix zig dart vue graphql";
    let missing: Vec<_> = names
        .split(' ')
        .filter(|name| grammars.find(name).is_none())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn hidden_characters_and_tabs_are_shown() {
    use Token::*;
    check(
        "",
        "\ta\u{202e}b 你好 👩\u{200d}🔬 e\u{301}",
        &[&[
            (Plain, "    a"),
            (Hidden, "U+202E"),
            (Plain, "b 你好 👩\u{200d}🔬 e\u{301}"),
        ]],
    );
}

#[test]
fn code_that_grows_is_read_about_once() {
    let grammars = Grammars::new();
    let code = "fn main() {\n    println!(\"{}\", 1); /* a\n b */ let x = 'c';\n}\n".repeat(50);
    let mut growing = Highlighter::default();
    let mut end = 0;
    while end < code.len() {
        end = (end + 7).min(code.len());
        growing.update(&grammars, "rust", &code[..end]);
    }
    assert_eq!(growing.lines(), highlight("rust", &code));
    // Each piece reads its own line again, and no other.
    assert!(
        growing.read <= code.len().div_ceil(7) + code.lines().count(),
        "{}",
        growing.read
    );
}

#[test]
fn code_beyond_the_bound_is_plain() {
    let long = format!("let x = \"{}\";\nlet y = 1;", "a".repeat(3_000));
    let lines = highlight("rust", &long);
    assert!(lines.iter().flatten().all(|(token, _)| *token == Token::Plain));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn every_character_is_kept(
        code in r#"[a-z0-9"'`#/*\\ \n(é你-]{0,60}"#,
        language in "rust|python|js|sql|x",
    ) {
        let lines = highlight(&language, &code);
        let shown: Vec<String> =
            lines.iter().map(|line| line.iter().map(|(_, text)| text.as_str()).collect()).collect();
        let expected: Vec<&str> = code.lines().collect();
        proptest::prop_assert_eq!(shown, expected);
    }
}
