//! Type: the styles of the interface, the messages and the code.
//!
//! Sizes are points, three quarters of a pixel each; those that can be chosen stand in `text_size`.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use crate::ui::text_size::*;

    // The stock italics have no emoji.
    FONT_ITALIC = {
        font_family: {
            latin = font("crate://makepad_widgets/resources/IBMPlexSans-Italic.ttf", -0.1, 0.0)
            chinese = font(
                "crate://makepad_fonts_chinese_regular/resources/LXGWWenKaiRegular.ttf",
                "crate://makepad_fonts_chinese_regular_2/resources/LXGWWenKaiRegular.ttf.2",
                0.0,
                0.0
            )
            emoji = font("crate://makepad_fonts_emoji/resources/NotoColorEmoji.ttf", 0.0, 0.0)
        }
    }
    FONT_BOLD_ITALIC = {
        font_family: {
            latin = font("crate://makepad_widgets/resources/IBMPlexSans-BoldItalic.ttf", -0.1, 0.0)
            chinese = font(
                "crate://makepad_fonts_chinese_bold/resources/LXGWWenKaiBold.ttf",
                "crate://makepad_fonts_chinese_bold_2/resources/LXGWWenKaiBold.ttf.2",
                0.0,
                0.0
            )
            emoji = font("crate://makepad_fonts_emoji/resources/NotoColorEmoji.ttf", 0.0, 0.0)
        }
    }

    pub FONT_DISPLAY = <THEME_FONT_BOLD> { font_size: 19.5, line_spacing: 1.15 }
    pub FONT_TITLE = <THEME_FONT_BOLD> { font_size: 14.25, line_spacing: 1.25 }
    pub FONT_HEADING = <THEME_FONT_BOLD> { font_size: 12.0, line_spacing: 1.25 }
    pub FONT_MESSAGE = <THEME_FONT_REGULAR> { font_size: (SIZE_MESSAGE), line_spacing: 1.31 }
    pub FONT_MESSAGE_BOLD = <THEME_FONT_BOLD> { font_size: (SIZE_MESSAGE), line_spacing: 1.31 }
    pub FONT_MESSAGE_ITALIC = <FONT_ITALIC> { font_size: (SIZE_MESSAGE), line_spacing: 1.31 }
    pub FONT_MESSAGE_BOLD_ITALIC = <FONT_BOLD_ITALIC> { font_size: (SIZE_MESSAGE), line_spacing: 1.31 }
    pub FONT_RAISED = <THEME_FONT_REGULAR> { font_size: (SIZE_RAISED), line_spacing: 1.31 }
    pub FONT_FORMULA = <THEME_FONT_REGULAR> { font_size: (SIZE_FORMULA), line_spacing: 1.31 }
    pub FONT_FORMULA_BOLD = <THEME_FONT_BOLD> { font_size: (SIZE_FORMULA), line_spacing: 1.31 }
    pub FONT_FORMULA_ITALIC = <FONT_ITALIC> { font_size: (SIZE_FORMULA), line_spacing: 1.31 }
    pub FONT_FORMULA_RAISED = <THEME_FONT_REGULAR> { font_size: (SIZE_FORMULA_RAISED), line_spacing: 1.31 }
    pub FONT_CELL = <THEME_FONT_REGULAR> { font_size: (SIZE_CELL), line_spacing: 1.28 }
    pub FONT_CELL_BOLD = <THEME_FONT_BOLD> { font_size: (SIZE_CELL), line_spacing: 1.28 }
    pub FONT_CELL_ITALIC = <FONT_ITALIC> { font_size: (SIZE_CELL), line_spacing: 1.28 }
    pub FONT_CELL_HEAD = <THEME_FONT_BOLD> { font_size: (SIZE_CELL_HEAD), line_spacing: 1.11 }
    pub FONT_LABEL = <THEME_FONT_BOLD> { font_size: 9.75, line_spacing: 1.28 }
    pub FONT_BODY = <THEME_FONT_REGULAR> { font_size: 9.75, line_spacing: 1.28 }
    pub FONT_BODY_ITALIC = <FONT_ITALIC> { font_size: 9.75, line_spacing: 1.28 }
    pub FONT_SMALL = <THEME_FONT_REGULAR> { font_size: 9.0, line_spacing: 1.11 }
    pub FONT_SMALL_BOLD = <THEME_FONT_BOLD> { font_size: 9.0, line_spacing: 1.11 }
    pub FONT_MICRO = <THEME_FONT_REGULAR> { font_size: 8.25, line_spacing: 1.21 }
    pub FONT_MICRO_BOLD = <THEME_FONT_BOLD> { font_size: 8.25, line_spacing: 1.21 }
    pub FONT_COUNT = <THEME_FONT_BOLD> { font_size: 7.5, line_spacing: 1.2 }

    // Code has Chinese and emoji behind its Latin face; the stock code font shows boxes for them.
    FONT_MONO = {
        font_family: {
            latin = font("crate://makepad_widgets/resources/LiberationMono-Regular.ttf", 0.0, 0.0)
            chinese = font(
                "crate://makepad_fonts_chinese_regular/resources/LXGWWenKaiRegular.ttf",
                "crate://makepad_fonts_chinese_regular_2/resources/LXGWWenKaiRegular.ttf.2",
                0.0,
                0.0
            )
            emoji = font("crate://makepad_fonts_emoji/resources/NotoColorEmoji.ttf", 0.0, 0.0)
        }
    }
    pub FONT_CODE = <FONT_MONO> { font_size: 9.75, line_spacing: 1.36 }
    pub FONT_CODE_SMALL = <FONT_MONO> { font_size: 9.0, line_spacing: 1.32 }
    pub FONT_CODE_MICRO = <FONT_MONO> { font_size: 8.25, line_spacing: 1.28 }
    pub FONT_MESSAGE_CODE = <FONT_MONO> { font_size: (SIZE_MESSAGE_CODE), line_spacing: 1.32 }
    pub FONT_BLOCK_CODE = <FONT_MONO> { font_size: (SIZE_BLOCK_CODE), line_spacing: 1.36 }
    pub FONT_CELL_CODE = <FONT_MONO> { font_size: (SIZE_CELL_CODE), line_spacing: 1.28 }
}
