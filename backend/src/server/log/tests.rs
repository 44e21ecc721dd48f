use super::*;
use crate::tiny_disk::TinyDisk;

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

/// A writer of lines, and a way to wait until it has written all that was sent.
fn written(folder: &Path, texts: &[&str]) {
    let (sender, waiting) = mpsc::channel(10);
    let writer = {
        let folder = folder.to_owned();
        std::thread::spawn(move || write_files(&folder, waiting))
    };
    for text in texts {
        let line = LogLine {
            at: UnixMillis(0),
            level: LogLevel::Info,
            text: (*text).to_owned(),
        };
        sender.blocking_send(line).expect("it is taken");
    }
    drop(sender);
    writer.join().expect("the writer");
}

/// The texts of the lines of a file.
fn lines_of(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a log");
    let texts = text
        .lines()
        .map(|line| line.rsplit(' ').next().unwrap_or_default());
    texts.map(str::to_owned).collect()
}

#[test]
fn a_line_behind_a_torn_one_begins_on_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(FILE_NAME);
    std::fs::write(&path, "1970 info one\n1970 info to").expect("written");
    written(folder.path(), &["two", "three"]);
    assert_eq!(lines_of(&path), ["one", "to", "two", "three"]);
    written(folder.path(), &["four"]);
    assert_eq!(lines_of(&path), ["one", "to", "two", "three", "four"]);
}

#[test]
fn a_disk_that_was_full_takes_whole_lines_again() {
    let Some(disk) = TinyDisk::mount(1 << 20) else {
        return;
    };
    let logs = disk.path().join("logs");
    let mut file = None;
    let mut write = |text: &str| write_line(&logs, &mut file, text);
    write("one\n").expect("written");
    let filler = disk.fill();
    // What is left of the file's last page takes a part of a line.
    let long = "x".repeat(8 << 10);
    write(&format!("{long}\n")).expect_err("the disk is full");
    std::fs::remove_file(filler).expect("removed");
    write("two\n").expect("written");
    let lines = lines_of(&logs.join(FILE_NAME));
    assert_eq!(
        (lines[0].as_str(), lines.last().map(String::as_str)),
        ("one", Some("two"))
    );
}

#[test]
fn a_folder_that_is_removed_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    let mut file = None;
    let mut write = |text: &str| write_line(&logs, &mut file, text).expect("written");
    write("one\n");
    write("two\n");
    assert_eq!(lines_of(&logs.join(FILE_NAME)), ["one", "two"]);
    std::fs::remove_dir_all(&logs).expect("removed");
    write("three\n");
    assert_eq!(lines_of(&logs.join(FILE_NAME)), ["three"]);
}
