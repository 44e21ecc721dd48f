//! Messages that wait for the answer to end, above the composer.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::queue::QueuedId;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::button::*;
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

    pub Queue = {{Queue}} {
        width: Fill, height: Fit
        visible: false
        padding: { bottom: 8 }
        <Surface> {
            width: Fill, height: Fit
            padding: { left: 14, right: 8, top: 6, bottom: 6 }
            list = <PortalList> {
                width: Fill, height: 32, flow: Down
                drag_scrolling: false
                scroll_bar: { bar_size: 0.0 }
                Message = <View> {
                    width: Fill, height: 32, flow: Right
                    spacing: 8, align: { y: 0.5 }
                    <Glyph> { draw_icon: { svg_path: (ICON_CLOCK) } }
                    text = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
                    files = <Caption> { max_width: 200.0 }
                    edit = <IconButton> { tip: (TEXT_EDIT), draw_icon: { svg_path: (ICON_EDIT) } }
                    remove = <IconButton> { tip: (TEXT_QUEUE_REMOVE), draw_icon: { svg_path: (ICON_CLOSE) } }
                }
            }
        }
    }
}

/// Height of a row and most rows at once; the others are scrolled to.
const ROW: f64 = 32.0;
const MOST: usize = 4;
/// The buttons of a row.
const BUTTONS: [&[LiveId; 1]; 2] = [id!(edit), id!(remove)];

/// The messages that wait.
#[derive(Live, LiveHook, Widget)]
pub struct Queue {
    #[deref]
    view: View,
    /// Messages in view with their rows.
    #[rust]
    drawn: Vec<(QueuedId, WidgetRef)>,
}

impl Widget for Queue {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        for (queued, row) in &self.drawn {
            if row.push_button(id!(edit)).clicked(actions) {
                cx.action(Msg::EditQueued(*queued));
            }
            if row.push_button(id!(remove)).clicked(actions) {
                cx.action(Msg::RemoveQueued(*queued));
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.drawn.clear();
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let queue = state.composer().queue;
        let height = queue.len().clamp(1, MOST) as f64 * ROW;
        self.view
            .portal_list(id!(list))
            .apply_over(cx, live! { height: (height) });
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, queue.len());
            while let Some(index) = list.next_visible_item(cx) {
                let Some(queued) = queue.get(index) else { continue };
                let row = list.item(cx, index, live_id!(Message));
                row.text_line(id!(text)).set_text(cx, &queued.message.text);
                let files = queued.message.files.iter().map(|file| file.name.as_str());
                let files: Vec<_> = files.collect();
                row.text_line(id!(files)).set_text(cx, &files.join(", "));
                self.drawn.push((queued.id, row.clone()));
                row.draw_all(cx, &mut Scope::empty());
            }
        }
        DrawStep::done()
    }
}

impl QueueRef {
    /// Where Tab stops: the buttons of each row.
    pub(crate) fn stops(&self) -> Vec<WidgetRef> {
        let Some(queue) = self.borrow() else {
            return Vec::new();
        };
        let buttons = |(_, row): &(QueuedId, WidgetRef)| BUTTONS.map(|button| row.widget(button));
        queue.drawn.iter().flat_map(buttons).collect()
    }
}

#[cfg(feature = "probe")]
impl QueueRef {
    /// The rows in view with their names, as tests see them.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(queue) = self.borrow().filter(|queue| queue.view.visible()) else {
            return Vec::new();
        };
        let rows = queue.drawn.iter().enumerate().flat_map(|(index, (_, row))| {
            [
                ("text", id!(text)),
                ("files", id!(files)),
                ("edit", id!(edit)),
                ("remove", id!(remove)),
            ]
            .map(|(part, path)| Element {
                name: format!("queue.{part}.{index}"),
                widget: row.widget(path),
                text: None,
                part: None,
            })
        });
        rows.collect()
    }
}
