//! The files beside a message, one chip each: above the draft, where they can be taken away, and below what was sent.

use makepad_widgets::*;

use crate::state::composer::draft::FileMark;
use crate::state::format;
use crate::text::Texts;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::stack::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::stack::*;

    FileChip = <Surface> {
        width: Fit, height: 28, flow: Right
        padding: { left: 11, right: 13 }, spacing: 6, align: { y: 0.5 }
        clip_x: false, clip_y: false
        draw_bg: { color: (COLOR_NONE), line: (COLOR_LINE), radius: 14.0 }
        <Glyph14> { draw_icon: { svg_path: (ICON_FILE) } }
        // Two of them stand beside each other in the narrowest window.
        name = <Small> { max_width: 180.0, cut_middle: true }
        size = <Caption> {}
    }
    DraftChip = <FileChip> {
        padding: { left: 11, right: 3 }
        margin: { bottom: 6 }
        remove = <IconButton> {
            width: 22, height: 22
            icon_walk: { width: 12, height: 12 }
            tip: (TEXT_REMOVE_FILE), draw_bg: { radius: 11.0 }
            draw_icon: { svg_path: (ICON_CLOSE) }
        }
    }
    pub DraftFiles = <Stack> {
        flow: RightWrap, spacing: 6
        row: <DraftChip> {}
    }
    pub SentFiles = <Stack> {
        spacing: 6, align: { x: 1.0 }
        row: <FileChip> {}
    }
}

/// Shows these files.
pub(super) fn fill(cx: &mut Cx, texts: &Texts, chips: &WidgetRef, files: &[FileMark]) {
    chips.set_visible(cx, !files.is_empty());
    for (file, chip) in files.iter().zip(chips.as_stack().set_rows(cx, files.len())) {
        chip.text_line(id!(name)).set_text(cx, &file.name);
        chip.text_line(id!(size))
            .set_text(cx, &format::size(texts, file.size));
    }
}

/// Where Tab stops: the button of each chip that takes its file away.
pub(crate) fn stops(chips: &WidgetRef) -> Vec<WidgetRef> {
    let chips = chips.as_stack().rows().into_iter();
    chips.map(|chip| chip.widget(id!(remove))).collect()
}

/// The chips with their names, as tests see them.
#[cfg(feature = "probe")]
pub(crate) fn elements(chips: &StackRef, name: &str) -> Vec<Element> {
    let chips = chips.rows().into_iter().enumerate();
    let parts = chips.flat_map(|(index, chip)| {
        [("", id!(name)), (".size", id!(size)), (".remove", id!(remove))].map(|(part, path)| Element {
            name: format!("{name}.{index}{part}"),
            widget: chip.widget(path),
            text: None,
            part: None,
        })
    });
    parts.filter(|part| !part.widget.is_empty()).collect()
}
