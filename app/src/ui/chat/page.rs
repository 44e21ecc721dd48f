//! The chat page: the list, the head, the conversation or what stands in its place, the composer.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::panel::PanelMsg;
use crate::state::conversation::Contents;
use crate::state::{AppState, Page, failure};
use crate::ui::chat::panel::page::*;
use crate::ui::shell;
use crate::ui::sight::passes_over;
use crate::ui::widget::button::*;
use crate::ui::widget::place::seen;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::notice::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::chat::list::*;
    use crate::ui::chat::header::*;
    use crate::ui::chat::conversation::*;
    use crate::ui::chat::greeting::*;
    use crate::ui::chat::load_card::*;
    use crate::ui::chat::queue::*;
    use crate::ui::chat::composer::*;
    use crate::ui::chat::panel::page::*;

    pub ChatPage = {{ChatPage}}<Flat> {
        width: Fill, height: Fill, flow: Overlay
        main = <View> {
            width: Fill, height: Fill, flow: Down
            header = <Header> {}
            body = <View> {
                width: Fill, height: Fill, flow: Overlay
                conversation = <Conversation> {}
                greeting = <Greeting> {}
                unreadable = <View> {
                    visible: false
                    width: Fill, height: Fill
                    align: { x: 0.5, y: 0.45 }
                    <Notice> {
                        tile = { glyph = { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } } }
                        title = { text: (TEXT_UNREADABLE) }
                        buttons = {
                            again = <SecondaryButton> {
                                text: (TEXT_TRY_AGAIN), draw_icon: { svg_path: (ICON_RETRY) }
                            }
                        }
                    }
                }
            }
            foot = <View> {
                width: Fill, height: Fit, flow: Down
                clip_x: false, clip_y: false
                load_card = <LoadCard> {}
                queue = <Queue> {}
                composer = <Composer> {}
                hint = <View> {
                    width: Fill, height: 32, align: { x: 0.5, y: 0.5 }
                    <Micro> { text: (TEXT_COMPOSER_HINT) }
                }
            }
        }
        // At the right edge, as high as the page.
        <View> {
            width: Fill, height: Fill
            align: { x: 1.0 }
            chat_panel = <ChatPanel> {}
        }
        chats = <ChatList> {}
    }
}

/// Widest column of the composer, and the least space beside it, in pixels.
const COLUMN: f64 = 672.0;
const SIDE: f64 = 24.0;
/// Below the composer, without the hint, in pixels.
const BOTTOM: f64 = 16.0;

/// The chat page.
#[derive(Live, LiveHook, Widget)]
pub struct ChatPage {
    #[deref]
    view: View,
    /// Whether the list is open where it lies over the conversation: in a window too narrow for both.
    #[rust]
    list_open: bool,
    /// Whether the page is too narrow for the panel beside the conversation, as the state was told.
    #[rust]
    panel_lies_over: bool,
}

impl Widget for ChatPage {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if passes_over(Page::Chat, event, scope) {
            return;
        }
        // A list takes the wheel whatever lies over it: where the list of chats does, the wheel is for it alone.
        if let Event::Scroll(scroll) = event {
            for pane in [id!(chats), id!(chat_panel)] {
                let pane = self.view.widget(pane);
                if seen(cx, pane.area()).contains(scroll.abs) {
                    return pane.handle_event(cx, event, scope);
                }
            }
        }
        self.view.handle_event(cx, event, scope);
        match event {
            Event::Actions(actions) => {
                if self.view.push_button(id!(show_chats)).clicked(actions) {
                    self.open_list(cx, !self.list_open);
                }
                let open = scope.data.get::<AppState>().and_then(|state| state.open().chat);
                if let (true, Some(chat)) = (self.view.push_button(id!(again)).clicked(actions), open) {
                    cx.action(Msg::OpenChat(chat));
                }
                let chosen = |msg: &Msg| matches!(msg, Msg::OpenChat(_) | Msg::OpenHit(_) | Msg::NewChat);
                if actions
                    .iter()
                    .filter_map(|action| action.downcast_ref())
                    .any(chosen)
                {
                    self.open_list(cx, false);
                }
            }
            Event::MouseDown(mouse) => {
                let over = |path: &[LiveId]| seen(cx, self.view.widget(path).area()).contains(mouse.abs);
                let beside_panel = !over(id!(chat_panel)) && !over(id!(show_panel));
                if self.list_open && !over(id!(chats)) && !over(id!(show_chats)) {
                    self.open_list(cx, false);
                }
                if self.panel_lies_over && beside_panel && !has_overlay(scope) {
                    let has_keys = self.view.chat_panel(id!(chat_panel)).has_keys(cx);
                    cx.action(Msg::Panel(PanelMsg::Close { has_keys }));
                }
            }
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        let narrow = shell::is_narrow(width);
        let left = if narrow { 0.0 } else { shell::LIST };
        let lies_over = shell::lies_panel_over(width);
        if self.panel_lies_over != lies_over {
            self.panel_lies_over = lies_over;
            cx.action(Msg::Panel(PanelMsg::SetNarrow(lies_over)));
        }
        let is_shown = |state: &AppState| state.panel_is_shown();
        let panel = scope.data.get().is_some_and(is_shown);
        let right = if panel && !lies_over { shell::PANEL } else { 0.0 };
        let side = ((width - left - right - COLUMN) * 0.5).floor().max(SIDE);
        let mut bottom = BOTTOM;
        let mut renames = false;
        if let Some(state) = scope.data.get::<AppState>() {
            let open = state.open();
            let greets = state.greeting().is_some_and(|greeting| greeting.suggestions);
            self.show(cx, id!(greeting), state.greeting().is_some());
            self.show(cx, id!(conversation), !open.is_empty());
            self.show(cx, id!(load_card), state.models.load.is_some());
            self.show(cx, id!(queue), !state.composer().queue.is_empty());
            self.show(cx, id!(hint), greets);
            self.show(cx, id!(unreadable), matches!(open.contents, Contents::Failed(_)));
            if let Contents::Failed(error) = &open.contents {
                self.view
                    .label(id!(unreadable.body))
                    .set_text(cx, &failure::words(state.texts(), error));
            }
            bottom = if greets { 0.0 } else { BOTTOM };
            renames = state.chats.rename.is_some() || state.search.is_on();
        }
        self.show(cx, id!(chats), !narrow || self.list_open || renames);
        self.show(cx, id!(chat_panel), panel);
        self.show(cx, id!(show_chats), narrow);
        self.view
            .view(id!(main))
            .apply_over(cx, live! { margin: { left: (left), right: (right) } });
        let foot = live! { padding: { left: (side), right: (side), bottom: (bottom) } };
        self.view.view(id!(foot)).apply_over(cx, foot);
        self.view.draw_walk(cx, scope, walk)
    }
}

/// Whether something lies over the pages, which then takes the pointer.
fn has_overlay(scope: &mut Scope) -> bool {
    let state = scope.data.get::<AppState>();
    state.is_some_and(|state| state.overlay.is_some())
}

impl ChatPage {
    fn show(&self, cx: &mut Cx, path: &[LiveId], shown: bool) {
        self.view.widget(path).set_visible(cx, shown);
    }

    fn open_list(&mut self, cx: &mut Cx, open: bool) {
        if self.list_open != open {
            self.list_open = open;
            self.view.redraw(cx);
        }
    }
}
