//! `\d`, `\w` and `\s` as those mean them who ask for a form: digits are 0 to 9, not those of every script.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem};

/// Puts sets of ASCII characters in the place of such classes.
pub(super) fn narrow(ast: &mut Ast) {
    match ast {
        Ast::ClassPerl(class) => *ast = Ast::ClassBracketed(Box::new(set_of(class))),
        Ast::ClassBracketed(class) => narrow_set(&mut class.kind),
        Ast::Repetition(repetition) => narrow(&mut repetition.ast),
        Ast::Group(group) => narrow(&mut group.ast),
        Ast::Alternation(alternation) => alternation.asts.iter_mut().for_each(narrow),
        Ast::Concat(concat) => concat.asts.iter_mut().for_each(narrow),
        Ast::Empty(_)
        | Ast::Flags(_)
        | Ast::Literal(_)
        | Ast::Dot(_)
        | Ast::Assertion(_)
        | Ast::ClassUnicode(_) => (),
    }
}

fn narrow_set(set: &mut ClassSet) {
    match set {
        ClassSet::Item(item) => narrow_item(item),
        ClassSet::BinaryOp(operation) => {
            narrow_set(&mut operation.lhs);
            narrow_set(&mut operation.rhs);
        }
    }
}

fn narrow_item(item: &mut ClassSetItem) {
    match item {
        ClassSetItem::Perl(class) => *item = ClassSetItem::Bracketed(Box::new(set_of(class))),
        ClassSetItem::Bracketed(class) => narrow_set(&mut class.kind),
        ClassSetItem::Union(union) => union.items.iter_mut().for_each(narrow_item),
        ClassSetItem::Empty(_)
        | ClassSetItem::Literal(_)
        | ClassSetItem::Range(_)
        | ClassSetItem::Ascii(_)
        | ClassSetItem::Unicode(_) => (),
    }
}

fn set_of(class: &ClassPerl) -> ClassBracketed {
    let set = match class.kind {
        ClassPerlKind::Digit => "[0-9]",
        ClassPerlKind::Space => r"[ \t\n\r\f\v]",
        ClassPerlKind::Word => "[0-9A-Za-z_]",
    };
    let kind = match Parser::new().parse(set).as_ref() {
        Ok(Ast::ClassBracketed(set)) => set.kind.clone(),
        // Each of them is a set in brackets.
        _ => ClassSet::Item(ClassSetItem::Empty(class.span)),
    };
    ClassBracketed {
        span: class.span,
        negated: class.negated,
        kind,
    }
}
