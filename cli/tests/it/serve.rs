//! `hearth-cli serve`, `log` and `keys`: the local server from the terminal.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use hearth_protocol::server::{ServerConfig, ServerStatus};

use crate::hearth::{Finished, Hearth, Running, STARTER};
use crate::neighbour::Neighbour;

/// A server on a free port, in a process of its own, and its address.
pub(crate) fn serving(hearth: &Hearth, options: &[&str]) -> (Running, String) {
    let mut command = hearth.command(&["serve", "--port", "0", "--json"]);
    let mut running = Running::start(command.args(options));
    running.wait_until("the address", |seen| {
        seen.contains("\"serving\"") && seen.contains('\n')
    });
    let address = address(running.seen());
    (running, address)
}

/// The address in the first line of JSON.
fn address(seen: &str) -> String {
    let line: serde_json::Value = serde_json::from_str(seen.lines().next().expect("a line")).expect("JSON");
    let url = line["url"].as_str().expect("an address");
    url.strip_prefix("http://").expect("HTTP").to_owned()
}

/// What the server answers to a GET.
fn get(address: &str, path: &str, key: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn signal(running: &Running, name: &str) {
    let command = format!("kill -s {name} {}", running.child.id());
    let status = Command::new("sh").args(["-c", &command]).status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn it_serves_until_the_system_ends_it() {
    for name in ["TERM", "INT"] {
        let hearth = Hearth::new();
        let (running, address) = serving(&hearth, &[]);
        let models = get(&address, "/v1/models", "").expect("an answer");
        assert!(
            models.starts_with("HTTP/1.1 200") && models.contains(STARTER),
            "{models}"
        );
        // Other commands ask this one.
        hearth.run(&["load", STARTER, "--ctx", "512"]).expect_code(0);
        let loaded = hearth.run(&["ps"]).expect_code(0);
        assert!(loaded.stdout.contains("SmolLM2"), "{loaded:?}");
        assert!(loaded.stdout.contains("stays"), "{loaded:?}");
        signal(&running, name);
        let lines = running.finish().expect_code(0).lines();
        assert_eq!(lines.last().expect("a line")["event"], "stopped", "{name}");
        assert!(
            lines.iter().any(|line| line["event"] == "line"),
            "the log is shown"
        );
        assert!(get(&address, "/v1/models", "").is_err(), "the port is free");
        assert_eq!(hearth.run(&["ps", "--json"]).expect_code(0).stdout, "[]\n");
    }
}

#[test]
fn a_hearth_that_runs_serves_for_as_long_as_the_command_wants() {
    let hearth = Hearth::new();
    let neighbour = Neighbour::start(&hearth, None);
    let (running, address) = serving(&hearth, &[]);
    assert!(get(&address, "/v1/models", "").is_ok());
    signal(&running, "INT");
    running.finish().expect_code(0);
    assert_eq!(neighbour.client.server_status().wait(), Ok(ServerStatus::Stopped));
}

#[test]
fn a_server_that_ran_before_is_followed_and_goes_on() {
    let hearth = Hearth::new();
    let neighbour = Neighbour::start(&hearth, None);
    let config = ServerConfig {
        port: 0,
        ..ServerConfig::default()
    };
    neighbour.client.start_server(config).wait().expect("it serves");
    let other = hearth.run(&["serve", "--port", "0"]).expect_code(1);
    assert!(other.stderr.contains("already"), "{other:?}");
    let mut running = Running::start(&mut hearth.command(&["serve", "--json"]));
    running.wait_until("the address", |seen| {
        seen.contains("\"serving\"") && seen.contains('\n')
    });
    let address = address(running.seen());
    assert!(get(&address, "/health", "").is_ok());
    running.wait_until("the request in the log", |seen| seen.contains("/health"));
    signal(&running, "TERM");
    running.finish().expect_code(0);
    assert!(get(&address, "/health", "").is_ok(), "it goes on");
}

#[test]
fn the_log_is_followed_from_elsewhere() {
    let hearth = Hearth::new();
    let (server, address) = serving(&hearth, &[]);
    for number in 0..3 {
        get(&address, &format!("/before-{number}"), "").expect("an answer");
    }
    let mut log = Running::start(&mut hearth.command(&["log", "--lines", "1", "--json"]));
    log.wait_until("the last line", |seen| seen.contains("/before-2"));
    get(&address, "/after", "").expect("an answer");
    log.wait_until("the next line", |seen| seen.contains("/after"));
    assert!(!log.seen().contains("/before-1"), "{}", log.seen());
    signal(&log, "INT");
    log.finish().expect_code(130);
    server.finish_by_kill();
}

#[test]
fn a_killed_hearth_ends_the_command_and_the_next_one_works() {
    let hearth = Hearth::new();
    let (mut server, _) = serving(&hearth, &[]);
    let running = Running::in_mid_answer(&hearth);
    server.child.kill().expect("kill -9");
    let lines = running.finish().expect_code(1).lines();
    let last = lines.last().expect("a line");
    assert_eq!(last["error"]["error"], "backend_gone", "{last}");
    server.finish();
    // What it left does not stand in the way.
    assert_eq!(hearth.run(&["ps", "--json"]).expect_code(0).stdout, "[]\n");
    let (server, _) = serving(&hearth, &[]);
    hearth.run(&["load", STARTER, "--ctx", "512"]).expect_code(0);
    server.finish_by_kill();
}

#[test]
fn keys_are_made_listed_and_revoked() {
    let hearth = Hearth::new();
    let refused = hearth
        .run(&["serve", "--port", "0", "--require-key"])
        .expect_code(2);
    assert!(refused.stderr.contains("API key"), "{refused:?}");
    let none = hearth.run(&["keys"]).expect_code(0);
    assert!(none.stderr.contains("There is no API key"), "{none:?}");
    let key = hearth.run(&["keys", "make", "editor"]).expect_code(0).stdout;
    let key = key.trim_end();
    let listed = hearth.run(&["keys", "list"]).expect_code(0).stdout;
    assert!(listed.contains("editor") && !listed.contains(key), "{listed}");
    let id = hearth.run(&["keys", "--json"]).expect_code(0).lines()[0][0]["id"].to_string();

    let (server, address) = serving(&hearth, &["--require-key"]);
    let status = |key: &str| get(&address, "/v1/models", key).expect("an answer")[9..12].to_owned();
    assert_eq!((status("wrong"), status(key)), ("401".into(), "200".into()));
    hearth.run(&["keys", "revoke", &id]).expect_code(0);
    assert_eq!(status(key), "401");
    hearth.run(&["keys", "revoke", &id]).expect_code(3);
    server.finish_by_kill();
}

/// The server once kept to what it was started with, until it started again.
#[test]
fn settings_count_for_the_server_that_runs() {
    let hearth = Hearth::new();
    let (server, address) = serving(&hearth, &[]);
    let models = |key: &str| get(&address, "/v1/models", key).expect("an answer")[9..12].to_owned();
    let set = |key: &str, value: &str| hearth.run(&["settings", key, value]);
    // Nothing opens to others without a key, and nothing is stored then.
    let refused = set("server.network", "true").expect_code(2);
    assert!(refused.stderr.contains("API key"), "{refused:?}");
    let stored = hearth.run(&["settings", "server.network"]).expect_code(0);
    assert_eq!(stored.stdout, "false\n");

    let key = hearth.run(&["keys", "make", "editor"]).expect_code(0).stdout;
    assert_eq!(set("server.keys_required", "true").expect_code(0).stderr, "");
    assert_eq!((models(""), models(key.trim_end())), ("401".into(), "200".into()));
    set("server.keys_required", "false").expect_code(0);
    assert_eq!(models(""), "200");

    // A port that another program has is refused, and the server goes on where it is.
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = other.local_addr().expect("an address").port().to_string();
    let refused = set("server.port", &taken).expect_code(1);
    assert!(refused.stderr.contains(&taken), "{refused:?}");
    assert_eq!(models(""), "200");
    drop(other);
    set("server.port", &taken).expect_code(0);
    assert!(get(&address, "/health", "").is_err(), "the old port is free");
    assert!(get(&format!("127.0.0.1:{taken}"), "/health", "").is_ok());
    server.finish_by_kill();
}

/// The second once said that another program has the port.
#[test]
fn of_two_that_begin_at_once_the_second_names_the_first() {
    let hearth = Hearth::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port().to_string();
    drop(free);
    let (sender, ended) = std::sync::mpsc::channel();
    let mut processes = Vec::new();
    for _ in 0..2 {
        let child = hearth
            .command(&["serve", "--port", &port])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("starts");
        processes.push(child.id());
        let sender = sender.clone();
        std::thread::spawn(move || sender.send(child.wait_with_output().expect("ends")));
    }
    let refused = Finished::new(&ended.recv().expect("one of them ends")).expect_code(1);
    let address = format!("a Hearth serves at 127.0.0.1:{port} already");
    assert!(refused.stderr.contains(&address), "{refused:?}");
    assert!(get(&format!("127.0.0.1:{port}"), "/health", "").is_ok());
    for process in processes {
        // One of them has ended.
        let command = format!("kill -s TERM {process}");
        Command::new("sh")
            .args(["-c", &command])
            .output()
            .expect("kill runs");
    }
    Finished::new(&ended.recv().expect("the other one ends")).expect_code(0);
}
