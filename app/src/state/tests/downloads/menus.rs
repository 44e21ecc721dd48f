//! The menus of the panel, and what stands in the place of rows.

use super::*;
use crate::state::downloads::Group;
use crate::state::overlay::Glyph;
use crate::state::overlay::menu::Then;

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
    let marked = marked.iter().filter(|item| item.glyph == Glyph::Check);
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
