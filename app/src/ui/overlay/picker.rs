//! The menu of models: what is in memory, what else is on this machine, what each can do, and why a file cannot be used.

use hearth_protocol::FileId;
use hearth_protocol::catalogue::Capability;
use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::models::picker::{PickerModel, PickerRow, PickerState};
use crate::state::overlay::Overlay;
use crate::state::{AppState, Page};
use crate::text::{Texts, say};
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::shell;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::one_line::*;
use crate::ui::widget::progress::*;
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
    use crate::ui::widget::one_line::*;
    use crate::ui::widget::progress::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::tag::*;

    OverlayTag = <Tag> { draw_bg: { color: (COLOR_OVERLAY_TAG) } }
    Ability = <View> {
        visible: false
        width: Fit, height: Fit, flow: Right
        spacing: 4, align: { y: 0.5 }
        glyph = <Glyph14> {}
        word = <Caption> {}
    }
    ModelRow = <MenuRow> {
        height: 44
        padding: { left: 10, right: 10 }
        draw_bg: { radius: 8.0 }
        dot = <Dot> {}
        words = <View> {
            width: Fill, height: Fit, flow: Down, spacing: 1
            head = <View> {
                width: Fill, height: Fit, flow: Right
                spacing: 10, align: { y: 0.5 }
                name = <Strong> { max_width: 216.0 }
                quant = <OverlayTag> {}
            }
            abilities = <View> {
                visible: false
                width: Fit, height: Fit, flow: Right, spacing: 10
                vision = <Ability> { glyph = { draw_icon: { svg_path: (ICON_EYE) } }, word = { text: (TEXT_VISION) } }
                tools = <Ability> { glyph = { draw_icon: { svg_path: (ICON_WRENCH) } }, word = { text: (TEXT_TOOLS) } }
                reasoning = <Ability> {
                    glyph = { draw_icon: { svg_path: (ICON_THOUGHT) } }, word = { text: (TEXT_REASONING) }
                }
                embedding = <Ability> {
                    glyph = { draw_icon: { svg_path: (ICON_EMBED) } }, word = { text: (TEXT_EMBEDDING) }
                }
            }
            reason = <Caption> { visible: false, width: Fill, draw_text: { color: (COLOR_BAD) } }
        }
        progress = <View> {
            visible: false
            width: 64, height: Fit
            bar = <ProgressBar> {}
        }
        detail = <Caption> {}
        eject = <OverlayIconButton> {
            visible: false
            tip: (TIP_EJECT), draw_icon: { svg_path: (ICON_EJECT) }
        }
    }
    // Says that there is nothing, and what to do.
    Note = <View> {
        width: Fill, height: Fit, flow: Down
        padding: { left: 10, right: 10, top: 12, bottom: 10 }, spacing: 2
        title = <Strong> {}
        text = <TextBlock> {}
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
                <View> {
                    width: Fill, height: 32, flow: Overlay
                    clip_x: false, clip_y: false
                    words = <FramedLine> {
                        padding: { left: 36, right: 11, top: 8, bottom: 4 }
                        scroll = { input = { empty_text: (TEXT_PICKER_WORDS) } }
                    }
                    <View> {
                        width: Fill, height: 32
                        padding: { left: 11 }, align: { y: 0.5 }
                        <Glyph> { draw_icon: { svg_path: (ICON_SEARCH) } }
                    }
                }
                list = <PortalList> {
                    width: Fill, height: 100, flow: Down
                    drag_scrolling: false
                    scroll_bar: { bar_size: 0.0 }
                    Group = <View> {
                        width: Fill, height: 32
                        padding: { left: 10, top: 11 }
                        label = <GroupTitle> {}
                    }
                    Model = <ModelRow> {}
                    Able = <ModelRow> { height: 56 }
                    Damaged = <ModelRow> {
                        height: 56, cursor: Default
                        draw_bg: { color_hover: (COLOR_NONE), color_down: (COLOR_NONE) }
                        words = {
                            head = { name = { draw_text: { color: (COLOR_TEXT_2) } } }
                            reason = { visible: true }
                        }
                    }
                    NoMatch = <Note> {
                        title = { text: (TEXT_PICKER_NO_MATCH_TITLE) }, text = { text: (TEXT_PICKER_NO_MATCH_TEXT) }
                    }
                    NoModel = <Note> {
                        title = { text: (TEXT_PICKER_EMPTY_TITLE) }, text = { text: (TEXT_PICKER_EMPTY_TEXT) }
                    }
                }
            }
        }
    }
}

/// Heights of the rows as they are designed above, and the most the list takes, in pixels.
const GROUP: f64 = 32.0;
const MODEL: f64 = 44.0;
const TALL_MODEL: f64 = 56.0;
const NOTE: f64 = 84.0;
const HIGHEST: f64 = 416.0;

/// Each thing that a row tells a model can do, and its mark.
const MARKS: [(Capability, &[LiveId; 1]); 4] = [
    (Capability::Vision, id!(vision)),
    (Capability::Tools, id!(tools)),
    (Capability::Reasoning, id!(reasoning)),
    (Capability::Embedding, id!(embedding)),
];

/// The menu of models.
#[derive(Live, LiveHook, Widget)]
pub struct Picker {
    #[deref]
    view: View,
    /// Models in view with their rows.
    #[rust]
    drawn: Vec<(PickerModel, WidgetRef)>,
    /// The model that was chosen when it was drawn last, so that another one comes into view.
    #[rust]
    chosen: Option<FileId>,
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
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let Some(Overlay::Picker(picker)) = &state.overlay else {
            return self.view.draw_walk(cx, scope, walk);
        };
        let rows = state.models.picker_rows(&picker.words, state.texts());
        let chosen = picker.chosen(&rows).map(|model| model.file.clone());
        let on_chat = state.page() == Page::Chat;
        self.lay_out(cx, &rows, walk, on_chat && state.panel_is_shown());
        self.view.one_line(id!(words)).set_text(cx, &picker.words);
        self.bring_into_view(cx, &rows, chosen.clone());
        self.drawn.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, rows.len());
            while let Some(index) = list.next_visible_item(cx) {
                let item = match rows.get(index) {
                    Some(PickerRow::Group(title)) => {
                        let item = list.item(cx, index, live_id!(Group));
                        item.text_line(id!(label))
                            .set_text(cx, &state.texts().say(*title, &[]));
                        item
                    }
                    Some(PickerRow::Model(model)) => {
                        let item = list.item(cx, index, template_of(model));
                        fill(cx, &item, model, state.texts());
                        item.as_row().set_on(cx, chosen.as_ref() == Some(&model.file));
                        self.drawn.push((model.clone(), item.clone()));
                        item
                    }
                    Some(PickerRow::NoMatch) => list.item(cx, index, live_id!(NoMatch)),
                    Some(PickerRow::NoModel) => list.item(cx, index, live_id!(NoModel)),
                    None => continue,
                };
                item.draw_all(cx, &mut Scope::empty());
            }
        }
        DrawStep::done()
    }
}

impl Picker {
    /// Puts the menu below the button in the header, as high as its rows.
    fn lay_out(&mut self, cx: &mut Cx2d, rows: &[PickerRow], walk: Walk, panel: bool) {
        let height = rows.iter().map(height_of).sum::<f64>().min(HIGHEST);
        self.view
            .portal_list(id!(list))
            .apply_over(cx, live! { height: (height) });
        let page = cx.peek_walk_turtle(walk).size.x - shell::RAIL;
        let list = if shell::is_narrow(page) { 0.0 } else { shell::LIST };
        let left = shell::RAIL + list;
        let is_beside = panel && !shell::lies_panel_over(page);
        let right = if is_beside { shell::PANEL } else { 0.0 };
        self.view
            .apply_over(cx, live! { padding: { left: (left), right: (right) } });
    }

    fn bring_into_view(&mut self, cx: &mut Cx2d, rows: &[PickerRow], chosen: Option<FileId>) {
        if self.chosen == chosen {
            return;
        }
        let is_it =
            |row: &PickerRow| matches!(row, PickerRow::Model(model) if Some(&model.file) == chosen.as_ref());
        if let Some(row) = rows.iter().position(is_it) {
            // With the first model its group's title comes along.
            let row = if row == 1 { 0 } else { row };
            let list = self.view.portal_list(id!(list));
            reveal(cx, &list, row, |row| rows.get(row).map_or(0.0, height_of));
        }
        self.chosen = chosen;
    }

    fn handle_actions(&self, cx: &mut Cx, actions: &Actions) {
        if let FieldAction::Changed(words) = self.view.one_line(id!(words)).action(actions) {
            cx.action(Msg::PickerChanged(words));
        }
        for (model, row) in &self.drawn {
            if let Some(id) = model.loaded()
                && row.push_button(id!(eject)).clicked(actions)
            {
                cx.action(Msg::Eject(id));
            } else if model.can_be_chosen() && row.as_row().clicked(actions) {
                cx.action(Msg::Load(model.file.clone()));
            }
        }
    }
}

fn template_of(model: &PickerModel) -> LiveId {
    match &model.state {
        PickerState::Damaged(_) => live_id!(Damaged),
        _ if model.abilities.is_empty() => live_id!(Model),
        _ => live_id!(Able),
    }
}

fn height_of(row: &PickerRow) -> f64 {
    match row {
        PickerRow::Group(_) => GROUP,
        PickerRow::Model(model) if template_of(model) == live_id!(Model) => MODEL,
        PickerRow::Model(_) => TALL_MODEL,
        PickerRow::NoMatch | PickerRow::NoModel => NOTE,
    }
}

fn fill(cx: &mut Cx, row: &WidgetRef, model: &PickerModel, texts: &Texts) {
    let (dot, detail, share) = match &model.state {
        PickerState::Loaded(_) => (DotKind::Ok, model.size.clone(), None),
        PickerState::Loading(share) => (DotKind::Busy, say!(texts, "picker-loading"), Some(*share)),
        PickerState::Ready => (DotKind::Idle, model.size.clone(), None),
        PickerState::Damaged(_) => (DotKind::Bad, model.size.clone(), None),
    };
    let quantisation = model.quantisation.as_deref().unwrap_or_default();
    row.dot(id!(dot)).set(dot);
    row.text_line(id!(name)).set_text(cx, &model.name);
    row.view(id!(quant)).set_visible(cx, !quantisation.is_empty());
    row.text_line(id!(quant.label)).set_text(cx, quantisation);
    row.text_line(id!(detail)).set_text(cx, &detail);
    row.view(id!(progress)).set_visible(cx, share.is_some());
    row.progress_bar(id!(bar))
        .set(share.unwrap_or_default(), Level::Normal);
    row.push_button(id!(eject))
        .set_visible(cx, model.loaded().is_some());
    if let PickerState::Damaged(reason) = &model.state {
        row.text_line(id!(reason)).set_text(cx, &capitalised(reason));
        return;
    }
    row.view(id!(abilities))
        .set_visible(cx, !model.abilities.is_empty());
    for (ability, mark) in MARKS {
        row.view(mark).set_visible(cx, model.abilities.contains(&ability));
    }
}

/// A reason as a sentence of its own.
pub(crate) fn capitalised(reason: &str) -> String {
    let mut chars = reason.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(feature = "probe")]
impl PickerRef {
    /// The rows in view with their names, as tests see them.
    pub(crate) fn elements(&self, texts: &Texts) -> Vec<Element> {
        let Some(picker) = self.borrow().filter(|picker| picker.view.visible()) else {
            return Vec::new();
        };
        let rows = picker.drawn.iter().enumerate().flat_map(|(index, (model, row))| {
            let part = |path: &[LiveId]| row.text_line(path).text();
            let mut words = vec![part(id!(name)), part(id!(quant.label)), part(id!(detail))];
            if let PickerState::Damaged(_) = model.state {
                words.push(part(id!(reason)));
            }
            words.extend(model.ability_words(texts));
            let named = |name: String, widget: WidgetRef, text| Element {
                name,
                widget,
                text,
                part: None,
            };
            [
                named(format!("picker.row.{index}"), row.clone(), Some(words.join(" "))),
                named(format!("picker.row.{index}.eject"), row.widget(id!(eject)), None),
            ]
        });
        rows.collect()
    }
}
