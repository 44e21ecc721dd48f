//! The panel of downloads: what it says of each, what a person does there, who is told, and what is drawn.

mod menus;
mod rows;
mod telling;
mod walk;

use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState, QueuePlace};
use hearth_protocol::{DownloadId, ModelId};

use super::*;
use crate::effect::downloads::DownloadsEffect;
use crate::msg::downloads::{DownloadsMsg, DownloadsNews, Turn};
use crate::state::downloads::whole_of;
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::MenuOf;

const GB: u64 = 1_000_000_000;

fn request(file: &str) -> DownloadRequest {
    DownloadRequest {
        model: ModelId::from("ada/Qwen3-8B-GGUF"),
        file: Some(file.into()),
        revision: None,
    }
}

fn queued(id: i64) -> Download {
    Download {
        id: DownloadId(id),
        request: request(&format!("Qwen3-8B-{id}-Q5_K_M.gguf")),
        state: DownloadState::Queued,
        done: ByteSize(0),
        total: Some(ByteSize(5 * GB)),
    }
}

fn running(id: i64, gigabytes: u64) -> Download {
    Download {
        state: DownloadState::Running {
            bytes_per_second: 48_200_000.0,
            seconds_left: Some(46),
            trouble: None,
        },
        done: ByteSize(gigabytes * GB),
        ..queued(id)
    }
}

fn in_state(id: i64, state: DownloadState) -> Download {
    Download {
        state,
        ..running(id, 2)
    }
}

fn paused(id: i64) -> Download {
    in_state(id, DownloadState::Paused { reason: None })
}

fn failed(id: i64, error: Error) -> Download {
    in_state(id, DownloadState::Failed { error })
}

fn done(id: i64) -> Download {
    let file = Some(FileId::from(QWEN));
    let state = DownloadState::Done { verified: true, file };
    Download {
        done: ByteSize(5 * GB),
        ..in_state(id, state)
    }
}

fn tell(news: DownloadsNews) -> Msg {
    Msg::Backend(News::Downloads(news))
}

fn changed(download: Download) -> Msg {
    tell(DownloadsNews::Event(DownloadEvent::Changed(download)))
}

fn wrong_hash() -> Error {
    Error::WrongHash {
        file: "a.gguf".into(),
    }
}

/// A desk with these downloads, where nothing is told yet.
fn desk(downloads: impl IntoIterator<Item = Download>) -> Desk {
    let mut desk = Desk::with_models();
    desk.all([Msg::Backend(News::SettingsRead(Ok(Settings::default())))]);
    desk.all(downloads.into_iter().map(changed));
    desk.log.clear();
    desk
}

impl Desk {
    fn downloads(&mut self, msg: DownloadsMsg) {
        self.all([Msg::Downloads(msg)]);
    }

    /// What was asked of the backend's downloads since the last time.
    fn asked(&mut self) -> Vec<String> {
        let log = std::mem::take(&mut self.log);
        let lines = log.lines().filter_map(|line| line.strip_prefix("-> Downloads("));
        lines
            .filter_map(|line| line.strip_suffix(')').map(str::to_owned))
            .collect()
    }

    fn shown(&self) -> Vec<i64> {
        self.state.downloads.shown().map(|it| it.id.0).collect()
    }
}

#[test]
fn rows_are_grouped_and_keep_their_turns() {
    let hindered = in_state(
        4,
        DownloadState::Paused {
            reason: Some(wrong_hash()),
        },
    );
    let mut desk = desk([
        done(1),
        failed(2, wrong_hash()),
        paused(3),
        hindered,
        queued(5),
        running(6, 1),
    ]);
    assert_eq!(desk.shown(), [5, 6, 3, 2, 4, 1]);
    // One that gets further stays; one that ends moves.
    desk.all([changed(running(6, 2)), changed(done(5))]);
    assert_eq!(desk.shown(), [6, 3, 2, 4, 1, 5]);
    let order = [6, 4, 2, 3, 1, 5].map(DownloadId).to_vec();
    desk.all([tell(DownloadsNews::Event(DownloadEvent::Order(order)))]);
    assert_eq!(desk.shown(), [6, 3, 4, 2, 1, 5]);
    desk.all([tell(DownloadsNews::Event(DownloadEvent::Removed(DownloadId(4))))]);
    assert_eq!(desk.shown(), [6, 3, 2, 1, 5]);
    assert_eq!(desk.state.downloads.active(), 1);
}

#[test]
fn each_button_asks_for_what_it_says() {
    let cases = [
        (DownloadsMsg::Pause(DownloadId(1)), "Pause(DownloadId(1))"),
        (DownloadsMsg::Resume(DownloadId(2)), "Resume(DownloadId(2))"),
        (DownloadsMsg::Retry(DownloadId(3)), "Retry(DownloadId(3))"),
        // What Enter does on a row.
        (DownloadsMsg::Act(DownloadId(1)), "Pause(DownloadId(1))"),
        (DownloadsMsg::Act(DownloadId(2)), "Resume(DownloadId(2))"),
        (DownloadsMsg::Act(DownloadId(3)), "Retry(DownloadId(3))"),
        (DownloadsMsg::PauseAll, "Pause(DownloadId(1))"),
        (DownloadsMsg::ResumeAll, "Resume(DownloadId(2))"),
        (DownloadsMsg::ClearDone, "Cancel(DownloadId(4))"),
        (DownloadsMsg::Watch, "Watch"),
    ];
    for (msg, effect) in cases {
        let mut desk = desk([running(1, 1), paused(2), failed(3, wrong_hash()), done(4)]);
        desk.downloads(msg.clone());
        assert_eq!(desk.asked(), [effect], "{msg:?}");
    }
}

#[test]
fn only_what_took_time_to_come_is_asked_about_before_it_goes() {
    let cases = [
        (queued(1), false),
        (running(1, 1), true),
        (paused(1), true),
        (done(1), false),
    ];
    for (download, asks) in cases {
        let mut desk = desk([download.clone()]);
        desk.downloads(DownloadsMsg::Remove(DownloadId(1)));
        if asks {
            assert_eq!(desk.asked(), [""; 0]);
            let Some(Overlay::Confirm(confirm)) = &desk.state.overlay else {
                panic!("no question for {download:?}");
            };
            assert_eq!(confirm.title, "Remove the download of Qwen3 8B?");
            assert!(confirm.button.starts_with("Delete "), "{}", confirm.button);
            desk.all([Msg::TakeConfirmed]);
        }
        assert_eq!(desk.asked(), ["Cancel(DownloadId(1))"]);
        assert!(desk.state.overlay.is_none());
    }
}

#[test]
fn a_turn_is_one_among_its_like() {
    let place = |id, turn| {
        // The second in the list is done, and the panel shows it below.
        let mut desk = desk([running(1, 1), done(2), queued(3), queued(4)]);
        desk.downloads(DownloadsMsg::Move(DownloadId(id), turn));
        desk.asked().pop()
    };
    let cases = [
        (1, Turn::Earlier, None),
        (1, Turn::First, None),
        (1, Turn::Later, Some(QueuePlace::Before(DownloadId(4)))),
        (1, Turn::Last, Some(QueuePlace::Last)),
        (3, Turn::Earlier, Some(QueuePlace::Before(DownloadId(1)))),
        (3, Turn::Later, Some(QueuePlace::Last)),
        (4, Turn::First, Some(QueuePlace::Before(DownloadId(1)))),
        (4, Turn::Later, None),
        (4, Turn::Last, None),
    ];
    for (id, turn, expected) in cases {
        let expected = expected.map(|to| DownloadsEffect::Move(DownloadId(id), to));
        let expected = expected.map(|effect| format!("{effect:?}"));
        assert_eq!(place(id, turn), expected, "{id} {turn:?}");
    }
}

#[test]
fn a_file_of_a_repository_is_found_by_any_of_its_parts() {
    let set = Download {
        request: request("q/m-Q8_0-00001-of-00003.gguf"),
        ..queued(7)
    };
    let desk = desk([queued(1), set]);
    let model = ModelId::from("ada/Qwen3-8B-GGUF");
    let cases = [
        ("Qwen3-8B-1-Q5_K_M.gguf", Some(1)),
        ("q/m-Q8_0-00002-of-00003.gguf", Some(7)),
        ("q/m-Q8_0.gguf", Some(7)),
        ("m-Q8_0.gguf", None),
    ];
    for (file, expected) in cases {
        let found = desk.state.downloads.of_file(&model, file);
        assert_eq!(found.map(|it| it.id), expected.map(DownloadId), "{file}");
    }
    let other = ModelId::from("bob/Qwen3-8B-GGUF");
    assert!(
        desk.state
            .downloads
            .of_file(&other, "Qwen3-8B-1-Q5_K_M.gguf")
            .is_none()
    );
    for (file, whole) in [
        ("a-00001-of-00002.gguf", "a"),
        ("a-1-of-2.gguf", "a-1-of-2"),
        ("a.gguf", "a"),
        ("a", "a"),
    ] {
        assert_eq!(whole_of(file), whole);
    }
}

#[test]
fn a_file_is_asked_for_once_until_that_is_answered() {
    let mut desk = desk([]);
    let start = || Msg::Downloads(DownloadsMsg::Start(request("new.gguf")));
    desk.all([start(), start()]);
    assert_eq!(desk.asked().len(), 1);
    desk.all([tell(DownloadsNews::Started {
        request: request("new.gguf"),
        result: Err(Error::TokenNeeded { model: "a/b".into() }),
    })]);
    let toast = desk.state.toasts.shown().last().expect("a toast");
    assert_eq!(toast.title, "The download of Qwen3 8B did not start");
    assert!(toast.text.contains("Hugging Face token"), "{}", toast.text);
    desk.all([start()]);
    assert_eq!(desk.asked().len(), 1);
}

#[test]
fn the_panel_lies_over_any_page_until_it_is_closed() {
    for close in [
        Msg::Escape,
        Msg::Downloads(DownloadsMsg::Toggle),
        Msg::Downloads(DownloadsMsg::Close),
        Msg::ShowPage(Page::Server),
        Msg::NewChat,
    ] {
        let mut desk = desk([queued(1)]);
        desk.all([Msg::ShowPage(Page::Server), Msg::Downloads(DownloadsMsg::Toggle)]);
        assert!(desk.state.downloads.is_open && desk.state.page() == Page::Server);
        desk.all([close.clone()]);
        assert!(!desk.state.downloads.is_open, "{close:?}");
    }
    // A question or a menu over it goes first, and the panel has the keyboard again.
    let mut desk = desk([running(1, 1)]);
    desk.downloads(DownloadsMsg::Toggle);
    desk.downloads(DownloadsMsg::Remove(DownloadId(1)));
    desk.log.clear();
    desk.all([Msg::Escape]);
    assert!(desk.state.downloads.is_open && desk.state.overlay.is_none());
    assert_eq!(desk.log, "-> FocusDownloads\n");
}
