//! Whatever happens in whatever order: the panel shows each download once, in its group.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::state::downloads::group_of;

fn download() -> impl Strategy<Value = Download> {
    (1_i64..6, 0_usize..6).prop_map(|(id, kind)| match kind {
        0 => queued(id),
        1 => running(id, 1),
        2 => paused(id),
        3 => failed(id, wrong_hash()),
        4 => in_state(id, DownloadState::Verifying),
        _ => done(id),
    })
}

fn event() -> impl Strategy<Value = DownloadEvent> {
    prop_oneof![
        6 => download().prop_map(DownloadEvent::Changed),
        1 => (1_i64..6).prop_map(|id| DownloadEvent::Removed(DownloadId(id))),
        2 => Just((1_i64..6).map(DownloadId).collect::<Vec<_>>()).prop_shuffle().prop_map(DownloadEvent::Order),
        1 => Just(DownloadEvent::Closed(Error::BackendGone)),
    ]
}

fn person() -> impl Strategy<Value = DownloadsMsg> {
    let id = || (1_i64..6).prop_map(DownloadId);
    prop_oneof![
        1 => Just(DownloadsMsg::Toggle),
        2 => id().prop_map(DownloadsMsg::Remove),
        1 => id().prop_map(DownloadsMsg::Act),
        1 => (id(), select(vec![Turn::First, Turn::Earlier, Turn::Later, Turn::Last]))
            .prop_map(|(id, turn)| DownloadsMsg::Move(id, turn)),
        1 => Just(DownloadsMsg::PauseAll),
        1 => Just(DownloadsMsg::ClearDone),
        1 => id().prop_map(DownloadsMsg::UseInChat),
        1 => Just(DownloadsMsg::Watch),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_panel_shows_each_once_and_in_its_group(
        steps in proptest::collection::vec(
            prop_oneof![
                2 => event().prop_map(|event| tell(DownloadsNews::Event(event))),
                1 => person().prop_map(Msg::Downloads),
            ],
            0..60,
        ),
    ) {
        let mut desk = desk([]);
        let mut known = BTreeMap::new();
        for step in steps {
            match &step {
                Msg::Backend(News::Downloads(DownloadsNews::Event(event))) => match event {
                    DownloadEvent::Changed(download) => drop(known.insert(download.id, download.clone())),
                    DownloadEvent::Removed(id) => drop(known.remove(id)),
                    DownloadEvent::Order(_) => (),
                    DownloadEvent::Closed(_) => known.clear(),
                },
                Msg::Downloads(DownloadsMsg::Watch) => known.clear(),
                _ => (),
            }
            desk.all([step]);
            let state = &desk.state;
            let shown: Vec<_> = state.downloads.shown().cloned().collect();
            prop_assert!(shown.is_sorted_by_key(group_of));
            let by_id: BTreeMap<_, _> = shown.iter().map(|it| (it.id, it.clone())).collect();
            prop_assert_eq!(by_id.len(), shown.len());
            prop_assert_eq!(&by_id, &known);
            for download in &shown {
                state.download_row(download);
                state.menu_items(MenuOf::Download(download.id));
            }
            prop_assert_eq!(state.no_downloads().is_none(), !shown.is_empty());
        }
    }
}
