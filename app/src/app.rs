//! The window: takes events, hands messages to the state, carries out what the state wants, draws.

use std::cell::RefCell;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use hearth_protocol::settings::Theme;
use hearth_protocol::{Client, UnixMillis, Waker};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use makepad_widgets::*;

use crate::bridge::Bridge;
use crate::effect::{Effect, WindowEffect};
use crate::ending::{self, Ending};
use crate::file_dialog;
use crate::msg::Msg;
use crate::pacer::{Alarm, Pacer};
#[cfg(feature = "probe")]
use crate::probe::Probe;
use crate::state::overlay::Overlay;
use crate::state::{AppState, Page, Places};
use crate::ui::chat::composer::*;
use crate::ui::chat::conversation::*;
use crate::ui::chat::list::*;
use crate::ui::chat::panel::page::*;
use crate::ui::keyboard::{self, OverlayKey};
use crate::ui::overlay::confirm::*;
use crate::ui::overlay::link::*;
use crate::ui::overlay::palette::*;
use crate::ui::overlay::path_form::*;
use crate::ui::overlay::picker::*;
use crate::ui::{self, theme};

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::shell::*;

    App = {{App}} {
        ui: <Root> {
            main_window = <Window> {
                pass: { clear_color: (COLOR_CANVAS) }
                window: { inner_size: vec2(1280, 800), title: "Hearth" }
                body = <Shell> {}
            }
        }
    }
}

/// Least time between two redraws for news of the backend: a window that is drawn by software takes most of
/// that time for one.
const REDRAW_EVERY: Duration = Duration::from_millis(30);

/// What the window starts with.
#[derive(Debug)]
pub(crate) struct Start {
    /// The backend.
    pub(crate) client: Client,
    /// The colours of the first frame.
    pub(crate) theme: Theme,
    /// Where the data lies.
    pub(crate) places: Places,
}

/// Opens the window. When it is closed, `on_exit` ends the backend, and the process ends.
pub(crate) fn run(start: Start, on_exit: impl FnOnce() + 'static) {
    if Cx::pre_start() {
        return;
    }
    let theme = start.theme;
    let (mut start, mut on_exit) = (Some(start), Some(on_exit));
    let mut app: Option<App> = None;
    let cx = Rc::new(RefCell::new(Cx::new(Box::new(move |cx, event| {
        if let Event::Startup = event {
            app = App::new_main(cx);
            if let (Some(app), Some(start)) = (&mut app, start.take()) {
                app.connect(start);
            }
        }
        if let Some(app) = &mut app {
            if let Event::LiveEdit = event {
                app.update_main(cx);
            }
            app.handle_event(cx, event);
        }
        let shall_end = app.as_ref().is_some_and(App::shall_end);
        if shall_end || matches!(event, Event::Shutdown) {
            if let Some(app) = &mut app {
                app.update(cx, Msg::Closing);
            }
            if let Some(on_exit) = on_exit.take() {
                on_exit();
            }
            ending::leave();
        }
    }))));
    {
        let cx = &mut *cx.borrow_mut();
        App::register_main_module(cx);
        live_design(cx);
        theme::set(cx, theme);
        cx.init_cx_os();
    }
    Cx::event_loop(cx);
}

/// The window.
#[derive(Live, LiveHook)]
struct App {
    #[live]
    ui: WidgetRef,
    #[rust]
    session: Option<Session>,
    #[rust]
    pacer: Pacer,
    /// The timer of the state's tick.
    #[rust]
    tick: Timer,
    /// The timer of a redraw that was put off.
    #[rust]
    redraw: Timer,
    #[rust]
    redrawn: Option<Instant>,
}

/// The state, its way to the backend, and what is shown of it.
struct Session {
    state: AppState,
    bridge: Bridge,
    /// The colours on screen.
    theme: Theme,
    /// Ends the rest of this thread.
    alarm: Alarm,
    ending: Ending,
    #[cfg(feature = "probe")]
    probe: Option<Probe>,
}

impl LiveRegister for App {
    fn live_register(cx: &mut Cx) {
        makepad_widgets::live_design(cx);
        ui::live_design(cx);
    }
}

impl AppMain for App {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event) {
        let streaming = self
            .session
            .as_ref()
            .is_some_and(|session| session.state.is_streaming());
        if self.pacer.handle_event(cx, event, streaming) {
            return;
        }
        match event {
            Event::Startup => self.update(cx, Msg::Start),
            Event::Signal => self.take_news(cx),
            Event::KeyDown(key) if self.take_key(cx, key) => return,
            // The keyboard stays where it was under a menu, and types nothing there.
            Event::TextInput(_) if self.menu_is_open() => return,
            _ if self.tick.is_event(event).is_some() => self.update(cx, Msg::Tick),
            _ if self.redraw.is_event(event).is_some() => self.redraw_now(cx),
            _ => (),
        }
        let Some(session) = &mut self.session else { return };
        self.ui
            .handle_event(cx, event, &mut Scope::with_data(&mut session.state));
        match event {
            Event::Actions(actions) => {
                let messages: Vec<Msg> = actions
                    .iter()
                    .filter_map(|action| action.downcast_ref().cloned())
                    .collect();
                for message in messages {
                    self.update(cx, message);
                }
            }
            #[cfg(feature = "probe")]
            Event::Draw(_) => self.note_change(),
            _ => (),
        }
    }
}

impl App {
    /// Takes the backend, whose news wake this thread.
    fn connect(&mut self, start: Start) {
        let alarm = Alarm::of_this_thread();
        #[cfg(feature = "probe")]
        let probe = Probe::from_environment(alarm.clone());
        let ringing = alarm.clone();
        let wake = move || {
            SignalToUI::set_ui_signal();
            ringing.ring();
        };
        let ending = Ending::listen(wake.clone());
        let waker = Waker::new(wake);
        self.session = Some(Session {
            state: AppState::new(start.places, TimeZone::system()),
            bridge: Bridge::new(&start.client, waker),
            theme: start.theme,
            alarm,
            ending,
            #[cfg(feature = "probe")]
            probe,
        });
    }

    /// Hands a message to the state and does what it wants.
    fn update(&mut self, cx: &mut Cx, message: Msg) {
        let Some(session) = &mut self.session else { return };
        let now = UnixMillis(Timestamp::now().as_millisecond());
        let (page, renaming) = (session.state.page(), session.state.chats.rename.is_some());
        for effect in session.state.update(message, now) {
            match effect {
                Effect::Backend(effect) => session.bridge.run(effect),
                Effect::Window(WindowEffect::TickAfter(millis)) => {
                    cx.stop_timer(self.tick);
                    self.tick = cx.start_timeout(millis as f64 / 1000.0);
                }
                Effect::Window(WindowEffect::Copy(text)) => cx.copy_to_clipboard(&text),
                Effect::Window(WindowEffect::OpenLink(address)) => open_link(address),
                Effect::Window(WindowEffect::ShowTheme(theme)) => {
                    if session.theme != theme {
                        session.theme = theme;
                        theme::switch(cx, theme);
                    }
                }
                Effect::Window(WindowEffect::FocusComposer) => self.ui.composer(id!(composer)).focus(cx),
                Effect::Window(WindowEffect::FocusRename(row)) => {
                    self.ui.chat_list(id!(chats)).focus(cx, row);
                }
                Effect::Window(WindowEffect::FocusSearch) => self.ui.chat_list(id!(chats)).focus_search(cx),
                Effect::Window(WindowEffect::FocusEdit) => {
                    self.ui.conversation(id!(conversation)).focus_edit(cx);
                }
                Effect::Window(WindowEffect::FocusName) => self.ui.chat_panel(id!(chat_panel)).focus_name(cx),
                Effect::Window(WindowEffect::FocusOverlay) => match &session.state.overlay {
                    Some(Overlay::Confirm(_)) => self.ui.confirm(id!(confirm)).focus(cx),
                    Some(Overlay::Link(_)) => self.ui.link_question(id!(link)).focus(cx),
                    Some(Overlay::PathForm(_)) => self.ui.path_form(id!(path_form)).focus(cx),
                    Some(Overlay::Palette(_)) => self.ui.palette(id!(palette)).focus(cx),
                    Some(Overlay::Menu(_)) | None => (),
                },
                Effect::Window(WindowEffect::PickPath { title, write_to }) => {
                    let alarm = session.alarm.clone();
                    file_dialog::open(file_dialog::Request { title, write_to }, move |path| {
                        let path = path.map(|path| path.display().to_string());
                        Cx::post_action(Msg::PathPicked(path));
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
        self.keep_keys_in_view(cx, page, renaming);
        self.redraw_soon(cx);
    }

    /// Takes the keyboard from what went out of view with the last message: the chat page, whose composer
    /// would go on taking keys, and the field that renames.
    fn keep_keys_in_view(&self, cx: &mut Cx, page_before: Page, renamed_before: bool) {
        let Some(session) = &self.session else { return };
        if session.state.page() != page_before && session.state.page() != Page::Chat {
            cx.set_key_focus(Area::Empty);
        } else if renamed_before && session.state.chats.rename.is_none() {
            self.ui.composer(id!(composer)).focus(cx);
        }
    }

    /// Takes in everything that has come, then draws once.
    fn take_news(&mut self, cx: &mut Cx) {
        let news = self
            .session
            .as_mut()
            .map(|session| session.bridge.drain())
            .unwrap_or_default();
        for message in news {
            self.update(cx, message);
        }
        #[cfg(feature = "probe")]
        self.answer_probe(cx);
    }

    fn menu_is_open(&self) -> bool {
        let overlay = self
            .session
            .as_ref()
            .and_then(|session| session.state.overlay.as_ref());
        matches!(overlay, Some(Overlay::Menu(_)))
    }

    /// Whether the system wants the program to end.
    fn shall_end(&self) -> bool {
        self.session
            .as_ref()
            .is_some_and(|session| session.ending.is_wanted())
    }

    /// Keys of the whole window and of the open menu; whether it was one.
    fn take_key(&mut self, cx: &mut Cx, key: &KeyEvent) -> bool {
        let Some(session) = &self.session else {
            return false;
        };
        if let Some(overlay) = &session.state.overlay {
            return match keyboard::overlay_key(key, overlay) {
                OverlayKey::Means(message) => {
                    self.update(cx, message);
                    true
                }
                OverlayKey::Step => {
                    keyboard::tab_within(cx, &self.ui, overlay, key.modifiers.shift);
                    true
                }
                OverlayKey::Typed => false,
                OverlayKey::Nothing => true,
            };
        }
        let models = &session.state.models;
        if models.picker_open
            && self
                .ui
                .picker(id!(picker))
                .take_key(cx, key, &models.picker_rows())
        {
            return true;
        }
        if key.key_code == KeyCode::Tab {
            keyboard::tab(cx, &self.ui, key.modifiers.shift);
            return true;
        }
        let row = self.ui.chat_list(id!(chats)).focused(cx);
        let Some(message) = keyboard::shortcut(key, &session.state, row) else {
            return false;
        };
        self.update(cx, message);
        true
    }

    /// Draws at once, or, shortly after the last time, a little later.
    fn redraw_soon(&mut self, cx: &mut Cx) {
        let rested = self
            .redrawn
            .is_none_or(|redrawn| redrawn.elapsed() >= REDRAW_EVERY);
        if rested {
            self.redraw_now(cx);
        } else if self.redraw.is_empty() {
            self.redraw = cx.start_timeout(REDRAW_EVERY.as_secs_f64());
        }
    }

    fn redraw_now(&mut self, cx: &mut Cx) {
        cx.stop_timer(self.redraw);
        self.redraw = Timer::empty();
        self.redrawn = Some(Instant::now());
        self.ui.redraw(cx);
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

/// What tests ask of the window.
#[cfg(feature = "probe")]
impl App {
    fn note_change(&self) {
        if let Some(probe) = self.session.as_ref().and_then(|session| session.probe.as_ref()) {
            probe.note_change();
        }
    }

    fn answer_probe(&mut self, cx: &mut Cx) {
        while let Some(session) = &self.session
            && let Some(probe) = &session.probe
            && let Some(request) = probe.next()
        {
            let message = probe.answer(cx, &self.ui, &session.state, &request);
            if let Some(message) = message {
                self.update(cx, message);
            }
        }
    }
}
