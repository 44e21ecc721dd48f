//! Values that designs name and that change while the window is open: colours, sizes and words. They are put into the
//! registry of designs; once the designs are applied anew, everything has them.

use hearth_protocol::settings::Settings;
use makepad_widgets::*;

use super::{spacing, text_size, texts as words, theme};
use crate::state::appearance::Look;
use crate::text::Texts;

/// Shows the open window in this look. The next timer tick sends [`Event::LiveEdit`], which applies every design anew
/// and redraws the window.
pub(crate) fn switch(cx: &mut Cx, look: Look, texts: &Texts, settings: &Settings) {
    set_all(cx, look, texts, settings);
    cx.reload_ui_dsl();
}

/// Gives all of them their values, before the window opens.
pub(crate) fn set_all(cx: &mut Cx, look: Look, texts: &Texts, settings: &Settings) {
    theme::set(cx, look.shade, look.accent);
    text_size::set(cx, look.text_size);
    spacing::set(cx, look.density);
    words::set(cx, texts, settings);
}

/// Gives a constant of a module of designs, named as `module_path!` does, another value.
pub(super) fn set(cx: &mut Cx, module: &str, name: LiveId, value: LiveValue) {
    if let Ok(module) = LiveModuleId::from_str(module) {
        cx.set_dsl_value(module.0, module.1, name, value);
    }
}
