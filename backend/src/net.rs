//! The one door to the network. No other file opens a connection outward.
//!
//! In offline mode no host name is resolved, so that whatever is built on the door's client stays at home. A client
//! that is made then reaches no address without a name either, nor a proxy; so make one for each piece of work.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hearth_protocol::{Error, Result};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How Hearth calls itself to others.
const USER_AGENT: &str = concat!("Hearth/", env!("CARGO_PKG_VERSION"));

/// Where a client that is made in offline mode sends everything; a name that stands for no host (RFC 6761).
const NOWHERE: &str = "nowhere.invalid";

/// The door. Cheap to clone; all clones open and close together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Net {
    offline: Arc<AtomicBool>,
}

impl Net {
    /// Closes or opens the door.
    pub(crate) fn set_offline(&self, offline: bool) {
        self.offline.store(offline, Ordering::Release);
    }

    /// A client of the hub over a cache on the disk. Reading the cache needs no network.
    ///
    /// # Errors
    /// [`Error::Internal`] where no TLS can be had or an address of the environment is no address.
    pub(crate) fn hub(&self, cache: &Path) -> Result<hf_hub::HFClient> {
        let builder = hf_hub::HFClient::builder()
            .client(self.client()?)
            .cache_dir(cache);
        builder.build().map_err(Error::internal)
    }

    fn client(&self) -> Result<reqwest::Client> {
        let door = Arc::new(Door {
            offline: Arc::clone(&self.offline),
        });
        let mut builder = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .dns_resolver(door);
        if self.offline.load(Ordering::Acquire) {
            // Names are refused by the door. An address in numbers, of a host or of a proxy that the environment
            // names, would pass it by.
            let nowhere = reqwest::Proxy::all(format!("http://{NOWHERE}")).map_err(Error::internal)?;
            builder = builder.proxy(nowhere);
        }
        builder.build().map_err(Error::internal)
    }
}

/// Resolves names as the system does, or not at all.
struct Door {
    offline: Arc<AtomicBool>,
}

impl Resolve for Door {
    fn resolve(&self, name: Name) -> Resolving {
        let offline = self.offline.load(Ordering::Acquire);
        Box::pin(async move {
            if offline {
                let what = match name.as_str() {
                    NOWHERE => "This".to_owned(),
                    name => name.to_owned(),
                };
                let reason = "offline mode is on; switch it off in the settings".into();
                return Err(Error::Offline { what, reason }.into());
            }
            let addresses: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_in_numbers_stays_behind_the_door_too() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let address = format!("http://{}/", listener.local_addr().expect("address"));
        let net = Net::default();
        net.set_offline(true);
        let client = net.client().expect("client");
        let error = client.get(&address).send().await.expect_err("offline");
        assert!(format!("{error:?}").contains("offline mode is on"), "{error:?}");
    }

    #[tokio::test]
    async fn the_door_closes_and_opens() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let port = listener.local_addr().expect("address").port();
        let net = Net::default();
        let client = net.client().expect("client");
        let address = format!("http://localhost:{port}/");

        net.set_offline(true);
        let error = client.get(&address).send().await.expect_err("offline");
        assert!(format!("{error:?}").contains("offline mode is on"), "{error:?}");

        net.set_offline(false);
        let request = tokio::spawn(async move { client.get(&address).send().await });
        assert!(listener.accept().await.is_ok(), "the request arrives");
        request.abort();
    }
}
