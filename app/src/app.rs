//! The window: takes events, hands messages to the state, carries out what the state wants, draws.

mod effects;
#[cfg(feature = "probe")]
mod probed;
mod start;
mod toolkit;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use hearth_protocol::{UnixMillis, Waker};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use makepad_widgets::*;

use crate::bridge::Bridge;
use crate::desktop::{self, ASKS_X11};
use crate::ending::{self, Ending};
use crate::memory::Memory;
use crate::msg::Msg;
use crate::msg::downloads::DownloadsMsg;
use crate::pacer::{Alarm, Pacer};
#[cfg(feature = "probe")]
use crate::probe::Probe;
use crate::state::appearance::Look;
use crate::state::downloads;
use crate::state::overlay::Overlay;
use crate::state::{AppState, Page, Redraw};
use crate::text::Texts;
use crate::ui::chat::composer::*;
use crate::ui::chat::list::*;
use crate::ui::keyboard::{self, OverlayKey};
use crate::ui::widget::reused::note_look;
use crate::ui::{self, tokens};
use crate::window_place;
use crate::zoom::Scale;

pub(crate) use start::Start;

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

/// The same for progress that goes on by itself: nobody reads numbers faster.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);

/// Opens the window. When it is closed, `on_exit` ends the backend, and the process ends.
pub(crate) fn run(start: Start, on_exit: impl FnOnce() + 'static) {
    if Cx::pre_start() {
        return;
    }
    #[cfg(target_os = "linux")]
    let mut names = crate::x11::prepare();
    let (settings, toolkit) = (start.settings.clone(), start.toolkit.clone());
    let look = Look::of(&settings, start.desktop);
    let (mut start, mut on_exit) = (Some(start), Some(on_exit));
    let mut app: Option<App> = None;
    let cx = Rc::new(RefCell::new(Cx::new(Box::new(move |cx, event| {
        if let Event::Startup = event {
            #[cfg(target_os = "linux")]
            drop(names.take());
            app = App::new_main(cx);
            if let (Some(app), Some(start)) = (&mut app, start.take()) {
                window_place::restore(cx, start.settings.window, &start.screens);
                app.connect(start);
            }
        }
        if let Some(app) = &mut app {
            #[cfg(feature = "probe")]
            let begun = cpu_time::ThreadTime::now();
            if let Event::LiveEdit = event {
                note_look(cx);
                app.update_main(cx);
            }
            let scaled = app.scaled(cx, event);
            let event = scaled.as_ref().unwrap_or(event);
            app.handle_event(cx, event);
            #[cfg(feature = "probe")]
            app.note_cost(cx, event, begun.elapsed());
        }
        let shall_end = app.as_ref().and_then(App::ending).is_some_and(Ending::is_wanted);
        if shall_end || matches!(event, Event::Shutdown) {
            if let Some(app) = &mut app {
                app.update(cx, Msg::Closing);
            }
            if let Some(on_exit) = on_exit.take() {
                on_exit();
            }
            let ending = app.as_ref().and_then(App::ending);
            ending::leave(ending.is_some_and(Ending::is_again));
        }
    }))));
    {
        let cx = &mut *cx.borrow_mut();
        App::register_main_module(cx);
        live_design(cx);
        tokens::set_all(cx, look, &Texts::of(look.language), &settings);
        toolkit::read_from(cx, toolkit.as_deref());
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
    #[rust]
    memory: Memory,
    /// The timer of the state's tick.
    #[rust]
    tick: Timer,
    /// The timer of a redraw that was put off.
    #[rust]
    redraw: Timer,
    /// Its time.
    #[rust]
    redraw_within: Duration,
    #[rust]
    redrawn: Option<Instant>,
}

/// The state, its way to the backend, and what is shown of it.
struct Session {
    state: AppState,
    bridge: Bridge,
    /// The scale of the window.
    scale: Scale,
    /// Whether it shall fill the screen once it is made.
    maximise: bool,
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
        self.memory.trim(cx);
        if self.pacer.handle_event(cx, event, streaming) {
            return;
        }
        match event {
            Event::Startup => self.update(cx, Msg::Start),
            Event::Signal => self.take_news(cx),
            Event::WindowGeomChange(_) => self.update(cx, Msg::WindowMoved),
            Event::AppGotFocus if !ASKS_X11 => self.update(cx, Msg::WindowInFront(true)),
            Event::AppLostFocus if !ASKS_X11 => self.update(cx, Msg::WindowInFront(false)),
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
        if let Event::Draw(_) = event {
            self.memory.note_drawn(cx);
        }
        if let Event::Actions(actions) = event {
            let messages: Vec<Msg> = actions
                .iter()
                .filter_map(|action| action.downcast_ref().cloned())
                .collect();
            for message in messages {
                self.update(cx, message);
            }
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
        desktop::watch(alarm.clone());
        let waker = Waker::new(wake);
        let look = Look::of(&start.settings, start.desktop);
        self.session = Some(Session {
            state: AppState::new(start.places, TimeZone::system()).opened(start.desktop, &start.settings),
            bridge: Bridge::new(&start.client, waker),
            scale: Scale::new(look.zoom),
            maximise: start.settings.window.is_some_and(|window| window.maximised),
            alarm,
            ending,
            #[cfg(feature = "probe")]
            probe,
        });
    }

    /// Brings an event to the window's scale, where that is another than the desktop's.
    fn scaled(&mut self, cx: &mut Cx, event: &Event) -> Option<Event> {
        let session = self.session.as_mut()?;
        let was_made = session.scale.is_made();
        let scaled = session.scale.scaled(cx, event);
        if !was_made && session.scale.is_made() && session.maximise {
            window_place::maximise(cx);
        }
        scaled
    }

    /// Hands a message to the state and does what it wants.
    fn update(&mut self, cx: &mut Cx, message: Msg) {
        let Some(session) = &mut self.session else { return };
        let now = UnixMillis(Timestamp::now().as_millisecond());
        let (page, renaming) = (session.state.page(), session.state.chats.rename.is_some());
        let page = (page, session.state.downloads.is_open);
        let effects = session.state.update(message, now);
        let redraw = session.state.redraw();
        for effect in effects {
            self.carry_out(cx, effect);
        }
        self.keep_keys_in_view(cx, page, renaming);
        match redraw {
            Redraw::Soon => self.redraw_within(cx, REDRAW_EVERY),
            Redraw::Later => self.redraw_within(cx, PROGRESS_EVERY),
            Redraw::Never => (),
        }
    }

    /// Takes the keyboard from what went out of view with the last message: the chat page, whose composer
    /// would go on taking keys, the panel of downloads, and the field that renames.
    fn keep_keys_in_view(&self, cx: &mut Cx, before: (Page, bool), renamed_before: bool) {
        let Some(session) = &self.session else { return };
        let now = (session.state.page(), session.state.downloads.is_open);
        if now != before && !now.1 && now.0 != Page::Chat {
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
        self.answer_probe(cx, false);
    }

    fn menu_is_open(&self) -> bool {
        let overlay = self
            .session
            .as_ref()
            .and_then(|session| session.state.overlay.as_ref());
        matches!(overlay, Some(Overlay::Menu(_)))
    }

    /// Whether and how the program shall end.
    fn ending(&self) -> Option<&Ending> {
        self.session.as_ref().map(|session| &session.ending)
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
        if session.state.records_keys() {
            if let Some(message) = keyboard::recorded(key) {
                self.update(cx, message);
            }
            return true;
        }
        let panel = session.state.downloads.is_open;
        if key.key_code == KeyCode::Tab {
            if panel {
                keyboard::tab_in_downloads(cx, &self.ui, key.modifiers.shift);
            } else {
                keyboard::tab(cx, &self.ui, key.modifiers.shift);
            }
            return true;
        }
        #[cfg(target_os = "linux")]
        if let Some(message) = keyboard::plus_shortcut(key, &session.state) {
            ask_for_plus(message, session.alarm.clone());
            return true;
        }
        let row = self.ui.chat_list(id!(chats)).focused(cx);
        let Some(message) = keyboard::shortcut(key, &session.state, row) else {
            return false;
        };
        if panel && !downloads::stays_open_for(&message) {
            self.update(cx, Msg::Downloads(DownloadsMsg::Close));
        }
        self.update(cx, message);
        true
    }

    /// Draws at once, or, where the last time is no longer ago than this, a little later.
    fn redraw_within(&mut self, cx: &mut Cx, every: Duration) {
        let rested = self.redrawn.is_none_or(|redrawn| redrawn.elapsed() >= every);
        if rested {
            self.redraw_now(cx);
        } else if self.redraw.is_empty() || every < self.redraw_within {
            cx.stop_timer(self.redraw);
            self.redraw = cx.start_timeout(every.as_secs_f64());
            self.redraw_within = every;
        }
    }

    fn redraw_now(&mut self, cx: &mut Cx) {
        cx.stop_timer(self.redraw);
        self.redraw = Timer::empty();
        self.redrawn = Some(Instant::now());
        self.ui.redraw(cx);
    }
}

/// Sends the message where a plus is held down. The X server is asked, by a thread that may wait for it.
#[cfg(target_os = "linux")]
fn ask_for_plus(message: Msg, alarm: Alarm) {
    std::thread::spawn(move || match crate::x11::holds_plus() {
        Ok(true) => {
            Cx::post_action(message);
            alarm.ring();
        }
        Ok(false) => (),
        Err(error) => tracing::warn!(%error, "which key was pressed is not known"),
    });
}
