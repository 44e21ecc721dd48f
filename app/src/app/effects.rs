//! What the state wants done, carried out: by the backend, or here.

use std::thread;

use makepad_widgets::*;

use super::App;
use crate::effect::{Effect, WindowEffect};
use crate::file_dialog;
use crate::msg::Msg;
use crate::msg::composer::ComposerMsg;
use crate::msg::downloads::DownloadsMsg;
use crate::ui::chat::composer::*;
use crate::ui::chat::conversation::*;
use crate::ui::chat::list::*;
use crate::ui::chat::panel::page::*;
use crate::ui::discover::page::*;
use crate::ui::downloads::panel::*;
use crate::ui::keyboard;
use crate::ui::my_models::details::*;
use crate::ui::my_models::list::*;
use crate::ui::my_models::page::*;
use crate::ui::shell::*;
use crate::ui::tokens;
use crate::{notify, reveal, window_place};

impl App {
    pub(super) fn carry_out(&mut self, cx: &mut Cx, effect: Effect) {
        let Some(session) = &mut self.session else { return };
        match effect {
            Effect::Backend(effect) => session.bridge.run(effect),
            Effect::Window(WindowEffect::TickAfter(millis)) => {
                cx.stop_timer(self.tick);
                self.tick = cx.start_timeout(millis as f64 / 1000.0);
            }
            Effect::Window(WindowEffect::Copy(text)) => cx.copy_to_clipboard(&text),
            Effect::Window(WindowEffect::OpenLink(address)) => open_link(address),
            Effect::Window(WindowEffect::ShowLook(look)) => {
                session.scale.set(cx, look.zoom);
                tokens::switch(cx, look, session.state.texts(), session.state.settings());
            }
            Effect::Window(WindowEffect::ShowZoom(zoom)) => session.scale.set(cx, zoom),
            Effect::Window(WindowEffect::ReadPlace) => {
                let alarm = session.alarm.clone();
                window_place::read(cx, session.scale.desktop(), move |place| {
                    Cx::post_action(Msg::WindowPlaced(place));
                    alarm.ring();
                });
            }
            Effect::Window(WindowEffect::ShowWindow) => window_place::show(),
            Effect::Window(WindowEffect::FocusComposer) => self.ui.composer(id!(composer)).focus(cx),
            Effect::Window(WindowEffect::FocusRename(row)) => {
                self.ui.chat_list(id!(chats)).focus(cx, row);
            }
            Effect::Window(WindowEffect::FocusSearch) => self.ui.chat_list(id!(chats)).focus_search(cx),
            Effect::Window(WindowEffect::FocusDiscover) => {
                self.ui.discover_page(id!(discover_page)).focus_field(cx);
            }
            Effect::Window(WindowEffect::FocusEdit) => {
                self.ui.conversation(id!(conversation)).focus_edit(cx);
            }
            Effect::Window(WindowEffect::FocusName) => self.ui.chat_panel(id!(chat_panel)).focus_name(cx),
            Effect::Window(WindowEffect::FocusOverlay) => self.ui.shell(id!(body)).focus_overlay(cx),
            Effect::Window(WindowEffect::FocusDownloads) => {
                self.ui.downloads_panel(id!(downloads_panel)).focus(cx);
            }
            Effect::Window(WindowEffect::ShowInFolder(path)) => {
                let alarm = session.alarm.clone();
                reveal::in_folder(path, move |path, reason| {
                    let msg = DownloadsMsg::NotShown(path, reason);
                    Cx::post_action(Msg::Downloads(msg));
                    alarm.ring();
                });
            }
            Effect::Window(WindowEffect::Notify { title, text }) => notify::tell(title, text),
            Effect::Window(WindowEffect::StepPane { back }) => {
                let under_panel = session.state.downloads.is_open;
                keyboard::step_pane(cx, &self.ui, back, under_panel);
            }
            Effect::Window(WindowEffect::PickPath { title, write_to }) => {
                let alarm = session.alarm.clone();
                file_dialog::open(file_dialog::Request { title, write_to }, move |path| {
                    let path = path.map(|path| path.display().to_string());
                    Cx::post_action(Msg::PathPicked(path));
                    alarm.ring();
                });
            }
            Effect::Window(WindowEffect::PickFolder { title }) => {
                let alarm = session.alarm.clone();
                file_dialog::open_folder(title, move |path| {
                    let path = path.map(|path| path.display().to_string());
                    Cx::post_action(Msg::PathPicked(path));
                    alarm.ring();
                });
            }
            Effect::Window(WindowEffect::FocusModelFilter) => {
                self.ui.my_models_page(id!(models_page)).focus_filter(cx);
            }
            Effect::Window(WindowEffect::FocusModel(file)) => {
                self.ui.model_list(id!(model_list)).focus(cx, file);
            }
            Effect::Window(WindowEffect::FocusModelName) => {
                self.ui.model_details(id!(model_details)).focus_name(cx);
            }
            Effect::Window(WindowEffect::Quit) => {
                session.ending.want();
                session.alarm.ring();
            }
            Effect::Window(WindowEffect::OpenAgain) => {
                session.ending.want_again();
                session.alarm.ring();
            }
            Effect::Window(WindowEffect::PickFiles { title }) => {
                let alarm = session.alarm.clone();
                file_dialog::open_many(title, move |paths| {
                    let paths = paths.iter().map(|path| path.display().to_string());
                    let picked = ComposerMsg::FilesPicked(paths.collect());
                    Cx::post_action(Msg::Composer(picked));
                    alarm.ring();
                });
            }
            Effect::Window(WindowEffect::ShowPlace(place)) => {
                self.ui.conversation(id!(conversation)).show_place(cx, place);
            }
            Effect::Window(WindowEffect::ShowNewest) => {
                self.ui.conversation(id!(conversation)).show_newest(cx);
            }
        }
    }
}

/// Hands a link to the system on a thread of its own: starting another program may take a while.
fn open_link(address: String) {
    thread::spawn(move || {
        if let Err(error) = open::that_detached(&address) {
            tracing::warn!(%error, "a link does not open");
            Cx::post_action(Msg::LinkNotOpened(error.to_string()));
        }
    });
}
