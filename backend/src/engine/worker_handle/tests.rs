//! Workers that are shell scripts: what the handle makes of exits, stray lines and processes that stay.

use super::*;

/// Starts `sh -c script` as a worker and gives the channel of what comes from it.
fn start(script: &str) -> (Worker, mpsc::UnboundedReceiver<WorkerEvent>) {
    let (sender, events) = mpsc::unbounded_channel();
    let command = WorkerCommand {
        program: "sh".into(),
        arguments: vec!["-c".into(), script.into()],
    };
    let worker = Worker::start(&command, move |event| {
        sender.send(event).expect("the test listens");
    });
    (worker.expect("sh starts"), events)
}

/// Skips what is said and gives how it ended.
async fn end(events: &mut mpsc::UnboundedReceiver<WorkerEvent>) -> (String, Vec<String>) {
    loop {
        match events.recv().await {
            Some(WorkerEvent::Said(_)) => (),
            Some(WorkerEvent::Ended { cause, log }) => return (cause, log),
            None => panic!("no end was told"),
        }
    }
}

#[tokio::test]
async fn ends_are_put_into_words() {
    let cases = [
        ("exit 0", "it ended with code 0"),
        (
            "echo first >&2; echo last >&2; exit 134",
            "it ended with code 134",
        ),
        ("kill -9 $$", "it was killed by signal 9"),
        ("echo hello; cat", "it sent a line that is no message: hello"),
    ];
    for (script, expected) in cases {
        let (_worker, mut events) = start(script);
        let (cause, log) = end(&mut events).await;
        assert_eq!(cause, expected);
        if script.contains("first") {
            assert_eq!(log, ["first", "last"]);
        }
        assert!(events.recv().await.is_none(), "the end is the last");
    }
}

#[tokio::test]
async fn what_was_said_before_the_end_comes_before_it() {
    let (_worker, mut events) = start(r#"echo '{"response":"load_progress","share":0.5}'; exit 3"#);
    let said = events.recv().await;
    assert!(
        matches!(&said, Some(WorkerEvent::Said(Response::LoadProgress { share })) if *share == 0.5),
        "{said:?}"
    );
    assert_eq!(end(&mut events).await.0, "it ended with code 3");
}

#[tokio::test]
async fn a_worker_is_asked_line_by_line_and_leaves_when_its_input_closes() {
    // The script answers only when the request stands on a line of its own.
    let (mut worker, mut events) =
        start(r#"read -r line; test "$line" = '{"request":"stop","id":4}' && cat >/dev/null && exit 7"#);
    worker.ask(Request::Stop { id: 4 });
    worker.leave();
    assert_eq!(end(&mut events).await.0, "it ended with code 7");
    worker.ask(Request::Devices);
}

#[tokio::test]
async fn one_that_does_not_leave_is_killed() {
    let (mut worker, mut events) = start("exec sleep 1000");
    worker.leave();
    assert_eq!(end(&mut events).await.0, "it was killed by signal 9");
}

#[tokio::test]
async fn one_that_closes_its_output_and_stays_is_killed() {
    let (_worker, mut events) = start("exec sleep 1000 >&-");
    assert_eq!(end(&mut events).await.0, "it was killed by signal 9");
}

#[tokio::test]
async fn killing_and_dropping_end_the_process() {
    let (mut worker, mut events) = start("exec sleep 1000");
    worker.kill();
    assert_eq!(end(&mut events).await.0, "it was killed by signal 9");

    let (worker, mut events) = start("exec sleep 1000");
    drop(worker);
    assert_eq!(end(&mut events).await.0, "it was killed by signal 9");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_a_typed_error() {
    let command = WorkerCommand {
        program: "/nowhere/hearth".into(),
        arguments: Vec::new(),
    };
    let refused = Worker::start(&command, |_| ());
    assert!(matches!(refused, Err(Error::File { path, .. }) if path == "/nowhere/hearth"));
}
