//! The panel beside the table: what the person wrote of a file, and what the file says of itself.

use makepad_widgets::*;

use super::kit::tell;
use crate::msg::my_models::MyModelsMsg;
use crate::state::AppState;
use crate::state::my_models::details::{Details, Part};
use crate::ui::overlay::picker::capitalised;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::multiline::*;
use crate::ui::widget::one_line::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::text::*;
use crate::ui::widget::text_area::*;

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
    use crate::ui::widget::one_line::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::text_area::*;
    use crate::ui::server::kit::*;
    use crate::ui::my_models::kit::*;
    use crate::ui::my_models::facts::*;

    // The stock field says something in English where nothing is typed.
    PlainLine = <FramedLine> { scroll = { input = { empty_text: " " } } }
    ShortFact = <View> {
        width: Fill, height: 28, flow: Right
        spacing: 12, align: { y: 0.5 }
        label = <Caption> { width: 128 }
        value = <TextLine> { width: Fill, cut_middle: true }
    }
    ReadArea = <CodeArea> {
        draw_bg: { color: (COLOR_INSET) }
        input = { read_only: true, pages: true }
    }
    PartScroll = <ScrollYView> {
        visible: false
        width: Fill, height: Fill, flow: Down
        padding: { left: 16, right: 16, bottom: 24 }
        scroll_bars: { scroll_bar_y: { bar_size: 0.0 } }
    }
    pub ModelDetails = {{ModelDetails}}<Flat> {
        width: 400, height: Fill, flow: Right
        visible: false
        cursor: Default, grab_key_focus: false
        draw_bg: { color: (COLOR_SIDEBAR) }
        <LineV> {}
        <View> {
            width: Fill, height: Fill, flow: Down
            <View> {
                width: Fill, height: 52, flow: Right
                padding: { left: 16, right: 10 }, spacing: 4, align: { y: 0.5 }
                clip_x: false, clip_y: false
                details_title = <Heading> { width: Fill }
                favourite = <LargeIconButton> {
                    tip: (TEXT_FAVOURITE)
                    draw_icon: { color_on: (COLOR_ACCENT_TEXT), svg_path: (ICON_HEART) }
                }
                close_details = <LargeIconButton> { tip: (TEXT_CLOSE), draw_icon: { svg_path: (ICON_CLOSE) } }
            }
            <View> {
                width: Fill, height: Fit
                padding: { left: 16, right: 16, bottom: 4 }
                clip_x: false, clip_y: false
                <Segmented> {
                    part_about = <Segment> { text: (TEXT_PART_ABOUT) }
                    part_metadata = <Segment> { text: (TEXT_PART_METADATA) }
                    part_template = <Segment> { text: (TEXT_PART_TEMPLATE) }
                    part_tensors = <Segment> { text: (TEXT_PART_TENSORS) }
                }
            }
            reading = <View> {
                visible: false
                width: Fill, height: Fit, padding: 16
                words = <TextBlock> {}
            }
            about = <PartScroll> {
                damage = <View> {
                    visible: false
                    width: Fill, height: Fit, margin: { top: 12 }
                    why = <TextBlock> { draw_text: { color: (COLOR_BAD) } }
                }
                <FieldLabel> { text: (TEXT_DISPLAY_NAME) }
                model_name = <PlainLine> {}
                <FieldLabel> { text: (TEXT_TAGS) }
                model_tags = <PlainLine> {}
                <FieldLabel> { text: (TEXT_NOTES) }
                model_notes = <TextArea> { height: 96 }
                notes_fault = <Problem> {}
                model_facts = <Stack> { margin: { top: 16 }, row: <ShortFact> {} }
            }
            fact_list = <FactList> { margin: { top: 8 } }
            template_part = <PartScroll> {
                <View> {
                    width: Fill, height: 28, flow: Right
                    margin: { top: 10, bottom: 6 }, align: { y: 0.5 }
                    clip_x: false, clip_y: false
                    <Caption> { width: Fill, text: (TEXT_TEMPLATE_TEXT) }
                    open_template = <SmallQuietButton> { text: (TEXT_OPEN) }
                }
                template_text = <ReadArea> { height: 140 }
                <FieldLabel> { text: (TEXT_SAMPLE_SYSTEM) }
                sample_system = <PlainLine> {}
                <FieldLabel> { text: (TEXT_SAMPLE_MESSAGE) }
                sample_message = <PlainLine> {}
                <FieldLabel> { text: (TEXT_PREVIEW) }
                preview_text = <ReadArea> { height: 160 }
                preview_words = <View> {
                    visible: false
                    width: Fill, height: Fit
                    words = <TextBlock> {}
                }
                preview_now = <SmallButton> { visible: false, margin: { top: 10 }, text: (TEXT_PREVIEW_NOW) }
            }
        }
    }
}

/// Each part and its button.
const PARTS: [(&[LiveId; 1], Part); 4] = [
    (id!(part_about), Part::About),
    (id!(part_metadata), Part::Metadata),
    (id!(part_template), Part::Template),
    (id!(part_tensors), Part::Tensors),
];

/// Width of the panel beside the table, in pixels.
const BESIDE: f64 = 400.0;

/// What is told of a text that was typed.
type Typed = fn(String) -> MyModelsMsg;

/// The fields of one line, what each tells, and what it tells once the person is done with it.
const FIELDS: [(&[LiveId; 1], Typed, Option<MyModelsMsg>); 4] = [
    (
        id!(model_name),
        MyModelsMsg::NameChanged,
        Some(MyModelsMsg::CommitName),
    ),
    (
        id!(model_tags),
        MyModelsMsg::TagsChanged,
        Some(MyModelsMsg::CommitNotes),
    ),
    (id!(sample_system), MyModelsMsg::SampleSystemChanged, None),
    (id!(sample_message), MyModelsMsg::SampleMessageChanged, None),
];

/// The panel.
#[derive(Live, LiveHook, Widget)]
pub struct ModelDetails {
    #[deref]
    view: View,
    /// Comes when the field of the name may have been drawn and shall get the keyboard.
    #[rust]
    focus: NextFrame,
}

impl Widget for ModelDetails {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let is_open = |state: &AppState| state.my_models.details.is_some();
        if self.focus.is_event(event).is_some() && scope.data.get().is_some_and(is_open) {
            self.try_focus(cx);
        }
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let (Event::Actions(actions), Some(state)) = (event, scope.data.get::<AppState>()) {
            self.handle_actions(cx, actions, state);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>()
            && let Some(details) = &state.my_models.details
        {
            self.fill(cx, state, details);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl ModelDetails {
    fn handle_actions(&mut self, cx: &mut Cx, actions: &Actions, state: &AppState) {
        for (button, part) in PARTS {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, MyModelsMsg::ShowPart(part));
            }
        }
        for (field, changed, done) in FIELDS {
            match (self.view.one_line(field).action(actions), done) {
                (FieldAction::Changed(text), _) => tell(cx, changed(text)),
                (FieldAction::Entered | FieldAction::Left, Some(done)) => tell(cx, done),
                _ => (),
            }
        }
        match self.view.text_area(id!(model_notes)).action(actions) {
            FieldAction::Changed(text) => tell(cx, MyModelsMsg::NotesChanged(text)),
            FieldAction::Left => tell(cx, MyModelsMsg::CommitNotes),
            FieldAction::Entered | FieldAction::None => (),
        }
        for (button, message) in [
            (id!(close_details), MyModelsMsg::CloseDetails),
            (id!(open_template), MyModelsMsg::OpenTemplate),
            (id!(preview_now), MyModelsMsg::Preview),
        ] {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, message);
            }
        }
        if self.view.push_button(id!(favourite)).clicked(actions)
            && let Some(details) = &state.my_models.details
        {
            let file = details.file.clone();
            let favourite = !state.my_models.notes(&file).favourite;
            tell(cx, MyModelsMsg::SetFavourite { file, favourite });
        }
    }

    fn fill(&mut self, cx: &mut Cx, state: &AppState, details: &Details) {
        let words = state.details_words(details);
        let has_read = words.is_empty();
        for (button, part) in PARTS {
            self.view.push_button(button).set_on(cx, details.part == part);
        }
        let is_list = matches!(details.part, Part::Metadata | Part::Tensors);
        for (part, visible) in [
            (id!(about), details.part == Part::About),
            (id!(fact_list), is_list && has_read),
            (id!(template_part), details.part == Part::Template && has_read),
            (id!(reading), details.part != Part::About && !has_read),
        ] {
            self.view.widget(part).set_visible(cx, visible);
        }
        self.view.label(id!(reading.words)).set_text(cx, &words);
        self.fill_about(cx, state, details);
        self.fill_template(cx, state, details);
    }

    fn fill_about(&mut self, cx: &mut Cx, state: &AppState, details: &Details) {
        let Some(about) = state.about_view(details) else {
            return;
        };
        let title = state.file(&details.file).map(|file| file.name.as_str());
        self.view
            .text_line(id!(details_title))
            .set_text(cx, title.unwrap_or_default());
        self.view.push_button(id!(favourite)).set_on(cx, about.favourite);
        self.view.one_line(id!(model_name)).set_text(cx, &about.name);
        self.view.one_line(id!(model_tags)).set_text(cx, &about.tags);
        self.view.text_area(id!(model_notes)).set(cx, &about.notes, false);
        let damage = capitalised(&about.damage);
        let fault = details.fault.as_deref().unwrap_or_default();
        for (part, why) in [(id!(notes_fault), fault), (id!(damage), damage.as_str())] {
            let part = self.view.widget(part);
            part.set_visible(cx, !why.is_empty());
            part.label(id!(why)).set_text(cx, why);
        }
        let rows = self.view.stack(id!(model_facts)).set_rows(cx, about.facts.len());
        for ((label, value), row) in about.facts.iter().zip(rows) {
            row.text_line(id!(label))
                .set_text(cx, &state.texts().say(*label, &[]));
            row.text_line(id!(value)).set_text(cx, value);
        }
    }

    fn fill_template(&mut self, cx: &mut Cx, state: &AppState, details: &Details) {
        if details.part != Part::Template {
            return;
        }
        let view = state.preview_view(details);
        let template = self.view.text_area(id!(template_text));
        if template.text() != view.template {
            template.set(cx, &view.template, false);
            // It is read from its beginning.
            self.view.multiline(id!(template_text.input)).set_caret(cx, 0);
        }
        self.view
            .widget(id!(open_template))
            .set_visible(cx, !view.template.is_empty());
        self.view
            .one_line(id!(sample_system))
            .set_text(cx, &details.system);
        self.view
            .one_line(id!(sample_message))
            .set_text(cx, &details.message);
        let preview = self.view.text_area(id!(preview_text));
        preview.set_visible(cx, view.words.is_empty());
        preview.set(cx, &view.text, false);
        let words = self.view.widget(id!(preview_words));
        words.set_visible(cx, !view.words.is_empty());
        words.label(id!(words)).set_text(cx, &view.words);
        self.view.widget(id!(preview_now)).set_visible(cx, view.can_ask);
    }

    /// What is not drawn yet takes no keyboard: asks again with the next frame.
    fn try_focus(&mut self, cx: &mut Cx) {
        let name = self.view.one_line(id!(model_name));
        if name.input().area().is_valid(cx) {
            name.input().set_key_focus(cx);
            name.select_all(cx);
        } else {
            self.focus = cx.new_next_frame();
        }
    }
}

impl ModelDetailsRef {
    /// Takes all the room, where there is too little for a table beside it.
    pub(super) fn set_wide(&self, cx: &mut Cx, wide: bool) {
        let Some(mut panel) = self.borrow_mut() else {
            return;
        };
        if wide {
            panel.view.apply_over(cx, live! { width: Fill });
        } else {
            panel.view.apply_over(cx, live! { width: (BESIDE) });
        }
    }

    /// Gives the field of the name the keyboard, with its text selected.
    pub(crate) fn focus_name(&self, cx: &mut Cx) {
        if let Some(mut panel) = self.borrow_mut() {
            panel.focus = cx.new_next_frame();
        }
    }
}
