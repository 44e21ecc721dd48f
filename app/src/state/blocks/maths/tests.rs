use super::*;

/// The text with its exponents as `^{…}` and its indices as `_{…}`.
fn shown(source: &str, display: bool) -> String {
    let mut shown = String::new();
    let mut level = Raised::Level;
    for span in typeset(source, display).spans {
        if span.look.raised != level {
            shown.push_str(if level == Raised::Level { "" } else { "}" });
            level = span.look.raised;
            shown.push_str(match level {
                Raised::Level => "",
                Raised::Up => "^{",
                Raised::Down => "_{",
            });
        }
        shown.push_str(&span.text);
    }
    shown + if level == Raised::Level { "" } else { "}" }
}

#[test]
fn formulas_become_text() {
    let cases = [
        ("E = mc^2", "E = mc^{2}"),
        ("a_i^{n+1}", "a_{i}^{n+1}"),
        ("x^{y^2}", "x^{y^2}"),
        ("-b \\pm \\sqrt{b^2-4ac}", "−b ± √(b^{2} − 4ac)"),
        ("\\frac{-b}{2a}", "(−b)/(2a)"),
        ("\\frac12 + \\frac{3}{5}", "½ + 3/5"),
        ("\\sqrt[3]{8}=2", "^{3}√8 = 2"),
        ("\\sum_{i=1}^{n} i", "∑_{i=1}^{n} i"),
        ("\\int_0^\\infty e^{-x}\\,dx", "∫_{0}^{∞} e^{−x} dx"),
        ("\\lim_{x\\to 0} \\sin x / x", "lim_{x→0} sin x/x"),
        ("\\alpha\\beta \\in \\mathbb{R}", "αβ ∈ R"),
        ("\\left( \\frac{a}{b} \\right)", "(a/b)"),
        ("\\left. f \\right|_{x=0}", "f|_{x=0}"),
        ("\\hat{x} + \\vec v", "x\u{302} + v"),
        ("f'(x), \\quad x \\ne y", "f′(x),   x ≠ y"),
        ("90^\\circ", "90°"),
        ("\\text{if } x > 0", "if x > 0"),
        ("\\mathrm{d}x \\operatorname{rank} A", "dx rank A"),
        ("\\not= \\not\\in", "≠ ∉"),
        ("{}^{14}C", "^{14}C"),
        ("a \\\\ b", "a b"),
        ("\\{1, 2\\}", "{1, 2}"),
        ("|x| \\le \\lVert y \\rVert", "|x| ≤ ‖y‖"),
        ("n! \\approx 2^n", "n! ≈ 2^{n}"),
        ("\\begin{pmatrix}1 & 2\\\\3 & 4\\end{pmatrix}", "(1, 2; 3, 4)"),
        (
            "A = \\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}",
            "A = [a, b; c, d]",
        ),
        (
            "\\lfloor x \\rfloor \\implies \\lim_{\\text{all } n}",
            "⎣x⎦ ⇒ lim_{all\u{a0}n}",
        ),
        ("\\binom{n}{k}", "C(n, k)"),
        ("P(A \\mid B) = 5\\%", "P(A ∣ B) = 5%"),
        ("", ""),
    ];
    for (source, expected) in cases {
        assert_eq!(shown(source, false), expected, "{source}");
    }
}

#[test]
fn a_formula_that_stands_for_itself_has_lines() {
    let cases = [
        (
            "\\begin{aligned} a &= b + c \\\\ &= d \\end{aligned}",
            "a = b + c\n= d",
        ),
        (
            "f(x) = \\begin{cases} 1 & x > 0 \\\\ 0 & \\text{else} \\end{cases}",
            "f(x) = { 1  x > 0\n     0  else",
        ),
        ("x = 1 \\\\\ny = 2", "x = 1\ny = 2"),
    ];
    for (source, expected) in cases {
        assert_eq!(shown(source, true), expected, "{source}");
    }
}

#[test]
fn what_is_not_known_stays_source() {
    let cases = [
        ("\\foo{x}{y} + 1", "\\foo{x}{y} + 1"),
        ("\\fra", "\\fra"),
        ("\\frac{a", "a/"),
        ("}x", "}x"),
        ("\\end{x}", "\\end{x}"),
        ("\\", "\\"),
    ];
    for (source, expected) in cases {
        assert_eq!(shown(source, false), expected, "{source}");
    }
}

#[test]
fn letters_are_italic_and_names_are_not() {
    let spans = typeset("\\sin x + \\mathbf{v}", false).spans;
    let looks: Vec<_> = spans
        .iter()
        .map(|span| (span.text.as_str(), span.look.italic, span.look.bold))
        .collect();
    assert_eq!(
        looks,
        [
            ("sin ", false, false),
            ("x", true, false),
            (" + ", false, false),
            ("v", false, true)
        ]
    );
}

proptest::proptest! {
    #[test]
    fn no_formula_is_too_odd(source in r"([a-z0-9 +=^_{}&|(),.]|\\\\|\\frac|\\sqrt\[|\\left|\\right|\\begin\{cases\}|\\end\{cases\}|\\text|\\x|é){0,40}") {
        typeset(&source, true);
        typeset(&"{".repeat(2_000), false);
        typeset(&"\\frac".repeat(500), false);
    }
}
