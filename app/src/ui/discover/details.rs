//! Everything of one model: what it is, its numbers, the memory it would take, and its files.

use makepad_widgets::*;

use super::kit::{act, fill_abilities, fill_notice, tell};
use super::{elements, files};
use crate::msg::discover::DiscoverMsg;
use crate::state::AppState;
use crate::state::discover::details::{DetailsView, Memory};
use crate::ui::widget::button::*;
use crate::ui::widget::progress::*;
use crate::ui::widget::reveal::reveal_on_page;
use crate::ui::widget::slider::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::text::*;
use hearth_protocol::catalogue::Fit;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::notice::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::progress::*;
    use crate::ui::widget::slider::*;
    use crate::ui::discover::kit::*;
    use crate::ui::discover::files::*;

    Fact = <View> {
        width: Fill, height: Fit, flow: Down
        label = <Caption> { width: Fill }
        value = <TextLine> { width: Fill }
    }
    FactRow = <View> {
        width: Fill, height: Fit, flow: Right
        spacing: 16, margin: { top: 10 }
    }
    pub FoundModel = {{FoundModel}} {
        width: Fill, height: Fill, flow: Overlay
        nothing_chosen = <View> {
            visible: false
            width: Fill, height: Fill, align: { x: 0.5, y: 0.4 }
            <Notice> {
                tile = { glyph = { draw_icon: { svg_path: (ICON_DISCOVER) } } }
                title = { text: (TEXT_DISCOVER_CHOOSE_TITLE) }
                body = { text: (TEXT_DISCOVER_CHOOSE_TEXT) }
            }
        }
        loading = <View> {
            visible: false
            width: Fill, height: Fill, flow: Down
            padding: { left: 24, right: 24, top: 72 }, spacing: 14
            <Bar> { width: Fill }
            <Bar> { width: 300 }
            <Bar> { width: 380, height: 44, margin: { top: 12 } }
            <Bar> { width: Fill, height: 160, margin: { top: 12 } }
        }
        scroll = <ScrollYView> {
            visible: false
            width: Fill, height: Fill, flow: Down
            scroll_bars: { scroll_bar_y: { bar_size: 0.0 } }
            content = <View> {
                width: Fill, height: Fit, flow: Down
                padding: { left: 24, right: 24, top: 16, bottom: 24 }
                clip_x: false, clip_y: false
                <View> {
                    width: Fill, height: 36, flow: Right
                    align: { y: 0.5 }, spacing: 12
                    clip_x: false, clip_y: false
                    back = <IconButton> {
                        visible: false
                        tip: (TEXT_DISCOVER_BACK), draw_icon: { svg_path: (ICON_CHEVRON_LEFT) }
                    }
                    model_name = <TextLine> {
                        width: Fit, max_width: 340.0, line: 28.0
                        draw_text: { text_style: <FONT_TITLE> {} }
                    }
                    picked = <AccentTag> { visible: false, label = { text: (TEXT_PICKED) } }
                    <Spacer> {}
                    favourite = <IconButton> {
                        tip: (TEXT_FAVOURITE)
                        draw_icon: { color_on: (COLOR_ACCENT_TEXT), svg_path: (ICON_HEART) }
                    }
                    open_page = <SmallButton> {
                        text: (TEXT_MODEL_PAGE)
                        draw_icon: { svg_path: (ICON_EXTERNAL) }
                    }
                }
                summary_box = <View> {
                    width: Fill, height: Fit, padding: { top: 4 }
                    model_summary = <TextBlock> { draw_text: { text_style: <FONT_MESSAGE> {} } }
                }
                abilities = <View> {
                    width: Fill, height: 24, flow: Right
                    spacing: 8, margin: { top: 12 }
                    tools = <AbilityTag> {
                        glyph = { draw_icon: { svg_path: (ICON_WRENCH) } }, label = { text: (TEXT_TOOLS) }
                    }
                    vision = <AbilityTag> {
                        glyph = { draw_icon: { svg_path: (ICON_EYE) } }, label = { text: (TEXT_VISION) }
                    }
                    reasoning = <AbilityTag> {
                        glyph = { draw_icon: { svg_path: (ICON_THOUGHT) } }, label = { text: (TEXT_REASONING) }
                    }
                    embedding = <AbilityTag> {
                        glyph = { draw_icon: { svg_path: (ICON_EMBED) } }, label = { text: (TEXT_EMBEDDING) }
                    }
                    code = <AbilityTag> {
                        glyph = { draw_icon: { svg_path: (ICON_CODE) } }, label = { text: (TEXT_CODE) }
                    }
                }
                details_note = <DiscoverNotice> { margin: { top: 16 } }
                facts = <View> {
                    width: Fill, height: Fit, flow: Down
                    margin: { top: 6 }
                    <FactRow> {
                        fact_0 = <Fact> { label = { text: (TEXT_AUTHOR) } }
                        fact_1 = <Fact> { label = { text: (TEXT_LICENCE) } }
                        fact_2 = <Fact> { label = { text: (TEXT_PARAMETERS) } }
                        fact_3 = <Fact> { label = { text: (TEXT_CONTEXT) } }
                    }
                    <FactRow> {
                        fact_4 = <Fact> { label = { text: (TEXT_LIKES) } }
                        fact_5 = <Fact> { label = { text: (TEXT_MONTHLY) } }
                        fact_6 = <Fact> { label = { text: (TEXT_UPDATED) } }
                        fact_7 = <Fact> { label = { text: (TEXT_ARCHITECTURE) } }
                    }
                }
                memory = <Surface> {
                    visible: false
                    width: Fill, height: Fit, flow: Down
                    margin: { top: 18 }, spacing: 6
                    padding: { left: 16, right: 16, top: 11, bottom: 12 }
                    clip_x: false, clip_y: false
                    draw_bg: { color: (COLOR_INSET) }
                    <View> {
                        width: Fill, height: 20, flow: Right
                        align: { y: 0.5 }, spacing: 16
                        clip_x: false, clip_y: false
                        <Small> { text: (TEXT_MEMORY_FOR) }
                        context_slider = <ValueSlider> { width: Fill }
                        context = <TextLine> { width: 104, align_x: 1.0 }
                    }
                    needs = <TextBlock> { draw_text: { color: (COLOR_TEXT) } }
                    bar = <ProgressBar> { draw_bg: { fill: (COLOR_TRACK_FILL) } }
                    has_box = <View> {
                        width: Fill, height: Fit
                        has = <TextBlock> { draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} } }
                    }
                }
                files_head = <View> {
                    width: Fill, height: 32, flow: Right
                    margin: { top: 14, bottom: 8 }, align: { y: 0.5 }, spacing: 12
                    clip_x: false, clip_y: false
                    <Strong> { text: (TEXT_FILES) }
                    file_count = <Caption> {}
                    <Spacer> {}
                    main = <PrimaryButton> { draw_icon: { svg_path: (ICON_CHAT) } }
                }
                table = <FileTable> {}
                age = <Caption> { width: Fill, margin: { top: 12 } }
            }
        }
    }
}

/// Everything of one model.
#[derive(Live, LiveHook, Widget)]
pub struct FoundModel {
    #[deref]
    view: View,
    /// The model that was drawn last, so that another one begins at its top.
    #[rust]
    model: String,
}

impl Widget for FoundModel {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() && event.requires_visibility() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        match event {
            Event::KeyFocus(_) => self.reveal_focused(cx),
            Event::Actions(actions) => {
                if let Some(state) = scope.data.get::<AppState>() {
                    self.take(cx, actions, state);
                }
            }
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let view = state.details_view();
            self.view
                .widget(id!(nothing_chosen))
                .set_visible(cx, view.is_none());
            let loading = view.as_ref().is_some_and(|view| view.is_loading);
            self.view.widget(id!(loading)).set_visible(cx, loading);
            self.view.widget(id!(scroll)).set_visible(cx, view.is_some());
            if let Some(view) = view {
                self.fill(cx, state, &view);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl FoundModel {
    fn fill(&mut self, cx: &mut Cx, state: &AppState, view: &DetailsView) {
        if self.model != view.name {
            self.model.clone_from(&view.name);
            self.view.view(id!(scroll)).set_scroll_pos(cx, dvec2(0.0, 0.0));
        }
        let known = !view.is_loading;
        self.view.text_line(id!(model_name)).set_text(cx, &view.name);
        self.view.widget(id!(picked)).set_visible(cx, view.is_picked);
        let favourite = self.view.push_button(id!(favourite));
        favourite.set_visible(cx, view.favourite.is_some());
        favourite.set_on(cx, view.favourite == Some(true));
        let summary = self.view.label(id!(model_summary));
        summary.set_text(cx, &view.summary);
        self.view
            .widget(id!(summary_box))
            .set_visible(cx, !view.summary.is_empty());
        let abilities = self.view.widget(id!(abilities));
        abilities.set_visible(cx, !view.abilities.is_empty());
        fill_abilities(cx, &abilities, &view.abilities);
        let note = self.view.widget(id!(details_note));
        fill_notice(cx, &note, view.notice.as_ref(), view.is_gated, state.texts());
        let rows = state.file_rows();
        let has_details = known && !rows.is_empty();
        self.view.widget(id!(facts)).set_visible(cx, known);
        for (fact, text) in FACTS.iter().zip(&view.facts) {
            self.view.widget(*fact).text_line(id!(value)).set_text(cx, text);
        }
        self.fill_memory(cx, view.memory.as_ref(), state);
        self.view.widget(id!(files_head)).set_visible(cx, has_details);
        self.view.widget(id!(table)).set_visible(cx, has_details);
        self.view.text_line(id!(file_count)).set_text(cx, &view.files);
        let main = self.view.push_button(id!(main));
        main.set_visible(cx, view.main.is_some());
        if let Some(shown) = &view.main {
            main.set_text(cx, &shown.label);
            main.set_disabled(cx, shown.act.is_none());
        }
        files::fill(cx, &self.view.stack(id!(rows)), &rows);
        self.view.text_line(id!(age)).set_text(cx, &view.age);
    }

    fn fill_memory(&self, cx: &mut Cx, memory: Option<&Memory>, state: &AppState) {
        let card = self.view.widget(id!(memory));
        card.set_visible(cx, memory.is_some());
        let Some(memory) = memory else { return };
        let label = state.texts().say(crate::text::key!("discover-memory-for"), &[]);
        card.value_slider(id!(context_slider)).set(memory.share, &label);
        card.text_line(id!(context)).set_text(cx, &memory.context);
        card.label(id!(needs)).set_text(cx, &memory.needs);
        card.label(id!(has)).set_text(cx, &memory.has);
        card.widget(id!(has_box)).set_visible(cx, !memory.has.is_empty());
        let level = match memory.fit {
            Fit::TooLarge => Level::Bad,
            Fit::Partly => Level::Warn,
            Fit::Gpu | Fit::Cpu | Fit::Unknown => Level::Normal,
        };
        card.progress_bar(id!(bar)).set(memory.taken, level);
    }

    fn take(&self, cx: &mut Cx, actions: &Actions, state: &AppState) {
        let Some(view) = state.details_view() else { return };
        let buttons: [(&[LiveId; 1], DiscoverMsg); 3] = [
            (id!(back), DiscoverMsg::Back),
            (id!(favourite), DiscoverMsg::ToggleFavourite),
            (id!(open_page), DiscoverMsg::OpenPage),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, message);
            }
        }
        let note = self.view.widget(id!(details_note));
        if note.push_button(id!(page)).clicked(actions) {
            tell(cx, DiscoverMsg::AskLicencePage);
        }
        if let Some((_, wanted)) = view.notice.and_then(|notice| notice.act)
            && note.push_button(id!(act)).clicked(actions)
        {
            act(cx, wanted);
        }
        if let Some(message) = view.main.and_then(|main| main.act)
            && self.view.push_button(id!(main)).clicked(actions)
        {
            tell(cx, message);
        }
        match self.view.value_slider(id!(context_slider)).action(actions) {
            ValueSliderAction::Moved(share) => tell(cx, DiscoverMsg::SlideContext(share)),
            ValueSliderAction::Stepped(steps) => tell(cx, DiscoverMsg::StepContext(steps)),
            ValueSliderAction::None => (),
        }
        files::take(cx, actions, &self.view.stack(id!(rows)), &state.file_rows());
    }

    /// Scrolls the least so that what has the keyboard is in view.
    fn reveal_focused(&self, cx: &mut Cx) {
        let mut stops = elements::details_stops(&self.view).into_iter();
        let Some(stop) = stops.find(|stop| cx.has_key_focus(stop.area())) else {
            return;
        };
        let (scroll, content) = (self.view.view(id!(scroll)), self.view.widget(id!(content)));
        reveal_on_page(cx, &scroll, &content, stop.area().rect(cx));
    }
}

impl FoundModelRef {
    /// Whether a widget is drawn in the details, be it scrolled out of view.
    pub(crate) fn holds(&self, cx: &Cx, widget: &WidgetRef) -> bool {
        let Some(details) = self.borrow() else {
            return false;
        };
        let (area, whole) = (widget.area(), details.view.area());
        if !area.is_valid(cx) || !whole.is_valid(cx) || whole.clipped_rect(cx).size.x <= 0.0 {
            return false;
        }
        let is_stop = |stop: &WidgetRef| stop.area() == area;
        area.rect(cx).size.x > 0.0 && elements::details_stops(&details.view).iter().any(is_stop)
    }

    /// Where Tab stops.
    pub(super) fn stops(&self) -> Vec<WidgetRef> {
        self.borrow()
            .map_or_else(Vec::new, |details| elements::details_stops(&details.view))
    }

    /// Whether it lies over the list, which its button leads back to.
    pub(super) fn set_over(&self, cx: &mut Cx, over: bool) {
        if let Some(details) = self.borrow() {
            details.view.push_button(id!(back)).set_visible(cx, over);
        }
    }
}

/// The facts in their order.
const FACTS: [&[LiveId; 1]; 8] = [
    id!(fact_0),
    id!(fact_1),
    id!(fact_2),
    id!(fact_3),
    id!(fact_4),
    id!(fact_5),
    id!(fact_6),
    id!(fact_7),
];
