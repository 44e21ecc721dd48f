//! `\d`, `\w` and `\s` as those mean them who ask for a form: digits are 0 to 9, not those of every script.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    Ast, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem, Error as AstError,
};

/// Puts sets of ASCII characters in the place of such classes.
///
/// # Errors
/// None that is known: the sets are valid.
pub(super) fn narrow(ast: &mut Ast) -> Result<(), AstError> {
    match ast {
        Ast::ClassPerl(class) => *ast = Ast::ClassBracketed(Box::new(set_of(class)?)),
        Ast::ClassBracketed(class) => narrow_set(&mut class.kind)?,
        Ast::Repetition(repetition) => narrow(&mut repetition.ast)?,
        Ast::Group(group) => narrow(&mut group.ast)?,
        Ast::Alternation(alternation) => alternation.asts.iter_mut().try_for_each(narrow)?,
        Ast::Concat(concat) => concat.asts.iter_mut().try_for_each(narrow)?,
        Ast::Empty(_)
        | Ast::Flags(_)
        | Ast::Literal(_)
        | Ast::Dot(_)
        | Ast::Assertion(_)
        | Ast::ClassUnicode(_) => (),
    }
    Ok(())
}

fn narrow_set(set: &mut ClassSet) -> Result<(), AstError> {
    match set {
        ClassSet::Item(item) => narrow_item(item),
        ClassSet::BinaryOp(operation) => {
            narrow_set(&mut operation.lhs)?;
            narrow_set(&mut operation.rhs)
        }
    }
}

fn narrow_item(item: &mut ClassSetItem) -> Result<(), AstError> {
    match item {
        ClassSetItem::Perl(class) => *item = ClassSetItem::Bracketed(Box::new(set_of(class)?)),
        ClassSetItem::Bracketed(class) => narrow_set(&mut class.kind)?,
        ClassSetItem::Union(union) => union.items.iter_mut().try_for_each(narrow_item)?,
        ClassSetItem::Empty(_)
        | ClassSetItem::Literal(_)
        | ClassSetItem::Range(_)
        | ClassSetItem::Ascii(_)
        | ClassSetItem::Unicode(_) => (),
    }
    Ok(())
}

fn set_of(class: &ClassPerl) -> Result<ClassBracketed, AstError> {
    let set = match class.kind {
        ClassPerlKind::Digit => "[0-9]",
        ClassPerlKind::Space => r"[ \t\n\r\f\v]",
        ClassPerlKind::Word => "[0-9A-Za-z_]",
    };
    let kind = match &Parser::new().parse(set)? {
        Ast::ClassBracketed(set) => set.kind.clone(),
        // Each of them is a set in brackets.
        other => ClassSet::Item(ClassSetItem::Empty(*other.span())),
    };
    Ok(ClassBracketed {
        span: class.span,
        negated: class.negated,
        kind,
    })
}
