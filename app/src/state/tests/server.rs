//! The server's page: the switch, the port, the log, and what another hand changes.

mod keys;
mod walk;

use std::net::SocketAddr;

use expect_test::expect;
use hearth_protocol::Secret;
use hearth_protocol::server::{
    ApiKey, ApiKeyId, LogLevel, LogLine, NewApiKey, ServerConfig, ServerEvent, ServerStatus,
};

use super::*;
use crate::effect::BackendEffect;
use crate::effect::server::ServerEffect;
use crate::msg::server::{ServerMsg, ServerNews};
use crate::state::server::keys::Form;
use crate::text::key;

fn tell(news: ServerNews) -> Msg {
    Msg::Backend(News::Server(news))
}

fn running(address: &str) -> ServerStatus {
    ServerStatus::Running {
        address: address.parse::<SocketAddr>().expect("an address"),
        https: false,
        in_flight: 0,
        network: Vec::new(),
    }
}

fn started(config: &ServerConfig) -> Msg {
    let host = if config.network { "0.0.0.0" } else { "127.0.0.1" };
    tell(ServerNews::Started {
        config: Box::new(config.clone()),
        result: Ok(running(&format!("{host}:{}", config.port))),
    })
}

fn refused(config: &ServerConfig, error: Error) -> Msg {
    tell(ServerNews::Started {
        config: Box::new(config.clone()),
        result: Err(error),
    })
}

fn taken(port: u16, free: Option<u16>) -> Error {
    Error::PortTaken { port, free }
}

fn key(id: i64, name: &str) -> ApiKey {
    ApiKey {
        id: ApiKeyId(id),
        name: name.into(),
        begins: "hearth-Ab3d".into(),
        made_at: UnixMillis(NOW),
        used_at: None,
    }
}

fn keys(keys: impl IntoIterator<Item = ApiKey>) -> Msg {
    tell(ServerNews::Keys(Ok(keys.into_iter().collect())))
}

fn made(id: i64, name: &str) -> Msg {
    tell(ServerNews::KeyMade(Ok(NewApiKey {
        key: key(id, name),
        secret: Secret::new("hearth-Ab3d-secret"),
    })))
}

fn settings(server: ServerConfig) -> Msg {
    Msg::Backend(News::SettingsRead(Ok(Settings {
        server,
        ..Settings::default()
    })))
}

fn with(change: impl FnOnce(&mut ServerConfig)) -> ServerConfig {
    let mut config = ServerConfig::default();
    change(&mut config);
    config
}

/// A desk whose settings are read, with these keys.
fn desk(all: impl IntoIterator<Item = ApiKey>) -> Desk {
    let mut desk = Desk::new();
    desk.all([settings(ServerConfig::default()), keys(all)]);
    desk.log.clear();
    desk
}

impl Desk {
    fn server(&mut self, msg: ServerMsg) {
        self.all([Msg::Server(msg)]);
    }

    /// The effects so far, then what the page says.
    fn page(&mut self) -> String {
        let shown = self.state.server_view();
        let config = &shown.config;
        let switches = [
            ("network", config.network),
            ("keys", config.keys_required),
            ("with Hearth", config.start_with_hearth),
        ];
        let on: String = switches
            .iter()
            .filter(|it| it.1)
            .map(|it| format!(" [{}]", it.0))
            .collect();
        let mut text = std::mem::take(&mut self.log);
        text += &format!(
            "{} {} port {}{on}\n",
            self.state.texts().say(shown.state, &[]),
            shown.address,
            shown.port
        );
        if let Some(trouble) = shown.trouble {
            let offer = trouble.free_port.map(|port| format!(" [Use {port}]"));
            text += &format!("trouble {}{}\n", trouble.text, offer.unwrap_or_default());
        }
        match &self.state.server.keys.form {
            Form::Closed => (),
            Form::Naming {
                name, problem, then, ..
            } => {
                let first = if then.is_some() { " first" } else { "" };
                text += &format!(
                    "name a key{first}: {name:?} {}\n",
                    problem.as_deref().unwrap_or_default()
                );
            }
            Form::Made { name, secret } => text += &format!("made {name}: {}\n", secret.expose()),
        }
        for key in self.state.key_rows() {
            let question = key.question.map(|question| format!(" ({question})"));
            text += &format!(
                "key {} {} {}{}\n",
                key.name,
                key.begins,
                key.used,
                question.unwrap_or_default()
            );
        }
        for toast in self.state.toasts.shown() {
            text += &format!("toast {}: {}\n", toast.title, toast.text);
        }
        text
    }
}

#[test]
fn the_switch_starts_and_stops_and_says_what_it_does() {
    let config = ServerConfig::default();
    let mut desk = desk([]);
    desk.server(ServerMsg::Toggle);
    // A second press changes nothing while the first is answered.
    desk.server(ServerMsg::Toggle);
    assert_eq!(desk.state.server_view().state, key!("server-starting"));
    desk.all([started(&config)]);
    desk.server(ServerMsg::CopyAddress);
    assert!(desk.state.server_view().running);
    desk.server(ServerMsg::Toggle);
    desk.server(ServerMsg::Toggle);
    assert_eq!(desk.state.server_view().state, key!("server-stopping"));
    desk.all([tell(ServerNews::Stopped(Ok(())))]);
    expect![[r#"
        -> Server(Start(ServerConfig { port: 1234, network: false, keys_required: false, cors_origins: [], hosts: [], tls: None, log_prompts: false, start_with_hearth: false }))
        -> Copy("http://127.0.0.1:1234/v1")
        -> Server(Stop)
        Off http://127.0.0.1:1234/v1 port 1234
    "#]]
    .assert_eq(&desk.page());
}

#[test]
fn nothing_is_switched_before_the_settings_are_read() {
    let mut desk = Desk::new();
    for msg in [
        ServerMsg::Toggle,
        ServerMsg::SetNetwork(true),
        ServerMsg::SetStartWithHearth(true),
    ] {
        desk.server(msg);
    }
    assert_eq!(desk.page(), "Off http://127.0.0.1:1234/v1 port 1234\n");
    assert!(!desk.state.server_view().can_toggle);
}

#[test]
fn a_taken_port_offers_the_next_free_one_and_takes_it() {
    let mut desk = desk([]);
    desk.server(ServerMsg::Toggle);
    desk.all([refused(&ServerConfig::default(), taken(1234, Some(1235)))]);
    desk.log.clear();
    expect![[r#"
        Off http://127.0.0.1:1234/v1 port 1234
        trouble Port 1234 is taken by another program. Port 1235 is free. [Use 1235]
    "#]]
    .assert_eq(&desk.page());
    desk.server(ServerMsg::UseFreePort);
    assert_eq!(desk.state.server_view().state, key!("server-starting"));
    desk.log.clear();
    desk.all([started(&with(|config| config.port = 1235))]);
    assert_eq!(desk.state.settings.shown().server.port, 1235, "it is stored");
    expect![[r#"
        -> write settings, theme System
        Running http://127.0.0.1:1235/v1 port 1235
    "#]]
    .assert_eq(&desk.page());
}

#[test]
fn a_server_that_cannot_change_its_port_goes_on_with_the_old_one() {
    let mut desk = desk([]);
    desk.server(ServerMsg::Toggle);
    desk.all([started(&ServerConfig::default())]);
    desk.log.clear();
    desk.server(ServerMsg::PortChanged("80".into()));
    desk.server(ServerMsg::CommitPort);
    let wanted = with(|config| config.port = 80);
    let reason = "is 80, which only an administrator may use; take one above 1023";
    desk.all([refused(&wanted, Error::invalid("port", reason))]);
    desk.log.clear();
    expect![[r#"
        Running http://127.0.0.1:1234/v1 port 1234
        trouble port is 80, which only an administrator may use; take one above 1023.
    "#]]
    .assert_eq(&desk.page());
}

#[test]
fn what_is_no_port_is_told_and_changes_nothing() {
    for text in ["", "0", "65536", "-1", "http"] {
        let mut desk = desk([]);
        desk.server(ServerMsg::PortChanged(text.into()));
        desk.server(ServerMsg::CommitPort);
        assert_eq!(
            desk.page().replace('\u{a0}', " "),
            "Off http://127.0.0.1:1234/v1 port 1234\ntrouble A port is a number from 1 to 65 535.\n",
            "{text:?}"
        );
    }
    // While the server is off, a port is stored at once.
    let mut desk = desk([]);
    desk.server(ServerMsg::PortChanged(" 8080 ".into()));
    desk.server(ServerMsg::CommitPort);
    assert_eq!(
        desk.page(),
        "-> write settings, theme System\nOff http://127.0.0.1:8080/v1 port 8080\n"
    );
}

#[test]
fn changes_by_another_hand_are_shown_at_once() {
    let mut desk = desk([]);
    // A command starts the server.
    desk.all([tell(ServerNews::Event(ServerEvent::Status(running(
        "127.0.0.1:4321",
    ))))]);
    assert_eq!(desk.page(), "Running http://127.0.0.1:4321/v1 port 1234\n");
    // Another changes its settings, which count at once.
    desk.all([
        settings(with(|config| config.port = 8080)),
        tell(ServerNews::Event(ServerEvent::Status(running("127.0.0.1:8080")))),
    ]);
    assert_eq!(desk.page(), "Running http://127.0.0.1:8080/v1 port 8080\n");
    desk.all([settings(with(|config| {
        config.port = 8080;
        config.start_with_hearth = true;
    }))]);
    assert_eq!(
        desk.page(),
        "Running http://127.0.0.1:8080/v1 port 8080 [with Hearth]\n"
    );
    desk.all([tell(ServerNews::Event(ServerEvent::Status(
        ServerStatus::Stopped,
    )))]);
    assert_eq!(
        desk.page(),
        "Off http://127.0.0.1:8080/v1 port 8080 [with Hearth]\n"
    );
}

#[test]
fn starting_with_hearth_is_a_setting_that_restarts_nothing() {
    let mut desk = desk([]);
    desk.server(ServerMsg::Toggle);
    desk.all([started(&ServerConfig::default())]);
    desk.log.clear();
    desk.server(ServerMsg::SetStartWithHearth(true));
    assert_eq!(
        desk.page(),
        "-> write settings, theme System\nRunning http://127.0.0.1:1234/v1 port 1234 [with Hearth]\n"
    );
}

#[test]
fn the_log_is_copied_as_it_is_filtered_and_says_what_came_too_fast() {
    let line = |level, text: &str| LogLine {
        at: UnixMillis(NOW),
        level,
        text: text.into(),
    };
    let mut desk = desk([]);
    desk.all([tell(ServerNews::Event(ServerEvent::Lines {
        lines: vec![
            line(LogLevel::Request, "GET /v1/models 200"),
            line(LogLevel::Error, "It broke"),
        ],
        left_out: 7,
    }))]);
    assert_eq!(desk.state.server.log.label(desk.state.texts()), "3 lines");
    desk.server(ServerMsg::SetLevel(LogLevel::Warning));
    desk.server(ServerMsg::CopyLog);
    assert_eq!(
        desk.log.replace('\u{a0}', " "),
        "-> Copy(\"14:32:00 WARN 7 lines came too fast to be shown\\n14:32:00 ERR  It broke\\n\")\n"
    );
}

#[test]
fn the_end_of_the_backend_leaves_no_server_running() {
    let mut desk = desk([]);
    desk.all([
        tell(ServerNews::Event(ServerEvent::Status(running("127.0.0.1:1234")))),
        tell(ServerNews::Event(ServerEvent::Closed(Error::BackendGone))),
    ]);
    assert_eq!(desk.state.server_view().state, key!("server-off"));
    assert!(desk.state.banner().is_some());
}

#[test]
fn an_open_server_says_where_other_devices_reach_it() {
    let cases: [(bool, &[&str], &str); 5] = [
        (false, &[], "Only programs on this machine can reach it."),
        (
            true,
            &[],
            "Other devices use this machine's address with port 1234.",
        ),
        (
            true,
            &["192.168.1.5"],
            "Other devices use http://192.168.1.5:1234/v1.",
        ),
        (
            true,
            &["192.168.1.5", "10.0.0.2", "10.0.0.3"],
            "Other devices use http://192.168.1.5:1234/v1 or 10.0.0.2.",
        ),
        (
            true,
            &["2001:db8::7"],
            "Other devices use http://[2001:db8::7]:1234/v1.",
        ),
    ];
    for (is_open, addresses, expected) in cases {
        let mut desk = desk([key(1, "Laptop")]);
        let status = ServerStatus::Running {
            address: "0.0.0.0:1234".parse().expect("an address"),
            https: false,
            in_flight: 0,
            network: addresses
                .iter()
                .map(|ip| ip.parse().expect("an address"))
                .collect(),
        };
        desk.all([
            settings(with(|config| config.network = is_open)),
            tell(ServerNews::Event(ServerEvent::Status(status))),
        ]);
        assert_eq!(desk.state.server_view().reach, expected);
    }
}

#[test]
fn each_model_in_memory_says_how_long_it_stays() {
    let mut desk = desk([]);
    let stays = |time_to_live, activity| LoadedModel {
        time_to_live,
        activity,
        ..loaded(1, "a")
    };
    for (model, detail) in [
        (stays(None, Activity::Idle), "idle · stays"),
        (stays(Some(3_600), Activity::Idle), "idle · goes after 1 h unused"),
        (stays(Some(0), Activity::Generating), "busy · goes when unused"),
    ] {
        desk.all([engine([model])]);
        let rows = desk.state.model_rows();
        assert!(rows[0].detail.ends_with(detail), "{rows:?}");
    }
}
