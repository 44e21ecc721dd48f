//! What must hold before Makepad talks to the display: that there is one, and what it must know.

/// Whether there is a display. Creates the atoms the clipboard needs on the way: Makepad looks them up
/// without creating them, and a paste ends the process on a bare X server, where nobody has yet.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() -> bool {
    use std::ffi::{c_char, c_int, c_ulong, c_void};

    // Makepad links the library.
    #[link(name = "X11")]
    unsafe extern "C" {
        fn XOpenDisplay(name: *const c_char) -> *mut c_void;
        fn XInternAtom(display: *mut c_void, name: *const c_char, only_if_exists: c_int) -> c_ulong;
        fn XCloseDisplay(display: *mut c_void) -> c_int;
    }

    // SAFETY: the names are C strings; the display is checked and closed, and nobody else has it.
    unsafe {
        let display = XOpenDisplay(std::ptr::null());
        if display.is_null() {
            return false;
        }
        for name in [c"UTF8_STRING", c"CLIPBOARD", c"TARGETS"] {
            XInternAtom(display, name.as_ptr(), 0);
        }
        XCloseDisplay(display);
    }
    true
}

/// Other systems always have one.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare() -> bool {
    true
}
