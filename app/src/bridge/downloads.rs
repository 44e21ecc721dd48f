//! The downloads' part of the bridge.

use super::{Bridge, drain_run};
use crate::effect::downloads::DownloadsEffect;
use crate::msg::News;
use crate::msg::downloads::DownloadsNews;

impl Bridge {
    /// Asks the backend for something of the downloads.
    pub(super) fn run_downloads(&mut self, effect: DownloadsEffect) {
        match effect {
            DownloadsEffect::Watch => self.downloads = Some(self.client.watch_downloads()),
            DownloadsEffect::Start(request) => {
                self.await_news(self.client.start_download(request.clone()), |result| {
                    News::Downloads(DownloadsNews::Started { request, result })
                });
            }
            DownloadsEffect::Pause(download) => self.await_refusal(self.client.pause_download(download)),
            DownloadsEffect::Resume(download) => self.await_refusal(self.client.resume_download(download)),
            DownloadsEffect::Retry(download) => self.await_refusal(self.client.retry_download(download)),
        }
    }

    /// Tells what the downloads did since the last time.
    pub(super) fn drain_downloads(&mut self, news: &mut Vec<News>) {
        if let Some(events) = &self.downloads
            && !drain_run(events, |event| {
                news.push(News::Downloads(DownloadsNews::Event(event)))
            })
        {
            self.downloads = None;
        }
    }
}
