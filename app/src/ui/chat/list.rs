//! The list of chats: groups, the open one, renaming in place, deleting, and going through it with the keys.

mod keys;

use hearth_protocol::ChatId;
use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::chats::{ChatRow, ListRow};
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::place::seen;
use crate::ui::widget::reveal::reveal;
use crate::ui::widget::row::*;
use crate::ui::widget::tag::*;
use crate::ui::widget::text::*;
use keys::has_keys;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::tag::*;

    ChatRow = <Row> {
        label = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
        rest = <View> {
            width: Fit, height: Fit, align: { y: 0.5 }
            busy = <Dot> { visible: false }
            date = <Micro> {}
        }
        tools = <View> {
            visible: false
            width: Fit, height: Fit, margin: { right: -4 }
            rename = <IconButton> {
                width: 24, height: 24
                tip: "Rename  F2", draw_icon: { svg_path: (ICON_EDIT) }
            }
            delete = <IconButton> {
                width: 24, height: 24
                tip: "Delete", draw_icon: { svg_path: (ICON_TRASH) }
            }
        }
    }
    pub ChatList = {{ChatList}}<Flat> {
        width: 264, height: Fill, flow: Right
        // Takes the pointer for itself where it lies over the conversation.
        cursor: Default, grab_key_focus: false
        draw_bg: { color: (COLOR_SIDEBAR) }
        <View> {
            width: 263, height: Fill, flow: Down
            <View> {
                width: Fill, height: 52, flow: Right
                align: { y: 0.5 }, padding: { left: 16, right: 12 }
                clip_x: false, clip_y: false
                <Heading> { width: Fill, text: "Chats" }
                new = <LargeIconButton> { tip: "New chat  Ctrl N", draw_icon: { svg_path: (ICON_NEW_CHAT) } }
            }
            body = <View> {
                width: Fill, height: Fill, flow: Overlay
                empty = <View> {
                    visible: false
                    width: Fill, height: Fill, flow: Down
                    padding: { left: 16, right: 16, top: 12 }, spacing: 2
                    <Strong> { text: "No chats yet", draw_text: { color: (COLOR_TEXT_2) } }
                    <Caption> { text: "Chats you start appear here." }
                }
                list = <PortalList> {
                    width: Fill, height: Fill, flow: Down
                    padding: { left: 8, right: 8 }
                    drag_scrolling: false
                    scroll_bar: { bar_size: 0.0 }
                    Group = <View> {
                        width: Fill, height: 34
                        padding: { left: 8, top: 14 }
                        label = <GroupTitle> {}
                    }
                    First = <View> {
                        width: Fill, height: 24
                        padding: { left: 8, top: 4 }
                        label = <GroupTitle> {}
                    }
                    Chat = <ChatRow> {}
                    Open = <ChatRow> {
                        label = { draw_text: { color: (COLOR_TEXT) } }
                        rest = { date = { draw_text: { color: (COLOR_TEXT_2) } } }
                    }
                    Rename = <View> {
                        width: Fill, height: 32
                        clip_x: false, clip_y: false
                        title = <Field> { height: 32, padding: { left: 7, right: 7, top: 8, bottom: 4 } }
                    }
                }
            }
            foot = <View> {
                width: Fill, height: Fit, flow: Down
                padding: { left: 16, right: 16, bottom: 20, top: 8 }, spacing: 2
                <Caption> { text: "Chats stay on this machine." }
                <Caption> { text: "Nothing is sent anywhere." }
            }
        }
        <LineV> {}
    }
}

/// Chats up to which the note at the foot is shown.
const NOTED_UP_TO: usize = 1;
/// Heights of the rows as they are designed above, in pixels.
const ROW: f64 = 32.0;
const GROUP: f64 = 34.0;
const FIRST_GROUP: f64 = 24.0;

/// The list of chats.
#[derive(Live, LiveHook, Widget)]
pub struct ChatList {
    #[deref]
    view: View,
    /// Chats in view with their rows.
    #[rust]
    drawn: Vec<(ChatId, WidgetRef)>,
    /// The chat under the pointer, whose row shows its buttons.
    #[rust]
    hovered: Option<ChatId>,
    /// The chat whose row, or whose field that renames, shall get the keyboard.
    #[rust]
    wanted: Option<ChatId>,
    /// Comes when that has been drawn, if it is in view.
    #[rust]
    drawn_by_now: NextFrame,
}

impl Widget for ChatList {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Some(state) = scope.data.get::<AppState>() else {
            return;
        };
        match event {
            Event::Actions(actions) => self.handle_actions(cx, actions),
            Event::MouseMove(mouse) => self.hover(cx, mouse.abs),
            Event::KeyDown(key) => self.take_key(cx, key, state),
            _ if self.drawn_by_now.is_event(event).is_some() => self.try_focus(cx, state),
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let rows = state.list_rows();
        self.view.view(id!(empty)).set_visible(cx, state.chats.is_empty());
        self.view
            .view(id!(foot))
            .set_visible(cx, rows.len() <= 2 * NOTED_UP_TO);
        if let Some(row) = self.wanted.and_then(|chat| row_of(rows, chat)) {
            reveal(cx, &self.view.portal_list(id!(list)), row, |row| {
                height_of(rows, row)
            });
        }
        self.drawn.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, rows.len());
            while let Some(index) = list.next_visible_item(cx) {
                let item = match rows.get(index) {
                    Some(ListRow::Group(title)) => group(cx, &mut list, index, title),
                    Some(ListRow::Chat(chat)) => self.chat(cx, &mut list, index, chat, state),
                    None => continue,
                };
                item.draw_all(cx, &mut Scope::empty());
            }
        }
        if self.wanted.is_some() {
            self.drawn_by_now = cx.new_next_frame();
        }
        DrawStep::done()
    }
}

impl ChatList {
    /// The row of a chat, filled: it may have shown another one before.
    fn chat(
        &mut self,
        cx: &mut Cx,
        list: &mut PortalList,
        index: usize,
        chat: &ChatRow,
        state: &AppState,
    ) -> WidgetRef {
        if let Some(rename) = state
            .chats
            .rename
            .as_ref()
            .filter(|rename| rename.chat == chat.chat)
        {
            let item = list.item(cx, index, live_id!(Rename));
            let title = item.field(id!(title));
            if title.text() != rename.text {
                title.set_text(cx, &rename.text);
            }
            self.drawn.push((chat.chat, item.clone()));
            return item;
        }
        let item = list.item(cx, index, if chat.open { live_id!(Open) } else { live_id!(Chat) });
        let tools = self.hovered == Some(chat.chat) || has_keys(cx, &item);
        item.text_line(id!(label)).set_text(cx, &chat.title);
        item.text_line(id!(date)).set_text(cx, &chat.date);
        item.text_line(id!(date)).set_visible(cx, !chat.running);
        item.dot(id!(busy)).set(DotKind::Busy);
        item.dot(id!(busy)).set_visible(cx, chat.running);
        item.view(id!(rest)).set_visible(cx, !tools);
        item.view(id!(tools)).set_visible(cx, tools);
        item.as_row().set_on(cx, chat.open);
        self.drawn.push((chat.chat, item.clone()));
        item
    }

    fn handle_actions(&mut self, cx: &mut Cx, actions: &Actions) {
        if self.view.push_button(id!(new)).clicked(actions) {
            cx.action(Msg::NewChat);
        }
        for (chat, item) in &self.drawn {
            match item.field(id!(title)).action(actions) {
                FieldAction::Changed(title) => cx.action(Msg::RenameChanged(title)),
                FieldAction::Entered | FieldAction::Left => cx.action(Msg::CommitRename),
                FieldAction::None => (),
            }
            if item.push_button(id!(rename)).clicked(actions) {
                cx.action(Msg::BeginRename(*chat));
            }
            if item.push_button(id!(delete)).clicked(actions) {
                cx.action(Msg::DeleteChat(*chat));
            }
            match item.as_row().action(actions) {
                RowAction::Clicked => cx.action(Msg::OpenChat(*chat)),
                RowAction::DoubleClicked => cx.action(Msg::BeginRename(*chat)),
                RowAction::None => (),
            }
        }
    }

    fn hover(&mut self, cx: &mut Cx, pointer: DVec2) {
        let over = |item: &WidgetRef| seen(cx, item.area()).contains(pointer);
        let hovered = self
            .drawn
            .iter()
            .find(|(_, item)| over(item))
            .map(|(chat, _)| *chat);
        if self.hovered != hovered {
            self.hovered = hovered;
            self.view.redraw(cx);
        }
    }
}

#[cfg(feature = "probe")]
impl ChatListRef {
    /// The rows in view with their names, as tests see them.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(list) = self.borrow() else {
            return Vec::new();
        };
        let rows = list.drawn.iter().flat_map(|(chat, row)| {
            let named = |name: String, widget: WidgetRef, text| Element {
                name,
                widget,
                text,
                part: None,
            };
            let title = row.text_line(id!(label)).text();
            [
                named(format!("list.row.{chat}"), row.clone(), Some(title)),
                named(format!("list.date.{chat}"), row.widget(id!(date)), None),
                named(format!("list.busy.{chat}"), row.widget(id!(busy)), None),
                named(format!("list.rename.{chat}"), row.widget(id!(rename)), None),
                named(format!("list.delete.{chat}"), row.widget(id!(delete)), None),
                named("list.rename.input".to_owned(), row.widget(id!(title)), None),
            ]
        });
        rows.filter(|element| !element.widget.is_empty()).collect()
    }
}

/// The row of a chat.
fn row_of(rows: &[ListRow], chat: ChatId) -> Option<usize> {
    rows.iter().position(|row| row.chat() == Some(chat))
}

fn height_of(rows: &[ListRow], row: usize) -> f64 {
    match rows.get(row) {
        Some(ListRow::Group(_)) if row == 0 => FIRST_GROUP,
        Some(ListRow::Group(_)) => GROUP,
        Some(ListRow::Chat(_)) => ROW,
        None => 0.0,
    }
}

fn group(cx: &mut Cx, list: &mut PortalList, index: usize, title: &str) -> WidgetRef {
    let item = list.item(
        cx,
        index,
        if index == 0 {
            live_id!(First)
        } else {
            live_id!(Group)
        },
    );
    item.text_line(id!(label)).set_text(cx, title);
    item
}
