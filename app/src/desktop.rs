//! What the desktop wants of a window: dark or light, now and when it changes, and the person's language; and whether it
//! keeps it in front.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use dark_light::Mode;
use makepad_widgets::Cx;

use crate::msg::Msg;
use crate::pacer::Alarm;
use crate::state::appearance::{Desktop, Shade, language_of};

/// Longest the first frame waits for the desktop's colours. A desktop that answers later is followed all the same.
const PATIENCE: Duration = Duration::from_millis(300);

/// Whether the X server tells if the window is in front: under X11 the toolkit takes what can be seen for what is in front.
pub(crate) const ASKS_X11: bool = cfg!(target_os = "linux");

/// Asks before the window opens.
pub(crate) fn ask() -> Desktop {
    let (tell, told) = mpsc::sync_channel(1);
    // Who asks may have gone when the desktop answers.
    thread::spawn(move || tell.send(shade()).ok());
    Desktop {
        shade: told.recv_timeout(PATIENCE).unwrap_or_default(),
        language: language_of(&sys_locale::get_locale().unwrap_or_default()),
    }
}

/// Tells each change from now on, by [`Msg::DesktopTurned`].
pub(crate) fn watch(alarm: Alarm) {
    #[cfg(target_os = "linux")]
    watch_front(alarm.clone());
    let work = move || {
        let turn = |shade| {
            Cx::post_action(Msg::DesktopTurned(shade));
            alarm.ring();
        };
        let changes = match dark_light::subscribe() {
            Ok(changes) => changes,
            Err(error) => return tracing::info!(%error, "the desktop does not tell its colours"),
        };
        // What has changed since it was asked first, or was answered late.
        turn(shade());
        for mode in changes.iter() {
            turn(shade_of(mode));
        }
    };
    if let Err(error) = thread::Builder::new().name("hearth-desktop".into()).spawn(work) {
        tracing::warn!(%error, "the desktop's colours are not followed");
    }
}

/// Tells by [`Msg::WindowInFront`] what the toolkit tells on other systems only.
#[cfg(target_os = "linux")]
fn watch_front(alarm: Alarm) {
    let tell = move |in_front| {
        Cx::post_action(Msg::WindowInFront(in_front));
        alarm.ring();
    };
    let work = move || {
        if let Err(error) = crate::x11::watch_front(tell) {
            tracing::info!(%error, "it is not told whether the window is in front");
        }
    };
    if let Err(error) = thread::Builder::new().name("hearth-front".into()).spawn(work) {
        tracing::warn!(%error, "it is not told whether the window is in front");
    }
}

fn shade() -> Shade {
    match dark_light::detect() {
        Ok(mode) => shade_of(mode),
        Err(error) => {
            tracing::info!(%error, "the desktop does not tell its colours");
            Shade::default()
        }
    }
}

fn shade_of(mode: Mode) -> Shade {
    match mode {
        Mode::Light => Shade::Light,
        Mode::Dark | Mode::Unspecified => Shade::Dark,
    }
}
