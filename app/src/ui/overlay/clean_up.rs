//! The dialog of files that are of no use any more: which there are, whose, and which are to go.

use makepad_widgets::*;

use super::scrim::pressed_beside;
use crate::msg::Msg;
use crate::msg::my_models::MyModelsMsg;
use crate::state::AppState;
use crate::state::overlay::Overlay;
use crate::ui::widget::button::*;
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
    use crate::ui::widget::button::*;
    use crate::ui::widget::row::*;
    use crate::ui::overlay::scrim::*;
    use crate::ui::overlay::confirm::*;

    Box16 = <Surface> {
        width: 16, height: 16
        draw_bg: { color: (COLOR_CANVAS), line: (COLOR_LINE_CONTROL), radius: 4.0 }
    }
    LeftoverLine = <MenuRow> {
        height: 52
        <View> {
            width: 16, height: 16, flow: Overlay
            empty = <Box16> {}
            full = <Box16> {
                visible: false
                align: { x: 0.5, y: 0.5 }
                draw_bg: { color: (COLOR_ACCENT), line: (COLOR_ACCENT) }
                <Glyph> {
                    icon_walk: { width: 12, height: 12 }
                    draw_icon: { color: (COLOR_ON_ACCENT), svg_path: (ICON_CHECK) }
                }
            }
        }
        <View> {
            width: Fill, height: Fit, flow: Down
            path = <TextLine> {
                width: Fill, cut_middle: true, line: 18.0
                draw_text: { text_style: <FONT_CODE_SMALL> {} }
            }
            reason = <Caption> { width: Fill, line: 18.0 }
        }
        size = <TextLine> {}
    }
    pub CleanUp = {{CleanUp}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5, y: 0.44 }
        scrim = <Scrim> {}
        card = <Card> {
            width: 672, height: Fit
            <Surface> {
                width: Fill, height: Fit, flow: Down
                padding: 25, spacing: 8
                draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 16.0 }
                title = <Heading> { width: Fill, text: (TEXT_CLEAN_UP_TITLE) }
                words = <TextBlock> {}
                place = <View> {
                    width: Fill, height: 0
                    margin: { left: -8, right: -8 }
                    leftovers = <PortalList> {
                        width: Fill, height: Fill, flow: Down
                        drag_scrolling: false
                        scroll_bar: { bar_size: 0.0 }
                        Line = <LeftoverLine> {}
                    }
                }
                <View> {
                    width: Fill, height: Fit, flow: Right
                    margin: { top: 12 }, spacing: 8, align: { x: 1.0 }
                    clip_x: false, clip_y: false
                    cancel = <OverlayButton> { text: (TEXT_CLOSE) }
                    remove = <DangerButton> {}
                }
            }
        }
    }
}

/// Height of a row, and the most that all take together, in pixels.
const ROW: f64 = 52.0;
const HIGHEST: f64 = 6.0 * ROW;
/// What stays free above and below the rows, in pixels.
const AROUND: f64 = 260.0;

/// The dialog.
#[derive(Live, LiveHook, Widget)]
pub struct CleanUp {
    #[deref]
    view: View,
    /// Rows in view with their places.
    #[rust]
    drawn: Vec<(usize, WidgetRef)>,
}

impl Widget for CleanUp {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (index, row) in &self.drawn {
                if row.as_row().clicked(actions) {
                    cx.action(Msg::MyModels(MyModelsMsg::TickLeftover(*index)));
                }
            }
            if self.view.push_button(id!(cancel)).clicked(actions) {
                cx.action(Msg::CloseOverlay);
            }
            if self.view.push_button(id!(remove)).clicked(actions) {
                cx.action(Msg::MyModels(MyModelsMsg::CleanUp));
            }
        }
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.drawn.clear();
        let state = scope.data.get::<AppState>();
        let Some((state, dialog)) = state.and_then(|state| match &state.overlay {
            Some(Overlay::CleanUp(dialog)) => Some((state, dialog)),
            _ => None,
        }) else {
            return self.view.draw_walk(cx, scope, walk);
        };
        let rows = state.leftover_rows(dialog);
        let most = (cx.peek_walk_turtle(walk).size.y - AROUND).clamp(ROW, HIGHEST);
        let height = (rows.len() as f64 * ROW).min(most);
        self.view
            .widget(id!(place))
            .apply_over(cx, live! { height: (height) });
        self.view
            .label(id!(words))
            .set_text(cx, &state.clean_up_words(dialog));
        let button = state.clean_up_button(dialog);
        let remove = self.view.push_button(id!(remove));
        remove.set_visible(cx, !rows.is_empty());
        remove.set_disabled(cx, button.is_none());
        remove.set_text(cx, &button.unwrap_or_else(|| state.clean_up_nothing()));
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, rows.len());
            while let Some(index) = list.next_visible_item(cx) {
                let Some(leftover) = rows.get(index) else { continue };
                let row = list.item(cx, index, live_id!(Line));
                row.text_line(id!(path)).set_text(cx, &leftover.path);
                row.text_line(id!(reason)).set_text(cx, &leftover.reason);
                row.text_line(id!(size)).set_text(cx, &leftover.size);
                row.widget(id!(empty)).set_visible(cx, !leftover.ticked);
                row.widget(id!(full)).set_visible(cx, leftover.ticked);
                row.draw_all(cx, &mut Scope::empty());
                self.drawn.push((index, row));
            }
        }
        DrawStep::done()
    }
}

impl CleanUpRef {
    /// Where Tab stops: the rows in view, then the buttons.
    pub(crate) fn stops(&self) -> Vec<WidgetRef> {
        let Some(dialog) = self.borrow() else {
            return Vec::new();
        };
        let rows = dialog.drawn.iter().map(|(_, row)| row.clone());
        let buttons = [id!(cancel), id!(remove)].map(|button| dialog.view.widget(button));
        rows.chain(buttons).collect()
    }

    /// The rows in view with their places.
    #[cfg(feature = "probe")]
    pub(crate) fn rows(&self) -> Vec<(usize, WidgetRef)> {
        self.borrow().map_or_else(Vec::new, |dialog| dialog.drawn.clone())
    }
}
