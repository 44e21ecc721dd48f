//! Keeps Hearth alive where the X server refuses something. Xlib ends the process then, unless it is told otherwise: a
//! program that asks for the clipboard and ends before it is answered would take the window with it.

use std::ffi::{c_int, c_uchar, c_ulong, c_void};

/// What Xlib tells of a request that was refused (`XErrorEvent` of `X11/Xlib.h`).
#[repr(C)]
struct Refused {
    kind: c_int,
    display: *mut c_void,
    resource: c_ulong,
    serial: c_ulong,
    error: c_uchar,
    request: c_uchar,
    minor: c_uchar,
}

type Handler = unsafe extern "C" fn(*mut c_void, *const Refused) -> c_int;

#[link(name = "X11")]
unsafe extern "C" {
    fn XSetErrorHandler(handler: Option<Handler>) -> Option<Handler>;
}

/// Writes refused requests into the log from now on.
pub(super) fn log() {
    // SAFETY: Xlib may be told so at any time, and the handler is as it wants it.
    unsafe { XSetErrorHandler(Some(note)) };
}

/// Xlib calls this on whichever thread reads from the server; what it gives counts for nothing.
unsafe extern "C" fn note(_display: *mut c_void, refused: *const Refused) -> c_int {
    // SAFETY: Xlib gives what it read, or nothing.
    if let Some(refused) = unsafe { refused.as_ref() } {
        tracing::warn!(
            error = refused.error,
            request = refused.request,
            resource = refused.resource,
            "the X server refused a request"
        );
    }
    0
}
