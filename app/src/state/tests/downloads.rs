//! The panel of downloads: what it says of each, what a person does there, who is told, and what is drawn.

mod rows;
mod walk;

use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState, QueuePlace};
use hearth_protocol::library::DiskUse;
use hearth_protocol::{DownloadId, ModelId};

use super::*;
use crate::effect::downloads::DownloadsEffect;
use crate::msg::downloads::{DownloadsMsg, DownloadsNews, Turn};
use crate::state::Redraw;
use crate::state::downloads::{Group, whole_of};
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::{MenuOf, Then};

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
    let before = |other: QueuePlace| Some(other);
    let cases = [
        (1, Turn::Earlier, None),
        (1, Turn::First, None),
        (1, Turn::Later, before(QueuePlace::Before(DownloadId(4)))),
        (1, Turn::Last, before(QueuePlace::Last)),
        (3, Turn::Earlier, before(QueuePlace::Before(DownloadId(1)))),
        (3, Turn::Later, before(QueuePlace::Last)),
        (4, Turn::First, before(QueuePlace::Before(DownloadId(1)))),
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
    let mut desk = desk([queued(1), set]);
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
    // One that was asked for is known until it is in the list, or was refused.
    let new = request("new.gguf");
    desk.downloads(DownloadsMsg::Start(new.clone()));
    desk.downloads(DownloadsMsg::Start(new.clone()));
    assert_eq!(desk.asked().len(), 1);
    assert!(desk.state.downloads.is_starting(&model, "new.gguf"));
    desk.all([tell(DownloadsNews::Started {
        request: new,
        result: Err(Error::TokenNeeded { model: "a/b".into() }),
    })]);
    assert!(!desk.state.downloads.is_starting(&model, "new.gguf"));
    let toast = desk.state.toasts.shown().last().expect("a toast");
    assert_eq!(toast.title, "The download of Qwen3 8B did not start");
    assert!(toast.text.contains("Hugging Face token"), "{}", toast.text);
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

#[test]
fn who_does_not_look_is_told_by_the_desktop_once() {
    let cases = [
        (done(1), true, vec!["toast"]),
        (done(1), false, vec!["notify", "toast"]),
        (failed(1, wrong_hash()), true, vec!["toast"]),
        (failed(1, wrong_hash()), false, vec!["notify", "toast"]),
        (paused(1), false, vec![]),
    ];
    for (end, in_front, expected) in cases {
        let mut desk = desk([running(1, 1)]);
        desk.all([
            Msg::WindowInFront(in_front),
            changed(end.clone()),
            changed(end.clone()),
        ]);
        let mut told = Vec::new();
        let notices = desk.log.matches("-> Notify").count();
        told.extend((0..notices).map(|_| "notify"));
        told.extend(desk.state.toasts.shown().iter().map(|_| "toast"));
        assert_eq!(told, expected, "{end:?} {in_front}");
    }
    // What was done before the window opened is no news.
    let mut desk = desk([]);
    desk.all([
        Msg::WindowInFront(false),
        changed(done(1)),
        changed(failed(2, wrong_hash())),
    ]);
    assert_eq!((desk.log.as_str(), desk.state.toasts.shown().len()), ("", 0));
}

#[test]
fn a_model_that_came_answers_in_a_new_chat_once_it_is_listed() {
    let mut desk = desk([running(1, 1)]);
    desk.all([changed(done(1))]);
    assert!(desk.log.contains("-> ListFiles"), "{}", desk.log);
    let toast = desk
        .state
        .toasts
        .shown()
        .last()
        .map(|toast| toast.id)
        .expect("a toast");
    desk.log.clear();
    desk.all([Msg::ShowPage(Page::Settings), Msg::TakeToastAction(toast)]);
    assert_eq!(desk.state.page(), Page::Chat);
    assert!(desk.log.contains(&format!("load 1 {QWEN}")), "{}", desk.log);

    let unlisted = Download {
        state: DownloadState::Done {
            verified: true,
            file: Some(FileId::from("hub/new.gguf")),
        },
        ..done(2)
    };
    let mut desk = super::downloads::desk([unlisted]);
    desk.downloads(DownloadsMsg::UseInChat(DownloadId(2)));
    assert!(
        desk.log.contains("-> ListFiles") && !desk.log.contains("load"),
        "{}",
        desk.log
    );
    desk.log.clear();
    let listed = vec![file("hub/new.gguf", Source::HuggingFace)];
    desk.all([Msg::Backend(News::Files(Ok(listed)))]);
    assert!(desk.log.contains("load 1 hub/new.gguf"), "{}", desk.log);
    desk.downloads(DownloadsMsg::ShowInFolder(DownloadId(2)));
    assert!(
        desk.log.contains("-> ShowInFolder(\"hub/new.gguf\")"),
        "{}",
        desk.log
    );
}

#[test]
fn progress_is_drawn_only_where_it_is_in_sight() {
    let cases = [
        (false, Page::Chat, changed(running(1, 2)), Redraw::Never),
        (false, Page::Discover, changed(running(1, 2)), Redraw::Later),
        (true, Page::Chat, changed(running(1, 2)), Redraw::Later),
        // The rail tells how many are active.
        (false, Page::Chat, changed(queued(2)), Redraw::Soon),
        (false, Page::Chat, changed(paused(1)), Redraw::Soon),
        (false, Page::Chat, changed(done(1)), Redraw::Soon),
        (
            false,
            Page::Chat,
            tell(DownloadsNews::Room(Ok(DiskUse::default()))),
            Redraw::Never,
        ),
        (
            true,
            Page::Chat,
            tell(DownloadsNews::Room(Ok(DiskUse::default()))),
            Redraw::Later,
        ),
        (true, Page::Chat, Msg::Tick, Redraw::Soon),
        (true, Page::Chat, Msg::WindowInFront(false), Redraw::Never),
    ];
    for (open, page, msg, expected) in cases {
        let mut desk = desk([running(1, 1)]);
        desk.all([Msg::ShowPage(page)]);
        if open {
            desk.downloads(DownloadsMsg::Toggle);
        }
        desk.all([msg.clone()]);
        assert_eq!(desk.state.redraw(), expected, "{open} {page:?} {msg:?}");
    }
}

#[test]
fn what_is_free_is_asked_while_it_is_in_sight_and_not_too_often() {
    let mut desk = desk([running(1, 1)]);
    desk.all((0..20).map(|_| changed(running(1, 2))));
    assert_eq!(desk.asked(), [""; 0]);
    desk.downloads(DownloadsMsg::Toggle);
    assert_eq!(desk.asked(), ["ReadRoom"]);
    // One a second.
    desk.all((0..9).map(|_| changed(running(1, 2))));
    assert_eq!(desk.asked(), ["ReadRoom"; 3]);
    let room = DiskUse {
        free: Some(ByteSize(9_800_000_000)),
        ..DiskUse::default()
    };
    desk.all([tell(DownloadsNews::Room(Ok(room)))]);
    assert_eq!(
        desk.state.downloads_text().free.replace('\u{a0}', " "),
        "9.80 GB free on this disk"
    );
    // A system that does not say leaves no old number.
    desk.all([tell(DownloadsNews::Room(Err(Error::internal("oh"))))]);
    assert_eq!(desk.state.downloads_text().free, "");
}

#[test]
fn limits_are_settings_and_the_menu_marks_them() {
    let mut desk = desk([running(1, 1)]);
    desk.downloads(DownloadsMsg::SetSpeedLimit(Some(ByteSize(5_000_000))));
    desk.downloads(DownloadsMsg::SetAtOnce(1));
    assert_eq!(
        desk.state.settings().download_speed_limit,
        Some(ByteSize(5_000_000))
    );
    assert_eq!(desk.state.settings().downloads_at_once, 1);
    assert_eq!(desk.log.matches("write settings").count(), 2);
    let marked = desk.state.menu_items(MenuOf::DownloadLimits);
    let marked = marked
        .iter()
        .filter(|item| item.glyph == super::super::overlay::Glyph::Check);
    let words: Vec<_> = marked.map(|item| item.label.replace('\u{a0}', " ")).collect();
    assert_eq!(words, ["At most 5.00 MB/s", "One at a time"]);
    let caption = desk.state.downloads_text().caption.replace('\u{a0}', " ");
    assert_eq!(caption, "1 active, 48.2 MB/s · at most 5.00 MB/s");
}

#[test]
fn a_menu_offers_what_can_be_done() {
    let words = |download: Download| {
        let desk = desk([download, queued(8), queued(9)]);
        let items = desk.state.menu_items(MenuOf::Download(DownloadId(1)));
        assert!(items.iter().all(|item| matches!(item.then, Then::Do(_))));
        items
            .into_iter()
            .map(|item| item.label)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let no_access = Error::NoAccess {
        model: "a/b".into(),
        page: "https://hub.example/a/b".into(),
    };
    let unusable = DownloadState::Done {
        verified: false,
        file: None,
    };
    let cases = [
        (
            running(1, 1),
            "Pause, Move down, Move to the end, Copy the file's name, Remove the download",
        ),
        (paused(1), "Resume, Copy the file's name, Remove the download"),
        (
            failed(1, no_access),
            "Retry, Open page, Copy the file's name, Remove the download",
        ),
        (
            done(1),
            "Use in chat, Show in folder, Copy the file's name, Remove from the list",
        ),
        (
            in_state(1, unusable),
            "Copy the file's name, Remove from the list",
        ),
    ];
    for (download, expected) in cases {
        assert_eq!(words(download), expected);
    }
    let gone = desk([]).state.menu_items(MenuOf::Download(DownloadId(1)));
    assert!(gone.is_empty());
}

#[test]
fn a_list_that_does_not_come_says_why_and_can_be_asked_for_again() {
    let mut desk = desk([running(1, 1)]);
    assert!(desk.state.no_downloads().is_none());
    let busy = Error::Busy {
        what: "The list of downloads".into(),
        reason: "another Hearth works on it".into(),
    };
    desk.all([tell(DownloadsNews::Event(DownloadEvent::Closed(busy)))]);
    let nothing = desk.state.no_downloads().expect("words");
    assert!(
        nothing.has_failed && nothing.text.contains("another Hearth"),
        "{nothing:?}"
    );
    desk.log.clear();
    desk.downloads(DownloadsMsg::Watch);
    assert_eq!(desk.asked(), ["Watch"]);
    let nothing = desk.state.no_downloads().expect("words");
    assert_eq!(
        (nothing.has_failed, nothing.title.as_str()),
        (false, "No downloads yet")
    );
    let offline = Settings {
        offline: true,
        ..Settings::default()
    };
    desk.all([Msg::Backend(News::SettingsRead(Ok(offline)))]);
    assert_eq!(
        desk.state.no_downloads().expect("words").title,
        "Offline mode is on"
    );
    assert!(!desk.state.downloads.has(Group::Active));
}
