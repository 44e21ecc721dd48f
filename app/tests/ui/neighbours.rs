//! What the window manager knows: which window is in front, where a window stands, and another one that lies over it.

use anyhow::{Context, Result};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// The desktop of a screen, seen by another program.
pub(crate) struct Neighbours {
    connection: RustConnection,
    root: Window,
}

impl Neighbours {
    /// On this display.
    pub(crate) fn on(display: &str) -> Result<Self> {
        let (connection, screen) = x11rb::connect(Some(display))?;
        let root = connection.setup().roots[screen].root;
        let watched = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        connection.change_window_attributes(root, &watched)?.check()?;
        Ok(Self { connection, root })
    }

    /// Opens a window of its own and waits until it is in front.
    pub(crate) fn open_window(&self) -> Result<Window> {
        let window = self.connection.generate_id()?;
        let (depth, visual) = (x11rb::COPY_DEPTH_FROM_PARENT, x11rb::COPY_FROM_PARENT);
        let class = WindowClass::INPUT_OUTPUT;
        let looks = CreateWindowAux::new();
        self.connection
            .create_window(depth, window, self.root, 0, 0, 640, 480, 0, class, visual, &looks)?
            .check()?;
        self.connection.map_window(window)?.check()?;
        // A window manager may keep a new window from coming in front of one that is being used; not one that is asked for.
        let name = b"_NET_ACTIVE_WINDOW";
        let activate = self.connection.intern_atom(false, name)?.reply()?.atom;
        let asked = ClientMessageEvent::new(32, window, activate, [2, 0, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection
            .send_event(false, self.root, mask, asked)?
            .check()?;
        self.wait_in_front(window)?;
        Ok(window)
    }

    /// Waits until a window is in front.
    pub(crate) fn wait_in_front(&self, window: Window) -> Result<()> {
        while self.numbers(self.root, "_NET_ACTIVE_WINDOW")? != [window] {
            while !matches!(self.connection.wait_for_event()?, Event::PropertyNotify(_)) {}
        }
        Ok(())
    }

    /// The upper left corner of a window's frame.
    pub(crate) fn corner(&self, window: Window) -> Result<(i32, i32)> {
        let inside = self
            .connection
            .translate_coordinates(window, self.root, 0, 0)?
            .reply()?;
        let frame = self.numbers(window, "_NET_FRAME_EXTENTS")?;
        let [left, _, top, _] = frame[..] else {
            return Ok((i32::from(inside.dst_x), i32::from(inside.dst_y)));
        };
        Ok((
            i32::from(inside.dst_x) - i32::try_from(left)?,
            i32::from(inside.dst_y) - i32::try_from(top)?,
        ))
    }

    fn numbers(&self, window: Window, name: &str) -> Result<Vec<u32>> {
        let name = self.connection.intern_atom(false, name.as_bytes())?.reply()?.atom;
        let property = self
            .connection
            .get_property(false, window, name, AtomEnum::ANY, 0, 1_024)?
            .reply()
            .context("a property")?;
        Ok(property.value32().map(Iterator::collect).unwrap_or_default())
    }
}
