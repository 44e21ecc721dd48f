//! The window's place on the desktop: read when it has changed, and given back at the next start.

use hearth_protocol::settings::WindowPlace;
use makepad_widgets::*;

use crate::state::window_place::{Screen, fitted};

/// The screens there are, as far as the system tells them.
pub(crate) fn screens() -> Vec<Screen> {
    #[cfg(target_os = "linux")]
    match crate::x11::screens() {
        Ok(screens) => return screens,
        Err(error) => tracing::warn!(%error, "the screens are not known"),
    }
    Vec::new()
}

/// Gives the window a place, before it is made.
pub(crate) fn restore(cx: &mut Cx, place: Option<WindowPlace>, screens: &[Screen]) {
    let id = CxWindowPool::id_zero();
    let Some(place) = place.filter(|_| cx.windows.is_valid(id)) else {
        return;
    };
    let place = fitted(place, screens);
    let window = &mut cx.windows[id];
    window.create_inner_size = Some(dvec2(f64::from(place.width), f64::from(place.height)));
    window.create_position = place.at.map(|(left, top)| dvec2(f64::from(left), f64::from(top)));
}

/// Lets the window, which is made, fill the screen.
pub(crate) fn maximise(cx: &mut Cx) {
    cx.push_unique_platform_op(CxOsOp::MaximizeWindow(CxWindowPool::id_zero()));
}

/// Tells where the window stands. `scale` is the desktop's.
#[cfg(target_os = "linux")]
pub(crate) fn read(cx: &Cx, scale: f64, tell: impl FnOnce(WindowPlace) + Send + 'static) {
    let pixels = move |side: u32| (f64::from(side) / scale).round() as u32;
    let geometry = &cx.windows[CxWindowPool::id_zero()].window_geom;
    let size = geometry.inner_size * (geometry.dpi_factor / scale);
    // Its size is known in any case.
    let unplaced = WindowPlace {
        width: size.x.round() as u32,
        height: size.y.round() as u32,
        ..WindowPlace::default()
    };
    std::thread::spawn(move || match crate::x11::place() {
        Ok(Some(place)) => tell(WindowPlace {
            width: pixels(place.width),
            height: pixels(place.height),
            ..place
        }),
        Ok(None) => {
            tracing::debug!("the window manager does not list the window");
            tell(unplaced);
        }
        Err(error) => {
            tracing::warn!(%error, "the window's place is not known");
            tell(unplaced);
        }
    });
}

/// Tells where the window stands. `scale` is the desktop's.
#[cfg(not(target_os = "linux"))]
pub(crate) fn read(cx: &Cx, scale: f64, tell: impl FnOnce(WindowPlace) + Send + 'static) {
    let geometry = &cx.windows[CxWindowPool::id_zero()].window_geom;
    let size = geometry.inner_size * (geometry.dpi_factor / scale);
    tell(WindowPlace {
        at: Some((geometry.position.x as i32, geometry.position.y as i32)),
        width: size.x.round() as u32,
        height: size.y.round() as u32,
        maximised: geometry.is_fullscreen,
    });
}

/// Brings the window to the front.
pub(crate) fn show() {
    #[cfg(target_os = "linux")]
    std::thread::spawn(|| match crate::x11::show() {
        Ok(true) => (),
        Ok(false) => tracing::warn!("the window manager does not list the window, which stays where it is"),
        Err(error) => tracing::warn!(%error, "the window stays where it is"),
    });
    #[cfg(not(target_os = "linux"))]
    tracing::warn!("Hearth cannot bring its window to the front on this system yet");
}
