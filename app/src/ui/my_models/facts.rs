//! The long lists of the panel: all metadata of a file, and its tensors. Only the rows in view are drawn.

use makepad_widgets::*;

use super::kit::tell;
use crate::msg::my_models::MyModelsMsg;
use crate::state::my_models::details::{Part, shown_value};
use crate::state::{AppState, format};
use crate::ui::widget::row::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::row::*;

    FactRow = <Row> {
        height: 48, padding: { left: 16, right: 16 }
        draw_bg: { radius: 0.0 }
        <View> {
            width: Fill, height: Fit, flow: Down
            name = <Caption> { width: Fill, cut_middle: true, draw_text: { text_style: <FONT_CODE_SMALL> {} } }
            value = <TextLine> { width: Fill }
        }
    }
    pub FactList = {{FactList}} {
        visible: false
        width: Fill, height: Fill
        facts = <PortalList> {
            width: Fill, height: Fill, flow: Down
            drag_scrolling: false
            scroll_bar: { bar_size: 0.0 }
            Fact = <FactRow> {}
            Tensor = <FactRow> { cursor: Default, draw_bg: { color_hover: (COLOR_NONE), color_down: (COLOR_NONE) } }
        }
    }
}

/// One of the lists.
#[derive(Live, LiveHook, Widget)]
pub struct FactList {
    #[deref]
    view: View,
    /// Rows in view with their places.
    #[rust]
    drawn: Vec<(usize, WidgetRef)>,
    /// The file and the part that were drawn last: another one is shown from its beginning.
    #[rust]
    shown: Option<(hearth_protocol::FileId, Part)>,
}

impl Widget for FactList {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        let is_metadata = matches!(self.shown, Some((_, Part::Metadata)));
        for (index, row) in &self.drawn {
            if is_metadata && row.as_row().clicked(actions) {
                tell(cx, MyModelsMsg::OpenValue(*index));
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.drawn.clear();
        let state = scope.data.get::<AppState>();
        let Some((state, details)) = state.and_then(|state| Some((state, state.my_models.details.as_ref()?)))
        else {
            return DrawStep::done();
        };
        let now = Some((details.file.clone(), details.part));
        if self.shown != now {
            self.shown = now;
            self.view.portal_list(id!(facts)).set_first_id_and_scroll(0, 0.0);
        }
        let count = details.inspection().map_or(0, |read| match details.part {
            Part::Tensors => read.tensors.len(),
            _ => read.metadata.len(),
        });
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, count);
            while let Some(index) = list.next_visible_item(cx) {
                let Some(read) = details.inspection() else {
                    continue;
                };
                let (template, name, value) = match details.part {
                    Part::Tensors => {
                        let Some(tensor) = read.tensors.get(index) else {
                            continue;
                        };
                        (
                            live_id!(Tensor),
                            tensor.name.as_str(),
                            tensor_words(state, tensor),
                        )
                    }
                    _ => {
                        let Some((name, value)) = read.metadata.get(index) else {
                            continue;
                        };
                        (live_id!(Fact), name.as_str(), shown_value(value).0)
                    }
                };
                let row = list.item(cx, index, template);
                row.text_line(id!(name)).set_text(cx, name);
                row.text_line(id!(value)).set_text(cx, &value);
                row.draw_all(cx, &mut Scope::empty());
                self.drawn.push((index, row));
            }
        }
        DrawStep::done()
    }
}

/// A tensor in one line: `Q4_K · 2048 × 49152 · 56.6 MB`.
fn tensor_words(state: &AppState, tensor: &hearth_protocol::library::Tensor) -> String {
    let shape: Vec<_> = tensor.shape.iter().map(ToString::to_string).collect();
    let mut parts = vec![tensor.kind.clone(), shape.join(" × ")];
    parts.extend(tensor.size.map(|size| format::size(state.texts(), size)));
    parts.join(" · ")
}

impl FactListRef {
    /// Where Tab stops: the rows in view that can be opened.
    pub(crate) fn stops(&self) -> Vec<WidgetRef> {
        let Some(list) = self.borrow() else {
            return Vec::new();
        };
        match list.shown {
            Some((_, Part::Metadata)) => list.drawn.iter().map(|(_, row)| row.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// The rows in view with their places.
    #[cfg(feature = "probe")]
    pub(crate) fn rows(&self) -> Vec<(usize, WidgetRef)> {
        self.borrow().map_or_else(Vec::new, |list| list.drawn.clone())
    }
}
