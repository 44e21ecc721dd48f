//! Where a line of text may end (a small part of Unicode's line breaking, UAX 14). Pure.

/// What no line begins with.
const CLOSING: &str = "、。，．：；！？…）」』】〕》〉ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]}%”’";
/// What no line ends with.
const OPENING: &str = "（「『【〔《〈([{“‘";

/// Whether a line may end between these two.
pub(crate) fn may_break(before: char, after: char) -> bool {
    if is_space(after) || joins(after) || before == ZERO_WIDTH_JOINER {
        return false;
    }
    is_space(before)
        || (before == '-' && after.is_alphabetic())
        || ((is_ideograph(before) || is_ideograph(after))
            && !CLOSING.contains(after)
            && !OPENING.contains(before))
}

/// Makes one sign of two.
pub(crate) const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Whether a character belongs to the sign before it.
pub(crate) fn joins(it: char) -> bool {
    matches!(it,
        ZERO_WIDTH_JOINER
        | '\u{300}'..='\u{36f}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{3099}' | '\u{309a}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Scripts that are written without spaces between words.
fn is_ideograph(it: char) -> bool {
    matches!(it,
        '\u{2e80}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}')
}

/// White space where a line may end; the space that does not break is none.
pub(crate) fn is_space(it: char) -> bool {
    it.is_whitespace() && it != '\u{a0}' && it != '\u{202f}'
}
