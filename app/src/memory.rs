//! Gives back what the toolkit keeps and never needs again.

mod fonts;
mod shaders;

use makepad_widgets::Cx;

use shaders::Shaders;

/// What was given back already.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    shaders: Shaders,
    gave_fonts: bool,
}

impl Memory {
    /// Before each event: gives back what came since the last one.
    pub(crate) fn trim(&mut self, cx: &mut Cx) {
        self.shaders.trim(cx);
    }

    /// After the window was drawn.
    pub(crate) fn note_drawn(&mut self, cx: &mut Cx) {
        self.shaders.note_drawn(cx);
        // All designs are applied by now.
        if !std::mem::replace(&mut self.gave_fonts, true) {
            fonts::give_back(cx);
        }
    }
}
