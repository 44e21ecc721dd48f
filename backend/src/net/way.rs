//! Which way requests go, for the words of what goes wrong on it: the host that is asked, and the proxy before it.

use std::sync::Arc;

use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

/// The ways of a client. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Ways(Arc<Matcher>);

impl Ways {
    /// Those through the proxy of the settings, else through the environment's and the system's.
    pub(super) fn new(proxy: Option<&str>) -> Self {
        Self(Arc::new(match proxy {
            Some(proxy) => Matcher::builder().all(proxy).no(no_proxy()).build(),
            None => Matcher::from_system(),
        }))
    }

    /// The host of an address, with the proxy that leads there: `hub.example through the proxy 10.0.0.1:3128`. Nothing else
    /// of either address, both of which may hold secrets.
    pub(super) fn name(&self, url: &Url) -> String {
        let host = with_port(url.host_str().unwrap_or_default(), url.port());
        let proxy = url.as_str().parse().ok().and_then(|uri| self.0.intercept(&uri));
        match proxy {
            Some(proxy) => {
                let proxy = proxy.uri();
                let proxy = with_port(proxy.host().unwrap_or_default(), proxy.port_u16());
                format!("{host} through the proxy {proxy}")
            }
            None => host,
        }
    }
}

fn with_port(host: &str, port: Option<u16>) -> String {
    port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The hosts that no proxy leads to, as `NO_PROXY` says.
fn no_proxy() -> String {
    let variable = |name| std::env::var(name).ok();
    variable("NO_PROXY")
        .or_else(|| variable("no_proxy"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_names_host_and_proxy_and_none_of_their_secrets() {
        let through = Matcher::builder()
            .all("http://person:secret@proxy.example:3128")
            .no("local.example")
            .build();
        let through = Ways(Arc::new(through));
        let cases = [
            (
                "https://person:secret@hub.example/o/n?token=secret#x",
                "hub.example through the proxy proxy.example:3128",
            ),
            (
                "http://hub.example:8730/a",
                "hub.example:8730 through the proxy proxy.example:3128",
            ),
            ("http://local.example/a?b=c", "local.example"),
            (
                "http://[::1]:8730/",
                "[::1]:8730 through the proxy proxy.example:3128",
            ),
        ];
        for (url, expected) in cases {
            assert_eq!(through.name(&Url::parse(url).expect("an address")), expected);
        }
    }
}
