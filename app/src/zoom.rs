//! Draws the window larger or smaller than the desktop has it.
//!
//! Makepad draws at any scale, but on Linux and Windows the places of the pointer stay at the desktop's: they are
//! brought to the window's here, before anything sees them.

use hearth_protocol::settings::Zoom;
use makepad_widgets::*;

/// The scale of the window.
#[derive(Debug)]
pub(crate) struct Scale {
    /// Against the desktop's scale.
    zoom: f64,
    /// The desktop's scale, as told when the window was made.
    desktop: Option<f64>,
}

impl Scale {
    /// For a window that is not made yet.
    pub(crate) fn new(zoom: Zoom) -> Self {
        Self {
            zoom: factor(zoom),
            desktop: None,
        }
    }

    /// Draws at another scale from the next frame on.
    pub(crate) fn set(&mut self, cx: &mut Cx, zoom: Zoom) {
        self.zoom = factor(zoom);
        self.apply(cx);
        cx.redraw_all();
    }

    /// The desktop's scale; 1.0 before the window is made.
    pub(crate) fn desktop(&self) -> f64 {
        self.desktop.unwrap_or(1.0)
    }

    /// Whether the window is made.
    pub(crate) fn is_made(&self) -> bool {
        self.desktop.is_some()
    }

    /// Against the desktop's scale.
    #[cfg(feature = "probe")]
    pub(crate) fn zoom(&self) -> f64 {
        self.zoom
    }

    /// Brings an event to the window's scale; `None` where it can stay as it is. Sees every event before all others,
    /// since a window has its own scale only once it is made.
    pub(crate) fn scaled(&mut self, cx: &mut Cx, event: &Event) -> Option<Event> {
        self.apply(cx);
        if cfg!(target_os = "macos") || self.zoom == 1.0 {
            return None;
        }
        let zoom = self.zoom;
        macro_rules! scaled {
            ($kind:ident, $told:ident) => {{
                let mut told = $told.clone();
                told.abs /= zoom;
                Some(Event::$kind(told))
            }};
        }
        match event {
            Event::MouseDown(told) => scaled!(MouseDown, told),
            Event::MouseMove(told) => scaled!(MouseMove, told),
            Event::MouseUp(told) => scaled!(MouseUp, told),
            Event::MouseLeave(told) => scaled!(MouseLeave, told),
            Event::Scroll(told) => scaled!(Scroll, told),
            Event::WindowDragQuery(told) => scaled!(WindowDragQuery, told),
            _ => None,
        }
    }

    /// Gives the window its scale, where it has another.
    fn apply(&mut self, cx: &mut Cx) {
        let id = CxWindowPool::id_zero();
        if !cx.windows.is_valid(id) || !cx.windows[id].is_created {
            return;
        }
        let window = &mut cx.windows[id];
        let now = window.window_geom.dpi_factor;
        let desktop = *self.desktop.get_or_insert(now);
        let wanted = desktop * self.zoom;
        if now != wanted {
            window.os_dpi_factor = Some(desktop);
            window.dpi_override = Some(wanted);
            window.window_geom.inner_size *= now / wanted;
            window.window_geom.dpi_factor = wanted;
            cx.redraw_all();
        }
    }
}

fn factor(zoom: Zoom) -> f64 {
    f64::from(zoom.0) / 100.0
}
