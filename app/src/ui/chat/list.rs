//! The list of chats: search, groups and folders, the open chat, naming in place, and going through it with the keys.

mod keys;
mod probe;
pub mod rows;

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::chats::{ListRow, RowKey};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::search::SearchRow;
use crate::state::shortcuts::Action;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::one_line::*;
use crate::ui::widget::place::seen;
use crate::ui::widget::reused::has_keys;
use crate::ui::widget::reveal::reveal;
use crate::ui::widget::row::*;
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
    use crate::ui::chat::list::rows::*;

    pub ChatList = {{ChatList}}<Flat> {
        width: 264, height: Fill, flow: Right
        // Takes the pointer for itself where it lies over the conversation.
        cursor: Default, grab_key_focus: false
        draw_bg: { color: (COLOR_SIDEBAR) }
        <View> {
            width: 263, height: Fill, flow: Down
            <View> {
                width: Fill, height: 52, flow: Right
                align: { y: 0.5 }, padding: { left: 16, right: 12 }, spacing: 4
                clip_x: false, clip_y: false
                <Heading> { width: Fill, text: (TEXT_CHATS) }
                new_folder = <LargeIconButton> { tip: (TEXT_NEW_FOLDER), draw_icon: { svg_path: (ICON_FOLDER) } }
                new = <LargeIconButton> { tip: (TIP_NEW_CHAT), draw_icon: { svg_path: (ICON_NEW_CHAT) } }
            }
            <View> {
                width: Fill, height: 40, flow: Overlay
                padding: { left: 8, right: 8 }
                clip_x: false, clip_y: false
                search = <FramedLine> {
                    padding: { left: 34, right: 56, top: 8, bottom: 4 }
                    scroll = { input = { empty_text: (TEXT_SEARCH_CHATS) } }
                }
                <View> {
                    width: Fill, height: 32, flow: Right
                    padding: { left: 11, right: 8 }, align: { y: 0.5 }
                    <Glyph> { draw_icon: { svg_path: (ICON_SEARCH) } }
                    <Spacer> {}
                    hint = <Caption> {}
                    leave = <IconButton> {
                        visible: false
                        width: 24, height: 24
                        tip: (TEXT_LEAVE_SEARCH), draw_icon: { svg_path: (ICON_CLOSE) }
                    }
                }
            }
            body = <View> {
                width: Fill, height: Fill, flow: Overlay
                empty = <View> {
                    visible: false
                    width: Fill, height: Fill, flow: Down
                    padding: { left: 16, right: 16, top: 8 }, spacing: 2
                    <Strong> { text: (TEXT_NO_CHATS_TITLE), draw_text: { color: (COLOR_TEXT_2) } }
                    <Caption> { text: (TEXT_NO_CHATS_TEXT) }
                }
                list = <PortalList> {
                    width: Fill, height: Fill, flow: Down
                    padding: { left: 8, right: 8 }
                    drag_scrolling: false
                    reuse_items: true
                    scroll_bar: { bar_size: 0.0 }
                    Group = <GroupRow> {}
                    First = <FirstGroupRow> {}
                    Chat = <ChatRow> {}
                    Open = <OpenChatRow> {}
                    Nested = <NestedRow> {}
                    OpenNested = <OpenNestedRow> {}
                    Pinned = <PinnedRow> {}
                    OpenPinned = <OpenPinnedRow> {}
                    Folder = <FolderRow> {}
                    ClosedFolder = <ClosedFolderRow> {}
                    Blank = <View> {}
                    Rename = <RenameRow> {}
                    TitleHit = <TitleHitRow> {}
                    Hit = <HitRow> {}
                    Nothing = <NothingRow> {}
                    Failed = <FailedRow> {}
                }
            }
            foot = <View> {
                width: Fill, height: Fit, flow: Down
                padding: { left: 16, right: 16, bottom: 20, top: 8 }, spacing: 2
                <Caption> { text: (TEXT_STAYS_HERE) }
                <Caption> { text: (TEXT_NOTHING_SENT) }
            }
        }
        <LineV> {}
    }
}

/// Chats up to which the note at the foot is shown.
const NOTED_UP_TO: usize = 1;

/// The list of chats.
#[derive(Live, LiveHook, Widget)]
pub struct ChatList {
    #[deref]
    view: View,
    /// What is in view, with its rows.
    #[rust]
    drawn: Vec<(RowKey, WidgetRef)>,
    /// Hits in view with their rows.
    #[rust]
    hits: Vec<(usize, WidgetRef)>,
    /// The row under the pointer, which shows its buttons.
    #[rust]
    hovered: Option<RowKey>,
    /// What shall get the keyboard: its row, or the field that names it.
    #[rust]
    wanted: Option<RowKey>,
    /// Comes when that has been drawn, if it is in view.
    #[rust]
    drawn_by_now: NextFrame,
    /// Comes when the field that searches may have been drawn and shall get the keyboard.
    #[rust]
    search_now: NextFrame,
}

impl Widget for ChatList {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Some(state) = scope.data.get::<AppState>() else {
            return;
        };
        match event {
            Event::Actions(actions) => self.handle_actions(cx, actions, state),
            Event::MouseMove(mouse) if !state.downloads.is_open => self.hover(cx, mouse.abs),
            Event::MouseDown(mouse) if !mouse.button.is_primary() && state.has_pointer_on_page() => {
                self.open_menu_at(cx, mouse.abs);
            }
            Event::KeyDown(key) => self.take_key(cx, key, state),
            _ if self.drawn_by_now.is_event(event).is_some() => self.try_focus(cx, state),
            _ if self.search_now.is_event(event).is_some() => self.try_search(cx),
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let searching = state.search.is_on();
        let rows = state.list_rows();
        let found = state.search.rows(&state.chats);
        self.view.one_line(id!(search)).set_text(cx, &state.search.words);
        self.view.widget(id!(hint)).set_visible(cx, !searching);
        self.view
            .text_line(id!(hint))
            .set_text(cx, &state.keys(Action::Search));
        self.view.widget(id!(leave)).set_visible(cx, searching);
        self.view
            .view(id!(empty))
            .set_visible(cx, !searching && state.chats.is_empty());
        self.view
            .view(id!(foot))
            .set_visible(cx, !searching && rows.len() <= 2 * NOTED_UP_TO);
        let menu = self.view.portal_list(id!(list));
        let density = state.look().density;
        if let Some(row) = self.wanted.and_then(|key| rows::row_of(rows, key)) {
            reveal(cx, &menu, row, |row| rows::height_of(rows, row, density));
        }
        if let Some(row) = rows::chosen_hit(&found) {
            reveal(cx, &menu, row, |row| rows::height_of_found(&found, row, density));
        }
        self.drawn.clear();
        self.hits.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            let count = if searching { found.len() } else { rows.len() };
            list.set_item_range(cx, 0, count);
            while let Some(index) = list.next_visible_item(cx) {
                let item = if searching {
                    let Some(row) = found.get(index) else { continue };
                    self.found_row(cx, &mut list, index, row, state)
                } else {
                    let Some(row) = rows.get(index) else { continue };
                    self.row(cx, &mut list, index, row, state)
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
    fn row(
        &mut self,
        cx: &mut Cx,
        list: &mut PortalList,
        index: usize,
        row: &ListRow,
        state: &AppState,
    ) -> WidgetRef {
        let Some(key) = row.key() else {
            return rows::group(cx, list, index, row);
        };
        let rename = state.chats.rename.as_ref().filter(|rename| rename.of == key);
        let item = match rename {
            Some(rename) => rows::rename(cx, list, index, rename, state.texts()),
            None => {
                let item = rows::item(cx, list, index, row);
                let tools = self.hovered == Some(key) || has_keys(cx, &item, &keys::TOOLS);
                rows::fill(cx, &item, row, tools);
                item
            }
        };
        self.drawn.push((key, item.clone()));
        item
    }

    fn found_row(
        &mut self,
        cx: &mut Cx,
        list: &mut PortalList,
        index: usize,
        row: &SearchRow<'_>,
        state: &AppState,
    ) -> WidgetRef {
        let item = rows::found(cx, list, index, row, state.texts());
        if let SearchRow::Hit { index, .. } = row {
            self.hits.push((*index, item.clone()));
        }
        item
    }

    fn handle_actions(&mut self, cx: &mut Cx, actions: &Actions, state: &AppState) {
        if self.view.push_button(id!(new)).clicked(actions) {
            cx.action(Msg::NewChat);
        }
        if self.view.push_button(id!(new_folder)).clicked(actions) {
            cx.action(Msg::BeginFolder(None));
        }
        if self.view.push_button(id!(leave)).clicked(actions) {
            cx.action(Msg::LeaveSearch);
        }
        match self.view.one_line(id!(search)).action(actions) {
            FieldAction::Changed(words) => cx.action(Msg::SearchChanged(words)),
            FieldAction::Entered => cx.action(Msg::OpenChosenHit),
            FieldAction::Left | FieldAction::None => (),
        }
        for (index, item) in &self.hits {
            if item.as_row().clicked(actions) {
                cx.action(Msg::OpenHit(*index));
            }
        }
        let list = self.view.portal_list(id!(list));
        if list
            .items_with_actions(actions)
            .iter()
            .any(|(_, item)| item.push_button(id!(clear)).clicked(actions))
        {
            cx.action(Msg::LeaveSearch);
        }
        for (key, item) in &self.drawn {
            match item.one_line(id!(title)).action(actions) {
                FieldAction::Changed(title) => cx.action(Msg::RenameChanged(title)),
                FieldAction::Entered | FieldAction::Left => cx.action(Msg::CommitRename),
                FieldAction::None => (),
            }
            if item.push_button(id!(more)).clicked(actions) {
                open_menu_below(cx, *key, &item.widget(id!(more)));
            }
            match *key {
                RowKey::Chat(chat) => {
                    if item.push_button(id!(pin)).clicked(actions) {
                        let pinned = !state.chats.get(chat).is_some_and(|summary| summary.pinned);
                        cx.action(Msg::PinChat { chat, pinned });
                    }
                    match item.as_row().action(actions) {
                        RowAction::Clicked => cx.action(Msg::OpenChat(chat)),
                        RowAction::DoubleClicked => cx.action(Msg::BeginRename(chat)),
                        RowAction::None => (),
                    }
                }
                RowKey::Folder(folder) => match item.as_row().action(actions) {
                    RowAction::Clicked | RowAction::DoubleClicked => cx.action(Msg::ToggleFolder(folder)),
                    RowAction::None => (),
                },
                RowKey::NewFolder => (),
            }
        }
    }

    /// Opens the menu of the row at a place, or that of the list where there is none.
    fn open_menu_at(&self, cx: &mut Cx, pointer: DVec2) {
        if !seen(cx, self.view.area()).contains(pointer) {
            return;
        }
        let at = Place {
            x: pointer.x,
            y: pointer.y,
        };
        let over = |item: &WidgetRef| seen(cx, item.area()).contains(pointer);
        let row = self.drawn.iter().find(|(_, item)| over(item));
        let of = row.map_or(Some(MenuOf::List), |(key, _)| menu_of(*key));
        if let Some(of) = of {
            cx.action(Msg::OpenMenu { of, at });
        }
    }

    fn hover(&mut self, cx: &mut Cx, pointer: DVec2) {
        let over = |item: &WidgetRef| seen(cx, item.area()).contains(pointer);
        let hovered = self
            .drawn
            .iter()
            .find(|(_, item)| over(item))
            .map(|(key, _)| *key);
        if self.hovered != hovered {
            self.hovered = hovered;
            self.view.redraw(cx);
        }
    }

    /// What is not drawn yet takes no keyboard: asks again with the next frame.
    fn try_search(&mut self, cx: &mut Cx) {
        let search = self.view.one_line(id!(search));
        if search.input().area().is_valid(cx) {
            search.input().set_key_focus(cx);
            search.select_all(cx);
        } else {
            self.search_now = cx.new_next_frame();
        }
    }
}

impl ChatListRef {
    /// Gives the field that searches the keyboard, once it is there.
    pub(crate) fn focus_search(&self, cx: &mut Cx) {
        if let Some(mut list) = self.borrow_mut() {
            list.search_now = cx.new_next_frame();
        }
    }
}

/// The menu of a row; none while it is being made.
fn menu_of(key: RowKey) -> Option<MenuOf> {
    match key {
        RowKey::Chat(chat) => Some(MenuOf::Chat(chat)),
        RowKey::Folder(folder) => Some(MenuOf::Folder(folder)),
        RowKey::NewFolder => None,
    }
}

/// Opens the menu of a row below a widget in it.
fn open_menu_below(cx: &mut Cx, key: RowKey, widget: &WidgetRef) {
    let place = seen(cx, widget.area());
    let at = Place {
        x: place.pos.x,
        y: place.pos.y + place.size.y + 4.0,
    };
    if let Some(of) = menu_of(key) {
        cx.action(Msg::OpenMenu { of, at });
    }
}
