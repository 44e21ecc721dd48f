//! Downloads: begun, paused, gone on with, and what the backend tells of them.

use hearth_protocol::download::DownloadEvent;

use crate::effect::BackendEffect;
use crate::effect::downloads::DownloadsEffect;
use crate::msg::downloads::{DownloadsMsg, DownloadsNews};
use crate::state::AppState;
use crate::text::say;

impl AppState {
    pub(super) fn update_downloads(&mut self, msg: DownloadsMsg) {
        self.ask_downloads(match msg {
            DownloadsMsg::Start(request) => DownloadsEffect::Start(request),
            DownloadsMsg::Pause(download) => DownloadsEffect::Pause(download),
            DownloadsMsg::Resume(download) => DownloadsEffect::Resume(download),
            DownloadsMsg::Retry(download) => DownloadsEffect::Retry(download),
        });
    }

    pub(super) fn take_downloads_news(&mut self, news: DownloadsNews) {
        match news {
            DownloadsNews::Event(DownloadEvent::Closed(error)) => {
                self.complain(&say!(self.texts(), "failed-start-download"), &error);
            }
            DownloadsNews::Event(event) => self.downloads.take(event),
            DownloadsNews::Started { result: Ok(_), .. } => (),
            DownloadsNews::Started {
                result: Err(error), ..
            } => self.complain(&say!(self.texts(), "failed-start-download"), &error),
        }
    }

    pub(super) fn ask_downloads(&mut self, effect: DownloadsEffect) {
        self.ask(BackendEffect::Downloads(effect));
    }
}
