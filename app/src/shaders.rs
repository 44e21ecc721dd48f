//! Gives back the texts of shaders that the toolkit keeps and never needs.
//!
//! With OpenGL it makes a second text of each shader, for headsets. On a desktop it makes it by putting a function in the
//! place of an empty text, that is between every two characters: some five megabytes a shader (makepad-platform 1.0.0,
//! `CxOsDrawShader::new`).

#[cfg(target_os = "linux")]
use makepad_widgets::NextFrame;
use makepad_widgets::{Cx, Event};

/// The place of the text for headsets.
#[cfg(target_os = "linux")]
const HEADSET: usize = 1;

/// What was given back already.
#[derive(Debug, Default)]
pub(crate) struct Shaders {
    #[cfg(target_os = "linux")]
    trimmed: usize,
    /// Comes after new ones were made.
    #[cfg(target_os = "linux")]
    made: NextFrame,
}

impl Shaders {
    /// Gives back what came since the last time. Belongs after the window has taken an event: what it has drawn then is made
    /// when the event is over.
    #[cfg(target_os = "linux")]
    pub(crate) fn trim(&mut self, cx: &mut Cx, event: &Event) {
        if matches!(event, Event::Draw(_)) && !cx.draw_shaders.compile_set.is_empty() {
            self.made = cx.new_next_frame();
        }
        let shaders = &mut cx.draw_shaders.os_shaders;
        for shader in shaders.iter_mut().skip(self.trimmed) {
            shader.vertex[HEADSET] = String::new();
            shader.pixel[HEADSET] = String::new();
        }
        self.trimmed = shaders.len();
    }

    /// Other systems have none.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn trim(&mut self, _cx: &mut Cx, _event: &Event) {}
}
