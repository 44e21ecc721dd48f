//! The menu of models: what is in memory, what else is on this machine, and why a file cannot be used.

use hearth_protocol::{FileId, LoadedId};
use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::models::{PickerModel, PickerRow, PickerState};
use crate::text::{Texts, say};
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::shell;
use crate::ui::widget::button::*;
use crate::ui::widget::reveal::reveal;
use crate::ui::widget::row::*;
use crate::ui::widget::tag::*;
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
    use crate::ui::widget::row::*;
    use crate::ui::widget::tag::*;

    OverlayTag = <Tag> { draw_bg: { color: (COLOR_OVERLAY_TAG) } }
    ModelRow = <MenuRow> {
        height: 44
        padding: { left: 10, right: 10 }
        draw_bg: { radius: 8.0 }
        dot = <Dot> {}
        name = <Strong> { max_width: 220.0 }
        quant = <OverlayTag> {}
        detail = <Caption> { width: Fill, align_x: 1.0 }
        eject = <OverlayIconButton> {
            visible: false
            tip: (TEXT_EJECT), draw_icon: { svg_path: (ICON_EJECT) }
        }
    }
    pub Picker = {{Picker}} {
        width: Fill, height: Fill
        visible: false
        flow: Down, align: { x: 0.5 }, padding: { top: 48 }
        card = <Card> {
            width: 460, height: Fit
            <Surface> {
                width: Fill, height: Fit, flow: Down
                padding: 9
                draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE) }
                list = <PortalList> {
                    width: Fill, height: 100, flow: Down
                    drag_scrolling: false
                    scroll_bar: { bar_size: 0.0 }
                    Group = <View> {
                        width: Fill, height: 28
                        padding: { left: 10, top: 6 }
                        label = <GroupTitle> {}
                    }
                    Model = <ModelRow> {}
                    Damaged = <ModelRow> {
                        cursor: Default
                        name = { draw_text: { color: (COLOR_TEXT_2) } }
                        detail = { draw_text: { color: (COLOR_BAD) } }
                    }
                    Empty = <View> {
                        width: Fill, height: Fit, flow: Down
                        padding: { left: 10, right: 10, top: 8, bottom: 8 }, spacing: 2
                        <Strong> { text: (TEXT_PICKER_EMPTY_TITLE) }
                        <TextBlock> {
                            text: (TEXT_PICKER_EMPTY_TEXT)
                        }
                    }
                }
            }
        }
    }
}

/// Heights of the rows and the most the list takes, in pixels.
const GROUP: f64 = 28.0;
const MODEL: f64 = 44.0;
const EMPTY: f64 = 80.0;
const HIGHEST: f64 = 400.0;

/// The menu of models.
#[derive(Live, LiveHook, Widget)]
pub struct Picker {
    #[deref]
    view: View,
    /// Models in view with their rows.
    #[rust]
    drawn: Vec<(FileId, PickerState, WidgetRef)>,
    /// The model that the arrow keys have chosen.
    #[rust]
    chosen: Option<FileId>,
    /// Whether that model is to be brought into view.
    #[rust]
    reveals: bool,
}

impl Widget for Picker {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            self.chosen = None;
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            self.handle_actions(cx, actions);
        }
        // Lies over the whole window: a press beside the menu closes it and reaches nothing else.
        if let Hit::FingerDown(finger) = event.hits(cx, self.view.area())
            && !self.view.widget(id!(card)).area().rect(cx).contains(finger.abs)
        {
            cx.action(Msg::ClosePicker);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let rows = state.models.picker_rows();
        let height = if rows.is_empty() {
            EMPTY
        } else {
            rows.iter().map(height_of).sum::<f64>().min(HIGHEST)
        };
        let menu = self.view.portal_list(id!(list));
        menu.apply_over(cx, live! { height: (height) });
        let is_chosen = |row: &PickerRow| matches!(row, PickerRow::Model(model) if Some(&model.file) == self.chosen.as_ref());
        if std::mem::take(&mut self.reveals)
            && let Some(row) = rows.iter().position(is_chosen)
        {
            reveal(cx, &menu, row, |row| rows.get(row).map_or(0.0, height_of));
        }
        let width = cx.peek_walk_turtle(walk).size.x;
        let list = if shell::is_narrow(width - shell::RAIL) {
            0.0
        } else {
            shell::LIST
        };
        let left = shell::RAIL + list;
        self.view.apply_over(cx, live! { padding: { left: (left) } });
        self.drawn.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, rows.len().max(1));
            while let Some(index) = list.next_visible_item(cx) {
                let item = match rows.get(index) {
                    Some(PickerRow::Group(title)) => {
                        let item = list.item(cx, index, live_id!(Group));
                        item.text_line(id!(label))
                            .set_text(cx, &state.texts().say(*title, &[]));
                        item
                    }
                    Some(PickerRow::Model(model)) => self.model(cx, &mut list, index, model, state.texts()),
                    None if index == 0 => list.item(cx, index, live_id!(Empty)),
                    None => continue,
                };
                item.draw_all(cx, &mut Scope::empty());
            }
        }
        DrawStep::done()
    }
}

impl Picker {
    fn model(
        &mut self,
        cx: &mut Cx,
        list: &mut PortalList,
        index: usize,
        model: &PickerModel,
        texts: &Texts,
    ) -> WidgetRef {
        let (template, dot, detail) = match &model.state {
            PickerState::Loaded(_) => (live_id!(Model), DotKind::Ok, model.size.clone()),
            PickerState::Loading(share) => (
                live_id!(Model),
                DotKind::Busy,
                say!(texts, "header-loading", share = share.as_str()),
            ),
            PickerState::Ready => (live_id!(Model), DotKind::Idle, model.size.clone()),
            PickerState::Damaged(reason) => (live_id!(Damaged), DotKind::Bad, capitalised(reason)),
        };
        let item = list.item(cx, index, template);
        let quantisation = model.quantisation.as_deref().unwrap_or_default();
        item.dot(id!(dot)).set(dot);
        item.text_line(id!(name)).set_text(cx, &model.name);
        item.view(id!(quant)).set_visible(cx, !quantisation.is_empty());
        item.text_line(id!(quant.label)).set_text(cx, quantisation);
        item.text_line(id!(detail)).set_text(cx, &detail);
        item.push_button(id!(eject))
            .set_visible(cx, loaded(&model.state).is_some());
        item.as_row()
            .set_on(cx, self.chosen.as_ref() == Some(&model.file));
        self.drawn
            .push((model.file.clone(), model.state.clone(), item.clone()));
        item
    }

    fn handle_actions(&self, cx: &mut Cx, actions: &Actions) {
        for (file, state, item) in &self.drawn {
            if let (true, Some(id)) = (item.push_button(id!(eject)).clicked(actions), loaded(state)) {
                cx.action(Msg::Eject(id));
            }
            if *state == PickerState::Ready && item.as_row().clicked(actions) {
                cx.action(Msg::Load(file.clone()));
            }
        }
    }
}

impl PickerRef {
    /// Moves among the models of these rows with the arrow keys or Tab, and loads one with Enter; whether it was such
    /// a key.
    pub(crate) fn take_key(&self, cx: &mut Cx, key: &KeyEvent, rows: &[PickerRow]) -> bool {
        let Some(mut picker) = self.borrow_mut() else {
            return false;
        };
        let ready: Vec<&FileId> = rows
            .iter()
            .filter_map(|row| match row {
                PickerRow::Model(model) if model.state == PickerState::Ready => Some(&model.file),
                _ => None,
            })
            .collect();
        let at = ready
            .iter()
            .position(|file| picker.chosen.as_ref() == Some(*file));
        let back = match key.key_code {
            KeyCode::ArrowDown => false,
            KeyCode::ArrowUp => true,
            KeyCode::Tab => key.modifiers.shift,
            KeyCode::ReturnKey | KeyCode::NumpadEnter => {
                if let Some(at) = at {
                    cx.action(Msg::Load(ready[at].clone()));
                }
                return true;
            }
            _ => return false,
        };
        let next = match at {
            None => 0,
            Some(at) if back => at.saturating_sub(1),
            Some(at) => (at + 1).min(ready.len() - 1),
        };
        picker.chosen = ready.get(next).map(|file| (*file).clone());
        picker.reveals = true;
        picker.view.redraw(cx);
        true
    }
}

fn height_of(row: &PickerRow) -> f64 {
    match row {
        PickerRow::Group(_) => GROUP,
        PickerRow::Model(_) => MODEL,
    }
}

/// A reason as a sentence of its own.
fn capitalised(reason: &str) -> String {
    let mut chars = reason.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(feature = "probe")]
impl PickerRef {
    /// The rows in view with their names, as tests see them.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(picker) = self.borrow().filter(|picker| picker.view.visible()) else {
            return Vec::new();
        };
        let rows = picker.drawn.iter().enumerate().flat_map(|(index, (_, _, row))| {
            let part = |path: &[LiveId]| row.text_line(path).text();
            let text = Some(format!(
                "{} {} {}",
                part(id!(name)),
                part(id!(quant.label)),
                part(id!(detail))
            ));
            let eject = row.widget(id!(eject));
            [
                Element {
                    name: format!("picker.row.{index}"),
                    widget: row.clone(),
                    text,
                    part: None,
                },
                Element {
                    name: format!("picker.row.{index}.eject"),
                    widget: eject,
                    text: None,
                    part: None,
                },
            ]
        });
        rows.collect()
    }
}

fn loaded(state: &PickerState) -> Option<LoadedId> {
    match state {
        PickerState::Loaded(id) => Some(*id),
        _ => None,
    }
}
