use super::*;

/// Each was once read to an end that never comes.
#[cfg(unix)]
#[test]
fn what_has_no_end_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pipe, endless) = (folder.path().join("1.json"), folder.path().join("2.json"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    std::os::unix::fs::symlink("/dev/zero", &endless).expect("a link");
    for path in [pipe, endless] {
        let Err(Unread::Damaged(reason)) = read(&path) else {
            panic!("it was read");
        };
        assert_eq!(reason, "it is no regular file");
    }
}

fn record(id: i64, position: u64) -> Record {
    let request = DownloadRequest {
        model: "o/n".into(),
        file: None,
        revision: None,
    };
    Record::new(DownloadId(id), position, request, DownloadPlace::HubCache)
}

#[test]
fn the_list_comes_back_from_the_files_in_its_order() {
    let folder = tempfile::tempdir().expect("a folder");
    for (id, position) in [(1, 3), (2, 1), (3, 2)] {
        SideFile::create(folder.path(), record(id, position)).expect("written");
    }
    let files = SideFile::read_all(folder.path()).expect("read");
    let ids: Vec<_> = files.iter().map(|file| file.read(|record| record.id.0)).collect();
    assert_eq!(ids, [2, 3, 1]);

    let reason = Intent::Wait(Some(Error::HubDown { reason: "x".into() }));
    files[0]
        .update(|record| record.intent = reason.clone())
        .expect("written");
    files[1].remove().expect("removed");
    let files = SideFile::read_all(folder.path()).expect("read");
    assert_eq!(files.len(), 2);
    assert_eq!(files[0].read(|record| record.intent.clone()), reason);
}

#[test]
fn a_damaged_file_hides_no_other_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    SideFile::create(folder.path(), record(1, 1)).expect("written");
    let whole = std::fs::read(folder.path().join("1.json")).expect("read");
    std::fs::write(folder.path().join("2.json"), &whole[..whole.len() / 2]).expect("written");
    std::fs::write(folder.path().join("3.json"), "{\"version\":99}").expect("written");
    std::fs::write(folder.path().join("1.new"), "half").expect("written");
    assert_eq!(SideFile::read_all(folder.path()).expect("read").len(), 1);
    assert!(folder.path().join("2.json").exists());
}

#[test]
fn a_change_that_cannot_be_written_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = SideFile::create(folder.path(), record(1, 1)).expect("written");
    let path = folder.path().to_owned();
    folder.close().expect("removed");
    assert!(!path.exists());
    assert!(file.update(|record| record.position = 9).is_err());
    assert_eq!(file.read(|record| record.position), 1);
    // But what is not to go on does not.
    assert!(file.intend(Intent::Wait(None)).is_err());
    assert_eq!(file.read(|record| record.intent.clone()), Intent::Wait(None));
}
