use super::*;
use crate::engine::{KeepLoaded, LoadEvent, LoadRequest};

#[test]
fn a_client_whose_backend_is_gone_answers_at_once() {
    let (client, commands) = Client::new();
    drop(commands);
    assert_eq!(client.list_chats().wait(), Err(Error::BackendGone));
    let load = LoadRequest {
        model: ModelRef::Name("x".into()),
        options: None,
        force: false,
        keep: KeepLoaded::Default,
    };
    assert_eq!(
        client.load(load).next(),
        Some(LoadEvent::Failed(Error::BackendGone))
    );
}

#[test]
fn what_waits_when_the_backend_goes_is_answered() {
    let (client, commands) = Client::new();
    let (list, load) = (client.list_chats(), client.watch_engine());
    drop(commands);
    assert_eq!(list.try_take(), Some(Err(Error::BackendGone)));
    assert!(load.try_next().is_some());
}

#[test]
fn a_full_queue_refuses_and_does_not_block() {
    let (client, commands) = Client::new();
    let waiting: Vec<_> = (0..QUEUE_LENGTH).map(|_| client.list_chats()).collect();
    assert!(matches!(client.list_chats().wait(), Err(Error::Busy { .. })));
    assert_eq!(commands.len(), waiting.len());
}

#[test]
fn each_run_has_its_own_number() {
    let (client, _commands) = Client::new();
    assert_ne!(
        client.scan_library().request(),
        client.clone().scan_library().request()
    );
}
