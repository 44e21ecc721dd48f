//! The page that finds models: the field and the filters above, what was found at the left, one model at the right. In a
//! window without room for both the model lies over the list.

use makepad_widgets::*;

use super::cards::*;
use super::details::*;
use super::kit::{ABILITIES, tell};
use crate::msg::Msg;
use crate::msg::discover::DiscoverMsg;
use crate::state::discover::menus::DiscoverMenu;
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::shortcuts::Action;
use crate::state::{AppState, Page};
use crate::ui::sight::passes_over;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::one_line::*;
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
    use crate::ui::widget::chip::*;
    use crate::ui::widget::one_line::*;
    use crate::ui::widget::select::*;
    use crate::ui::discover::cards::*;
    use crate::ui::discover::details::*;

    Hardware = <View> {
        visible: false
        width: Fit, height: Fit, flow: Right
        align: { y: 0.5 }, spacing: 6
        glyph = <Glyph> {}
        label = <Caption> {}
    }
    SmallSelect = <Select> {
        width: 156, height: 28
        draw_bg: { radius: 7.0 }
        label = { draw_text: { text_style: <FONT_SMALL> {} } }
    }
    // Room between the rows where they do not fit beside each other.
    FilterChip = <Chip> { margin: { top: 2, bottom: 2 } }
    pub DiscoverPage = {{DiscoverPage}}<Flat> {
        width: Fill, height: Fill, flow: Down
        visible: false
        <View> {
            width: Fill, height: 51, flow: Right
            align: { y: 0.5 }, padding: { left: 24, right: 24 }, spacing: 16
            clip_x: false, clip_y: false
            <Heading> { text: (TEXT_DISCOVER), margin: { right: 20 } }
            finder = <View> {
                width: 392, height: 32, flow: Overlay
                clip_x: false, clip_y: false
                words = <FramedLine> {
                    padding: { left: 36, right: 60, top: 8, bottom: 4 }
                    scroll = { input = { empty_text: (TEXT_DISCOVER_FIELD) } }
                }
                <View> {
                    width: Fill, height: 32, flow: Right
                    padding: { left: 11, right: 10 }, align: { y: 0.5 }
                    <Glyph> { draw_icon: { svg_path: (ICON_SEARCH) } }
                    <Spacer> {}
                    find_keys = <Micro> {}
                    clear_words = <IconButton> {
                        visible: false
                        width: 24, height: 24, margin: { right: -5 }
                        tip: (TEXT_DISCOVER_CLEAR_WORDS), draw_icon: { svg_path: (ICON_CLOSE) }
                    }
                }
            }
            <Spacer> {}
            vram = <Hardware> { glyph = { draw_icon: { svg_path: (ICON_GPU) } } }
            ram = <Hardware> { glyph = { draw_icon: { svg_path: (ICON_MEMORY) } } }
        }
        <LineH> {}
        filter_bar = <View> {
            width: Fill, height: 51, flow: Right
            align: { y: 0.5 }, padding: { left: 24, right: 24 }, spacing: 12
            clip_x: false, clip_y: false
            chips = <View> {
                width: Fit, height: Fit, flow: Right
                spacing: 8
                clip_x: false, clip_y: false
                fits = <FilterChip> { text: (TEXT_FITS), draw_icon: { svg_path: (ICON_CHIP) } }
                tools = <FilterChip> { text: (TEXT_TOOLS), draw_icon: { svg_path: (ICON_WRENCH) } }
                vision = <FilterChip> { text: (TEXT_VISION), draw_icon: { svg_path: (ICON_EYE) } }
                reasoning = <FilterChip> { text: (TEXT_REASONING), draw_icon: { svg_path: (ICON_THOUGHT) } }
                embedding = <FilterChip> { text: (TEXT_EMBEDDING), draw_icon: { svg_path: (ICON_EMBED) } }
                code = <FilterChip> { text: (TEXT_CODE), draw_icon: { svg_path: (ICON_CODE) } }
            }
            between = <Spacer> {}
            selects = <View> {
                width: Fit, height: 28, flow: Right
                align: { y: 0.5 }, spacing: 8
                clip_x: false, clip_y: false
                <Caption> { text: (TEXT_SIZE_FILTER) }
                size_select = <SmallSelect> { width: 124 }
                <Caption> { text: (TEXT_SORT), margin: { left: 8 } }
                sort_select = <SmallSelect> {}
            }
        }
        <LineH> {}
        body = <View> {
            width: Fill, height: Fill, flow: Right
            model_cards = <ModelCards> {}
            found_model = <FoundModel> {}
        }
    }
}

/// Pages narrower than this have the filters in two rows, in pixels.
const ONE_ROW: f64 = 1080.0;
/// Widths of the list in a page from 1100 on, and in a narrower one, in pixels.
const LIST: (f64, f64) = (424.0, 360.0);
const WIDE: f64 = 1100.0;
/// Pages narrower than this show the list or a model, not both, in pixels.
const BOTH: f64 = 820.0;
/// Most of the field's width that a narrow page leaves it, in pixels.
const FIELD: (f64, f64) = (392.0, 240.0);
/// Between a select and its menu, in pixels.
const GAP: f64 = 4.0;

/// The page that finds models.
#[derive(Live, LiveHook, Widget)]
pub struct DiscoverPage {
    #[deref]
    view: View,
    /// Comes when the field may have been drawn and shall get the keyboard.
    #[rust]
    focus: NextFrame,
}

impl Widget for DiscoverPage {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if passes_over(Page::Discover, event, scope) {
            return;
        }
        if self.focus.is_event(event).is_some() && self.view.visible() {
            self.try_focus(cx);
        }
        self.view.handle_event(cx, event, scope);
        match event {
            Event::KeyDown(key)
                if key.key_code == KeyCode::ArrowDown && self.view.one_line(id!(words)).key_focus(cx) =>
            {
                self.view.model_cards(id!(model_cards)).focus_first(cx);
            }
            Event::Actions(actions) => self.take(cx, actions),
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            self.lay_out(cx, walk, state);
            self.fill(cx, state);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl DiscoverPage {
    fn lay_out(&self, cx: &mut Cx2d, walk: Walk, state: &AppState) {
        let width = cx.peek_walk_turtle(walk).size.x;
        let bar = self.view.widget(id!(filter_bar));
        self.view.widget(id!(between)).set_visible(cx, width >= ONE_ROW);
        let chips = self.view.widget(id!(chips));
        if width >= ONE_ROW {
            bar.apply_over(
                cx,
                live! { flow: Right, height: 51, spacing: 12, padding: { top: 0, bottom: 0 } },
            );
            chips.apply_over(cx, live! { width: Fit, flow: Right });
        } else {
            bar.apply_over(
                cx,
                live! { flow: Down, height: Fit, spacing: 6, padding: { top: 9, bottom: 11 } },
            );
            chips.apply_over(cx, live! { width: Fill, flow: RightWrap });
        }
        let field = if width >= BOTH { FIELD.0 } else { FIELD.1 };
        self.view
            .widget(id!(finder))
            .apply_over(cx, live! { width: (field) });
        let over = width < BOTH;
        let (cards, details) = (
            self.view.widget(id!(model_cards)),
            self.view.widget(id!(found_model)),
        );
        let is_chosen = state.discover.shown.is_some();
        cards.set_visible(cx, !(over && is_chosen));
        details.set_visible(cx, !over || is_chosen);
        self.view.found_model(id!(found_model)).set_over(cx, over);
        let list = match width {
            _ if over => width,
            WIDE.. => LIST.0,
            _ => LIST.1,
        };
        cards.apply_over(cx, live! { width: (list) });
    }

    fn fill(&self, cx: &mut Cx, state: &AppState) {
        let (filters, texts) = (&state.discover.filters, state.texts());
        self.view.one_line(id!(words)).set_text(cx, &filters.text);
        let is_empty = filters.text.is_empty();
        let keys = self.view.text_line(id!(find_keys));
        keys.set_visible(cx, is_empty);
        keys.set_text(cx, &state.keys(Action::Search));
        self.view.push_button(id!(clear_words)).set_visible(cx, !is_empty);
        let (vram, ram) = state.machine_words();
        for (path, words) in [(id!(vram), vram), (id!(ram), ram)] {
            let hardware = self.view.widget(path);
            hardware.set_visible(cx, !words.is_empty());
            hardware.text_line(id!(label)).set_text(cx, &words);
        }
        let chips = self.view.widget(id!(chips));
        chips.push_button(id!(fits)).set_on(cx, filters.fits);
        for (ability, chip) in ABILITIES {
            let on = filters.capabilities.contains(&ability);
            chips.push_button(chip).set_on(cx, on);
        }
        let selects = [
            (id!(size_select), filters.size.label()),
            (id!(sort_select), filters.sort_label()),
        ];
        for (select, label) in selects {
            let words = texts.say(label, &[]);
            self.view
                .widget(select)
                .text_line(id!(label))
                .set_text(cx, &words);
        }
    }

    fn take(&self, cx: &mut Cx, actions: &Actions) {
        match self.view.one_line(id!(words)).action(actions) {
            FieldAction::Changed(text) => tell(cx, DiscoverMsg::TextChanged(text)),
            FieldAction::Entered => tell(cx, DiscoverMsg::TextEntered),
            FieldAction::Left | FieldAction::None => (),
        }
        if self.view.push_button(id!(clear_words)).clicked(actions) {
            tell(cx, DiscoverMsg::TextChanged(String::new()));
            tell(cx, DiscoverMsg::FocusField);
        }
        let chips = self.view.widget(id!(chips));
        if chips.push_button(id!(fits)).clicked(actions) {
            tell(cx, DiscoverMsg::ToggleFits);
        }
        for (ability, chip) in ABILITIES {
            if chips.push_button(chip).clicked(actions) {
                tell(cx, DiscoverMsg::ToggleCapability(ability));
            }
        }
        let selects: [(&[LiveId; 1], DiscoverMenu); 2] = [
            (id!(size_select), DiscoverMenu::Size),
            (id!(sort_select), DiscoverMenu::Sort),
        ];
        for (select, menu) in selects {
            if self.view.row(select).clicked(actions) {
                let place = self.view.widget(select).area().rect(cx);
                cx.action(Msg::OpenMenu {
                    of: MenuOf::Discover(menu),
                    at: Place {
                        x: place.pos.x,
                        y: place.pos.y + place.size.y + GAP,
                    },
                });
            }
        }
    }

    /// What is not drawn yet takes no keyboard: asks again with the next frame.
    fn try_focus(&mut self, cx: &mut Cx) {
        let words = self.view.one_line(id!(words));
        if words.input().area().is_valid(cx) {
            words.input().set_key_focus(cx);
            words.select_all(cx);
        } else {
            self.focus = cx.new_next_frame();
        }
    }
}

impl DiscoverPageRef {
    /// Gives the field the keyboard, with its text selected.
    pub(crate) fn focus_field(&self, cx: &mut Cx) {
        if let Some(mut page) = self.borrow_mut() {
            page.focus = cx.new_next_frame();
        }
    }
}
