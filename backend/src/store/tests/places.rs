//! What can stand in the place of the database or of its folder, on Unix.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;

use super::*;

async fn refusal(path: &Path) -> String {
    Store::open(path).await.expect_err("it is refused").to_string()
}

/// SQLite waited for ever for somebody to write into a pipe.
#[tokio::test]
async fn what_is_no_file_is_refused_at_once() {
    for name in ["hearth.db", "hearth.db-wal", "hearth.db-journal"] {
        let folder = tempfile::tempdir().expect("folder");
        let place = folder.path().join(name);
        let made = Command::new("mkfifo").arg(&place).status();
        assert!(made.expect("mkfifo runs").success());
        let said = refusal(&file_in(&folder)).await;
        assert!(said.contains(&format!("{name} is a pipe")), "{said}");
    }

    let folder = tempfile::tempdir().expect("folder");
    let _socket = UnixListener::bind(file_in(&folder)).expect("bind");
    let said = refusal(&file_in(&folder)).await;
    assert!(
        said.contains("hearth.db is a pipe, a socket or a device"),
        "{said}"
    );

    let folder = tempfile::tempdir().expect("folder");
    symlink("/dev/null", file_in(&folder)).expect("link");
    let said = refusal(&file_in(&folder)).await;
    assert!(
        said.contains("hearth.db is a pipe, a socket or a device"),
        "{said}"
    );
}

#[tokio::test]
async fn links_that_lead_in_a_ring_are_named() {
    let folder = tempfile::tempdir().expect("folder");
    symlink("hearth.db", file_in(&folder)).expect("link");
    let said = refusal(&file_in(&folder)).await;
    assert!(
        said.contains("hearth.db is a link that leads to no file"),
        "{said}"
    );

    let home = folder.path().join("home");
    symlink("home", &home).expect("link");
    let said = refusal(&home.join("below/hearth.db")).await;
    let named = format!("{} is a link that leads to no file or folder", home.display());
    assert!(said.contains(&named), "{said}");
}

#[tokio::test]
async fn a_link_to_a_file_that_is_not_there_yet_is_followed() {
    let folder = tempfile::tempdir().expect("folder");
    symlink("elsewhere.db", file_in(&folder)).expect("link");
    open(&folder).await;
    assert!(folder.path().join("elsewhere.db").is_file());
}

#[tokio::test]
async fn a_file_above_the_folder_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let taken = folder.path().join("taken");
    std::fs::write(&taken, "").expect("write");
    let said = refusal(&taken.join("below/hearth.db")).await;
    assert!(
        said.contains(&format!("{} is not a folder", taken.display())),
        "{said}"
    );
}

#[tokio::test]
async fn a_folder_whose_name_is_no_text_is_refused_in_words() {
    let folder = tempfile::tempdir().expect("folder");
    let home = folder.path().join(OsStr::from_bytes(b"data\xff"));
    let said = refusal(&home.join("hearth.db")).await;
    assert!(
        said.contains("not Unicode text; name another folder in HEARTH_HOME"),
        "{said}"
    );
    assert!(!home.exists());
}

#[tokio::test]
async fn a_file_that_was_taken_away_is_not_made_anew_without_its_tables() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "Hello").await;
    store.refuse_answers().await;
    // The next write opens the file again.
    let refused = store.save_answer(&begun.answer, None).await;
    assert!(refused.is_err(), "{refused:?}");
    for ending in ["", "-wal", "-shm"] {
        std::fs::remove_file(beside(&file_in(&folder), ending)).expect("remove");
    }
    let refused = store.write_setting("a", "1").await.expect_err("it is gone");
    assert!(
        refused
            .to_string()
            .contains("cannot be opened; check that it is there"),
        "{refused}"
    );
    assert!(!file_in(&folder).exists());
}
