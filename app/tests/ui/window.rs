//! The running app: started on a data folder of its own, seen through its probe, touched with real input.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::screen::Screen;

/// Longest wait for anything to happen; a guard against hanging, not a measure.
const PATIENCE: Duration = Duration::from_secs(240);

/// The app.
const PROGRAM: &str = env!("CARGO_BIN_EXE_hearth");

/// What Makepad prints where a design does not apply.
const DESIGN_FAULTS: [&str; 4] = ["Apply error", "Error expanding", "cant find target", "Can't find"];

/// The app on a screen. Killed when dropped.
pub(crate) struct Window<'a> {
    screen: &'a Screen,
    process: Child,
    socket: PathBuf,
    log: PathBuf,
    window: String,
    origin: (f64, f64),
}

/// An element of the window, as the probe tells it. Places are inside the window.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    /// Its name.
    pub name: String,
    /// Left, top, width, height.
    pub place: (f64, f64, f64, f64),
    /// Whether it is drawn.
    pub visible: bool,
    /// Whether it has the keyboard.
    pub focus: bool,
    /// Its text.
    pub text: String,
}

impl<'a> Window<'a> {
    /// Starts the app on the data folder `home` and waits until it can be used.
    pub(crate) fn start(screen: &'a Screen, home: &Path) -> Result<Self> {
        Self::start_within(screen, home, &[], &[])
    }

    /// The same with this in its environment.
    pub(crate) fn start_on(screen: &'a Screen, home: &Path, environment: &[(&str, &str)]) -> Result<Self> {
        let mut command = Command::new(PROGRAM);
        prepare(&mut command, screen, home);
        command.envs(environment.iter().copied());
        Self::start_command(screen, home, command)
    }

    /// The same with a worker that plays a script in the engine's place.
    pub(crate) fn start_scripted(screen: &'a Screen, home: &Path, script: &Path) -> Result<Self> {
        let script = format!("HEARTH_PROBE_SCRIPT={}", script.display());
        Self::start_within(screen, home, &["env".to_owned(), script], &[])
    }

    /// The same with these arguments for the app, and the app itself started by another program where one is named.
    pub(crate) fn start_within(
        screen: &'a Screen,
        home: &Path,
        outer: &[String],
        arguments: &[&str],
    ) -> Result<Self> {
        let mut command = match outer.split_first() {
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(PROGRAM);
                command
            }
            None => Command::new(PROGRAM),
        };
        prepare(&mut command, screen, home);
        command.args(arguments);
        Self::start_command(screen, home, command)
    }

    /// Starts the app for the first time on these data, and leaves its first steps to the caller.
    pub(crate) fn start_first(screen: &'a Screen, home: &Path) -> Result<Self> {
        let mut command = Command::new(PROGRAM);
        prepare(&mut command, screen, home);
        Self::open(screen, home, command)
    }

    /// Starts the app; the steps of a first start are skipped, and not shown again.
    fn start_command(screen: &'a Screen, home: &Path, command: Command) -> Result<Self> {
        let window = Self::open(screen, home, command)?;
        window.wait_for("the first start to be decided on", |window| {
            let state = window.state()?;
            Ok(state["knows_first_start"] == true || !state["banner"].is_null())
        })?;
        if window.state()?["overlay"] == "first_start" {
            window.click("first.skip")?;
            window.wait_for("the end of the first steps", |window| {
                let state = window.state()?;
                Ok(state["overlay"].is_null() && state["first_start_seen"] == true)
            })?;
            window.wait_for("the keyboard in the composer", |window| {
                Ok(window.element("composer.input")?.is_some_and(|it| it.focus))
            })?;
        }
        Ok(window)
    }

    fn open(screen: &'a Screen, home: &Path, mut command: Command) -> Result<Self> {
        fs::create_dir_all(home)?;
        let socket = home.join("probe.sock");
        let log = home.join("output.txt");
        let output = fs::File::create(&log)?;
        let process = command
            .env("HEARTH_PROBE", &socket)
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .context("the app does not start")?;
        let mut window = Self {
            screen,
            process,
            socket,
            log,
            window: String::new(),
            origin: (0.0, 0.0),
        };
        window.wait_for_socket()?;
        (window.window, window.origin) = screen.find_window("Hearth")?;
        window.wait_for("the composer", |window| {
            Ok(window.element("composer.input")?.is_some_and(|it| it.visible))
        })?;
        Ok(window)
    }

    /// Starts the app once more on the same data, with what it is handed, and waits until that process has ended.
    pub(crate) fn start_again(&self, home: &Path, handed: &[&str]) -> Result<ExitStatus> {
        let mut command = Command::new(PROGRAM);
        prepare(&mut command, self.screen, home);
        command.args(handed);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.context("the second start")
    }

    /// The window's number on the X server.
    pub(crate) fn id(&self) -> Result<u32> {
        self.window.parse().context("the window's number")
    }

    /// Writes a picture of the window as PNG, with nothing under the pointer.
    pub(crate) fn picture(&self, path: &Path) -> Result<()> {
        self.screen.rest_pointer()?;
        // A question is answered between two frames: after two of them, what was asked for is drawn.
        self.state()?;
        self.state()?;
        self.screen.picture(&self.window, path)
    }

    /// The app's process.
    pub(crate) fn process(&self) -> u32 {
        self.process.id()
    }

    /// Ends the app as the window manager's close button does, and waits.
    pub(crate) fn close(self) -> Result<()> {
        self.check_output()?;
        self.screen.close_window(self.id()?)?;
        self.wait_end()
    }

    /// Waits until the app has ended by itself.
    pub(crate) fn wait_end(mut self) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait()? {
                ensure!(status.success(), "the app ended with {status}");
                // One that opened again is another process.
                if UnixStream::connect(&self.socket).is_err() {
                    return Ok(());
                }
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        bail!("the app does not end; it shows {:?}", self.state());
    }

    /// Waits until the app has ended and opened again by itself, with its data in the folder `home`.
    pub(crate) fn opened_again(mut self, home: &Path) -> Result<Self> {
        let limit = Instant::now() + PATIENCE;
        self.log = home.join("output.txt");
        while self.process.try_wait()?.is_none() || UnixStream::connect(&self.socket).is_err() {
            ensure!(Instant::now() < limit, "the app did not open again");
            std::thread::sleep(Duration::from_millis(20));
        }
        (self.window, self.origin) = self.screen.find_window("Hearth")?;
        self.visible("composer.input")?;
        Ok(self)
    }

    /// Ends the app at once, as a crash would, and waits.
    pub(crate) fn kill(mut self) -> Result<()> {
        self.process.kill()?;
        self.process.wait().map(drop).context("the app's end")
    }

    /// Asks the app to end as the system does at the end of a session, and waits.
    pub(crate) fn terminate(self) -> Result<()> {
        let process = self.process.id().to_string();
        let asked = Command::new("sh")
            .args(["-c", &format!("kill -s TERM {process}")])
            .status()?;
        ensure!(asked.success(), "kill ended with {asked}");
        self.wait_end()
    }

    /// The state the window shows.
    pub(crate) fn state(&self) -> Result<Value> {
        self.ask(&json!({"state": true}))
    }

    /// What the frames cost since this was asked last.
    pub(crate) fn frames(&self) -> Result<Value> {
        self.ask(&json!({"frames": true}))
    }

    /// Goes to a page as its button does.
    pub(crate) fn show_page(&self, name: &str) -> Result<()> {
        self.ask(&json!({"page": name})).map(drop)
    }

    /// Every named element.
    pub(crate) fn elements(&self) -> Result<Vec<Element>> {
        let answer = self.ask(&json!({"list": true}))?;
        let list = answer["list"].as_array().context("no list of elements")?;
        Ok(list.iter().map(Element::read).collect())
    }

    /// Every control that is drawn, with its name, or an empty one where it has none.
    pub(crate) fn controls(&self) -> Result<Vec<Element>> {
        let answer = self.ask(&json!({"controls": true}))?;
        let controls = answer["controls"].as_array().context("no list of controls")?;
        Ok(controls.iter().map(Element::read).collect())
    }

    /// The element of this name, if there is one.
    pub(crate) fn element(&self, name: &str) -> Result<Option<Element>> {
        Ok(self.elements()?.into_iter().find(|element| element.name == name))
    }

    /// The drawn element of this name, waited for.
    pub(crate) fn visible(&self, name: &str) -> Result<Element> {
        self.wait_for_value(name, |window| {
            Ok(window.element(name)?.filter(|element| element.visible))
        })
    }

    /// Clicks into the middle of an element, once it is drawn.
    pub(crate) fn click(&self, name: &str) -> Result<()> {
        let (x, y) = self.middle(&self.visible(name)?);
        self.screen.click(x, y)
    }

    /// Opens the menu of an element, once it is drawn.
    pub(crate) fn right_click(&self, name: &str) -> Result<()> {
        let (x, y) = self.middle(&self.visible(name)?);
        self.screen.right_click(x, y)
    }

    /// Clicks the item of the open menu that has these words.
    pub(crate) fn click_item(&self, words: &str) -> Result<()> {
        let item = self.wait_for_value(words, |window| {
            let is_it = |element: &Element| {
                element.name.starts_with("menu.item.") && element.visible && element.text == words
            };
            Ok(window.elements()?.into_iter().find(is_it))
        })?;
        let (x, y) = self.middle(&item);
        self.screen.click(x, y)
    }

    /// Clicks where the pointer is.
    pub(crate) fn click_here(&self) -> Result<()> {
        self.screen.click_here()
    }

    /// Clicks at a place of an element, in pixels from the upper left corner of what is seen of it.
    pub(crate) fn click_at(&self, name: &str, right: f64, down: f64) -> Result<()> {
        let (x, y, ..) = self.visible(name)?.place;
        self.screen
            .click(self.origin.0 + x + right, self.origin.1 + y + down)
    }

    /// Moves the pointer over the middle of an element, once it is drawn.
    pub(crate) fn hover(&self, name: &str) -> Result<()> {
        let (x, y) = self.middle(&self.visible(name)?);
        self.screen.hover(x, y)
    }

    /// Waits until an element is not drawn.
    pub(crate) fn wait_gone(&self, name: &str) -> Result<()> {
        self.wait_for(&format!("the end of {name}"), |window| {
            Ok(window.element(name)?.is_none_or(|element| !element.visible))
        })
    }

    /// Gives the window this size, in pixels.
    pub(crate) fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.screen.resize(&self.window, width, height)
    }

    /// Clicks twice into the middle of an element.
    pub(crate) fn double_click(&self, name: &str) -> Result<()> {
        let (x, y) = self.middle(&self.visible(name)?);
        self.screen.double_click(x, y)
    }

    /// Turns the wheel over an element.
    pub(crate) fn wheel(&self, name: &str, clicks: i32) -> Result<()> {
        let (x, y) = self.middle(&self.visible(name)?);
        self.screen.wheel(x, y, clicks)
    }

    /// Types into whatever has the focus.
    pub(crate) fn type_text(&self, text: &str) -> Result<()> {
        self.screen.type_text(text)
    }

    /// Presses a key.
    pub(crate) fn key(&self, name: &str) -> Result<()> {
        self.screen.key(name)
    }

    /// Waits until `check` holds, looking again at each change of the window.
    pub(crate) fn wait_for(&self, what: &str, check: impl Fn(&Self) -> Result<bool>) -> Result<()> {
        self.wait_for_value(what, |window| Ok(check(window)?.then_some(())))
    }

    /// Waits until `find` finds something, looking again at each change of the window.
    pub(crate) fn wait_for_value<T>(
        &self,
        what: &str,
        find: impl Fn(&Self) -> Result<Option<T>>,
    ) -> Result<T> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let revision = self.revision()?;
            if let Some(found) = find(self)? {
                return Ok(found);
            }
            if Instant::now() > limit {
                bail!("{what} did not come; the window shows {:#}", self.state()?);
            }
            self.ask(&json!({"wait_change": revision}))?;
        }
    }

    /// Waits until the window has drawn nothing for as long as the probe waits for a change: a few seconds.
    pub(crate) fn wait_still(&self) -> Result<()> {
        let limit = Instant::now() + PATIENCE;
        loop {
            let revision = self.revision()?;
            let after = self.ask(&json!({"wait_change": revision}))?;
            if after["revision"] == revision {
                return Ok(());
            }
            ensure!(Instant::now() < limit, "the window goes on drawing");
        }
    }

    /// What it has written to its output, up to now.
    pub(crate) fn output(&self) -> Result<String> {
        Ok(fs::read_to_string(&self.log)?)
    }

    /// Fails where the design did not apply or something panicked.
    pub(crate) fn check_output(&self) -> Result<()> {
        for line in self.output()?.lines() {
            let fault = DESIGN_FAULTS.iter().any(|fault| line.contains(fault)) || line.contains("panicked");
            ensure!(!fault, "the app printed: {line}");
        }
        Ok(())
    }

    fn middle(&self, element: &Element) -> (f64, f64) {
        let (x, y, width, height) = element.place;
        (self.origin.0 + x + width / 2.0, self.origin.1 + y + height / 2.0)
    }
}

/// The environment of an app on this screen and these data, in which nothing of this computer's own desktop counts.
fn prepare(command: &mut Command, screen: &Screen, home: &Path) {
    command
        .env("DISPLAY", screen.display())
        .env("HEARTH_HOME", home)
        .env("HF_HUB_CACHE", home.join("no-hub-cache"))
        // Where other programs keep their models.
        .env("HOME", home)
        .env_remove("XDG_DATA_HOME")
        .env("OLLAMA_MODELS", home.join("no-ollama"))
        .env("LLAMA_CACHE", home.join("no-llama.cpp"))
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env("TZ", "UTC")
        .env("LANG", "en_GB.UTF-8")
        .env_remove("LANGUAGE")
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
        .stdin(Stdio::null());
}

impl Element {
    fn read(value: &Value) -> Self {
        let number = |key: &str| value[key].as_f64().unwrap_or_default();
        Self {
            name: value["name"].as_str().unwrap_or_default().to_owned(),
            place: (number("x"), number("y"), number("w"), number("h")),
            visible: value["visible"].as_bool().unwrap_or_default(),
            focus: value["focus"].as_bool().unwrap_or_default(),
            text: value["text"].as_str().unwrap_or_default().to_owned(),
        }
    }
}

impl Window<'_> {
    fn wait_for_socket(&mut self) -> Result<()> {
        let limit = Instant::now() + PATIENCE;
        while UnixStream::connect(&self.socket).is_err() {
            if let Some(status) = self.process.try_wait()? {
                bail!("the app ended with {status}: {}", fs::read_to_string(&self.log)?);
            }
            ensure!(Instant::now() < limit, "the app's probe did not open");
            // The system tells nobody when a socket begins to listen.
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn revision(&self) -> Result<u64> {
        self.state()?["revision"]
            .as_u64()
            .context("the probe tells no revision")
    }

    fn ask(&self, request: &Value) -> Result<Value> {
        let mut stream = UnixStream::connect(&self.socket).context("the app's probe is gone")?;
        stream.set_read_timeout(Some(PATIENCE))?;
        writeln!(stream, "{request}")?;
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line)?;
        serde_json::from_str(&line).with_context(|| format!("{request} was answered {line:?}"))
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
