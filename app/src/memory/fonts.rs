//! Gives back the parts of fonts that the toolkit has joined.
//!
//! A font of several files is made into one when a design that names it is applied first, and the toolkit keeps the files as well
//! (makepad-draw 1.0.0, `FontFamily::skip_apply`): 38 MB of Chinese in two weights.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use makepad_widgets::makepad_draw::text::fonts::Fonts;
use makepad_widgets::{Cx, LiveValue};

/// Gives back the files of those fonts that are joined in each way they are used.
pub(super) fn give_back(cx: &mut Cx) {
    if !cx.has_global::<Rc<RefCell<Fonts>>>() {
        return;
    }
    let fonts = Rc::clone(cx.get_global::<Rc<RefCell<Fonts>>>());
    let fonts = fonts.borrow();
    // Whether a file is not needed any more, by its path.
    let mut parts: HashMap<Arc<String>, bool> = HashMap::new();
    let registry = Rc::clone(&cx.live_registry);
    let registry = registry.borrow();
    for node in registry.live_files.iter().flat_map(|file| &file.expanded.nodes) {
        if let LiveValue::Font(font) = &node.value {
            let is_joined = font.paths.len() > 1 && fonts.is_font_known(font.to_live_id().0.into());
            for path in font.paths.iter() {
                *parts.entry(Arc::clone(path)).or_insert(true) &= is_joined;
            }
        }
    }
    for (path, _) in parts.into_iter().filter(|(_, is_joined)| *is_joined) {
        if let Ok(file) = cx.take_dependency(&path) {
            tracing::debug!(
                path = *path,
                bytes = file.len(),
                "the file of a joined font is given back"
            );
        }
    }
}
