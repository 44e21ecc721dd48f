//! The messages of the open chat, as a list of which only the rows in view exist. Follows the end while an
//! answer is written, and lets go when the person scrolls up.

mod handle;
mod place;
mod probe;

use makepad_widgets::*;

use super::message::{self, Showing};
use super::painter::Painter;
use super::rows::{self, Row};
use super::standing::Standing;
use super::{actions, editor};
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::blocks::Kind;
use crate::state::conversation::{Conversation as Chat, ConversationKey, Entry};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::ui::widget::button::*;
use crate::ui::widget::multiline::*;
use crate::ui::widget::place::seen;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::button::*;
    use crate::ui::chat::editor::*;
    use crate::ui::chat::message::*;

    pub Conversation = {{Conversation}} {
        width: Fill, height: Fill, flow: Overlay
        list = <PortalList> {
            width: Fill, height: Fill, flow: Down
            drag_scrolling: false
            reuse_items: false
            scroll_bar: { bar_size: 0.0 }
            Top = <View> { width: Fill, height: 24 }
            User = <UserRow> {}
            UserActions = <UserActionsRow> {}
            Head = <HeadRow> {}
            Thought = <ThoughtRow> {}
            OpenThought = <OpenThoughtRow> {}
            Tool = <ToolRow> {}
            OpenTool = <OpenToolRow> {}
            AsideParagraph = <AsideParagraphRow> {}
            Title = <TitleRow> {}
            Heading = <HeadingRow> {}
            SmallHeading = <SmallHeadingRow> {}
            Paragraph = <ParagraphRow> {}
            Code = <CodeRow> {}
            Table = <TableRow> {}
            Formula = <FormulaRow> {}
            Picture = <PictureRow> {}
            Rule = <RuleRow> {}
            Unread = <View> { width: Fill, height: 600 }
            Waiting = <WaitingRow> {}
            Stats = <StatsRow> {}
            Actions = <ActionsRow> {}
            Edit = <EditRow> {}
            Failure = <FailureRow> {}
            Gap = <View> { width: Fill, height: 24 }
            Tail = <View> { width: Fill, height: 20 }
        }
        newest_place = <View> {
            visible: false
            width: Fill, height: Fill
            align: { x: 0.5, y: 1.0 }, padding: { bottom: 10 }
            newest = <SecondaryButton> {
                text: (TEXT_NEWEST)
                draw_icon: { svg_path: (ICON_ARROW_DOWN) }
                draw_bg: { radius: 16.0 }
            }
        }
    }
}

/// Widest column of text, and the least space beside it, in pixels.
const COLUMN: f64 = 672.0;
const SIDE: f64 = 24.0;
/// Share of the view that Page Up and Page Down move by.
const PAGE: f64 = 0.85;
/// How long a button says that it has copied, in seconds.
const COPIED_FOR: f64 = 1.5;

/// The conversation of the open chat.
#[derive(Live, LiveHook, Widget)]
pub struct Conversation {
    #[deref]
    view: View,
    /// Rows in view with their widgets.
    #[rust]
    drawn: Vec<(Row, WidgetRef)>,
    /// Whether the view keeps to the end.
    #[rust(true)]
    follow: bool,
    /// The message under the pointer.
    #[rust]
    hovered: Option<usize>,
    /// The row whose text was copied just now.
    #[rust]
    copied: Option<Row>,
    #[rust]
    copied_timer: Timer,
    /// Code blocks of the open chat whose lines wrap.
    #[rust]
    wrapped: Vec<Row>,
    #[rust]
    painter: Painter,
    /// The conversation shown last, to notice another one.
    #[rust]
    shown: Option<ConversationKey>,
    #[rust]
    standing: Standing,
    /// Comes when answers that are not read yet were drawn all the same: the next drawing reads them.
    #[rust]
    reads_on: NextFrame,
    /// Comes when the field that edits may have been drawn and shall get the keyboard.
    #[rust]
    focus_now: NextFrame,
    #[rust]
    focus_tries: u32,
}

impl Widget for Conversation {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if let Event::Scroll(scroll) = event
            && scroll.modifiers.shift
        {
            // Sideways: for the code and the tables, not for the list, which takes the wheel whatever took it before.
            for (_, item) in &self.drawn {
                item.handle_event(cx, event, scope);
            }
            return;
        }
        self.view.handle_event(cx, event, scope);
        match event {
            Event::Scroll(scroll) if self.view.area().rect(cx).contains(scroll.abs) => {
                self.note_scroll(cx, scroll.scroll.y < 0.0);
            }
            Event::MouseMove(mouse) => self.hover(cx, mouse.abs),
            Event::MouseDown(mouse) if !mouse.button.is_primary() => {
                if let Some(state) = scope
                    .data
                    .get::<AppState>()
                    .filter(|state| state.overlay.is_none())
                {
                    self.open_menu(cx, mouse.abs, state.open());
                }
            }
            // Over the page lies what the key is for.
            Event::KeyDown(_) if scope.data.get().is_some_and(has_overlay) => (),
            Event::KeyDown(key) if self.view.area().is_valid(cx) && is_bare(&key.modifiers) => {
                match key.key_code {
                    KeyCode::PageUp => self.turn_page(cx, 1.0),
                    KeyCode::PageDown => self.turn_page(cx, -1.0),
                    _ => (),
                }
            }
            Event::Actions(actions) => {
                if let Some(state) = scope.data.get::<AppState>() {
                    self.handle_actions(cx, actions, state.open());
                }
            }
            Event::Signal if self.painter.take_done() => self.view.redraw(cx),
            _ if self.copied_timer.is_event(event).is_some() => {
                self.copied = None;
                self.view.redraw(cx);
            }
            _ => (),
        }
        if self.reads_on.is_event(event).is_some() {
            self.view.redraw(cx);
        }
        if self.focus_now.is_event(event).is_some() {
            self.try_focus(cx);
        }
        if self.standing.is_over(cx, event)
            && let Some(state) = scope.data.get::<AppState>()
        {
            self.tell_place(cx, state.open());
        }
        let newest = !self.follow && !self.sees(cx, Row::Tail);
        self.view.view(id!(newest_place)).set_visible(cx, newest);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let chat = state.open();
        if self.shown != Some(chat.key) {
            self.shown = Some(chat.key);
            self.follow = true;
            self.hovered = None;
            self.copied = None;
            self.standing.forget();
            self.wrapped.clear();
        }
        let side = ((cx.peek_walk_turtle(walk).size.x - COLUMN) * 0.5)
            .floor()
            .max(SIDE);
        let list = self.view.portal_list(id!(list));
        list.apply_over(cx, live! { padding: { left: (side), right: (side) } });
        let rows = self.rows(chat, &list);
        self.drawn.clear();
        let mut showing = Showing {
            state,
            hovered: self.hovered,
            copied: self.copied,
            wrapped: &self.wrapped,
            painter: &mut self.painter,
        };
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, rows.len());
            // The list asks for rows beyond its range, too.
            while let Some(index) = list.next_visible_item(cx) {
                let Some(row) = rows.get(index).copied() else {
                    continue;
                };
                let item = list.item(cx, index, message::template(row, chat));
                if matches!(row, Row::Unread(_)) {
                    self.reads_on = cx.new_next_frame();
                }
                showing.fill(cx, row, &item);
                item.draw_all(cx, &mut Scope::empty());
                self.drawn.push((row, item));
            }
        }
        DrawStep::done()
    }
}

impl Conversation {
    fn handle_actions(&mut self, cx: &mut Cx, actions: &Actions, chat: &Chat) {
        if self.view.push_button(id!(newest)).clicked(actions) {
            self.follow = true;
            self.standing.note_scroll(cx);
            self.view.redraw(cx);
        }
        let mut copied = None;
        let mut wrapped = None;
        for (row, item) in &self.drawn {
            let Some(entry) = row.message().and_then(|index| chat.entries.get(index)) else {
                continue;
            };
            if item.push_button(id!(copy)).clicked(actions) {
                copied = Some(*row);
                match (source(*row, entry), entry.id) {
                    (Some(source), _) => cx.copy_to_clipboard(source),
                    (None, Some(id)) => cx.action(Msg::CopyMessage(id)),
                    (None, None) => (),
                }
            }
            if item.push_button(id!(wrap)).clicked(actions) {
                wrapped = Some(*row);
            }
            match row {
                Row::Edit(_) => editor::take(cx, actions, item, entry),
                Row::Aside(entry, aside) if item.push_button(id!(fold)).clicked(actions) => {
                    // What opens stays where it is, and pushes the rest down.
                    self.follow = false;
                    let (entry, aside) = (*entry, *aside);
                    cx.action(Msg::FoldAside { entry, aside });
                }
                _ => actions::take(cx, actions, item, entry),
            }
        }
        if let Some(row) = wrapped {
            match self.wrapped.iter().position(|wrapped| *wrapped == row) {
                Some(at) => {
                    self.wrapped.remove(at);
                }
                None => self.wrapped.push(row),
            }
            self.view.redraw(cx);
        }
        if copied.is_some() {
            self.copied = copied;
            cx.stop_timer(self.copied_timer);
            self.copied_timer = cx.start_timeout(COPIED_FOR);
            self.view.redraw(cx);
        }
    }

    /// Moves by a page: up for 1.0, down for -1.0.
    fn turn_page(&mut self, cx: &mut Cx, pages: f64) {
        let list = self.view.portal_list(id!(list));
        let by = pages * PAGE * list.area().rect(cx).size.y;
        list.set_first_id_and_scroll(list.first_id(), list.scroll_position() + by);
        self.note_scroll(cx, pages > 0.0);
    }

    /// Lets go of the end when the person scrolls up from it, and follows it again when they scroll down at it.
    fn note_scroll(&mut self, cx: &mut Cx, up: bool) {
        self.follow = self.sees(cx, Row::Tail) && (!up || self.sees(cx, Row::Top));
        self.standing.note_scroll(cx);
        self.view.redraw(cx);
    }

    /// Tells where the view stands.
    fn tell_place(&mut self, cx: &mut Cx, chat: &Chat) {
        let view = self.view.area().rect(cx);
        let place = if self.follow {
            None
        } else {
            self.standing.place(cx, view, &self.drawn, chat)
        };
        cx.action(Msg::PlaceChanged {
            conversation: chat.key,
            place,
        });
    }

    /// Opens the menu of the message at a place.
    fn open_menu(&self, cx: &mut Cx, pointer: DVec2, chat: &Chat) {
        let over = |(_, item): &&(Row, WidgetRef)| seen(cx, item.area()).contains(pointer);
        let row = self.drawn.iter().find(over).and_then(|(row, _)| row.message());
        let message = row.and_then(|index| chat.entries.get(index)?.id);
        if let Some(message) = message {
            let at = Place {
                x: pointer.x,
                y: pointer.y,
            };
            cx.action(Msg::OpenMenu {
                of: MenuOf::Message(message),
                at,
            });
        }
    }

    /// What is not drawn yet takes no keyboard: asks again with the next frame.
    fn try_focus(&mut self, cx: &mut Cx) {
        let mut rows = self.drawn.iter();
        let edited = rows.find(|(row, _)| matches!(row, Row::Edit(_)));
        let input = edited.map(|(_, item)| item.multiline(id!(input)));
        match input.filter(|input| input.area().is_valid(cx)) {
            Some(input) => {
                input.set_key_focus(cx);
                input.caret_to_end(cx);
            }
            // The row may be out of view; then it gets the keyboard once it is scrolled to.
            None if self.focus_tries > 0 => {
                self.focus_tries -= 1;
                self.focus_now = cx.new_next_frame();
            }
            None => (),
        }
    }

    /// Whether a row is in view. The list also draws rows above its edge.
    fn sees(&self, cx: &Cx, row: Row) -> bool {
        let in_view = |item: &WidgetRef| seen(cx, item.area()).size.y > 0.0;
        self.drawn
            .iter()
            .any(|(drawn, item)| *drawn == row && in_view(item))
    }

    fn hover(&mut self, cx: &mut Cx, pointer: DVec2) {
        let under = |place: Rect| place.pos.y <= pointer.y && pointer.y < place.pos.y + place.size.y;
        let inside = self.view.area().rect(cx).contains(pointer);
        let mut rows = self.drawn.iter().filter(|_| inside);
        let hovered = rows
            .find(|(_, item)| under(item.area().rect(cx)))
            .and_then(|(row, _)| row.message());
        if self.hovered != hovered {
            self.hovered = hovered;
            self.view.redraw(cx);
        }
    }
}

fn has_overlay(state: &AppState) -> bool {
    state.overlay.is_some()
}

fn is_bare(modifiers: &KeyModifiers) -> bool {
    !(modifiers.shift || modifiers.control || modifiers.alt || modifiers.logo)
}

/// What the button of a block copies: its code or its formula.
fn source(row: Row, entry: &Entry) -> Option<&str> {
    let block = match row {
        Row::Block(_, block) => entry.body.blocks().get(block),
        Row::AsideBlock(_, aside, block) => entry.asides.get(aside)?.body.blocks().get(block),
        _ => None,
    };
    match &block?.kind {
        Kind::Code { text, .. } => Some(text.strip_suffix('\n').unwrap_or(text)),
        Kind::Maths { source, .. } => Some(source),
        _ => None,
    }
}
