//! Regular expressions as grammars. The whole text must match, whether or not the expression says so with `^` and
//! `$`. What a grammar cannot say is refused: looking ahead or behind, references back, the borders of words.

mod ascii;

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class as HirClass, Hir, HirKind, Look};

use super::tree::{Class, Tree};

/// Longest expression, in bytes.
const LONGEST: usize = 64 << 10;

/// Deepest nesting of an expression.
const DEEPEST: u32 = 100;

/// What an expression matches.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn read(expression: &str) -> Result<Tree, String> {
    if expression.len() > LONGEST {
        return Err(format!("the expression is longer than {LONGEST} bytes"));
    }
    let mut parser = ParserBuilder::new().nest_limit(DEEPEST).build();
    let mut ast = parser
        .parse(expression)
        .map_err(|error| error.kind().to_string())?;
    ascii::narrow(&mut ast);
    let hir = Translator::new().translate(expression, &ast);
    let hir = hir.map_err(|error| error.kind().to_string())?;
    if hir.properties().minimum_len().is_none() {
        return Err("the expression matches no text at all".into());
    }
    tree(&hir, true, true)
}

/// A part of an expression; `first` and `last` tell whether it stands at the text's beginning and end.
fn tree(hir: &Hir, first: bool, last: bool) -> Result<Tree, String> {
    Ok(match hir.kind() {
        HirKind::Empty => Tree::All(Vec::new()),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0);
            Tree::text(text.map_err(|_| "it matches bytes that are no text")?)
        }
        HirKind::Class(HirClass::Unicode(class)) => Tree::Class(Class::from(class)),
        HirKind::Class(HirClass::Bytes(class)) => match class.to_unicode_class() {
            Some(class) => Tree::Class(Class::from(&class)),
            None => return Err("it matches bytes that are no text".into()),
        },
        HirKind::Look(Look::Start) if first => Tree::All(Vec::new()),
        HirKind::Look(Look::End) if last => Tree::All(Vec::new()),
        HirKind::Look(look) => {
            return Err(match look {
                Look::Start | Look::StartLF | Look::StartCRLF => "“^” can stand at the beginning only".into(),
                Look::End | Look::EndLF | Look::EndCRLF => "“$” can stand at the end only".into(),
                _ => "the border of a word (“\\b”) cannot be enforced".into(),
            });
        }
        HirKind::Repetition(repetition) => Tree::repeat(
            tree(&repetition.sub, false, false)?,
            repetition.min,
            repetition.max,
        ),
        HirKind::Capture(capture) => tree(&capture.sub, first, last)?,
        HirKind::Concat(parts) => {
            let begin = parts
                .iter()
                .take_while(|part| *part.kind() == HirKind::Look(Look::Start))
                .count();
            let end = parts
                .iter()
                .rev()
                .take_while(|part| *part.kind() == HirKind::Look(Look::End))
                .count();
            let last_part = parts.len().saturating_sub(end + 1);
            let parts = parts.iter().enumerate();
            let parts =
                parts.map(|(place, part)| tree(part, first && place <= begin, last && place >= last_part));
            Tree::all(parts.collect::<Result<_, _>>()?)
        }
        HirKind::Alternation(parts) => {
            let parts = parts.iter().map(|part| tree(part, first, last));
            Tree::any(parts.collect::<Result<_, _>>()?)
        }
    })
}
