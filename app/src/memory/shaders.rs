//! Gives back the texts of shaders that the toolkit keeps and never needs.
//!
//! With OpenGL it makes a second text of each shader, for headsets. On a desktop it makes it by putting a function in the
//! place of an empty text, that is between every two characters: some five megabytes a shader (makepad-platform 1.0.0,
//! `CxOsDrawShader::new`).

use makepad_widgets::Cx;
#[cfg(target_os = "linux")]
use makepad_widgets::NextFrame;

/// The place of the text for headsets.
#[cfg(target_os = "linux")]
const HEADSET: usize = 1;

/// What was given back already.
#[derive(Debug, Default)]
pub(super) struct Shaders {
    #[cfg(target_os = "linux")]
    trimmed: usize,
    /// Comes after new ones were made.
    #[cfg(target_os = "linux")]
    made: NextFrame,
}

#[cfg(target_os = "linux")]
impl Shaders {
    /// Gives back what came since the last time.
    pub(super) fn trim(&mut self, cx: &mut Cx) {
        let shaders = &mut cx.draw_shaders.os_shaders;
        for shader in shaders.iter_mut().skip(self.trimmed) {
            shader.vertex[HEADSET] = String::new();
            shader.pixel[HEADSET] = String::new();
        }
        self.trimmed = shaders.len();
    }

    /// After the window was drawn: new ones are made when the event is over, and are seen with the next.
    pub(super) fn note_drawn(&mut self, cx: &mut Cx) {
        if !cx.draw_shaders.compile_set.is_empty() {
            self.made = cx.new_next_frame();
        }
    }
}

/// Other systems have none.
#[cfg(not(target_os = "linux"))]
impl Shaders {
    pub(super) fn trim(&mut self, _cx: &mut Cx) {}

    pub(super) fn note_drawn(&mut self, _cx: &mut Cx) {}
}
