//! Who is told of what became of downloads, and what of it is drawn.

use hearth_protocol::library::DiskUse;

use super::*;
use crate::state::Redraw;

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
    let mut desk = super::desk([unlisted]);
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
