//! The downloads' part of the bridge.

use hearth_protocol::{Answer, Result};

use super::{Bridge, drain_run};
use crate::effect::downloads::DownloadsEffect;
use crate::msg::News;
use crate::msg::downloads::DownloadsNews;

impl Bridge {
    /// Asks the backend for something of downloads.
    pub(super) fn run_downloads(&mut self, effect: DownloadsEffect) {
        match effect {
            DownloadsEffect::Watch => self.downloads = Some(self.client.watch_downloads()),
            DownloadsEffect::Start(request) => {
                let answer = self.client.start_download(request.clone());
                let news = |result| News::Downloads(DownloadsNews::Started { request, result });
                self.await_news(answer, news);
            }
            DownloadsEffect::Pause(download) => self.await_change(self.client.pause_download(download)),
            DownloadsEffect::Resume(download) => self.await_change(self.client.resume_download(download)),
            DownloadsEffect::Retry(download) => self.await_change(self.client.retry_download(download)),
            DownloadsEffect::Cancel(download) => self.await_change(self.client.cancel_download(download)),
            DownloadsEffect::Move(download, to) => {
                self.await_change(self.client.move_download(download, to));
            }
            DownloadsEffect::ReadRoom => self.await_news(self.client.disk_use(), |result| {
                News::Downloads(DownloadsNews::Room(result))
            }),
        }
    }

    /// What a change did comes with the news of the list.
    fn await_change(&mut self, answer: Answer<()>) {
        let refused = |result: Result<()>| {
            let error = result.err()?;
            Some(News::Downloads(DownloadsNews::Refused(error)))
        };
        self.await_answer(answer, refused);
    }

    /// Tells what became of downloads since the last time.
    pub(super) fn drain_downloads(&mut self, news: &mut Vec<News>) {
        let tell = |event| news.push(News::Downloads(DownloadsNews::Event(event)));
        if let Some(events) = &self.downloads
            && !drain_run(events, tell)
        {
            self.downloads = None;
        }
    }
}
