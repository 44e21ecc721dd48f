//! The token in a real Secret Service, on a bus and in a home of its own. Each test starts itself once more inside of
//! that.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use hearth_testhub::{Gate, Repo, TestHub, some_bytes};
use http::HeaderMap;
use tempfile::TempDir;

use super::*;
use crate::config::{Config, WorkerCommand};
use crate::hub::Hub;
use crate::net::Net;

/// Names the test's folder to the test that runs inside of a session.
const FOLDER: &str = "HEARTH_TEST_KEYRING";

/// Exit code of a session without a keyring.
const NO_KEYRING: i32 = 77;

/// How a session begins.
#[derive(Clone, Copy)]
enum Daemon {
    /// With a keyring that is open; it is made at the first time.
    Unlocked,
    /// With the same, locked. There is nobody to ask for its password.
    Locked,
    /// Without any.
    Missing,
}

impl Daemon {
    fn command(self) -> &'static str {
        match self {
            Self::Unlocked => "printf password | gnome-keyring-daemon --unlock --components=secrets",
            Self::Locked => "gnome-keyring-daemon --start --components=secrets </dev/null",
            Self::Missing => "true",
        }
    }
}

/// The folder of the test that runs inside of a session.
fn inside() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// Runs the test of this name in one session after the other, all with one home; says a word where this system has no
/// such thing.
fn in_sessions(test: &str, daemons: &[Daemon]) {
    let folder = TempDir::new().expect("a folder");
    let home = folder.path().join("home");
    std::fs::create_dir(&home).expect("a home");
    let (_, module) = module_path!().split_once("::").expect("a path");
    for daemon in daemons {
        let script = format!(
            "{} >/dev/null 2>&1 || exit {NO_KEYRING}; exec \"$0\" --exact \"$1\" --nocapture",
            daemon.command()
        );
        let mut session = Command::new("dbus-run-session");
        session
            .args(["--", "sh", "-c", &script])
            .arg(std::env::current_exe().expect("this program"))
            .arg(format!("{module}::{test}"))
            .env(FOLDER, folder.path())
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_RUNTIME_DIR", &home)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null());
        if let Daemon::Missing = daemon {
            // Nothing that could start one by itself.
            session.env("XDG_DATA_DIRS", &home);
        }
        let Ok(output) = session.output() else {
            return println!("passed over: there is no dbus-run-session");
        };
        if output.status.code() == Some(NO_KEYRING) {
            return println!("passed over: there is no gnome-keyring-daemon, or it does not start");
        }
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        assert!(
            output.status.success() && printed.contains("1 passed"),
            "{printed}"
        );
    }
}

/// Hearth's view of the keyring at a new start.
fn started(folder: &Path) -> Tokens {
    let config = HubConfig {
        keyring: true,
        ..HubConfig::default()
    };
    tokens(folder, config)
}

fn kept_in(source: TokenSource, text: &str) -> Found {
    Some((Secret::new(text), source))
}

#[tokio::test]
async fn a_token_is_kept_in_the_keyring_and_found_by_the_next_start() {
    let Some(folder) = inside() else {
        let test = "a_token_is_kept_in_the_keyring_and_found_by_the_next_start";
        return in_sessions(test, &[Daemon::Unlocked]);
    };
    for text in ["hf_one", "hf_two"] {
        let tokens = started(&folder);
        tokens.keep(Secret::new(text)).await.expect("kept");
        let kept = kept_in(TokenSource::Keyring, text);
        assert_eq!(tokens.find().await, kept);
        assert_eq!(started(&folder).find().await, kept);
        assert!(!tokens.file.exists());
    }
    let tokens = started(&folder);
    tokens.forget().await.expect("forgotten");
    for tokens in [tokens, started(&folder)] {
        assert_eq!(tokens.find().await, None);
    }
}

/// What the keyring still holds must neither hide what was kept later nor come back.
#[tokio::test]
async fn a_locked_keyring_leaves_the_token_to_a_file_which_then_counts() {
    let Some(folder) = inside() else {
        let test = "a_locked_keyring_leaves_the_token_to_a_file_which_then_counts";
        return in_sessions(test, &[Daemon::Unlocked, Daemon::Locked, Daemon::Unlocked]);
    };
    let tokens = started(&folder);
    let (first, second) = (folder.join("first"), folder.join("second"));
    if !first.exists() {
        tokens.keep(Secret::new("hf_old")).await.expect("kept");
        assert!(!tokens.file.exists());
        std::fs::write(first, "").expect("written");
    } else if !second.exists() {
        assert_eq!(tokens.find().await, None);
        let held = tokens.forget().await.expect_err("locked");
        assert!(
            held.to_string()
                .contains("keyring is busy: it still holds the token"),
            "{held}"
        );
        tokens.keep(Secret::new("hf_new")).await.expect("kept");
        assert_eq!(tokens.find().await, kept_in(TokenSource::File, "hf_new"));
        let about = std::fs::metadata(&tokens.file).expect("the file");
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777,
            0o600
        );
        std::fs::write(second, "").expect("written");
    } else {
        assert_eq!(tokens.find().await, kept_in(TokenSource::File, "hf_new"));
        tokens.forget().await.expect("forgotten");
        assert_eq!(started(&folder).find().await, None);
    }
}

#[tokio::test]
async fn without_a_keyring_the_token_goes_to_a_file() {
    let Some(folder) = inside() else {
        let test = "without_a_keyring_the_token_goes_to_a_file";
        return in_sessions(test, &[Daemon::Missing]);
    };
    let tokens = started(&folder);
    assert_eq!(tokens.find().await, None);
    tokens.keep(Secret::new("hf_one")).await.expect("kept");
    assert_eq!(
        started(&folder).find().await,
        kept_in(TokenSource::File, "hf_one")
    );
    tokens.forget().await.expect("forgotten");
    assert_eq!(tokens.find().await, None);
}

/// As one that waits for a password that nobody types.
#[tokio::test]
async fn a_keyring_that_does_not_answer_is_not_waited_for_again() {
    let Some(folder) = inside() else {
        let test = "a_keyring_that_does_not_answer_is_not_waited_for_again";
        return in_sessions(test, &[Daemon::Unlocked]);
    };
    started(&folder).keep(Secret::new("hf_old")).await.expect("kept");
    let daemon = keyring_process();
    signal("STOP", &daemon);
    let mut tokens = started(&folder);
    let keyring = tokens.keyring.as_mut().expect("a keyring");
    keyring.patience = std::time::Duration::from_millis(50);
    assert_eq!(tokens.find().await, None);
    // A patience without an end shows that nobody waits.
    let mut later = tokens.clone();
    later.keyring.as_mut().expect("a keyring").patience = std::time::Duration::MAX;
    assert_eq!(later.find().await, None);
    assert!(matches!(tokens.forget().await, Err(Error::Busy { .. })));
    tokens.keep(Secret::new("hf_new")).await.expect("kept");
    assert_eq!(tokens.find().await, kept_in(TokenSource::File, "hf_new"));
    // What still waits for it ends with it.
    signal("KILL", &daemon);
}

/// The process that owns the Secret Service of this session.
fn keyring_process() -> String {
    let output = Command::new("dbus-send")
        .args([
            "--session",
            "--print-reply=literal",
            "--dest=org.freedesktop.DBus",
            "/",
        ])
        .args([
            "org.freedesktop.DBus.GetConnectionUnixProcessID",
            "string:org.freedesktop.secrets",
        ])
        .output();
    let text = String::from_utf8(output.expect("dbus-send runs").stdout).expect("text");
    text.split_whitespace().next_back().expect("a number").to_owned()
}

fn signal(name: &str, process: &str) {
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -s {name} {process}")])
        .status();
    assert!(sent.expect("sh runs").success());
}

/// All that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_token_on_its_way_to_the_keyring_and_to_the_hub_is_in_no_log() {
    const TOKEN: &str = "hf_neverseenanywhere";
    let Some(folder) = inside() else {
        let test = "a_token_on_its_way_to_the_keyring_and_to_the_hub_is_in_no_log";
        return in_sessions(test, &[Daemon::Unlocked]);
    };
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .init();
    let theirs = TestHub::start();
    theirs.add_token(TOKEN, "person", &["o/gated"]);
    theirs.add(
        Repo::new("o/gated")
            .with("a.gguf", some_bytes(1, 10))
            .behind(Gate::Auto),
    );
    let config = Config {
        home: folder.clone(),
        worker: WorkerCommand {
            program: "none".into(),
            arguments: Vec::new(),
        },
        starter_models: folder.join("starter"),
        toolkit: Default::default(),
        login: None,
        hub_cache: None,
        other_programs: Vec::new(),
        hub: HubConfig {
            endpoint: Some(theirs.url()),
            keyring: true,
            ..HubConfig::default()
        },
    };
    let hub = |config: &Config| Hub::new(config, Net::default());
    hub(&config).set_token(Secret::new(TOKEN)).await.expect("kept");
    let hub = hub(&config);
    let status = hub.status().await.expect("a status");
    assert_eq!(status.token, Some(TokenSource::Keyring));
    let model = "o/gated".into();
    let commit = hub
        .model(&model, "main")
        .await
        .expect("the model")
        .sha
        .expect("a commit");
    let location = hub.locate(&model, &commit, "a.gguf").await.expect("a place");
    let response = hub.open(&location, HeaderMap::new()).await.expect("an answer");
    assert_eq!(response.bytes().await.expect("bytes").len(), 10);
    hub.forget_token().await.expect("forgotten");
    assert!(theirs.seen().iter().any(|seen| seen.authorization.is_some()));

    let log = String::from_utf8(log.0.lock().expect("the log").clone()).expect("text");
    for part in ["zbus", "hyper"] {
        assert!(log.contains(part), "{part} logs nothing: {log}");
    }
    assert!(!log.contains(TOKEN), "{log}");
    // Signed addresses are as good as a token.
    assert!(!log.contains("signature="), "{log}");
}
