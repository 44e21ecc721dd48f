//! The chat page: the list, the head, the conversation or what stands in its place, the composer.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::conversation::Contents;
use crate::ui::shell;
use crate::ui::widget::button::*;
use crate::ui::widget::place::seen;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::placeholder::*;
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
}

impl Widget for ChatPage {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        // A list takes the wheel whatever lies over it: where the list of chats does, the wheel is for it alone.
        if let Event::Scroll(scroll) = event
            && seen(cx, self.view.widget(id!(chats)).area()).contains(scroll.abs)
        {
            return self.view.widget(id!(chats)).handle_event(cx, event, scope);
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
            Event::MouseDown(mouse) if self.list_open => {
                let over = |path: &[LiveId]| self.view.widget(path).area().rect(cx).contains(mouse.abs);
                if !over(id!(chats)) && !over(id!(show_chats)) {
                    self.open_list(cx, false);
                }
            }
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        let narrow = shell::is_narrow(width);
        let left = if narrow { 0.0 } else { shell::LIST };
        let side = ((width - left - COLUMN) * 0.5).floor().max(SIDE);
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
                    .set_text(cx, &error.to_string());
            }
            bottom = if greets { 0.0 } else { BOTTOM };
            renames = state.chats.rename.is_some() || state.search.is_on();
        }
        self.show(cx, id!(chats), !narrow || self.list_open || renames);
        self.show(cx, id!(show_chats), narrow);
        self.view
            .view(id!(main))
            .apply_over(cx, live! { margin: { left: (left) } });
        let foot = live! { padding: { left: (side), right: (side), bottom: (bottom) } };
        self.view.view(id!(foot)).apply_over(cx, foot);
        self.view.draw_walk(cx, scope, walk)
    }
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
