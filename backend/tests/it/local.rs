//! Other processes ask the same backend: what they may, what they see, and what becomes of them at the end.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

use hearth_backend::{Shutdown, connect, start_listening, start_serving};
use hearth_protocol::chat::{ChatEvent, TurnOptions, TurnRequest};
use hearth_protocol::engine::{Activity, LoadOptions, LoadRequest, ModelRef};
use hearth_protocol::generate::{SamplingParams, StopReason};
use hearth_protocol::settings::Settings;
use hearth_protocol::{Client, Error, wire};

use crate::app::{App, Turn, eventually, outcome_of_load, without_titles};

/// A backend that listens, and its data.
struct Listening {
    app: App,
    client: Client,
    shutdown: Shutdown,
}

impl Listening {
    fn new() -> Self {
        Self::on(App::real())
    }

    /// Starts on these data. Once it has answered, it listens.
    fn on(mut app: App) -> Self {
        app.shut_down();
        let (client, shutdown) = start(&app);
        Self {
            app,
            client,
            shutdown,
        }
    }

    /// A client in what could be another process.
    fn connected(&self) -> (Client, Shutdown) {
        connect(&self.app.config)
            .expect("it answers")
            .expect("it listens")
    }

    /// A stream to it.
    fn stream(&self) -> UnixStream {
        UnixStream::connect(self.socket()).expect("it listens")
    }

    fn socket(&self) -> PathBuf {
        self.app.config.home.join("hearth.sock")
    }
}

fn start(app: &App) -> (Client, Shutdown) {
    let (client, shutdown) = start_serving(app.config.clone());
    client.list_loaded().wait().expect("it runs");
    (client, shutdown)
}

fn is_reached(app: &App) -> bool {
    connect(&app.config).expect("nothing stands against it").is_some()
}

fn load(client: &Client, path: PathBuf) -> hearth_protocol::engine::LoadedModel {
    let request = LoadRequest {
        model: ModelRef::Path(path),
        options: Some(LoadOptions::default()),
        force: false,
        keep: Default::default(),
    };
    outcome_of_load(&client.load(request)).expect("it loads")
}

/// A long answer, five pieces of which have come.
fn answering(client: &Client, path: PathBuf) -> (Turn, Vec<ChatEvent>) {
    let turn = Turn(client.send(TurnRequest {
        chat: None,
        text: "a long answer".into(),
        options: TurnOptions {
            model: Some(ModelRef::Path(path)),
            sampling: Some(SamplingParams::greedy()),
            ..TurnOptions::default()
        },
        ..TurnRequest::default()
    }));
    let mut deltas = 0;
    let seen = turn.until(|event| {
        deltas += usize::from(matches!(event, ChatEvent::Delta(_)));
        deltas == 5
    });
    (turn, seen)
}

#[test]
fn whoever_connects_asks_the_backend_that_runs() {
    let listening = Listening::new();
    let (client, _connection) = listening.connected();
    let model = load(&listening.client, listening.app.tiny());
    assert_eq!(client.list_loaded().wait(), Ok(vec![model]));

    let settings = Settings {
        idle_unload_minutes: Some(7),
        ..without_titles()
    };
    assert_eq!(
        client.write_settings(settings.clone()).wait(),
        Ok(settings.clone())
    );
    assert_eq!(listening.client.read_settings().wait(), Ok(settings));

    // Runs are told apart, also where both sides call theirs the same.
    let (other, heard) = answering(&listening.client, listening.app.tiny());
    drop(client.watch_engine());
    let (turn, seen) = answering(&client, listening.app.tiny());
    assert_eq!(turn.0.request(), other.0.request());
    assert_eq!(client.stop(turn.0.request()).wait(), Ok(()));
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::UserStopped);
    assert!(listening.client.open_chat(answer.chat).wait().is_ok());
    drop((other, heard));
}

/// Of two that began at the same time, both once served, each its own.
#[test]
fn whoever_would_listen_second_hears_of_the_first() {
    let listening = Listening::new();
    let config = listening.app.config.clone();
    assert!(start_listening(config.clone()).is_none());
    assert!(is_reached(&listening.app), "the first one still listens");
    listening.shutdown.shut_down();
    let (client, shutdown) = start_listening(config).expect("nobody else listens");
    assert!(is_reached(&listening.app));
    client.list_loaded().wait().expect("it runs");
    shutdown.shut_down();
}

#[test]
fn the_work_for_one_who_leaves_stops() {
    let listening = Listening::new();
    let is_idle = || {
        let loaded = listening.client.list_loaded().wait().expect("the list");
        loaded.iter().all(|model| model.activity == Activity::Idle)
    };
    // By leaving the answer, and by leaving altogether.
    let (client, connection) = listening.connected();
    for leaves in [false, true] {
        let (turn, _) = answering(&client, listening.app.tiny());
        assert!(!is_idle());
        if leaves {
            drop(client);
            drop(connection);
            eventually("the end of the answer", is_idle);
            return;
        }
        drop(turn);
        eventually("the end of the answer", is_idle);
    }
}

#[test]
fn the_end_of_the_backend_is_told_to_whoever_is_connected() {
    let listening = Listening::new();
    let (client, _connection) = listening.connected();
    let (turn, seen) = answering(&client, listening.app.tiny());
    listening.shutdown.shut_down();
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::UserStopped);
    assert!(!answer.text().is_empty());
    assert_eq!(client.list_loaded().wait(), Err(Error::BackendGone));
    assert!(!is_reached(&listening.app));
}

#[test]
fn only_its_owner_may_connect_and_nothing_stays_behind() {
    let listening = Listening::new();
    let socket = listening.socket();
    let mode = socket.metadata().expect("the socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    listening.shutdown.shut_down();
    assert!(socket.symlink_metadata().is_err());
}

#[test]
fn of_two_on_the_same_data_one_listens() {
    let first = Listening::new();
    let model = load(&first.client, first.app.tiny());
    let second = start(&first.app);
    let (client, _connection) = first.connected();
    assert_eq!(client.list_loaded().wait(), Ok(vec![model]));
    assert_eq!(second.0.list_loaded().wait(), Ok(Vec::new()));
    first.shutdown.shut_down();
    assert!(!is_reached(&first.app));
    let _third = start(&first.app);
    assert!(is_reached(&first.app));
}

#[test]
fn what_a_dead_hearth_left_is_no_hindrance() {
    let mut app = App::real();
    app.shut_down();
    let socket = app.config.home.join("hearth.sock");
    drop(UnixListener::bind(&socket).expect("a socket"));
    std::fs::write(
        app.config.home.join("listening"),
        socket.as_os_str().as_encoded_bytes(),
    )
    .expect("its place");
    assert!(!is_reached(&app));
    let _running = start(&app);
    assert!(is_reached(&app));
}

#[test]
fn what_is_no_socket_stays_where_it_is() {
    let mut app = App::real();
    app.shut_down();
    let file = app.config.home.join("hearth.sock");
    std::fs::write(&file, "mine").expect("a file");
    let (client, _shutdown) = start(&app);
    assert!(!is_reached(&app));
    assert!(client.list_chats().wait().is_ok());
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "mine");
}

#[test]
fn a_data_folder_with_a_long_path_is_reached_too() {
    let mut app = App::real();
    app.shut_down();
    app.config.home = app.path(&"long".repeat(40)).join("home");
    let (_, shutdown) = start(&app);
    assert!(is_reached(&app));
    assert!(!app.config.home.join("hearth.sock").exists());
    let place = std::fs::read_to_string(app.config.home.join("listening")).expect("its place");
    let folder = PathBuf::from(&place).parent().expect("a folder").to_owned();
    assert_eq!(folder.metadata().expect("it").permissions().mode() & 0o777, 0o700);
    shutdown.shut_down();
    assert!(!PathBuf::from(place).exists());
}

#[test]
fn odd_bytes_are_answered_with_an_error_and_harm_nobody() {
    let listening = Listening::new();
    let (client, _connection) = listening.connected();
    let said = |lines: &[&[u8]]| {
        let mut stream = listening.stream();
        for line in lines {
            // It may have had enough before the end.
            drop(stream.write_all(line));
        }
        let mut said = String::new();
        stream.read_to_string(&mut said).expect("words");
        said
    };
    let hello = format!("{}\n", wire::hello());
    let long = vec![b'x'; (64 << 20) + 1];
    let cases: [(&[&[u8]], &str); 5] = [
        (&[b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"], "cannot be read"),
        (
            &[b"{\"hello\":{\"form\":99,\"hearth\":\"9.9.9\"}}\n"],
            "version 9.9.9",
        ),
        (&[hello.as_bytes(), b"{}\n"], "cannot be read"),
        (&[hello.as_bytes(), b"\xff\xfe\n"], "cannot be read"),
        (&[hello.as_bytes(), &long], "a line is too long"),
    ];
    for (lines, words) in cases {
        let said = said(lines);
        assert!(
            said.starts_with(&hello) && said.contains(words),
            "{words}: {said}"
        );
        assert!(client.list_loaded().wait().is_ok());
    }
}

#[test]
fn too_many_at_once_are_turned_away() {
    let listening = Listening::new();
    let hello = format!("{}\n", wire::hello());
    let greeted = || {
        let mut stream = listening.stream();
        stream.write_all(hello.as_bytes()).expect("hello");
        let mut answer = vec![0; hello.len()];
        stream.read_exact(&mut answer).expect("an answer");
        (stream, String::from_utf8(answer).expect("UTF-8"))
    };
    let all: Vec<_> = (0..64).map(|_| greeted()).collect();
    assert!(all.iter().all(|(_, answer)| *answer == hello));
    let error = connect(&listening.app.config).expect_err("no more");
    assert!(error.to_string().contains("too many programs"), "{error}");
    drop(all);
    eventually("a free place", || connect(&listening.app.config).is_ok());
}
