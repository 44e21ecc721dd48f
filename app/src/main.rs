//! Hearth, the desktop app. Decides what this process is: a worker, or the window on a backend of its own.

mod app;
mod bridge;
mod desktop;
mod display;
mod effect;
mod ending;
mod file_dialog;
mod memory;
mod msg;
mod notify;
mod pacer;
#[cfg(feature = "probe")]
mod probe;
mod reveal;
mod state;
mod text;
mod ui;
mod window_place;
#[cfg(target_os = "linux")]
mod x11;
mod zoom;

use std::ffi::OsStr;
use std::process::ExitCode;

use anyhow::Context;
use hearth_backend::{Config, WORKER_ARGUMENT};
use hearth_protocol::Error;
use hearth_protocol::window::Handed;

use app::Start;
use state::Places;

/// Exit code for wrong usage, as clap's in `hearth-cli`.
const WRONG_USAGE: u8 = 2;

/// Refuses every outbound connection, whatever the settings say.
const OFFLINE_ARGUMENT: &str = "--offline";

fn main() -> ExitCode {
    let mut offline = false;
    let mut handed = None;
    for (place, argument) in std::env::args_os().skip(1).enumerate() {
        match read_handed(&argument) {
            _ if place == 0 && argument == WORKER_ARGUMENT => return hearth_backend::worker_main(),
            _ if argument == OFFLINE_ARGUMENT => offline = true,
            Some(this) if handed.is_none() => handed = Some(this),
            _ => return answer(&argument),
        }
    }
    prepare_drawing();
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    match open_window(offline, handed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// A link or a model file that Hearth was started with.
fn read_handed(argument: &OsStr) -> Option<Handed> {
    match Handed::read(&argument.to_string_lossy())? {
        // A window that is open already was started from another folder.
        Handed::File(path) => std::path::absolute(path).ok().map(Handed::File),
        handed => Some(handed),
    }
}

/// Answers what was typed behind the program's name and opens no window.
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "there is only the terminal to answer on"
)]
fn answer(argument: &OsStr) -> ExitCode {
    if argument == "--version" || argument == "-V" {
        println!("hearth {}", env!("CARGO_PKG_VERSION"));
    } else if argument == "--help" || argument == "-h" {
        println!(
            "Opens Hearth's window; with --offline, no connection to other computers is opened. `hearth-cli` works in \
             the terminal.\n\
             A link such as hearth://OWNER/MODEL shows that model, the path of a GGUF file the form that imports it.\n\
             HEARTH_HOME names the folder of all data. RUST_LOG=info writes a log to standard error."
        );
    } else {
        eprintln!(
            "hearth: {} is not known; the window takes --offline, a hearth:// link or a GGUF file.",
            argument.display()
        );
        return ExitCode::from(WRONG_USAGE);
    }
    ExitCode::SUCCESS
}

fn open_window(offline: bool, handed: Option<Handed>) -> anyhow::Result<()> {
    let mut config = Config::from_environment()?;
    config.hub.offline |= offline;
    #[cfg(feature = "probe")]
    if let Some(script) = std::env::var_os(probe::SCRIPT) {
        // Tests put a worker that plays a script in the engine's place; it lies beside this program.
        let program = config.worker.program.with_file_name("hearth-test-worker");
        let arguments = vec!["scripted".into(), script];
        config.worker = hearth_backend::WorkerCommand { program, arguments };
    }
    anyhow::ensure!(
        display::prepare(),
        "There is no display. Hearth's window needs an X server, or XWayland on Wayland. \
         `hearth-cli run` chats in the terminal."
    );
    if show_running(&config, handed.as_ref())? {
        return Ok(());
    }
    let places = Places {
        data: config.home.display().to_string(),
        models: config.home.join("models").display().to_string(),
        home: std::env::home_dir().unwrap_or_default().display().to_string(),
        handed,
    };
    let toolkit = Some(config.toolkit.clone()).filter(|folder| folder.is_dir());
    let (client, shutdown) = hearth_backend::start_serving(config);
    // The window opens in the right look. Where the settings cannot be read, it says so itself.
    let settings = client.read_settings().wait().unwrap_or_default();
    app::run(
        Start {
            client,
            settings,
            desktop: desktop::ask(),
            screens: window_place::screens(),
            places,
            toolkit,
        },
        move || shutdown.shut_down(),
    );
    Ok(())
}

/// Brings the window of the Hearth that runs on these data to the front, with what this start was handed; whether there is
/// one. A Hearth without a window,
/// as `hearth-cli serve`, is none.
fn show_running(config: &Config, handed: Option<&Handed>) -> anyhow::Result<bool> {
    let problem = "Hearth runs on these data already, and its window cannot be shown";
    let Some((client, shutdown)) = hearth_backend::connect(config).context(problem)? else {
        return Ok(false);
    };
    let shown = client.show_window(handed.cloned()).wait();
    shutdown.shut_down();
    let shown = match shown {
        // It was just ending: its data are free.
        Err(Error::BackendGone) => false,
        shown => shown.context(problem)?,
    };
    // Where no way to the front is built yet, the person is told where to look.
    anyhow::ensure!(
        !shown || cfg!(target_os = "linux"),
        "Hearth is open already; look for its window."
    );
    Ok(shown)
}

/// Mesa's software OpenGL takes a short cut for very simple shaders that draws them in wrong colours.
/// Hardware drivers do not read this.
fn prepare_drawing() {
    const NAME: &str = "LP_PERF";
    if std::env::var_os(NAME).is_none() {
        // SAFETY: this is the start of main, no other thread runs yet.
        unsafe { std::env::set_var(NAME, "no_rast_linear") };
    }
}

#[expect(clippy::print_stderr, reason = "nothing else is there yet that could show it")]
fn complain(error: &anyhow::Error) {
    eprintln!("hearth: {error:#}");
}
