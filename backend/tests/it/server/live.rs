//! Settings that change while the server runs and answers. Case 53 of the public reports.

use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};

use hearth_protocol::server::{ServerConfig, ServerStatus, TlsFiles};
use hearth_protocol::settings::Settings;
use hearth_protocol::{Error, Result};
use serde_json::json;

use super::{certificate, chat, https_status};
use crate::served::{Response, Served};

/// Changes the settings of the server.
fn change(served: &Served, change: impl FnOnce(&mut ServerConfig)) -> Result<Settings> {
    let mut settings = served.app.client.read_settings().wait()?;
    change(&mut settings.server);
    served.app.client.write_settings(settings).wait()
}

/// Where it listens now, and by which addresses others reach it.
fn place(served: &Served) -> (SocketAddr, Vec<IpAddr>) {
    match served.app.client.server_status().wait().expect("a status") {
        ServerStatus::Running { address, network, .. } => (address, network),
        ServerStatus::Stopped => panic!("it runs"),
    }
}

/// An answer that has no end.
fn endless(served: &Served) -> Response {
    let more = json!({"stream": true, "ignore_eos": true, "max_tokens": 1_000_000});
    let mut response = served.begin("/v1/chat/completions", &chat("Hi", &more));
    response.chunk().expect("a first chunk");
    response
}

/// The rest of an answer that ends with an error.
fn until_stopped(mut response: Response) {
    let rest: String = std::iter::from_fn(|| response.chunk()).collect();
    assert!(
        rest.contains("server_stopped") && rest.ends_with("data: [DONE]\n\n"),
        "{rest}"
    );
}

fn free_port() -> u16 {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    free.local_addr().expect("an address").port()
}

#[test]
fn the_next_request_meets_the_new_settings_and_those_that_run_go_on() {
    let served = Served::tiny();
    let mut response = endless(&served);
    let status = |headers: &[(&str, &str)]| served.send("GET", "/v1/models", headers, b"").status;

    let named = [("host", "workstation.local")];
    assert_eq!(status(&named), 403);
    change(&served, |server| server.hosts = vec!["workstation.local".into()]).expect("stored");
    assert_eq!(status(&named), 200);
    change(&served, |server| server.hosts.clear()).expect("stored");
    assert_eq!(status(&named), 403);

    let page = [("origin", "https://chat.example.org")];
    assert_eq!(status(&page), 403);
    change(&served, |server| {
        server.cors_origins = vec!["https://chat.example.org".into()]
    })
    .expect("stored");
    assert_eq!(status(&page), 200);

    // Keys count as they are made and taken back, and none are asked for where there are none.
    let refused = change(&served, |server| server.keys_required = true);
    assert!(
        matches!(&refused, Err(Error::Invalid { field, .. }) if field == "keys_required"),
        "{refused:?}"
    );
    let stored = served.app.client.read_settings().wait().expect("settings");
    assert!(!stored.server.keys_required, "what is refused is not stored");
    let client = &served.app.client;
    let first = client.make_api_key("first".into()).wait().expect("a key");
    change(&served, |server| server.keys_required = true).expect("stored");
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("x-api-key", first.secret.expose())]), 200);
    let second = client.make_api_key("second".into()).wait().expect("a key");
    assert_eq!(status(&[("x-api-key", second.secret.expose())]), 200);
    client.revoke_api_key(first.key.id).wait().expect("revoked");
    assert_eq!(status(&[("x-api-key", first.secret.expose())]), 401);
    change(&served, |server| server.keys_required = false).expect("stored");
    assert_eq!(status(&[]), 200);

    let words = "a secret of mine";
    let ask = || served.post("/v1/chat/completions", &chat(words, &json!({"max_tokens": 1})));
    let is_logged = || served.log().iter().any(|line| line.contains(words));
    assert_eq!(ask().0, 200);
    assert!(!is_logged());
    change(&served, |server| server.log_prompts = true).expect("stored");
    assert_eq!(ask().0, 200);
    assert!(is_logged());

    // It has answered all the while, at the same place.
    response.chunk().expect("it goes on");
    assert_eq!(place(&served).0, served.address);
    assert_eq!(served.app.client.stop_server().wait(), Ok(()));
    until_stopped(response);
}

#[test]
fn another_port_is_taken_first_and_the_old_one_is_free_afterwards() {
    let mut served = Served::tiny();
    let mut response = endless(&served);
    let old = served.address;

    // Where another program has it, nothing changes.
    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = other.local_addr().expect("an address").port();
    let refused = change(&served, |server| server.port = taken);
    assert!(
        matches!(refused, Err(Error::PortTaken { port, .. }) if port == taken),
        "{refused:?}"
    );
    let stored = served.app.client.read_settings().wait().expect("settings");
    assert_eq!(stored.server.port, ServerConfig::default().port);
    assert_eq!(served.get("/health").0, 200);

    let port = free_port();
    change(&served, |server| server.port = port).expect("stored");
    served.address = place(&served).0;
    assert_eq!(served.address.port(), port);
    assert_eq!(served.get("/health").0, 200);
    TcpListener::bind(old).expect("the old port is free");
    response.chunk().expect("what runs goes on");
    // The end of the server ends it, too.
    assert_eq!(served.app.client.stop_server().wait(), Ok(()));
    until_stopped(response);
    TcpListener::bind(served.address).expect("the new port is free");
}

#[test]
fn a_connection_of_the_old_port_takes_no_new_request() {
    let served = Served::tiny();
    let idle = served.connect();
    change(&served, |server| server.port = free_port()).expect("stored");
    // It is closed without an answer.
    assert!(Response::try_read(idle).is_err());
}

#[test]
fn it_opens_to_the_network_with_a_key_only_and_closes_again() {
    let served = Served::tiny();
    let mut response = endless(&served);
    let refused = change(&served, |server| server.network = true);
    assert!(
        matches!(&refused, Err(Error::Invalid { field, .. }) if field == "network"),
        "{refused:?}"
    );
    assert_eq!(served.get("/v1/models").0, 200, "it goes on as it did");

    let key = served.app.client.make_api_key("test".into()).wait();
    let key = key.expect("a key");
    change(&served, |server| server.network = true).expect("stored");
    let (address, network) = place(&served);
    assert_eq!(address.port(), served.address.port());
    assert!(address.ip().is_unspecified());
    assert_eq!(served.get("/v1/models").0, 401);
    let with_key = [("x-api-key", key.secret.expose())];
    assert_eq!(served.send("GET", "/v1/models", &with_key, b"").status, 200);
    for ip in &network {
        TcpStream::connect((*ip, address.port())).expect("others reach it");
    }

    change(&served, |server| server.network = false).expect("stored");
    assert_eq!(place(&served), (served.address, Vec::new()));
    for ip in &network {
        assert!(TcpStream::connect((*ip, address.port())).is_err(), "{ip}");
    }
    assert_eq!(served.get("/v1/models").0, 200, "no key is needed any more");
    response.chunk().expect("what runs goes on");
}

#[test]
fn it_changes_to_https_and_stays_where_it_is_without_a_certificate() {
    let served = Served::tiny();
    let (certificate, key) = certificate(&served.app);
    let files = |certificate: &std::path::Path, key: &std::path::Path| TlsFiles {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
    };
    let refused = change(&served, |server| server.tls = Some(files(&key, &certificate)));
    assert!(
        matches!(&refused, Err(Error::Invalid { field, .. }) if field == "tls"),
        "{refused:?}"
    );
    assert_eq!(served.get("/health").0, 200);
    change(&served, |server| server.tls = Some(files(&certificate, &key))).expect("stored");
    assert_eq!(https_status(served.address.port(), &certificate), 200);
    change(&served, |server| server.tls = None).expect("stored");
    assert_eq!(served.get("/health").0, 200);
}

/// Starting a server that runs another way once ended the requests that ran.
#[test]
fn to_start_one_that_runs_another_way_changes_it() {
    let served = Served::tiny();
    let mut response = endless(&served);
    let config = ServerConfig {
        port: served.address.port(),
        hosts: vec!["workstation.local".into()],
        ..ServerConfig::default()
    };
    assert!(served.app.client.start_server(config).wait().is_ok());
    assert_eq!(served.send_as("workstation.local", "GET", "/health").status, 200);
    response.chunk().expect("it goes on");
}
