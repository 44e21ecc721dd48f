//! Where Makepad's fonts and icons are read from.

use std::path::Path;

use makepad_widgets::Cx;

/// Has them read from this folder, which holds one for each crate that brings some; `None` leaves the sources of these
/// crates, where they were compiled. Called after the designs are registered and before any is looked at.
pub(super) fn read_from(cx: &mut Cx, folder: Option<&Path>) {
    if let Some(folder) = folder.and_then(Path::to_str) {
        cx.live_registry.borrow_mut().package_root = Some(folder.to_owned());
    }
}
