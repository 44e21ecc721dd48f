//! A menu of what can be done with something, where it was opened.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::{Menu as State, MenuItem, Place, Then};
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::glyph::*;
use crate::ui::widget::row::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::glyph::*;
    use crate::ui::widget::row::*;

    ItemRow = <MenuRow> {
        glyph = <AnyGlyph> {}
        label = <TextLine> { width: Fill }
        keys = <Caption> {}
        opens = <View> {
            width: Fit, height: Fit
            <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_RIGHT) } }
        }
    }
    pub Menu = {{Menu}} {
        width: Fill, height: Fill
        visible: false
        card = <Card> {
            width: 232, height: Fit
            <Surface> {
                width: Fill, height: Fit, flow: Down
                padding: 7
                draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE) }
                list = <PortalList> {
                    width: Fill, height: 100, flow: Down
                    drag_scrolling: false
                    scroll_bar: { bar_size: 0.0 }
                    Item = <ItemRow> {}
                    Danger = <ItemRow> {
                        glyph = { draw_icon: { color: (COLOR_BAD) } }
                        label = { draw_text: { color: (COLOR_BAD) } }
                    }
                    Line = <View> {
                        width: Fill, height: 13
                        padding: { top: 6 }
                        <LineH> { draw_bg: { color: (COLOR_OVERLAY_LINE) } }
                    }
                }
            }
        }
    }
}

/// Width of the menu and of what is around its items, in pixels.
const WIDTH: f64 = 232.0;
const AROUND: f64 = 14.0;
/// Heights of the rows as they are designed above, and the most the items take, in pixels.
const ITEM: f64 = 32.0;
const LINE: f64 = 13.0;
const HIGHEST: f64 = 400.0;
/// Least distance from the window's edge, in pixels.
const EDGE: f64 = 8.0;

/// A menu.
#[derive(Live, LiveHook, Widget)]
pub struct Menu {
    #[deref]
    view: View,
    /// Items in view with their rows.
    #[rust]
    drawn: Vec<(usize, WidgetRef)>,
    /// What the menu shown last was, to notice another one.
    #[rust]
    shown: Option<State>,
}

impl Widget for Menu {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (index, item) in &self.drawn {
                if item.as_row().clicked(actions) {
                    cx.action(Msg::TakeItem(*index));
                }
            }
        }
        // Lies over the whole window: a press beside it closes it and reaches nothing else.
        if let Hit::FingerDown(finger) = event.hits(cx, self.view.area())
            && !self.view.widget(id!(card)).area().rect(cx).contains(finger.abs)
        {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let state = scope.data.get::<AppState>();
        let Some((state, Overlay::Menu(menu))) =
            state.and_then(|state| Some((state, state.overlay.as_ref()?)))
        else {
            return DrawStep::done();
        };
        let items = state.menu_items(menu.of);
        let rows = rows(&items);
        let height = rows.iter().map(height_of).sum::<f64>().min(HIGHEST);
        let list = self.view.portal_list(id!(list));
        list.apply_over(cx, live! { height: (height) });
        if self.shown.as_ref().is_none_or(|shown| shown.of != menu.of) {
            list.set_first_id_and_scroll(0, 0.0);
        }
        self.shown = Some(menu.clone());
        let window = cx.peek_walk_turtle(walk).size;
        let at = placed(menu.at, height + AROUND, window);
        self.view
            .apply_over(cx, live! { padding: { left: (at.x), top: (at.y) } });
        self.drawn.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, rows.len());
            while let Some(index) = list.next_visible_item(cx) {
                let item = match rows.get(index) {
                    Some(MenuEntry::Line) => list.item(cx, index, live_id!(Line)),
                    Some(MenuEntry::Item(number, item)) => {
                        let template = if item.danger {
                            live_id!(Danger)
                        } else {
                            live_id!(Item)
                        };
                        let row = list.item(cx, index, template);
                        fill(cx, &row, item, menu.chosen == Some(*number));
                        self.drawn.push((*number, row.clone()));
                        row
                    }
                    None => continue,
                };
                item.draw_all(cx, &mut Scope::empty());
            }
        }
        DrawStep::done()
    }
}

/// A row of the menu.
enum MenuEntry<'a> {
    /// A line between items.
    Line,
    /// An item with its number.
    Item(usize, &'a MenuItem),
}

fn rows(items: &[MenuItem]) -> Vec<MenuEntry<'_>> {
    let mut rows = Vec::with_capacity(items.len() + 2);
    for (index, item) in items.iter().enumerate() {
        rows.extend((item.apart && index > 0).then_some(MenuEntry::Line));
        rows.push(MenuEntry::Item(index, item));
    }
    rows
}

fn height_of(row: &MenuEntry<'_>) -> f64 {
    match row {
        MenuEntry::Line => LINE,
        MenuEntry::Item(..) => ITEM,
    }
}

fn fill(cx: &mut Cx, row: &WidgetRef, item: &MenuItem, chosen: bool) {
    row.any_glyph(id!(glyph)).set(item.glyph);
    row.text_line(id!(label)).set_text(cx, &item.label);
    row.text_line(id!(keys)).set_text(cx, &item.keys);
    // A line without a text has no width for what stands behind it.
    row.widget(id!(keys)).set_visible(cx, !item.keys.is_empty());
    row.widget(id!(opens))
        .set_visible(cx, matches!(item.then, Then::Open(_)));
    row.as_row().set_on(cx, chosen);
}

/// Where the menu stands: where it was opened, or as near as it fits into the window.
fn placed(at: Place, height: f64, window: DVec2) -> DVec2 {
    let x = at.x.min(window.x - WIDTH - EDGE).max(EDGE);
    let y = at.y.min(window.y - height - EDGE).max(EDGE);
    dvec2(x.floor(), y.floor())
}

#[cfg(feature = "probe")]
impl MenuRef {
    /// The items in view with their names, as tests see them.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(menu) = self.borrow().filter(|menu| menu.view.visible()) else {
            return Vec::new();
        };
        let items = menu.drawn.iter().map(|(index, row)| Element {
            name: format!("menu.item.{index}"),
            widget: row.clone(),
            text: Some(row.text_line(id!(label)).text()),
            part: None,
        });
        items.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_menu_stays_inside_the_window() {
        let window = dvec2(1280.0, 800.0);
        let cases = [
            ((100.0, 200.0), (100.0, 200.0)),
            ((1270.0, 200.0), (1040.0, 200.0)),
            ((100.0, 790.0), (100.0, 592.0)),
            ((-5.0, -5.0), (8.0, 8.0)),
        ];
        for ((x, y), expected) in cases {
            let placed = placed(Place { x, y }, 200.0, window);
            assert_eq!((placed.x, placed.y), expected);
        }
    }
}
