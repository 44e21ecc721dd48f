//! A screen nobody sees, with a window manager and real input.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask};

/// Size of the screen in pixels: the window and its frame fit into it.
const SIZE: &str = "1440x900x24";

/// Who asks the window manager for something: not a program for itself, but a person (EWMH 1.5, `_NET_CLOSE_WINDOW`).
const FROM_A_PERSON: u32 = 2;

/// Held by the one screen there is: two windows and two engines at once starve each other on a small machine.
static TURN: Mutex<()> = Mutex::new(());

/// An X server in memory with a window manager. Ends when dropped.
pub(crate) struct Screen {
    _turn: MutexGuard<'static, ()>,
    server: Child,
    manager: Child,
    display: String,
}

impl Screen {
    /// Starts a server on a free display and waits until it answers.
    pub(crate) fn start() -> Result<Self> {
        // A test that failed on its turn spoils nothing for the next.
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        // The server writes the display it took to this descriptor once it is ready.
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                SIZE,
                "-noreset",
                "-nolisten",
                "tcp",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("Xvfb does not start; ./x test installs it")?;
        let ready = server.stdout.take().context("no pipe")?;
        let mut line = String::new();
        BufReader::new(ready).read_line(&mut line)?;
        ensure!(!line.trim().is_empty(), "Xvfb ended before it was ready");
        let display = format!(":{}", line.trim());
        let manager = Command::new("openbox")
            .env("DISPLAY", &display)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("openbox does not start; ./x test installs it")?;
        Ok(Self {
            _turn: turn,
            server,
            manager,
            display,
        })
    }

    /// The display's name for a program's environment.
    pub(crate) fn display(&self) -> &str {
        &self.display
    }

    /// Moves the pointer to a place of the screen and presses its first button.
    pub(crate) fn click(&self, x: f64, y: f64) -> Result<()> {
        self.act_at(x, y, &["click", "1"])
    }

    /// Presses the first button where the pointer is.
    pub(crate) fn click_here(&self) -> Result<()> {
        self.xdotool(&["click", "1"]).map(drop)
    }

    /// Moves the pointer to a place of the screen and presses its third button, which opens menus.
    pub(crate) fn right_click(&self, x: f64, y: f64) -> Result<()> {
        self.act_at(x, y, &["click", "3"])
    }

    /// Moves the pointer to a place of the screen.
    pub(crate) fn hover(&self, x: f64, y: f64) -> Result<()> {
        self.act_at(x, y, &[])
    }

    /// Presses the first button twice.
    pub(crate) fn double_click(&self, x: f64, y: f64) -> Result<()> {
        self.act_at(x, y, &["click", "--repeat", "2", "--delay", "60", "1"])
    }

    /// Turns the wheel over a place: `clicks` above 0 scroll down.
    pub(crate) fn wheel(&self, x: f64, y: f64, clicks: i32) -> Result<()> {
        let button = if clicks > 0 { "5" } else { "4" };
        let count = clicks.unsigned_abs().to_string();
        self.act_at(x, y, &["click", "--repeat", &count, "--delay", "20", button])
    }

    /// Moves the pointer to a place of the screen and does something there.
    fn act_at(&self, x: f64, y: f64, action: &[&str]) -> Result<()> {
        let place = [&*round(x), &*round(y)];
        // The server takes both in turn. With `--sync`, xdotool waits for a movement that a pointer already there never makes.
        self.xdotool(&[&["mousemove"], &place[..], action].concat())
            .map(drop)
    }

    /// Moves the pointer out of the way.
    pub(crate) fn rest_pointer(&self) -> Result<()> {
        self.xdotool(&["mousemove", "1439", "899"]).map(drop)
    }

    /// The window of this title, once it is there, and the place of its content on the screen.
    pub(crate) fn find_window(&self, title: &str) -> Result<(String, (f64, f64))> {
        let window = self.xdotool(&[
            "search",
            "--sync",
            "--onlyvisible",
            "--name",
            &format!("^{title}$"),
        ])?;
        let window = window.lines().next().context("no window")?.to_owned();
        // xdotool adds the frame of a managed window twice; xwininfo does not.
        let output = Command::new("xwininfo")
            .env("DISPLAY", &self.display)
            .args(["-id", &window])
            .output()?;
        let about = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = |key: &str| {
            let line = about.lines().find_map(|line| line.trim().strip_prefix(key));
            line.and_then(|value| value.trim().parse().ok())
                .with_context(|| format!("no {key} in {about:?}"))
        };
        Ok((
            window.clone(),
            (
                number("Absolute upper-left X:")?,
                number("Absolute upper-left Y:")?,
            ),
        ))
    }

    /// Gives a window this size, in pixels.
    pub(crate) fn resize(&self, window: &str, width: u32, height: u32) -> Result<()> {
        self.xdotool(&["windowsize", window, &width.to_string(), &height.to_string()])
            .map(drop)
    }

    /// Puts the corner of a window's frame there.
    pub(crate) fn move_window(&self, window: u32, left: i32, top: i32) -> Result<()> {
        let (window, left, top) = (window.to_string(), left.to_string(), top.to_string());
        self.xdotool(&["windowmove", "--sync", &window, &left, &top])
            .map(drop)
    }

    /// Closes a window as the button of its frame does. A key of the window manager may be lost: it takes its keys anew
    /// whenever the keyboard's letters change, as they do for what is typed here.
    pub(crate) fn close_window(&self, window: u32) -> Result<()> {
        let (connection, screen) = x11rb::connect(Some(&self.display))?;
        let root = connection.setup().roots[screen].root;
        let close = connection.intern_atom(false, b"_NET_CLOSE_WINDOW")?.reply()?.atom;
        let message = ClientMessageEvent::new(32, window, close, [0, FROM_A_PERSON, 0, 0, 0]);
        let to_manager = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        connection.send_event(false, root, to_manager, message)?.check()?;
        Ok(())
    }

    /// Types a text as a keyboard would.
    pub(crate) fn type_text(&self, text: &str) -> Result<()> {
        self.xdotool(&["type", "--delay", "8", text]).map(drop)
    }

    /// Presses a key or a chord, such as `Return` or `shift+Return`.
    pub(crate) fn key(&self, name: &str) -> Result<()> {
        self.xdotool(&["key", name]).map(drop)
    }

    /// Presses a key or a chord and holds it, or lets it go.
    pub(crate) fn hold_key(&self, name: &str, held: bool) -> Result<()> {
        let action = if held { "keydown" } else { "keyup" };
        self.xdotool(&[action, name]).map(drop)
    }

    /// Puts a text into the clipboard, as another program does.
    pub(crate) fn fill_clipboard(&self, text: &str) -> Result<()> {
        let mut program = Command::new("xclip")
            .env("DISPLAY", &self.display)
            .args(["-selection", "clipboard", "-in"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .context("xclip does not start; ./x bench ui installs it")?;
        let mut input = program.stdin.take().context("no pipe")?;
        input.write_all(text.as_bytes())?;
        drop(input);
        // It goes on in the background until another program fills the clipboard.
        ensure!(program.wait()?.success(), "xclip failed");
        Ok(())
    }

    /// The text in the clipboard, as another program gets it.
    pub(crate) fn clipboard(&self) -> Result<String> {
        let output = Command::new("xclip")
            .env("DISPLAY", &self.display)
            .args(["-selection", "clipboard", "-out"])
            .output()
            .context("xclip does not start; ./x test installs it")?;
        ensure!(
            output.status.success(),
            "xclip: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Writes a picture of a window's content as PNG.
    pub(crate) fn picture(&self, window: &str, path: &Path) -> Result<()> {
        let status = Command::new("import")
            .env("DISPLAY", &self.display)
            .args(["-window", window])
            .arg(path)
            .status()
            .context("ImageMagick's import does not start")?;
        ensure!(status.success(), "no picture was taken");
        File::open(path).map(drop).context("the picture is missing")
    }

    fn xdotool(&self, arguments: &[&str]) -> Result<String> {
        let output = Command::new("xdotool")
            .env("DISPLAY", &self.display)
            .args(arguments)
            .output()
            .context("xdotool does not start; ./x test installs it")?;
        ensure!(
            output.status.success(),
            "xdotool {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.manager.kill());
        drop(self.manager.wait());
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

fn round(value: f64) -> String {
    format!("{value:.0}")
}
