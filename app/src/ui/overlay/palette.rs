//! The command palette.

use makepad_widgets::*;

use super::scrim::pressed_beside;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::overlay::Overlay;
use crate::state::overlay::palette::{PaletteEntry, PaletteRow};
use crate::text::{Texts, say};
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::field::*;
use crate::ui::widget::glyph::*;
use crate::ui::widget::one_line::*;
use crate::ui::widget::reveal::reveal;
use crate::ui::widget::row::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::glyph::*;
    use crate::ui::widget::one_line::*;
    use crate::ui::widget::row::*;
    use crate::ui::overlay::scrim::*;

    KeyCap = <Surface> {
        width: Fit, height: 20
        padding: { left: 6, right: 6 }, align: { y: 0.5 }
        draw_bg: { color: (COLOR_OVERLAY_TAG), line: (COLOR_OVERLAY_LINE), radius: 5.0 }
        label = <Micro> { draw_text: { color: (COLOR_TEXT_2) } }
    }
    pub Palette = {{Palette}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5 }
        scrim = <Scrim> {}
        place = <View> {
            width: Fit, height: Fit, padding: { top: 112 }
            card = <Card> {
                width: 640, height: Fit
                <Surface> {
                    width: Fill, height: Fit, flow: Down
                    padding: 1
                    draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 16.0 }
                    <View> {
                        width: Fill, height: 56, flow: Right
                        padding: { left: 22, right: 20 }, spacing: 14, align: { y: 0.5 }
                        <Glyph18> { draw_icon: { svg_path: (ICON_SEARCH) } }
                        words = <BareLine> {
                            height: 24
                            scroll = { input = {
                                empty_text: (TEXT_PALETTE_EMPTY)
                                draw_text: { text_style: <THEME_FONT_REGULAR> { font_size: 12.0, line_spacing: 1.25 } }
                            } }
                            ruler = {
                                draw_text: { text_style: <THEME_FONT_REGULAR> { font_size: 12.0, line_spacing: 1.25 } }
                            }
                        }
                        <KeyCap> { label = { text: (TEXT_KEY_ESCAPE) } }
                    }
                    <LineH> { draw_bg: { color: (COLOR_OVERLAY_LINE) } }
                    list = <PortalList> {
                        width: Fill, height: 100, flow: Down
                        padding: { left: 8, right: 8 }
                        drag_scrolling: false
                        scroll_bar: { bar_size: 0.0 }
                        Group = <View> {
                            width: Fill, height: 32
                            padding: { left: 12, top: 12 }
                            label = <GroupTitle> {}
                        }
                        Entry = <MenuRow> {
                            height: 40, spacing: 12
                            draw_bg: { radius: 8.0 }
                            glyph = <AnyGlyph> {}
                            label = <TextLine> { max_width: 400.0 }
                            detail = <Caption> { width: Fill }
                            keys = <KeyCap> {}
                        }
                        Chosen = <MenuRow> {
                            height: 40, spacing: 12
                            draw_bg: { radius: 8.0 }
                            glyph = <AnyGlyph> { draw_icon: { color: (COLOR_ACCENT_TEXT) } }
                            label = <TextLine> { max_width: 400.0 }
                            detail = <Caption> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
                            keys = <KeyCap> {}
                        }
                        Nothing = <View> {
                            width: Fill, height: 64
                            padding: { left: 12 }, align: { y: 0.5 }
                            <TextLine> { text: (TEXT_PALETTE_NOTHING), draw_text: { color: (COLOR_TEXT_2) } }
                        }
                        End = <View> { width: Fill, height: 8 }
                    }
                    <LineH> { draw_bg: { color: (COLOR_OVERLAY_LINE) } }
                    <View> {
                        width: Fill, height: 40, flow: Right
                        padding: { left: 20, right: 20 }, spacing: 16, align: { y: 0.5 }
                        <Small> { text: (TEXT_PALETTE_MOVE) }
                        <Small> { text: (TEXT_PALETTE_RUN) }
                        <Spacer> {}
                        <Small> { text: (TEXT_PALETTE_SIGNS) }
                    }
                }
            }
        }
    }
}

/// Heights of the rows as they are designed above, and the most they take, in pixels.
const GROUP: f64 = 32.0;
const ENTRY: f64 = 40.0;
const NOTHING: f64 = 64.0;
const END: f64 = 8.0;
const HIGHEST: f64 = 386.0;
/// Widest the card becomes, and what stays free beside it, in pixels.
const WIDEST: f64 = 640.0;
const BESIDE: f64 = 32.0;
/// Above the list and below it, in pixels.
const AROUND: f64 = 112.0 + 56.0 + 40.0 + 24.0;

/// The palette.
#[derive(Live, LiveHook, Widget)]
pub struct Palette {
    #[deref]
    view: View,
    /// Entries in view with their rows.
    #[rust]
    drawn: Vec<(usize, WidgetRef)>,
    /// What was chosen when it was drawn last, so that another one comes into view.
    #[rust]
    chosen: Option<usize>,
}

impl Widget for Palette {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            self.chosen = None;
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            if let FieldAction::Changed(words) = self.view.one_line(id!(words)).action(actions) {
                cx.action(Msg::PaletteChanged(words));
            }
            for (index, row) in &self.drawn {
                if row.as_row().clicked(actions) {
                    cx.action(Msg::TakeItem(*index));
                }
            }
        }
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let state = scope.data.get::<AppState>();
        let Some((state, Overlay::Palette(palette))) =
            state.and_then(|state| Some((state, state.overlay.as_ref()?)))
        else {
            return DrawStep::done();
        };
        let rows = state.palette_rows(palette);
        self.view.one_line(id!(words)).set_text(cx, &palette.words);
        let width = (cx.peek_walk_turtle(walk).size.x - BESIDE).min(WIDEST);
        self.view
            .widget(id!(card))
            .apply_over(cx, live! { width: (width) });
        let highest = HIGHEST.min(cx.peek_walk_turtle(walk).size.y - AROUND).max(ENTRY);
        let height = (rows.iter().map(height_of).sum::<f64>() + END).min(highest);
        let list = self.view.portal_list(id!(list));
        list.apply_over(cx, live! { height: (height) });
        if self.chosen != Some(palette.chosen) {
            self.chosen = Some(palette.chosen);
            // The title of the first group comes into view with its first entry.
            if palette.chosen == 0 {
                list.set_first_id_and_scroll(0, 0.0);
            } else if let Some(row) = row_of(&rows, palette.chosen) {
                reveal(cx, &list, row, |row| rows.get(row).map_or(END, height_of));
            }
        }
        self.drawn.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, rows.len() + 1);
            while let Some(index) = list.next_visible_item(cx) {
                let item = match rows.get(index) {
                    Some(PaletteRow::Group(title)) => {
                        let item = list.item(cx, index, live_id!(Group));
                        item.text_line(id!(label)).set_text(cx, title);
                        item
                    }
                    Some(PaletteRow::Entry(entry)) => {
                        let number = number_of(&rows, index);
                        let chosen = number == palette.chosen;
                        let template = if chosen { live_id!(Chosen) } else { live_id!(Entry) };
                        let row = list.item(cx, index, template);
                        fill(cx, &row, entry, chosen, state.texts());
                        self.drawn.push((number, row.clone()));
                        row
                    }
                    Some(PaletteRow::Nothing) => list.item(cx, index, live_id!(Nothing)),
                    None if index == rows.len() => list.item(cx, index, live_id!(End)),
                    None => continue,
                };
                item.draw_all(cx, &mut Scope::empty());
            }
        }
        DrawStep::done()
    }
}

fn is_entry(row: &&PaletteRow) -> bool {
    matches!(row, PaletteRow::Entry(_))
}

/// The number among the entries of the one in this row.
fn number_of(rows: &[PaletteRow], row: usize) -> usize {
    rows[..row].iter().filter(is_entry).count()
}

/// The row of the entry with this number.
fn row_of(rows: &[PaletteRow], number: usize) -> Option<usize> {
    let mut entries = rows.iter().enumerate().filter(|(_, row)| is_entry(row));
    entries.nth(number).map(|(row, _)| row)
}

fn height_of(row: &PaletteRow) -> f64 {
    match row {
        PaletteRow::Group(_) => GROUP,
        PaletteRow::Entry(_) => ENTRY,
        PaletteRow::Nothing => NOTHING,
    }
}

fn fill(cx: &mut Cx, row: &WidgetRef, entry: &PaletteEntry, chosen: bool, texts: &Texts) {
    let keys = if chosen && entry.keys.is_empty() {
        &say!(texts, "key-enter")
    } else {
        &entry.keys
    };
    row.any_glyph(id!(glyph)).set(entry.glyph);
    row.text_line(id!(label)).set_text(cx, &entry.label);
    row.text_line(id!(detail)).set_text(cx, &entry.detail);
    row.widget(id!(keys)).set_visible(cx, !keys.is_empty());
    row.text_line(id!(keys.label)).set_text(cx, keys);
    row.as_row().set_on(cx, chosen);
}

#[cfg(feature = "probe")]
impl PaletteRef {
    /// The entries in view with their names, as tests see them.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(palette) = self.borrow().filter(|palette| palette.view.visible()) else {
            return Vec::new();
        };
        let entries = palette.drawn.iter().map(|(index, row)| Element {
            name: format!("palette.entry.{index}"),
            widget: row.clone(),
            text: Some(row.text_line(id!(label)).text()),
            part: None,
        });
        entries.collect()
    }
}
