//! The bridge against a backend that is played by hand.

mod downloads;
mod questions;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_channel::Receiver;
use expect_test::{Expect, expect};
use hearth_protocol::chat::{Chat, ChatSummary, Deleted, TurnOptions, TurnRequest};
use hearth_protocol::command::{ChatCommand, EngineCommand, LibraryCommand, ServerCommand, SettingsCommand};
use hearth_protocol::engine::{KeepLoaded, LoadRequest, ModelRef};
use hearth_protocol::server::{ApiKeyId, ServerEvent, ServerStatus};
use hearth_protocol::settings::Settings;
use hearth_protocol::{
    ChatId, Command, Error, EventSink, LoadedId, MessageId, Reply, RequestId, UndoToken, UnixMillis,
};

use super::*;
use crate::effect::server::ServerEffect;

/// A bridge and the backend's end of it.
struct Desk {
    bridge: Bridge,
    commands: Receiver<Command>,
    wakes: Arc<AtomicUsize>,
}

impl Desk {
    fn new() -> Self {
        let (client, commands) = Client::new();
        let wakes = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&wakes);
        let waker = Waker::new(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        Self {
            bridge: Bridge::new(&client, waker),
            commands,
            wakes,
        }
    }

    /// Runs an effect and gives the one command it becomes.
    fn run(&mut self, effect: BackendEffect) -> Command {
        self.bridge.run(effect);
        let command = self.commands.try_recv().expect("a command");
        assert!(self.commands.is_empty(), "one command");
        command
    }

    fn send(&mut self, run: u64) -> EventSink<ChatEvent> {
        let turn = TurnRequest {
            chat: None,
            text: "Hi".into(),
            options: TurnOptions::default(),
            ..TurnRequest::default()
        };
        match self.run(BackendEffect::Send { run: Run(run), turn }) {
            Command::Chat(ChatCommand::Send { turn, events }) => {
                assert_eq!(turn.text, "Hi");
                events
            }
            other => panic!("{other:?}"),
        }
    }

    fn load(&mut self, run: u64) -> EventSink<LoadEvent> {
        let request = LoadRequest {
            model: ModelRef::Name("smol".into()),
            options: None,
            force: false,
            keep: KeepLoaded::Default,
        };
        match self.run(BackendEffect::Load {
            run: Run(run),
            request,
        }) {
            Command::Engine(EngineCommand::Load { events, .. }) => events,
            other => panic!("{other:?}"),
        }
    }

    fn wakes(&self) -> usize {
        self.wakes.load(Ordering::SeqCst)
    }

    fn check(&mut self, expected: Expect) {
        let lines: Vec<_> = self
            .bridge
            .drain()
            .iter()
            .map(|msg| format!("{msg:?}\n"))
            .collect();
        expected.assert_eq(&lines.concat());
    }
}

fn summary() -> ChatSummary {
    ChatSummary {
        id: ChatId(1),
        title: "Chat".into(),
        pinned: false,
        folder: None,
        created_at: UnixMillis(0),
        updated_at: UnixMillis(0),
    }
}

fn stopped_by(command: Command) -> (RequestId, Reply<()>) {
    match command {
        Command::Chat(ChatCommand::Stop { request, reply }) => (request, reply),
        Command::Engine(EngineCommand::CancelLoad { request, reply }) => (request, reply),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_is_told_once_when_it_has_come() {
    let mut desk = Desk::new();
    let Command::Chat(ChatCommand::ReadDraft { chat: None, reply }) = desk.run(BackendEffect::ReadDraft)
    else {
        panic!("another command");
    };
    desk.check(expect![""]);
    assert_eq!(desk.wakes(), 0);
    reply.send(Ok("Hi".into()));
    assert_eq!(desk.wakes(), 1);
    desk.check(expect![[r#"
        Backend(DraftRead(Ok("Hi")))
    "#]]);
    desk.check(expect![""]);
}

#[test]
fn answers_come_in_any_order() {
    let mut desk = Desk::new();
    let first = desk.run(BackendEffect::OpenChat(ChatId(1)));
    let second = desk.run(BackendEffect::DeleteChat(ChatId(2)));
    let Command::Chat(ChatCommand::Delete { reply, .. }) = second else {
        panic!("another command");
    };
    reply.send(Ok(Deleted { undo: UndoToken(7) }));
    desk.check(expect![[r#"
        Backend(Deleted { chat: ChatId(2), result: Ok(Deleted { undo: UndoToken(7) }) })
    "#]]);
    let Command::Chat(ChatCommand::Open { reply, .. }) = first else {
        panic!("another command");
    };
    reply.send(Ok(Chat {
        summary: summary(),
        system_prompt: None,
        options: TurnOptions::default(),
        draft: String::new(),
        place: None,
        messages: vec![],
    }));
    assert!(matches!(
        &*desk.bridge.drain(),
        [Msg::Backend(News::Opened {
            chat: ChatId(1),
            result: Ok(_)
        })]
    ));
}

#[test]
fn a_newer_search_ends_the_one_before() {
    let mut desk = Desk::new();
    let search = |run: u64, words: &str| BackendEffect::Search {
        run: Run(run),
        words: words.into(),
    };
    let Command::Chat(ChatCommand::Search { reply: first, .. }) = desk.run(search(1, "se")) else {
        panic!("another command");
    };
    let Command::Chat(ChatCommand::Search { words, reply }) = desk.run(search(2, "sea")) else {
        panic!("another command");
    };
    assert_eq!(words, "sea");
    first.send(Ok(Vec::new()));
    desk.check(expect![""]);
    reply.send(Ok(Vec::new()));
    desk.check(expect![[r#"
        Backend(Found { run: Run(2), result: Ok([]) })
    "#]]);
}

#[test]
fn what_is_asked_for_is_passed_on() {
    let mut desk = Desk::new();
    let settings = Settings {
        offline: true,
        ..Settings::default()
    };
    let written = desk.run(BackendEffect::WriteSettings(Box::new(settings.clone())));
    assert!(matches!(
        written,
        Command::Settings(SettingsCommand::Write { settings: passed, .. }) if *passed == settings
    ));
    let renamed = desk.run(BackendEffect::RenameChat {
        chat: ChatId(1),
        title: "New".into(),
    });
    assert!(matches!(
        renamed,
        Command::Chat(ChatCommand::Rename { chat: ChatId(1), title, .. }) if title == "New"
    ));
    let undone = desk.run(BackendEffect::Undo {
        token: UndoToken(3),
        reopen: false,
    });
    assert!(matches!(
        undone,
        Command::Chat(ChatCommand::Undo {
            token: UndoToken(3),
            ..
        })
    ));
    let listed = desk.run(BackendEffect::ListFiles);
    assert!(matches!(listed, Command::Library(LibraryCommand::List { .. })));
}

#[test]
fn the_events_of_each_run_come_in_order_under_its_name() {
    let mut desk = Desk::new();
    let (mut first, mut second) = (desk.send(1), desk.send(2));
    for (is_first, text) in [(true, "a"), (false, "x"), (true, "b")] {
        let sink = if is_first { &mut first } else { &mut second };
        assert!(sink.send(ChatEvent::Delta(text.into())).is_ok());
    }
    desk.check(expect![[r#"
        Backend(Turn { run: Run(1), event: Delta("a") })
        Backend(Turn { run: Run(1), event: Delta("b") })
        Backend(Turn { run: Run(2), event: Delta("x") })
    "#]]);
    drop(second);
    desk.check(expect![[r#"
        Backend(Turn { run: Run(2), event: Failed { error: BackendGone, answer: None } })
    "#]]);
    assert!(first.send(ChatEvent::Delta("c".into())).is_ok());
    desk.check(expect![[r#"
        Backend(Turn { run: Run(1), event: Delta("c") })
    "#]]);
}

#[test]
fn the_list_of_models_is_told_after_the_load_that_changed_it() {
    let mut desk = Desk::new();
    let Command::Engine(EngineCommand::Watch { events: mut watch }) = desk.run(BackendEffect::WatchEngine)
    else {
        panic!("another command");
    };
    let mut load = desk.load(1);
    assert!(watch.send(EngineEvent::Loaded(vec![])).is_ok());
    assert!(load.send(LoadEvent::Progress(0.5)).is_ok());
    desk.check(expect![[r#"
        Backend(Load { run: Run(1), event: Progress(0.5) })
        Backend(Engine(Loaded([])))
    "#]]);
    drop(watch);
    desk.check(expect![[r#"
        Backend(Engine(Closed(BackendGone)))
    "#]]);
    desk.check(expect![""]);
}

#[test]
fn stop_and_cancel_name_the_request_of_their_run() {
    let mut desk = Desk::new();
    let (first, second) = (desk.send(1), desk.send(2));
    let load = desk.load(3);
    let (request, _reply) = stopped_by(desk.run(BackendEffect::Stop(Run(2))));
    assert_eq!(request, second.request());
    assert_ne!(request, first.request());
    let (request, _reply) = stopped_by(desk.run(BackendEffect::CancelLoad(Run(3))));
    assert_eq!(request, load.request());
}

#[test]
fn stopping_what_is_over_asks_nothing() {
    let mut desk = Desk::new();
    desk.send(1).refuse(Error::Cancelled);
    desk.load(2).refuse(Error::Cancelled);
    assert_eq!(desk.bridge.drain().len(), 2);
    for effect in [
        BackendEffect::Stop(Run(1)),
        BackendEffect::Stop(Run(9)),
        BackendEffect::CancelLoad(Run(2)),
    ] {
        desk.bridge.run(effect);
    }
    assert!(desk.commands.is_empty());
}

#[test]
fn a_stop_is_told_only_when_it_is_refused() {
    let mut desk = Desk::new();
    let _events = desk.send(1);
    let (_, reply) = stopped_by(desk.run(BackendEffect::Stop(Run(1))));
    reply.send(Ok(()));
    desk.check(expect![""]);
    let (_, reply) = stopped_by(desk.run(BackendEffect::Stop(Run(1))));
    reply.refuse(Error::Cancelled);
    desk.check(expect![[r#"
        Backend(Refused(Cancelled))
    "#]]);
}

#[test]
fn what_the_server_told_before_an_answer_comes_before_it() {
    let mut desk = Desk::new();
    let watch = desk.run(BackendEffect::Server(ServerEffect::Watch));
    let stop = desk.run(BackendEffect::Server(ServerEffect::Stop));
    let (
        Command::Server(ServerCommand::Watch { mut events }),
        Command::Server(ServerCommand::Stop { reply }),
    ) = (watch, stop)
    else {
        panic!("other commands");
    };
    let running = ServerStatus::Running {
        address: ([127, 0, 0, 1], 1234).into(),
        https: false,
        in_flight: 1,
        network: Vec::new(),
    };
    events.send(ServerEvent::Status(running)).expect("a listener");
    reply.send(Ok(()));
    desk.check(expect![[r#"
        Backend(Server(Event(Status(Running { address: 127.0.0.1:1234, https: false, in_flight: 1, network: [] }))))
        Backend(Server(Stopped(Ok(()))))
    "#]]);
    drop(events);
    desk.check(expect![[r#"
        Backend(Server(Event(Closed(BackendGone))))
    "#]]);
}

#[test]
fn a_backend_that_is_gone_answers_everything() {
    let mut desk = Desk::new();
    let (_, nobody) = crossbeam_channel::bounded(0);
    drop(std::mem::replace(&mut desk.commands, nobody));
    desk.bridge.run(BackendEffect::WatchChats);
    desk.bridge.run(BackendEffect::WatchEngine);
    desk.check(expect![[r#"
        Backend(Chats(Closed(BackendGone)))
        Backend(Engine(Closed(BackendGone)))
    "#]]);
}
