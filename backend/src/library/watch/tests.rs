//! The watch, as its listeners hear it. Nothing is looked at unasked here but where a test says so.

use std::fs;
use std::io::Write;

use hearth_protocol::library::{FileState, Source};
use hearth_protocol::{Events, FileId, RequestId, Waker};

use super::super::tests::fixture::{Fixture, tiny_gguf};
use super::*;
use crate::store::Store;

/// Only ends tests that hang.
const HANG_GUARD: Duration = Duration::from_secs(60);

const PACE: Pace = Pace {
    quiet: Duration::from_millis(10),
    longest: Duration::from_millis(100),
    unasked: Duration::from_secs(3600),
    deaf: Duration::from_secs(3600),
    asks: true,
};

/// A listener and what it knows.
struct Listener {
    events: Events<LibraryEvent>,
    files: Vec<LibraryFile>,
}

impl Listener {
    fn new(fixture: &Fixture) -> Self {
        let (sink, events) = EventSink::new(RequestId(1), Waker::none());
        fixture.library.watch(sink);
        Self {
            events,
            files: Vec::new(),
        }
    }

    /// Waits until the list is as it should be. Each that comes must be another than the one before.
    #[track_caller]
    fn until(&mut self, what: &str, is_so: impl Fn(&[LibraryFile]) -> bool) {
        loop {
            let event = tokio::task::block_in_place(|| self.events.next_timeout(HANG_GUARD));
            match event {
                Ok(Some(LibraryEvent::Files(files))) => {
                    assert!(files != self.files || files.is_empty(), "told twice: {files:#?}");
                    self.files = files;
                }
                other => panic!("waiting for {what}: {other:?}; the list is {:#?}", self.files),
            }
            if is_so(&self.files) {
                return;
            }
        }
    }

    #[track_caller]
    fn until_ids(&mut self, what: &str, expected: &[&str]) {
        self.until(what, |files| {
            files
                .iter()
                .map(|file| file.id.as_str())
                .eq(expected.iter().copied())
        });
    }
}

fn fixture(pace: Pace) -> Fixture {
    let mut fixture = Fixture::new();
    fixture.library.watching.pace = pace;
    fixture
}

fn is_ready(files: &[LibraryFile]) -> bool {
    files.iter().all(|file| file.state == FileState::Ready)
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happens_to_a_file_is_told() {
    let fixture = fixture(PACE);
    let a = fixture.write("models/a.gguf", &tiny_gguf());
    let mut listener = Listener::new(&fixture);
    listener.until_ids("the list", &["hearth/a.gguf"]);
    fixture.write("models/p/r/b.gguf", &tiny_gguf());
    listener.until_ids(
        "one in folders that are new",
        &["hearth/a.gguf", "hearth/p/r/b.gguf"],
    );
    fs::rename(&a, a.with_file_name("c.gguf")).expect("renamed");
    listener.until_ids("another name", &["hearth/p/r/b.gguf", "hearth/c.gguf"]);
    let other = fixture.write("other", b"<html>");
    fs::rename(&other, fixture.path("models/p/r/b.gguf")).expect("replaced");
    listener.until("other bytes", |files| !is_ready(files));
    fs::remove_dir_all(fixture.path("models/p")).expect("removed");
    listener.until_ids("a folder that is gone", &["hearth/c.gguf"]);
    // What is no model file is no news, so the next is of the model.
    fixture.write("models/notes.txt", b"x");
    fs::remove_file(a.with_file_name("c.gguf")).expect("removed");
    listener.until_ids("a file that is gone", &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_being_written_becomes_ready_by_itself() {
    let fixture = fixture(PACE);
    fixture.write("models/x", b"");
    let mut listener = Listener::new(&fixture);
    listener.until_ids("the list", &[]);
    let bytes = tiny_gguf();
    let mut file = fs::File::create(fixture.path("models/m.gguf")).expect("made");
    for half in bytes.chunks(bytes.len() / 2 + 1) {
        file.write_all(half).expect("written");
        let is_whole = half.len() < bytes.len() / 2 + 1;
        listener.until("the state", |files| {
            files.len() == 1 && is_ready(files) == is_whole
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_may_come_and_go_and_come_again() {
    let fixture = fixture(PACE);
    fixture.choose(&["disk/models"], &[]);
    let mut listener = Listener::new(&fixture);
    listener.until_ids("the list", &[]);
    let path = fixture.path("disk/models/m.gguf");
    let id = path.display().to_string();
    for _ in 0..3 {
        fixture.write("disk/models/m.gguf", &tiny_gguf());
        listener.until_ids("a folder that came", &[&id]);
        fs::rename(fixture.path("disk"), fixture.path("unplugged")).expect("renamed");
        listener.until_ids("a folder that is called otherwise", &[]);
        fs::rename(fixture.path("unplugged"), fixture.path("disk")).expect("renamed");
        listener.until_ids("the folder again", &[&id]);
        fs::remove_dir_all(fixture.path("disk")).expect("removed");
        listener.until_ids("a folder that is gone", &[]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_display_name_is_told() {
    let fixture = fixture(PACE);
    fixture.write("models/a.gguf", &tiny_gguf());
    let store = Store::open(&fixture.path("hearth.db")).await.expect("open");
    let mut listener = Listener::new(&fixture);
    listener.until_ids("the list", &["hearth/a.gguf"]);
    let id = FileId::from("hearth/a.gguf");
    let renamed = fixture.rename(&store, &id, Some("Pet".into()));
    renamed.await.expect("renamed");
    listener.until("the name", |files| files.iter().any(|file| file.name == "Pet"));
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_act_at_once() {
    let fixture = fixture(PACE);
    fixture.write("lm-studio/p/r/m.gguf", &tiny_gguf());
    let mine = fixture.write("mine/m.gguf", &tiny_gguf()).display().to_string();
    let mut listener = Listener::new(&fixture);
    let theirs = "lm-studio/p/r/m.gguf";
    listener.until_ids("the list", &[theirs]);
    fixture.choose(&["mine"], &[]);
    listener.until_ids("a folder more", &[&mine, theirs]);
    fixture.choose(&["mine"], &[Source::LmStudio]);
    listener.until_ids("a program less", &[&mine]);
    // The new folder is watched, too.
    fs::remove_file(&mine).expect("removed");
    listener.until_ids("a file less", &[]);
}

/// Nothing of this folder lies in a folder of the library.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn what_a_link_leads_to_is_watched_where_it_lies() {
    let fixture = fixture(PACE);
    let far = fixture.write("far/away/m.gguf", &tiny_gguf());
    fixture.write("models/x", b"");
    std::os::unix::fs::symlink(&far, fixture.path("models/m.gguf")).expect("linked");
    let mut listener = Listener::new(&fixture);
    listener.until("the list", |files| files.len() == 1 && is_ready(files));
    fs::write(&far, b"<html>").expect("written");
    listener.until("other bytes", |files| files.len() == 1 && !is_ready(files));
    fs::rename(fixture.path("far/away"), fixture.path("far/renamed")).expect("renamed");
    listener.until_ids("a file less", &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_system_tells_nothing_the_library_looks_by_itself() {
    let fixture = fixture(Pace {
        asks: false,
        deaf: Duration::from_millis(20),
        ..PACE
    });
    let mut listener = Listener::new(&fixture);
    listener.until_ids("the list", &[]);
    fixture.write("models/m.gguf", &tiny_gguf());
    listener.until("a file more", |files| files.len() == 1 && is_ready(files));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_listeners_are_told_and_nothing_is_watched_for_nobody() {
    let fixture = fixture(PACE);
    let (mut one, mut two) = (Listener::new(&fixture), Listener::new(&fixture));
    one.until_ids("the list", &[]);
    two.until_ids("the list", &[]);
    fixture.write("models/m.gguf", &tiny_gguf());
    one.until("a file more", |files| files.len() == 1 && is_ready(files));
    two.until("a file more", |files| files.len() == 1 && is_ready(files));
    let task = |fixture: &Fixture| {
        let task = fixture.library.watching.task.lock().expect("not poisoned");
        task.clone().expect("there is one")
    };
    drop(one);
    fs::remove_file(fixture.path("models/m.gguf")).expect("removed");
    two.until_ids("a file less", &[]);
    let first = task(&fixture);
    drop(two);
    first.closed().await;
    let mut three = Listener::new(&fixture);
    three.until_ids("the list", &[]);
    assert!(!task(&fixture).is_closed());
}
