//! What the X server knows of the window and Makepad does not tell: where it is on the desktop, whether it is in front, which
//! screens there are, and how to bring it to the front. Each call opens a connection of its own and, but for what comes before the window, belongs
//! on a thread that may wait.

mod errors;

use hearth_protocol::settings::WindowPlace;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::randr;
use x11rb::protocol::res::{self, ClientIdMask, ClientIdSpec};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt, EventMask, Window,
};
use x11rb::rust_connection::RustConnection;

use crate::state::window_place::Screen;

/// What can go wrong: the server is gone, or it refuses.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Most entries that are read of a list of windows.
const MOST_WINDOWS: u32 = 4_096;
/// What a pager says of itself when it asks for a window: the person wants it.
const FROM_THE_PERSON: u32 = 2;
/// The plus among the symbols of keys.
const PLUS: u32 = 0x2b;

/// Makes the toolkit safe to start. Belongs before it; what it gives is to be held until the window is there, since a
/// server whose last client leaves forgets all names.
pub(crate) fn prepare() -> Option<impl Sized> {
    errors::log();
    // The toolkit asks for this name, in which text is pasted, and does not make it; most desktops have it.
    let named = Server::connect().and_then(|server| Ok((server.atom(b"UTF8_STRING")?, server)));
    named
        .inspect_err(|error| tracing::warn!(%error, "the X server does not take the name of pasted text"))
        .ok()
}

/// Where this process's window stands; `None` where it is not there.
pub(crate) fn place() -> Result<Option<WindowPlace>> {
    let server = Server::connect()?;
    let Some(window) = server.own_window()? else {
        return Ok(None);
    };
    let geometry = server.connection.get_geometry(window)?.reply()?;
    let corner = server
        .connection
        .translate_coordinates(window, server.root, 0, 0)?
        .reply()?;
    let frame = server.numbers(window, b"_NET_FRAME_EXTENTS")?;
    let (left, top) = match frame[..] {
        [left, _, top, _] => (left, top),
        _ => (0, 0),
    };
    let edge = |at: i16, frame: u32| i32::from(at).saturating_sub_unsigned(frame);
    let states = server.numbers(window, b"_NET_WM_STATE")?;
    let wide = server.atom(b"_NET_WM_STATE_MAXIMIZED_HORZ")?;
    let high = server.atom(b"_NET_WM_STATE_MAXIMIZED_VERT")?;
    Ok(Some(WindowPlace {
        at: Some((edge(corner.dst_x, left), edge(corner.dst_y, top))),
        width: u32::from(geometry.width),
        height: u32::from(geometry.height),
        maximised: states.contains(&wide) && states.contains(&high),
    }))
}

/// The screens of the desktop.
pub(crate) fn screens() -> Result<Vec<Screen>> {
    let server = Server::connect()?;
    let monitors = randr::get_monitors(&server.connection, server.root, true)?.reply()?;
    let screens = monitors.monitors.iter().map(|monitor| Screen {
        left: i32::from(monitor.x),
        top: i32::from(monitor.y),
        width: i32::from(monitor.width),
        height: i32::from(monitor.height),
    });
    Ok(screens.collect())
}

/// Brings this process's window to the front; whether it is there.
pub(crate) fn show() -> Result<bool> {
    let server = Server::connect()?;
    let Some(window) = server.own_window()? else {
        return Ok(false);
    };
    let activate = server.atom(b"_NET_ACTIVE_WINDOW")?;
    let message = ClientMessageEvent::new(32, window, activate, [FROM_THE_PERSON, 0, 0, 0, 0]);
    let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
    server
        .connection
        .send_event(false, server.root, mask, message)?
        .check()?;
    Ok(true)
}

/// Tells whether this process's window is in front of the others, once it is there and after each change, until the server
/// goes. A window manager that does not say so leaves it untold.
pub(crate) fn watch_front(tell: impl Fn(bool)) -> Result<()> {
    let server = Server::connect()?;
    let name = b"_NET_ACTIVE_WINDOW";
    let active = server.atom(name)?;
    let watched = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    server
        .connection
        .change_window_attributes(server.root, &watched)?
        .check()?;
    let mut told = None;
    loop {
        if let Some(own) = server.own_window()? {
            let is_in_front = server.numbers(server.root, name)?.contains(&own);
            if told.replace(is_in_front) != Some(is_in_front) {
                tell(is_in_front);
            }
        }
        while !matches!(server.connection.wait_for_event()?, Event::PropertyNotify(change) if change.atom == active)
        {
        }
    }
}

/// Whether a key is held down that types a plus.
pub(crate) fn holds_plus() -> Result<bool> {
    let server = Server::connect()?;
    let setup = server.connection.setup();
    let (least, most) = (setup.min_keycode, setup.max_keycode);
    let held = server.connection.query_keymap()?.reply()?.keys;
    let count = most.saturating_sub(least).saturating_add(1);
    let mapping = server.connection.get_keyboard_mapping(least, count)?.reply()?;
    let symbols = mapping
        .keysyms
        .chunks(usize::from(mapping.keysyms_per_keycode).max(1));
    let is_held = |code: u8| held[usize::from(code / 8)] & (1 << (code % 8)) != 0;
    Ok((least..=most)
        .zip(symbols)
        .any(|(code, symbols)| is_held(code) && symbols.contains(&PLUS)))
}

/// A connection to the server.
struct Server {
    connection: RustConnection,
    root: Window,
}

impl Server {
    fn connect() -> Result<Self> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots.get(screen).map(|screen| screen.root);
        let root = root.ok_or("the X server has no screen")?;
        Ok(Self { connection, root })
    }

    /// The window of this process: the server knows who made each of those that the window manager lists.
    fn own_window(&self) -> Result<Option<Window>> {
        for window in self.numbers(self.root, b"_NET_CLIENT_LIST")? {
            let spec = ClientIdSpec {
                client: window,
                mask: ClientIdMask::LOCAL_CLIENT_PID,
            };
            // One that has just been closed is an error of its own.
            let Ok(owner) = res::query_client_ids(&self.connection, &[spec])?.reply() else {
                continue;
            };
            if owner.ids.iter().any(|id| id.value == [std::process::id()]) {
                return Ok(Some(window));
            }
        }
        Ok(None)
    }

    /// A property that is a list of numbers; empty where there is none.
    fn numbers(&self, window: Window, name: &[u8]) -> Result<Vec<u32>> {
        let name = self.atom(name)?;
        let property = self
            .connection
            .get_property(false, window, name, AtomEnum::ANY, 0, MOST_WINDOWS)?
            .reply()?;
        let numbers = property.value32().map(|numbers| numbers.collect());
        Ok(numbers.unwrap_or_default())
    }

    fn atom(&self, name: &[u8]) -> Result<u32> {
        Ok(self.connection.intern_atom(false, name)?.reply()?.atom)
    }
}
