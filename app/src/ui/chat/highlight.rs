//! Colours of code, by the few rules that most languages share.
//!
//! Pure, one pass. It knows words, numbers, strings and comments; a language it does not know stays plain.

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Anything else.
    Plain,
    /// A word of the language.
    Keyword,
    /// A string or a character.
    Text,
    /// A number.
    Number,
    /// The name of what is called or defined.
    Name,
    /// A comment.
    Comment,
}

/// How a language is written.
struct Syntax {
    /// What begins a comment up to the end of the line.
    line_comment: &'static str,
    /// What begins and ends a comment over lines.
    block_comment: Option<(&'static str, &'static str)>,
    /// What begins and ends a string.
    quotes: &'static [char],
    /// Its words, between spaces.
    keywords: &'static str,
    /// Whether words are the same in upper and lower case.
    ignores_case: bool,
}

/// Words of the languages that share most of them, one list for all.
const KEYWORDS: &str = "and as async await begin bool break case catch char class const continue def default \
    delete do done double elif else end enum esac except export extends false False fi final finally float \
    fn for from func function global goto if impl import in include int interface is lambda let local long \
    loop match mod mut namespace new nil none None not null or package pass private protected pub public \
    raise return self Self static struct super switch then this throw trait true True try type typedef union \
    unsafe use using val var virtual void where while with yield";
const SQL_KEYWORDS: &str = "and as by case create delete desc distinct else end from group having in index \
    inner insert into is join key left like limit not null on or order outer primary select set table then \
    union update values when where with";

const C_LIKE: Syntax = Syntax {
    line_comment: "//",
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\'', '`'],
    keywords: KEYWORDS,
    ignores_case: false,
};
// A quote in Rust is as often a lifetime as a character.
const RUST: Syntax = Syntax {
    quotes: &['"'],
    ..C_LIKE
};
const SCRIPT: Syntax = Syntax {
    line_comment: "#",
    block_comment: None,
    quotes: &['"', '\''],
    ..C_LIKE
};
const SQL: Syntax = Syntax {
    line_comment: "--",
    quotes: &['\''],
    keywords: SQL_KEYWORDS,
    ignores_case: true,
    ..C_LIKE
};

/// How a language is written, by the name it is given behind the fence.
fn syntax_of(language: &str) -> Option<&'static Syntax> {
    let name = language.split([' ', ',', '{']).next()?.to_ascii_lowercase();
    Some(match name.as_str() {
        "rust" | "rs" => &RUST,
        "c" | "cpp" | "c++" | "h" | "cs" | "csharp" | "java" | "js" | "javascript" | "jsx" | "ts"
        | "typescript" | "tsx" | "go" | "swift" | "kotlin" | "kt" | "scala" | "php" | "dart" | "json" => {
            &C_LIKE
        }
        "python" | "py" | "sh" | "bash" | "shell" | "zsh" | "ruby" | "rb" | "perl" | "r" | "julia"
        | "yaml" | "yml" | "toml" | "makefile" | "dockerfile" => &SCRIPT,
        "sql" => &SQL,
        _ => return None,
    })
}

/// Cuts each line of code into pieces of one kind.
pub(crate) fn highlight(language: &str, code: &str) -> Vec<Vec<(Token, String)>> {
    let Some(syntax) = syntax_of(language) else {
        return code
            .lines()
            .map(|line| vec![(Token::Plain, line.to_owned())])
            .collect();
    };
    let mut in_comment = false;
    code.lines()
        .map(|line| highlight_line(line, syntax, &mut in_comment))
        .collect()
}

fn highlight_line(line: &str, syntax: &Syntax, in_comment: &mut bool) -> Vec<(Token, String)> {
    let mut pieces: Vec<(Token, String)> = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let opened = syntax.block_comment.filter(|(open, _)| rest.starts_with(open));
        let (token, length) = if *in_comment {
            comment(rest, 0, syntax, in_comment)
        } else if rest.starts_with(syntax.line_comment) {
            (Token::Comment, rest.len())
        } else if let Some((open, _)) = opened {
            comment(rest, open.len(), syntax, in_comment)
        } else if syntax.quotes.contains(&first) {
            (Token::Text, quoted(rest, first))
        } else if first.is_ascii_digit() {
            (
                Token::Number,
                span(rest, |it| it.is_ascii_alphanumeric() || it == '.' || it == '_'),
            )
        } else if first.is_alphabetic() || first == '_' {
            word(rest, syntax)
        } else {
            (Token::Plain, first.len_utf8())
        };
        let (piece, after) = rest.split_at(length);
        match pieces.last_mut() {
            Some((last, text)) if *last == token => text.push_str(piece),
            _ => pieces.push((token, piece.to_owned())),
        }
        rest = after;
    }
    pieces
}

/// A comment up to its end in this line, looked for from `from`.
fn comment(rest: &str, from: usize, syntax: &Syntax, in_comment: &mut bool) -> (Token, usize) {
    let close = syntax.block_comment.map_or("", |(_, close)| close);
    let end = rest[from..].find(close).map(|at| from + at + close.len());
    *in_comment = end.is_none();
    (Token::Comment, end.unwrap_or(rest.len()))
}

/// Length of a string that begins with its quote.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if it == quote => return at + it.len_utf8(),
            _ => (),
        }
    }
    rest.len()
}

fn word(rest: &str, syntax: &Syntax) -> (Token, usize) {
    let length = span(rest, |it| it.is_alphanumeric() || it == '_');
    let (text, after) = rest.split_at(length);
    let is_keyword = |keyword: &str| {
        if syntax.ignores_case {
            keyword.eq_ignore_ascii_case(text)
        } else {
            keyword == text
        }
    };
    let token = if syntax.keywords.split_ascii_whitespace().any(is_keyword) {
        Token::Keyword
    } else if after.starts_with('(') {
        Token::Name
    } else {
        Token::Plain
    };
    (token, length)
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|it| !belongs(it)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "#[derive(Debug)]\nlet a: &'a str;",
            &[
                &[(Plain, "#["), (Name, "derive"), (Plain, "(Debug)]")],
                &[(Keyword, "let"), (Plain, " a: &'a str;")],
            ],
        );
        check(
            "c",
            "a /* b\nc */ d",
            &[
                &[(Plain, "a "), (Comment, "/* b")],
                &[(Comment, "c */"), (Plain, " d")],
            ],
        );
        check(
            "sql",
            "SELECT 'x''y' -- z",
            &[&[
                (Keyword, "SELECT"),
                (Plain, " "),
                (Text, "'x''y'"),
                (Plain, " "),
                (Comment, "-- z"),
            ]],
        );
        check("brainfuck", "+[->+] # no", &[&[(Plain, "+[->+] # no")]]);
        check("js", r#""a\"b" c"#, &[&[(Text, r#""a\"b""#), (Plain, " c")]]);
    }

    proptest::proptest! {
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
}
