use hearth_protocol::{RequestId, Waker};

use super::*;

fn lines(event: ServerEvent) -> (Vec<String>, u64) {
    match event {
        ServerEvent::Lines { lines, left_out } => {
            (lines.into_iter().map(|line| line.text).collect(), left_out)
        }
        event => panic!("{event:?}"),
    }
}

/// The log and what a watcher hears of it.
fn watched(log: &Log) -> (hearth_protocol::Events<ServerEvent>, watch::Sender<ServerStatus>) {
    let (status, heard) = watch::channel(ServerStatus::Stopped);
    let (sink, events) = EventSink::new(RequestId(1), Waker::none());
    let log = log.clone();
    tokio::spawn(async move { log.watch(heard, sink).await });
    (events, status)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_hears_what_was_kept_and_what_comes() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Log::open(folder.path().to_owned());
    log.write(LogLevel::Info, "one\nline");
    let (events, _status) = watched(&log);
    let heard = tokio::task::spawn_blocking(move || {
        assert_eq!(events.next(), Some(ServerEvent::Status(ServerStatus::Stopped)));
        assert_eq!(lines(events.next().expect("kept")), (vec!["one line".into()], 0));
        events
    });
    let events = heard.await.expect("heard");
    log.write(LogLevel::Info, "Bearer abc");
    let next = tokio::task::spawn_blocking(move || lines(events.next().expect("new")));
    assert_eq!(next.await.expect("heard"), (vec!["Bearer [redacted]".into()], 0));
}

/// However many lines are written, one event tells of them all, and those that are no longer kept are counted.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_told_in_few_events() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Log::open(folder.path().to_owned());
    for number in 0..KEPT as u64 + 7 {
        log.write(LogLevel::Request, &number.to_string());
    }
    let (events, _status) = watched(&log);
    let (first, left_out) = tokio::task::spawn_blocking(move || {
        events.next();
        lines(events.next().expect("lines"))
    })
    .await
    .expect("heard");
    assert_eq!((first.len(), left_out), (KEPT, 7));
    assert_eq!(first.first().map(String::as_str), Some("7"));
}

#[test]
fn files_are_rotated() {
    let folder = tempfile::tempdir().expect("a folder");
    let (sender, waiting) = mpsc::channel(1_000);
    let long = "x".repeat(LONGEST);
    let writer = {
        let folder = folder.path().join("logs");
        std::thread::spawn(move || write_files(&folder, waiting))
    };
    let count = (FILE_SIZE / LONGEST as u64 + 2) * u64::from(OLD_FILES + 2);
    for _ in 0..count {
        let line = LogLine {
            at: UnixMillis(0),
            level: LogLevel::Warning,
            text: long.clone(),
        };
        sender.blocking_send(line).expect("it is written");
    }
    drop(sender);
    writer.join().expect("the writer");
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("logs"))
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    names.sort();
    let expected: Vec<_> = ["", ".1", ".2", ".3", ".4"]
        .iter()
        .map(|end| format!("{FILE_NAME}{end}"))
        .collect();
    assert_eq!(names, expected);
    let newest = std::fs::read_to_string(folder.path().join("logs").join(FILE_NAME)).expect("a log");
    assert!(
        newest.starts_with("1970-01-01T00:00:00.000Z warning xxx"),
        "{}",
        &newest[..60]
    );
}
