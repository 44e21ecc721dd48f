use super::*;

/// Of a flood the newest lines are kept, and the others counted.
#[tokio::test]
async fn the_newest_lines_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Log::open(folder.path().to_owned());
    for number in 0..KEPT as u64 + 7 {
        log.write(LogLevel::Request, &number.to_string());
    }
    let (lines, left_out, next) = log.since(0);
    assert_eq!((lines.len(), left_out, next), (KEPT, 7, KEPT as u64 + 7));
    assert_eq!(lines.first().map(|line| line.text.as_str()), Some("7"));
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
