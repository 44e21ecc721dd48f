//! The services that do as the settings say.

use hearth_protocol::settings::Settings;

use crate::download::Downloads;
use crate::engine::Engine;
use crate::hub::Hub;
use crate::library::Library;
use crate::net::Net;

/// The services that heed settings.
#[derive(Clone)]
pub(super) struct Heeding {
    pub(super) net: Net,
    pub(super) engine: Engine,
    pub(super) hub: Hub,
    pub(super) downloads: Downloads,
    pub(super) library: Library,
}

impl Heeding {
    /// Takes what the settings say from now on.
    pub(super) fn heed(&self, settings: &Settings) {
        self.net.set_offline(settings.offline);
        self.net.set_proxy(settings.proxy.as_deref());
        self.hub.heed(settings);
        self.engine.heed(settings);
        self.downloads.heed(settings);
        self.library.heed(settings);
    }
}
