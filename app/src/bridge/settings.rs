//! The part of the bridge that the page of settings asks.

use hearth_protocol::Result;

use super::{Bridge, drain_run};
use crate::effect::settings::SettingsEffect;
use crate::msg::News;
use crate::msg::settings::SettingsNews;

impl Bridge {
    /// Asks the backend for something of the page of settings.
    pub(super) fn run_settings(&mut self, effect: SettingsEffect) {
        match effect {
            SettingsEffect::ReadHub => self.await_settings(self.client.hub_status(), SettingsNews::Hub),
            SettingsEffect::ReadOwner => self.await_settings(self.client.hub_account(), SettingsNews::Owner),
            SettingsEffect::KeepToken(token) => {
                self.await_settings(self.client.set_hub_token(token), SettingsNews::TokenKept);
            }
            SettingsEffect::ForgetToken => {
                self.await_settings(self.client.forget_hub_token(), SettingsNews::TokenForgotten);
            }
            SettingsEffect::ListDevices => self.await_settings(self.client.devices(), SettingsNews::Devices),
            SettingsEffect::WatchUsage => self.usage = Some(self.client.watch_usage()),
            // Nothing is measured any more once nobody listens.
            SettingsEffect::LeaveUsage => self.usage = None,
            SettingsEffect::ReadDiskUse => self.await_settings(self.client.disk_use(), SettingsNews::DiskUse),
            SettingsEffect::ReadKept => self.await_settings(self.client.kv_stored(), SettingsNews::Kept),
            SettingsEffect::EmptyKept => {
                self.await_settings(self.client.empty_kv_store(), SettingsNews::Emptied);
            }
            SettingsEffect::ExportAll(path) => {
                self.await_settings(self.client.export_all_chats(path), SettingsNews::AllExported);
            }
            SettingsEffect::MoveData(to) => {
                self.await_settings(self.client.move_data(to), SettingsNews::DataMoves);
            }
            SettingsEffect::DeleteAll => {
                self.await_settings(self.client.delete_all(), SettingsNews::AllDeleted);
            }
        }
    }

    fn await_settings<T: 'static>(
        &mut self,
        answer: hearth_protocol::Answer<T>,
        news: fn(Result<T>) -> SettingsNews,
    ) {
        self.await_news(answer, move |result| News::SettingsPage(news(result)));
    }

    /// Tells what was measured since the last time.
    pub(super) fn drain_usage(&mut self, news: &mut Vec<News>) {
        if let Some(events) = &self.usage
            && !drain_run(events, |event| {
                news.push(News::SettingsPage(SettingsNews::Usage(event)))
            })
        {
            self.usage = None;
        }
    }
}
