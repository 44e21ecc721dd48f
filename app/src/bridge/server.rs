//! The server's part of the bridge.

use super::{Bridge, drain_run};
use crate::effect::server::ServerEffect;
use crate::msg::News;
use crate::msg::server::ServerNews;

impl Bridge {
    /// Asks the backend for something of the server.
    pub(super) fn run_server(&mut self, effect: ServerEffect) {
        match effect {
            ServerEffect::Watch => self.server = Some(self.client.watch_server()),
            ServerEffect::Start(config) => {
                let answer = self.client.start_server((*config).clone());
                self.await_news(answer, |result| {
                    News::Server(ServerNews::Started { config, result })
                });
            }
            ServerEffect::Stop => self.await_news(self.client.stop_server(), |result| {
                News::Server(ServerNews::Stopped(result))
            }),
            ServerEffect::ListKeys => self.await_news(self.client.list_api_keys(), |result| {
                News::Server(ServerNews::Keys(result))
            }),
            ServerEffect::MakeKey(name) => self.await_news(self.client.make_api_key(name), |result| {
                News::Server(ServerNews::KeyMade(result))
            }),
            ServerEffect::RevokeKey(key) => self.await_news(self.client.revoke_api_key(key), move |result| {
                News::Server(ServerNews::KeyRevoked { key, result })
            }),
        }
    }

    /// Tells what the server said since the last time.
    pub(super) fn drain_server(&mut self, news: &mut Vec<News>) {
        if let Some(events) = &self.server
            && !drain_run(events, |event| news.push(News::Server(ServerNews::Event(event))))
        {
            self.server = None;
        }
    }
}
