//! What is a formula and what only looks like one.

use super::*;

fn check(text: &str, expected: &[&str]) {
    let masked = mask(text);
    let found: Vec<_> = masked.formulas.iter().map(|it| &text[it.inner.clone()]).collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(masked.text.len(), text.len());
}

#[test]
fn money_and_shell_are_no_formulas() {
    for text in [
        "It costs $5 and $10.",
        "It costs $5, or $10 for two (save $2).",
        "$5-$10, US$5/A$6, 5$ and 6$, ($5)–($10)",
        "Set $HOME/$USER or ${HOME} and $PATH.",
        "\\$5 and \\$6",
        "`$x$` and ``a ` $y$``",
        "```\n$x$\n```",
        "~~~\n$x$\n",
        "[a](http://b.example/$c$) and http://b.example/$c$",
        "\\[1\\] and \\(see there\\) and \\[TODO\\]",
        "$ x $ and $\n x$",
        "$name$",
    ] {
        check(text, &[]);
    }
}

#[test]
fn formulas_are_found_however_they_are_written() {
    check("Let $x$ and $ABC$ be", &["x", "ABC"]);
    check("$E = mc^2$, $\\alpha$-rays", &["E = mc^2", "\\alpha"]);
    check("\\(a+b\\) and \\( \\text{where} \\)", &["a+b", " \\text{where} "]);
    check("$$x$$", &["x"]);
    check("as:\n\\[\na = b\n- c_1\n\\]\nthen", &["\na = b\n- c_1\n"]);
    check("- $$\n  y^2 $$", &["\n  y^2 "]);
    check("# \\[ a\n# b^2 \\]", &[]);
    check(
        "\\begin{align*}a &= b\\end{align*}",
        &["\\begin{align*}a &= b\\end{align*}"],
    );
    check("cost $\\$5 + x$", &["\\$5 + x"]);
}

#[test]
fn one_that_is_still_being_written_takes_the_rest() {
    check("so\n$$\n\\frac{a", &["\n\\frac{a"]);
    check("\\[ x", &[" x"]);
    check("$$", &[""]);
    check("$$ x\n\nno more", &[]);
    check("in words $$ x", &[]);
}

proptest::proptest! {
    #[test]
    fn holes_keep_every_place(text in r"[$\\()\[\]`~ \na-c1_^é好-]{0,60}") {
        let masked = mask(&text);
        proptest::prop_assert_eq!(masked.text.len(), text.len());
        let mut end = 0;
        for formula in &masked.formulas {
            proptest::prop_assert!(end <= formula.place.start);
            proptest::prop_assert!(text.is_char_boundary(formula.place.end));
            end = formula.place.end;
        }
    }
}
