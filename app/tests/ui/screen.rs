//! A screen nobody sees, with a window manager and real input.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Size of the screen in pixels; the window fills it.
pub const SIZE: (u32, u32) = (1280, 800);

/// An X server in memory. Ends when dropped.
pub struct Screen {
    server: Child,
    display: String,
}

impl Screen {
    /// Starts a server on a free display and waits until it answers.
    pub fn start() -> Result<Self> {
        let size = format!("{}x{}x24", SIZE.0, SIZE.1);
        // The server writes the display it took to this descriptor once it is ready.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &size, "-noreset", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("Xvfb does not start; ./x test installs it")?;
        let ready = server.stdout.take().context("no pipe")?;
        let mut line = String::new();
        BufReader::new(ready).read_line(&mut line)?;
        ensure!(!line.trim().is_empty(), "Xvfb ended before it was ready");
        Ok(Self { server, display: format!(":{}", line.trim()) })
    }

    /// The display's name for a program's environment.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Moves the pointer to a place of the screen and presses its first button.
    pub fn click(&self, x: f64, y: f64) -> Result<()> {
        self.xdotool(&["mousemove", "--sync", &round(x), &round(y), "click", "1"])
    }

    /// Presses the first button twice.
    pub fn double_click(&self, x: f64, y: f64) -> Result<()> {
        self.xdotool(&["mousemove", "--sync", &round(x), &round(y), "click", "--repeat", "2", "--delay", "60", "1"])
    }

    /// Turns the wheel over a place: `clicks` above 0 scroll down.
    pub fn wheel(&self, x: f64, y: f64, clicks: i32) -> Result<()> {
        let button = if clicks > 0 { "5" } else { "4" };
        let count = clicks.unsigned_abs().to_string();
        self.xdotool(&["mousemove", "--sync", &round(x), &round(y), "click", "--repeat", &count, "--delay", "20", button])
    }

    /// Moves the pointer out of the way.
    pub fn rest_pointer(&self) -> Result<()> {
        self.xdotool(&["mousemove", "--sync", "1278", "798"])
    }

    /// Types a text as a keyboard would.
    pub fn type_text(&self, text: &str) -> Result<()> {
        self.xdotool(&["type", "--delay", "8", text])
    }

    /// Presses a key or a chord, such as `Return` or `shift+Return`.
    pub fn key(&self, name: &str) -> Result<()> {
        self.xdotool(&["key", name])
    }

    /// Writes a picture of the screen as PNG.
    pub fn picture(&self, path: &Path) -> Result<()> {
        let status = Command::new("import")
            .env("DISPLAY", &self.display)
            .args(["-window", "root"])
            .arg(path)
            .status()
            .context("ImageMagick's import does not start")?;
        ensure!(status.success(), "no picture was taken");
        File::open(path).map(drop).context("the picture is missing")
    }

    fn xdotool(&self, arguments: &[&str]) -> Result<()> {
        let output = Command::new("xdotool")
            .env("DISPLAY", &self.display)
            .args(arguments)
            .output()
            .context("xdotool does not start; ./x test installs it")?;
        ensure!(output.status.success(), "xdotool {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

fn round(value: f64) -> String {
    format!("{value:.0}")
}
