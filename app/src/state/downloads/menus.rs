//! The menus of the panel: what can be done with one download, and how fast and how many at once all of them are.

use hearth_protocol::download::DownloadState;
use hearth_protocol::{ByteSize, DownloadId};

use super::view::{name_of, page_of};
use super::{Group, file_of, group_of, hindrance_of};
use crate::msg::Msg;
use crate::msg::downloads::{DownloadsMsg, Turn};
use crate::state::overlay::Glyph;
use crate::state::overlay::menu::MenuItem;
use crate::state::{AppState, format};
use crate::text::{Key, key, say};

/// What can be chosen of how many bytes a second all together may take.
const SPEEDS: [u64; 4] = [1_000_000, 5_000_000, 10_000_000, 50_000_000];
/// What can be chosen of how many run at once.
const AT_ONCE: [u32; 4] = [1, 2, 3, 4];

impl AppState {
    /// What can be done with a download.
    pub(in crate::state) fn download_items(&self, id: DownloadId) -> Vec<MenuItem> {
        let Some(download) = self.downloads.get(id) else {
            return Vec::new();
        };
        let item =
            |glyph, words: Key, msg| MenuItem::new(glyph, self.texts().say(words, &[]), Msg::Downloads(msg));
        let mut items = Vec::new();
        match &download.state {
            DownloadState::Queued | DownloadState::Running { .. } | DownloadState::Verifying => {
                items.push(item(
                    Glyph::Pause,
                    key!("downloads-pause"),
                    DownloadsMsg::Pause(id),
                ));
            }
            DownloadState::Paused { .. } => {
                items.push(item(
                    Glyph::Play,
                    key!("downloads-resume"),
                    DownloadsMsg::Resume(id),
                ));
            }
            DownloadState::Failed { .. } => {
                items.push(item(
                    Glyph::Regenerate,
                    key!("downloads-retry"),
                    DownloadsMsg::Retry(id),
                ));
            }
            DownloadState::Done { .. } if file_of(download).is_some() => items.extend([
                item(Glyph::Chat, key!("downloads-use"), DownloadsMsg::UseInChat(id)),
                item(
                    Glyph::Folder,
                    key!("downloads-show"),
                    DownloadsMsg::ShowInFolder(id),
                ),
            ]),
            DownloadState::Done { .. } => (),
        }
        if let Some(page) = hindrance_of(download).and_then(page_of) {
            let words = say!(self.texts(), "downloads-open-page");
            items.push(MenuItem::new(Glyph::Export, words, Msg::FollowLink(page)));
        }
        let turns = [
            (Glyph::Up, key!("downloads-move-up"), Turn::Earlier),
            (Glyph::Down, key!("downloads-move-down"), Turn::Later),
            (Glyph::Up, key!("downloads-move-first"), Turn::First),
            (Glyph::Down, key!("downloads-move-last"), Turn::Last),
        ];
        let is_done = group_of(download) == Group::Done;
        let possible = turns
            .into_iter()
            .filter(|(.., turn)| !is_done && self.downloads.place(id, *turn).is_some());
        let moves = possible.map(|(glyph, words, turn)| item(glyph, words, DownloadsMsg::Move(id, turn)));
        items.extend(
            moves
                .enumerate()
                .map(|(index, it)| if index == 0 { it.apart() } else { it }),
        );
        let copy = say!(self.texts(), "downloads-copy-name");
        let name = match &download.request.file {
            Some(file) => format!("{}/{file}", download.request.model),
            None => name_of(&download.request),
        };
        items.push(MenuItem::new(Glyph::Copy, copy, Msg::CopyText(name)).apart());
        let remove = if is_done {
            key!("downloads-forget")
        } else {
            key!("downloads-remove")
        };
        let remove = item(Glyph::Trash, remove, DownloadsMsg::Remove(id));
        items.push(remove.keys(say!(self.texts(), "key-delete")).deletes());
        items
    }

    /// How fast all downloads may be, and how many run at once.
    pub(in crate::state) fn download_limits(&self) -> Vec<MenuItem> {
        let settings = self.settings();
        let item = |is_set: bool, words: String, msg| {
            let glyph = if is_set { Glyph::Check } else { Glyph::None };
            MenuItem::new(glyph, words, Msg::Downloads(msg))
        };
        let limit = settings.download_speed_limit;
        let speed = |speed: ByteSize| {
            let words = format::transfer_speed(self.texts(), speed.0 as f64);
            let words = say!(self.texts(), "downloads-limit", speed = words);
            item(
                limit == Some(speed),
                words,
                DownloadsMsg::SetSpeedLimit(Some(speed)),
            )
        };
        let no_limit = say!(self.texts(), "downloads-no-limit");
        let mut items = vec![item(limit.is_none(), no_limit, DownloadsMsg::SetSpeedLimit(None))];
        // One that was set elsewhere, as in a file.
        let own = limit.filter(|limit| !SPEEDS.contains(&limit.0));
        items.extend(SPEEDS.map(ByteSize).into_iter().chain(own).map(speed));
        let at_once = AT_ONCE.into_iter().map(|count| {
            let words = say!(self.texts(), "downloads-at-once", count = count);
            item(
                settings.downloads_at_once == count,
                words,
                DownloadsMsg::SetAtOnce(count),
            )
        });
        items.extend(
            at_once
                .enumerate()
                .map(|(index, it)| if index == 0 { it.apart() } else { it }),
        );
        items
    }
}
