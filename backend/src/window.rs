//! Finds the window for those who ask for it: the one that listens, if there is one.

use std::sync::{Arc, Mutex, PoisonError};

use hearth_protocol::EventSink;
use hearth_protocol::command::WindowCommand;
use hearth_protocol::window::{Handed, WindowEvent};

/// The way to the window. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct WindowBell(Arc<Mutex<Option<EventSink<WindowEvent>>>>);

impl WindowBell {
    /// Carries out a command.
    pub(crate) fn carry_out(&self, command: WindowCommand) {
        match command {
            WindowCommand::Watch { events } => *self.lock() = Some(events),
            WindowCommand::Show { handed, reply } => {
                let shown = self.ring(handed);
                reply.send(Ok(shown));
            }
        }
    }

    /// Tells the window to come to the front; whether there is one.
    fn ring(&self, handed: Option<Handed>) -> bool {
        let mut window = self.lock();
        let heard = window
            .as_mut()
            .is_some_and(|events| events.send(WindowEvent::Show { handed }).is_ok());
        if !heard {
            *window = None;
        }
        heard
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<EventSink<WindowEvent>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::{Client, Command};

    use super::*;

    #[test]
    fn only_a_window_that_is_there_is_shown() {
        let (client, commands) = Client::new();
        let bell = WindowBell::default();
        let carry_out = || match commands.recv().expect("a command") {
            Command::Window(command) => bell.carry_out(command),
            other => panic!("{other:?}"),
        };
        let handed = || Handed::read("/models/a.gguf");
        let show = || {
            let shown = client.show_window(handed());
            carry_out();
            shown.wait()
        };
        assert_eq!(show(), Ok(false), "none has come yet");
        let window = client.watch_window();
        carry_out();
        assert_eq!(show(), Ok(true));
        let heard = window.try_next().map(|event| event.body);
        assert_eq!(heard, Some(WindowEvent::Show { handed: handed() }));
        drop(window);
        assert_eq!(show(), Ok(false), "it has gone");
    }
}
