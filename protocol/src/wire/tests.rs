mod table;

use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, unbounded};

use super::*;
use crate::command::{EngineCommand, HubCommand, ServerCommand};
use crate::engine::{LoadEvent, LoadRequest, ModelRef};
use crate::server::{ApiKey, ApiKeyId, NewApiKey};
use crate::{Client, Command, Events, Secret, UnixMillis};

/// Two processes in one: a client whose commands go over the wire, and the backend's end behind it.
struct Wired {
    client: Client,
    asked: Receiver<Command>,
    left: Receiver<u64>,
    asking: Asking,
    serving: Serving,
    server: Client,
    ready: Receiver<u64>,
    served: Receiver<Command>,
    /// What went over the wire.
    lines: Vec<String>,
}

impl Wired {
    fn new() -> Self {
        let (client, asked) = Client::new();
        let (server, served) = Client::new();
        let (leave, left) = unbounded();
        let (tell, ready) = unbounded();
        Self {
            client,
            asked,
            left,
            asking: Asking::new(move |call| leave.send(call).expect("open")),
            // A backend that ends tells it, whoever still listens.
            serving: Serving::new(server.clone(), move |call| {
                tell.send(call).ok();
            }),
            server,
            ready,
            served,
            lines: Vec::new(),
        }
    }

    /// Carries all there is to and fro.
    fn carry(&mut self) {
        loop {
            let there = (self.asked.try_recv().ok())
                .and_then(|command| self.asking.ask(command))
                .or_else(|| self.left.try_recv().ok().and_then(|call| self.asking.leave(call)));
            let back = match &there {
                Some(line) => self.serving.hear(line).expect("understood"),
                None => self
                    .ready
                    .try_recv()
                    .ok()
                    .and_then(|call| self.serving.news(call)),
            };
            if let Some(line) = &back {
                self.asking.hear(line).expect("understood");
            }
            if there.is_none() && back.is_none() && self.asked.is_empty() && self.ready.is_empty() {
                return;
            }
            self.lines.extend(there.into_iter().chain(back));
        }
    }

    /// The command that arrived.
    fn arrived(&mut self) -> Command {
        self.carry();
        self.served.try_recv().expect("a command")
    }

    /// Begins a load and gives both its ends.
    fn load(&mut self) -> (Events<LoadEvent>, crate::EventSink<LoadEvent>) {
        let events = self.client.load(LoadRequest {
            model: ModelRef::Name("x".into()),
            options: None,
            force: false,
            keep: Default::default(),
        });
        match self.arrived() {
            Command::Engine(EngineCommand::Load { events: sink, .. }) => (events, sink),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn events_arrive_in_order_and_end_once() {
    let mut wired = Wired::new();
    let (events, mut sink) = wired.load();
    for part in [0.1, 0.75, 1.0] {
        sink.send(LoadEvent::Progress(part)).expect("somebody listens");
    }
    sink.refuse(Error::Cancelled);
    wired.carry();
    for part in [0.1, 0.75, 1.0] {
        assert_eq!(events.next(), Some(LoadEvent::Progress(part)));
    }
    assert_eq!(events.next(), Some(LoadEvent::Failed(Error::Cancelled)));
    assert_eq!(events.next(), None);
}

#[test]
fn a_listener_that_leaves_is_told_at_once() {
    let mut wired = Wired::new();
    let (events, sink) = wired.load();
    let told = std::sync::Arc::new(AtomicBool::new(false));
    let hook = std::sync::Arc::clone(&told);
    sink.on_abandoned(move || hook.store(true, Ordering::Release));
    wired.carry();
    assert!(!sink.is_abandoned());
    drop(events);
    wired.carry();
    assert!(sink.is_abandoned() && told.load(Ordering::Acquire));
    // One who leaves before anything was asked is told too.
    drop(wired.client.watch_engine());
    match wired.arrived() {
        Command::Engine(EngineCommand::Watch { events }) => assert!(events.is_abandoned()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wire_that_breaks_ends_all_on_both_sides() {
    let mut wired = Wired::new();
    let (events, sink) = wired.load();
    let answer = wired.client.list_loaded();
    wired.carry();
    drop(wired.asking);
    assert_eq!(answer.wait(), Err(Error::BackendGone));
    assert_eq!(events.next(), Some(LoadEvent::Failed(Error::BackendGone)));
    assert!(!sink.is_abandoned());
    drop(wired.serving);
    assert!(sink.is_abandoned());
}

#[test]
fn a_backend_that_ends_says_so_over_the_wire() {
    let mut wired = Wired::new();
    let (events, sink) = wired.load();
    drop(sink);
    drop(wired.served);
    let answer = wired.client.list_loaded();
    let (_, nobody) = unbounded();
    wired.served = nobody;
    wired.carry();
    assert_eq!(events.next(), Some(LoadEvent::Failed(Error::BackendGone)));
    assert_eq!(answer.wait(), Err(Error::BackendGone));
}

#[test]
fn a_run_is_meant_by_the_number_it_has_on_each_side() {
    let mut wired = Wired::new();
    // The other backend has had other runs.
    for _ in 0..5 {
        wired.server.next_run();
    }
    let (events, sink) = wired.load();
    assert_ne!(events.request(), sink.request());
    drop(wired.client.cancel_load(events.request()));
    let meant = |command| match command {
        Command::Engine(EngineCommand::CancelLoad { request, .. }) => request,
        other => panic!("{other:?}"),
    };
    assert_eq!(meant(wired.arrived()), sink.request());
    // A run that is over is never taken for one of somebody else.
    drop(sink);
    wired.carry();
    drop(wired.client.cancel_load(events.request()));
    assert_eq!(meant(wired.arrived()), RequestId(0));
}

#[test]
fn secrets_arrive_and_show_themselves_nowhere_else() {
    let mut wired = Wired::new();
    let account = wired.client.set_hub_token(Secret::new("hf_abc"));
    match wired.arrived() {
        Command::Hub(HubCommand::SetToken { token, reply }) => {
            assert_eq!(token.expose(), "hf_abc");
            reply.refuse(Error::Cancelled);
        }
        other => panic!("{other:?}"),
    }
    wired.carry();
    assert_eq!(account.wait(), Err(Error::Cancelled));

    let made = wired.client.make_api_key("editor".into());
    let key = NewApiKey {
        key: ApiKey {
            id: ApiKeyId(3),
            name: "editor".into(),
            begins: "hearth-ab".into(),
            made_at: UnixMillis(5),
            used_at: None,
        },
        secret: Secret::new("hearth-abc"),
    };
    match wired.arrived() {
        Command::Server(ServerCommand::MakeKey { reply, .. }) => reply.send(Ok(key.clone())),
        other => panic!("{other:?}"),
    }
    wired.carry();
    assert_eq!(made.wait(), Ok(key));
}

#[test]
fn what_is_not_known_or_not_readable_is_refused_in_words() {
    let mut wired = Wired::new();
    let refused =
        |wired: &mut Wired, line: &str| wired.serving.hear(line).expect("understood").expect("refused");
    let cases = [
        (
            r#"{"ask":{"call":1,"command":"chat.dream","fields":{}}}"#,
            "a command that the Hearth which runs does not know",
        ),
        (
            r#"{"ask":{"call":2,"command":"chat.open","fields":{"chat":"x"}}}"#,
            "a field chat that the Hearth which runs cannot read",
        ),
        (
            r#"{"ask":{"call":3,"command":"chat.rename","fields":{"chat":1}}}"#,
            "a field title",
        ),
    ];
    for (line, words) in cases {
        let refusal = refused(&mut wired, line);
        assert!(refusal.contains("failed") && refusal.contains(words), "{refusal}");
    }
    assert!(wired.served.is_empty());

    let ask = r#"{"ask":{"call":9,"command":"engine.list_loaded","fields":{}}}"#;
    assert_eq!(wired.serving.hear(ask), Ok(None));
    let bad = [
        ask,
        "",
        "GET / HTTP/1.1",
        r#"{"ask":{"call":-1,"command":"chat.list","fields":{}}}"#,
        r#"{"answer":{"call":1,"body":null}}"#,
        &hello(),
    ];
    for line in bad {
        assert!(
            matches!(wired.serving.hear(line), Err(Error::OtherHearth { .. })),
            "{line}"
        );
    }
    assert!(wired.asking.hear(ask).is_err());
    assert_eq!(
        wired.asking.hear(&super::bad(Error::Cancelled)),
        Err(Error::Cancelled)
    );
}

#[test]
fn an_answer_that_cannot_be_read_is_an_error_of_its_command_alone() {
    let mut wired = Wired::new();
    let (odd, good) = (wired.client.list_chats(), wired.client.list_loaded());
    wired.carry();
    wired
        .asking
        .hear(r#"{"answer":{"call":1,"body":7}}"#)
        .expect("understood");
    wired
        .asking
        .hear(r#"{"answer":{"call":2,"body":[]}}"#)
        .expect("understood");
    assert!(matches!(odd.wait(), Err(Error::OtherHearth { .. })));
    assert_eq!(good.wait(), Ok(Vec::new()));
    // An answer to nothing that was asked is no news.
    wired
        .asking
        .hear(r#"{"answer":{"call":2,"body":[]}}"#)
        .expect("understood");
}

#[test]
fn too_many_commands_at_once_are_refused() {
    let mut wired = Wired::new();
    let ask = |call: usize| format!(r#"{{"ask":{{"call":{call},"command":"chat.list","fields":{{}}}}}}"#);
    for call in 0..1024 {
        assert_eq!(wired.serving.hear(&ask(call)), Ok(None));
    }
    let refusal = wired.serving.hear(&ask(1024)).expect("understood");
    assert!(refusal.expect("refused").contains("too many commands wait"));
}

#[test]
fn only_one_who_speaks_the_same_form_is_greeted() {
    assert_eq!(heed_hello(&hello()), Ok(()));
    let other = heed_hello(r#"{"hello":{"form":2,"hearth":"9.1.0"}}"#).expect_err("another form");
    assert!(other.to_string().contains("version 9.1.0"), "{other}");
    assert_eq!(heed_hello(&bad(Error::Cancelled)), Err(Error::Cancelled));
    assert!(heed_hello("SSH-2.0-OpenSSH").is_err());
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_unicode_is_refused_before_it_is_asked() {
    use std::os::unix::ffi::OsStrExt;

    let mut wired = Wired::new();
    let path = std::ffi::OsStr::from_bytes(b"/bad\xff").into();
    let answer = wired.client.import_chats(path);
    wired.carry();
    assert!(matches!(answer.wait(), Err(Error::Invalid { field, .. }) if field == "path"));
    assert!(wired.served.is_empty() && wired.lines.is_empty());
}
