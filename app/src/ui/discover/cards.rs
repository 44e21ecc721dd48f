//! The list of models: what was found, one card each, of which only those in view are drawn.

use makepad_widgets::*;

use super::kit::{act, fill_abilities, fill_fit, fill_notice, tell};
use crate::effect::Run;
use crate::msg::discover::DiscoverMsg;
use crate::state::AppState;
use crate::state::discover::card::Card;
use crate::state::discover::found::{Empty, EmptyKind, ListView};
use crate::ui::keyboard::is_shown;
use crate::ui::widget::button::*;
use crate::ui::widget::reused::{has_keys, item_at};
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
    use crate::ui::notice::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::row::*;
    use crate::ui::discover::kit::*;

    ModelCard = <Row> {
        height: 88, flow: Down
        margin: { bottom: 2 }, align: { y: 0.0 }
        padding: { left: 16, right: 16, top: 12, bottom: 12 }, spacing: 0
        draw_bg: { radius: 10.0 }
        <View> {
            width: Fill, height: 22, flow: Right
            align: { y: 0.5 }, spacing: 8
            name = <Strong> { max_width: 200.0, draw_text: { text_style: <FONT_MESSAGE_BOLD> {} } }
            picked = <Mark> {
                glyph = <Glyph> { draw_icon: { color: (COLOR_ACCENT_TEXT), svg_path: (ICON_SEAL) } }
            }
            gated = <Mark> { glyph = { draw_icon: { svg_path: (ICON_LOCK) } } }
            favourite = <Mark> { glyph = { draw_icon: { color: (COLOR_ACCENT_TEXT), svg_path: (ICON_HEART) } } }
            <Spacer> {}
            fit = <FitMark> {}
        }
        summary = <TextLine> { width: Fill, margin: { top: 2 }, draw_text: { color: (COLOR_TEXT_2) } }
        foot = <View> {
            width: Fill, height: 16, flow: Right
            margin: { top: 4 }, align: { y: 0.5 }, spacing: 8
            facts = <Caption> { width: Fill }
            tools = <Mark> { glyph = { draw_icon: { svg_path: (ICON_WRENCH) } } }
            vision = <Mark> { glyph = { draw_icon: { svg_path: (ICON_EYE) } } }
            reasoning = <Mark> { glyph = { draw_icon: { svg_path: (ICON_THOUGHT) } } }
            embedding = <Mark> { glyph = { draw_icon: { svg_path: (ICON_EMBED) } } }
            code = <Mark> { glyph = { draw_icon: { svg_path: (ICON_CODE) } } }
        }
    }
    // Its captions are darker: the lightest text is not readable on this colour.
    ChosenCard = <ModelCard> { foot = { facts = { draw_text: { color: (COLOR_TEXT_2) } } } }
    Skeleton = <View> {
        width: Fill, height: 90, flow: Down
        padding: { left: 16, right: 16, top: 15 }, spacing: 10
        <View> {
            width: Fill, height: 14, flow: Right
            <Bar> { width: 180, height: 14 }
            <Spacer> {}
            <Bar> { width: 72, height: 14 }
        }
        <Bar> { width: 290 }
        <Bar> { width: 150 }
    }
    EmptyNotice = <Notice> {
        visible: false
        width: 300
        buttons = { act = <SecondaryButton> {} }
    }

    pub ModelCards = {{ModelCards}}<Flat> {
        width: 424, height: Fill, flow: Right
        draw_bg: { color: (COLOR_SIDEBAR) }
        <View> {
            width: Fill, height: Fill, flow: Down
            padding: { left: 8, right: 8, top: 8 }
            clip_x: false, clip_y: false
            <View> {
                width: Fill, height: 30, flow: Right
                padding: { left: 16, right: 16 }, align: { y: 0.5 }, spacing: 12
                head_title = <Caption> { width: Fill }
                head_count = <Caption> {}
            }
            note = <DiscoverNotice> { margin: { left: 8, right: 8, bottom: 8 } }
            <View> {
                width: Fill, height: Fill, flow: Overlay
                list = <PortalList> {
                    width: Fill, height: Fill, flow: Down
                    drag_scrolling: false
                    reuse_items: true
                    scroll_bar: { bar_size: 0.0 }
                    Card = <ModelCard> {}
                    Chosen = <ChosenCard> {}
                    Blank = <View> {}
                }
                loading = <View> {
                    visible: false
                    width: Fill, height: Fill, flow: Down
                    <Skeleton> {}
                    <Skeleton> {}
                    <Skeleton> {}
                    <Skeleton> {}
                }
                nothing = <View> {
                    visible: false
                    width: Fill, height: Fill, flow: Overlay
                    align: { x: 0.5, y: 0.4 }
                    search = <EmptyNotice> { tile = { glyph = { draw_icon: { svg_path: (ICON_SEARCH) } } } }
                    offline = <EmptyNotice> { tile = { glyph = { draw_icon: { svg_path: (ICON_OFFLINE) } } } }
                }
            }
        }
        <LineV> {}
    }
}

/// From the top of a card to that of the next, in pixels.
const PITCH: f64 = 90.0;
/// The next page is asked for when so many cards are left below.
const AHEAD: usize = 20;

/// The list of models.
#[derive(Live, LiveHook, Widget)]
pub struct ModelCards {
    #[deref]
    view: View,
    /// Cards in view: their places in the list.
    #[rust]
    drawn: Vec<(usize, Card, WidgetRef)>,
    /// The search whose cards were drawn last.
    #[rust]
    question: Option<Run>,
    /// The card that shall get the keyboard.
    #[rust]
    wanted: Option<usize>,
    /// Comes when that has been drawn.
    #[rust]
    drawn_by_now: NextFrame,
    /// Comes when more models are wanted.
    #[rust]
    more: NextFrame,
}

impl Widget for ModelCards {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() && event.requires_visibility() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        let Some(state) = scope.data.get::<AppState>() else {
            return;
        };
        match event {
            Event::Actions(actions) => self.take_actions(cx, actions, state),
            Event::KeyDown(key) => self.take_key(cx, key, state.discover.list.models.len()),
            _ if self.drawn_by_now.is_event(event).is_some() => self.try_focus(cx),
            _ if self.more.is_event(event).is_some() && state.discover.list.wants_more() => {
                tell(cx, DiscoverMsg::MoreWanted);
            }
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        self.fill_head(cx, state, &state.found_view());
        let models = &state.discover.list.models;
        if self.question != state.discover.list.question {
            self.question = state.discover.list.question;
            self.wanted = None;
            self.view.portal_list(id!(list)).set_first_id_and_scroll(0, 0.0);
        }
        if let Some(wanted) = self.wanted {
            reveal(cx, &self.view.portal_list(id!(list)), wanted, |_| PITCH);
        }
        self.drawn.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, models.len());
            while let Some(index) = list.next_visible_item(cx) {
                let Some(model) = models.get(index) else { continue };
                let card = state.card(model);
                let template = match card.is_chosen {
                    true => live_id!(Chosen),
                    false => live_id!(Card),
                };
                let item = item_at(cx, &mut list, index, template, &[]);
                fill(cx, &item, &card);
                item.draw_all(cx, &mut Scope::empty());
                self.drawn.push((index, card, item));
            }
        }
        let last = self.drawn.last().map_or(0, |(index, ..)| *index);
        if state.discover.list.wants_more() && last + AHEAD >= models.len() {
            self.more = cx.new_next_frame();
        }
        if self.wanted.is_some() {
            self.drawn_by_now = cx.new_next_frame();
        }
        DrawStep::done()
    }
}

impl ModelCards {
    fn fill_head(&self, cx: &mut Cx, state: &AppState, view: &ListView) {
        let texts = state.texts();
        self.view
            .text_line(id!(head_title))
            .set_text(cx, &texts.say(view.title, &[]));
        self.view.text_line(id!(head_count)).set_text(cx, &view.count);
        fill_notice(
            cx,
            &self.view.widget(id!(note)),
            view.notice.as_ref(),
            false,
            texts,
        );
        let loading = view.empty == Some(Empty::Loading);
        self.view.widget(id!(loading)).set_visible(cx, loading);
        let nothing = match &view.empty {
            Some(Empty::Nothing {
                kind,
                title,
                text,
                act,
            }) => Some((kind, title, text, act)),
            _ => None,
        };
        self.view.widget(id!(nothing)).set_visible(cx, nothing.is_some());
        for (kind, path) in EMPTY {
            let shown = nothing.filter(|(shown, ..)| **shown == kind);
            let widget = self.view.widget(path);
            widget.set_visible(cx, shown.is_some());
            if let Some((_, title, text, act)) = shown {
                widget.text_line(id!(title)).set_text(cx, &texts.say(*title, &[]));
                widget.label(id!(body)).set_text(cx, text);
                widget.push_button(id!(act)).set_text(cx, &texts.say(act.0, &[]));
            }
        }
    }

    fn take_actions(&self, cx: &mut Cx, actions: &Actions, state: &AppState) {
        for (_, card, item) in &self.drawn {
            if !matches!(item.as_row().action(actions), RowAction::None) {
                tell(cx, DiscoverMsg::Choose(card.model.clone()));
            }
        }
        let view = state.found_view();
        if let Some((_, wanted)) = view.notice.and_then(|notice| notice.act)
            && self.view.widget(id!(note)).push_button(id!(act)).clicked(actions)
        {
            act(cx, wanted);
        }
        if let Some(Empty::Nothing { act: (_, wanted), .. }) = view.empty {
            for (_, path) in EMPTY {
                if self.view.widget(path).push_button(id!(act)).clicked(actions) {
                    act(cx, wanted);
                }
            }
        }
    }

    /// From a card that has the keyboard arrows go to the next one.
    fn take_key(&mut self, cx: &mut Cx, key: &KeyEvent, count: usize) {
        let mut drawn = self.drawn.iter();
        let focused = drawn.find(|(.., item)| has_keys(cx, item, &[]));
        let (Some((at, ..)), Some(last)) = (focused, count.checked_sub(1)) else {
            return;
        };
        let at = *at;
        let next = match key.key_code {
            KeyCode::ArrowUp => at.saturating_sub(1),
            KeyCode::ArrowDown => (at + 1).min(last),
            KeyCode::PageUp => at.saturating_sub(6),
            KeyCode::PageDown => (at + 6).min(last),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => return,
        };
        self.focus(cx, next);
    }

    fn focus(&mut self, cx: &mut Cx, card: usize) {
        self.wanted = Some(card);
        self.view.redraw(cx);
    }

    /// What is not drawn yet takes no keyboard: waits until the list is drawn next.
    fn try_focus(&mut self, cx: &mut Cx) {
        let wanted = self.wanted;
        let mut drawn = self.drawn.iter();
        if let Some((.., item)) = drawn.find(|(index, .., item)| Some(*index) == wanted && is_shown(cx, item))
        {
            item.set_key_focus(cx);
            self.wanted = None;
        }
    }
}

impl ModelCardsRef {
    /// Gives the first card the keyboard.
    pub(super) fn focus_first(&self, cx: &mut Cx) {
        if let Some(mut cards) = self.borrow_mut() {
            let first = cards.drawn.first().map(|(index, ..)| *index);
            if let Some(first) = first {
                cards.focus(cx, first);
            }
        }
    }

    /// Where Tab stops: one card, from which arrows lead to the others.
    pub(super) fn stops(&self, cx: &Cx) -> Vec<WidgetRef> {
        let Some(cards) = self.borrow() else {
            return Vec::new();
        };
        let shown = cards.drawn.iter().map(|(.., item)| item);
        let mut shown = shown.filter(|item| is_shown(cx, item));
        let first = shown.clone().next();
        let chosen = cards.drawn.iter().find(|(_, card, _)| card.is_chosen);
        let chosen = chosen.map(|(.., item)| item).filter(|item| is_shown(cx, item));
        let stop = shown.find(|item| has_keys(cx, item, &[])).or(chosen).or(first);
        stop.into_iter().cloned().collect()
    }

    /// The cards in view, as tests see them.
    #[cfg(feature = "probe")]
    pub(super) fn drawn(&self) -> Vec<(usize, Card, WidgetRef)> {
        self.borrow().map_or_else(Vec::new, |cards| cards.drawn.clone())
    }
}

/// What stands in the place of cards.
const EMPTY: [(EmptyKind, &[LiveId; 1]); 2] = [
    (EmptyKind::Search, id!(search)),
    (EmptyKind::Offline, id!(offline)),
];

fn fill(cx: &mut Cx, item: &WidgetRef, card: &Card) {
    item.as_row().set_on(cx, card.is_chosen);
    item.text_line(id!(name)).set_text(cx, &card.name);
    item.widget(id!(picked)).set_visible(cx, card.is_picked);
    item.widget(id!(gated)).set_visible(cx, card.is_gated);
    item.widget(id!(favourite)).set_visible(cx, card.is_favourite);
    item.text_line(id!(summary)).set_text(cx, &card.summary);
    item.text_line(id!(facts)).set_text(cx, &card.facts);
    fill_fit(cx, &item.widget(id!(fit)), card.fit);
    fill_abilities(cx, item, &card.abilities);
}
