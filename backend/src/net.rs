//! The one door to the network. No other file opens a connection outward.
//!
//! In offline mode no host name is resolved, so that whatever is built on the door's client stays at home. A client
//! that is made then reaches no address without a name either, nor a proxy; so make one for each piece of work.

mod request;
mod way;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hearth_protocol::{Error, Result};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

pub(crate) use request::{Http, HttpError, Response, onward};
use way::Ways;

/// How Hearth calls itself to others.
const USER_AGENT: &str = concat!("Hearth/", env!("CARGO_PKG_VERSION"));

/// Where a client that is made in offline mode sends everything; a name that stands for no host (RFC 6761).
const NOWHERE: &str = "nowhere.invalid";

/// What is said where offline mode refuses.
const OFFLINE_REASON: &str =
    "offline mode is on; switch it off in the settings, or with hearth-cli settings offline false";

/// How long a connection may take to open, before the host counts as not there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// The door. Cheap to clone; all clones open and close together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Net {
    offline: Arc<AtomicBool>,
    /// Offline whatever the settings say.
    always_offline: bool,
    /// The proxy of the settings.
    proxy: Arc<Mutex<Option<String>>>,
    /// The client for requests, made at the first one: that reads the system's certificates.
    http: Arc<Mutex<Option<Http>>>,
}

impl Net {
    /// An open door, or one that never opens.
    pub(crate) fn new(always_offline: bool) -> Self {
        let net = Self {
            always_offline,
            ..Self::default()
        };
        net.set_offline(false);
        net
    }

    /// Closes or opens the door.
    pub(crate) fn set_offline(&self, offline: bool) {
        self.offline
            .store(offline || self.always_offline, Ordering::Release);
    }

    /// Whether the door is closed.
    pub(crate) fn is_offline(&self) -> bool {
        self.offline.load(Ordering::Acquire)
    }

    /// Sends what follows through this proxy; `None` takes the environment's and the system's.
    pub(crate) fn set_proxy(&self, proxy: Option<&str>) {
        let mut now = self.proxy.lock().unwrap_or_else(PoisonError::into_inner);
        if now.as_deref() != proxy {
            *now = proxy.map(str::to_owned);
            *self.http.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// The client for requests of our own.
    ///
    /// # Errors
    /// [`Error::Offline`]; [`Error::Invalid`] for a proxy that is no address; [`Error::Internal`] where no TLS can be
    /// had.
    pub(crate) fn http(&self) -> Result<Http> {
        if self.is_offline() {
            return Err(offline("This"));
        }
        let mut kept = self.http.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(http) = kept.as_ref() {
            return Ok(http.clone());
        }
        // Parts of a file come over connections of their own, which is what makes them fast.
        let builder = self
            .builder()?
            .http1_only()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT);
        let proxy = self.proxy.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let ways = Ways::new(proxy.as_deref());
        let http = Http::new(self, builder.build().map_err(Error::internal)?, ways);
        *kept = Some(http.clone());
        Ok(http)
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
        self.builder()?.build().map_err(Error::internal)
    }

    fn builder(&self) -> Result<reqwest::ClientBuilder> {
        let door = Arc::new(Door {
            offline: Arc::clone(&self.offline),
        });
        let mut builder = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .dns_resolver(door);
        let proxy = self.proxy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(proxy) = proxy.as_deref() {
            let proxy = reqwest::Proxy::all(proxy)
                .map_err(|_| Error::invalid("proxy", "is no address of a proxy"))?
                .no_proxy(reqwest::NoProxy::from_env());
            builder = builder.proxy(proxy);
        }
        if self.is_offline() {
            // Names are refused by the door. An address in numbers, of a host or of a proxy that the environment
            // names, would pass it by.
            let nowhere = reqwest::Proxy::all(format!("http://{NOWHERE}")).map_err(Error::internal)?;
            builder = builder.no_proxy().proxy(nowhere);
        }
        Ok(builder)
    }
}

/// Resolves names as the system does, or not at all.
struct Door {
    offline: Arc<AtomicBool>,
}

impl Resolve for Door {
    fn resolve(&self, name: Name) -> Resolving {
        let is_closed = self.offline.load(Ordering::Acquire);
        Box::pin(async move {
            if is_closed {
                let what = match name.as_str() {
                    NOWHERE => "This".to_owned(),
                    name => name.to_owned(),
                };
                return Err(offline(&what).into());
            }
            let addresses: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// The refusal of offline mode.
pub(crate) fn offline(what: &str) -> Error {
    Error::Offline {
        what: what.to_owned(),
        reason: OFFLINE_REASON.to_owned(),
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
