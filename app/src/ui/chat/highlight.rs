//! Colours of code: Sublime Text's grammars through syntect, brought down to the few kinds that the theme colours.
//!
//! Pure, and slow the first time a language is met, so it runs on a thread of its own (see [`super::painter`]). Code that
//! grows is gone on with: lines that were read stay.

mod script;
#[cfg(test)]
mod tests;

use std::ops::Range;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::state::blocks::hidden;

/// Most lines of a block that get colours, and most bytes of one of them: some grammars take long for what no person
/// reads anyway.
const MOST_LINES: usize = 4_000;
const LONGEST_LINE: usize = 2_000;
/// What a tab is shown as.
const TAB: &str = "    ";

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Anything else.
    Plain,
    /// A word of the language.
    Keyword,
    /// A string or a character.
    Text,
    /// A number or another constant.
    Number,
    /// The name of what is called or defined.
    Name,
    /// A comment.
    Comment,
    /// The name of a character that does not show.
    Hidden,
}

/// A line of code in pieces.
pub(crate) type Line = Vec<(Token, String)>;

/// What scopes mean, the first that fits.
const KINDS: [(&str, Token); 20] = [
    ("comment", Token::Comment),
    ("punctuation.definition.comment", Token::Comment),
    ("string", Token::Text),
    ("constant.character", Token::Text),
    ("markup.inserted", Token::Text),
    ("constant", Token::Number),
    ("markup.deleted", Token::Keyword),
    ("keyword.operator.word", Token::Keyword),
    ("keyword.operator", Token::Plain),
    ("keyword", Token::Keyword),
    ("storage", Token::Keyword),
    ("variable.language", Token::Keyword),
    ("entity.name", Token::Name),
    ("entity.other.attribute-name", Token::Name),
    ("support.function", Token::Name),
    ("support.type.property-name", Token::Name),
    ("support.macro", Token::Name),
    ("variable.function", Token::Name),
    ("variable.annotation", Token::Name),
    ("markup.heading", Token::Name),
];

/// Names by which people call languages, and those by which the grammars know them.
const ALIASES: [(&str, &str); 20] = [
    ("golang", "go"),
    ("shell", "bash"),
    ("console", "bash"),
    ("shellscript", "bash"),
    ("python3", "python"),
    // What is JavaScript is TypeScript too, whose grammar has no such trap (see `script`).
    ("js", "tsx"),
    ("mjs", "tsx"),
    ("cjs", "tsx"),
    ("cjsx", "tsx"),
    ("es6", "tsx"),
    ("babel", "tsx"),
    ("javascript", "tsx"),
    ("javascriptreact", "tsx"),
    ("node", "tsx"),
    ("jsx", "tsx"),
    ("jsonc", "json"),
    ("json5", "json"),
    ("csharp", "cs"),
    ("c++", "cpp"),
    ("objective-c", "objc"),
];

/// The grammars.
#[derive(Debug)]
pub(crate) struct Grammars {
    set: SyntaxSet,
    kinds: Vec<(Scope, Token)>,
    script: Option<Scope>,
    /// What pages have besides, whose comments the grammars read themselves.
    others: [Option<Scope>; 2],
}

fn is_within(stack: &ScopeStack, place: Option<Scope>) -> bool {
    let mut scopes = stack.as_slice().iter();
    place.is_some_and(|place| scopes.any(|scope| place.is_prefix_of(*scope)))
}

impl Grammars {
    /// Reads them; takes a while.
    pub(crate) fn new() -> Self {
        let kinds = KINDS
            .iter()
            .filter_map(|(name, token)| Some((Scope::new(name).ok()?, *token)));
        Self {
            set: two_face::syntax::extra_newlines(),
            kinds: kinds.collect(),
            script: Scope::new("source.js").ok(),
            others: ["source.css", "source.php"].map(|name| Scope::new(name).ok()),
        }
    }

    fn find(&self, language: &str) -> Option<&SyntaxReference> {
        let name = language.split([',', '{', ':']).next()?.trim_start_matches('.');
        let known = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let name = known.map_or(name, |(_, known)| known);
        self.set
            .find_syntax_by_token(name)
            .filter(|syntax| syntax.name != "Plain Text")
    }

    /// Whether this is a script's place.
    fn is_script(&self, stack: &ScopeStack) -> bool {
        is_within(stack, self.script)
    }

    /// Whether comments have the form here that they have in scripts.
    fn has_comments(&self, stack: &ScopeStack) -> bool {
        self.is_script(stack) || self.others.iter().any(|other| is_within(stack, *other))
    }

    /// Whether a line from here on may have a part that the grammar of JavaScript reads: in a page a script's place begins
    /// with its first word only.
    fn may_have_script(&self, reading: &Reading) -> bool {
        self.is_script(&reading.stack) || reading.is_page && !self.has_comments(&reading.stack)
    }

    /// What the innermost scope with a meaning says.
    fn token(&self, stack: &ScopeStack) -> Token {
        let meaning = |scope: &Scope| self.kinds.iter().find(|(kind, _)| kind.is_prefix_of(*scope));
        let mut scopes = stack.as_slice().iter().rev();
        scopes.find_map(meaning).map_or(Token::Plain, |(_, token)| *token)
    }
}

/// How a grammar stands between two lines.
#[derive(Debug, Clone)]
struct Reading {
    state: ParseState,
    stack: ScopeStack,
    /// Whether the language is one of pages, which may have scripts.
    is_page: bool,
    /// Whether a comment in a script goes on.
    in_comment: bool,
}

impl Reading {
    fn new(syntax: &SyntaxReference) -> Self {
        Self {
            state: ParseState::new(syntax),
            stack: ScopeStack::new(),
            is_page: is_page(&syntax.scope.build_string()),
            in_comment: false,
        }
    }
}

/// Whether the language of this scope may have scripts in it, or is that of scripts.
fn is_page(scope: &str) -> bool {
    !scope.starts_with("text.xml") && (!scope.starts_with("source.") || scope.starts_with("source.js"))
}

/// The colours of one block of code.
#[derive(Debug, Default)]
pub(crate) struct Highlighter {
    language: String,
    text: String,
    lines: Vec<Line>,
    /// How the grammar stands after the lines that have ended; `None` for a language without one.
    reading: Option<Reading>,
    /// Bytes of the lines that have ended, and how many they are.
    ended: (usize, usize),
    /// Lines that were read, again or for the first time.
    #[cfg(test)]
    read: usize,
}

impl Highlighter {
    /// Takes the code as it is now. Gives the first line that is new or has changed.
    pub(crate) fn update(&mut self, grammars: &Grammars, language: &str, text: &str) -> usize {
        let goes_on = self.language == language && text.starts_with(&self.text[..self.ended.0]);
        if !goes_on {
            *self = Self {
                language: language.to_owned(),
                reading: grammars.find(language).map(Reading::new),
                ..Self::default()
            };
        }
        text.clone_into(&mut self.text);
        let first = self.ended.1;
        self.lines.truncate(first);
        for line in text[self.ended.0..].split_inclusive('\n') {
            // The last line may grow: how the grammar stands after it is not kept.
            let before = (!line.ends_with('\n')).then(|| self.reading.clone());
            let pieces = self.read_line(grammars, line);
            self.lines.push(pieces);
            if let Some(before) = before {
                self.reading = before;
            } else {
                self.ended.0 += line.len();
                self.ended.1 += 1;
            }
        }
        first
    }

    /// The lines, without their ends.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn read_line(&mut self, grammars: &Grammars, line: &str) -> Line {
        #[cfg(test)]
        {
            self.read += 1;
        }
        let shown = line.trim_end_matches(['\n', '\r']);
        if self.lines.len() >= MOST_LINES || line.len() > LONGEST_LINE {
            self.reading = None;
        }
        let Some(reading) = &mut self.reading else {
            return plain(shown);
        };
        let goes_on = reading.in_comment;
        let comments = if goes_on || grammars.may_have_script(reading) {
            script::comments(shown, &mut reading.in_comment)
        } else {
            Vec::new()
        };
        let code = script::without(line, &comments);
        // Elsewhere in a page it is none: "text/*".
        let is_comment = |stack: &ScopeStack| goes_on || grammars.has_comments(stack);
        let Ok(changes) = reading.state.parse_line(&code, &grammars.set) else {
            self.reading = None;
            return plain(shown);
        };
        let mut pieces = Line::new();
        let mut at = 0;
        let mut put = |stack: &ScopeStack, part: Range<usize>| {
            let comments = if is_comment(stack) { &comments[..] } else { &[] };
            push_code(&mut pieces, grammars.token(stack), shown, part, comments);
        };
        for (to, change) in changes {
            // A comment's spaces are as many as its bytes.
            let to = shown.floor_char_boundary(to);
            put(&reading.stack, at.min(to)..to);
            at = at.max(to);
            if reading.stack.apply(&change).is_err() {
                self.reading = None;
                return plain(shown);
            }
        }
        put(&reading.stack, at..shown.len());
        let begins = comments.first().map_or("", |comment| &shown[..comment.start]);
        if !is_comment(&reading.stack) && !begins.trim().is_empty() {
            reading.in_comment = false;
        }
        pieces
    }
}

/// Puts a part of a line at its end, of which these parts are comments.
fn push_code(pieces: &mut Line, token: Token, line: &str, part: Range<usize>, comments: &[Range<usize>]) {
    let mut at = part.start;
    for comment in comments {
        let (start, end) = (comment.start.clamp(at, part.end), comment.end.clamp(at, part.end));
        push(pieces, token, &line[at..start]);
        push(pieces, Token::Comment, &line[start..end]);
        at = end;
    }
    push(pieces, token, &line[at..part.end]);
}

/// A line without colours.
pub(crate) fn plain(line: &str) -> Line {
    let mut pieces = Line::new();
    push(&mut pieces, Token::Plain, line);
    pieces
}

/// Puts code at the end of a line, with its hidden characters by name.
fn push(pieces: &mut Line, token: Token, code: &str) {
    for (part, hidden) in hidden::parts(code) {
        let (token, part) = match hidden {
            Some(it) => (Token::Hidden, hidden::name(it)),
            None => (token, part.replace('\t', TAB)),
        };
        match pieces.last_mut() {
            Some((last, text)) if *last == token && token != Token::Hidden => text.push_str(&part),
            _ => pieces.push((token, part)),
        }
    }
}
