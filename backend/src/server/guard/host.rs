//! Whether a request calls the server by one of its names.
//!
//! A foreign web page can have a name of its own resolve to this machine (DNS rebinding) and then counts, for a
//! browser, as this server's own page. So a name that is not ours is refused; an address cannot be forged that way.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use hearth_protocol::server::ServerConfig;

use crate::server::refusal::Refusal;

/// Refuses a request whose `Host` is not ours.
///
/// # Errors
/// 400 where it has none or several, 403 where it has a foreign one.
pub(super) fn check(headers: &HeaderMap, uri: &Uri, config: &ServerConfig) -> Result<(), Refusal> {
    // Which of several is meant, each would understand in its own way (RFC 9112).
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            "The request has more than one Host header.",
        ));
    }
    let header = headers
        .get(header::HOST)
        .map(|host| host.to_str().unwrap_or_default());
    // The address itself may hold a host, as for a proxy; then that one counts for others.
    let mut names = header
        .into_iter()
        .chain(uri.authority().map(Authority::as_str))
        .peekable();
    if names.peek().is_none() {
        return Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            "The request has no Host header.",
        ));
    }
    match names.find(|name| !is_ours(name, &config.hosts)) {
        None => Ok(()),
        Some(name) => {
            let message = format!(
                "This server is not called {name:?}. Use its address or localhost, or add the name to the server's hosts."
            );
            Err(Refusal::coded(StatusCode::FORBIDDEN, "host_not_allowed", message))
        }
    }
}

fn is_ours(host: &str, more: &[String]) -> bool {
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    let name = authority.host();
    // What is left is a port, if anything: no name of a person before the host, and no port that there cannot be.
    let is_port = |port: &str| port.is_empty() || (port.parse::<u16>().is_ok() && !port.starts_with('+'));
    match host.strip_prefix(name) {
        Some("") => (),
        Some(rest) if rest.strip_prefix(':').is_some_and(is_port) => (),
        _ => return false,
    }
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    if let Some(bare) = bare {
        // Which network card, as in `fe80::1%eth0`, is no part of the address.
        let (address, _) = bare.split_once('%').unwrap_or((bare, ""));
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let name = name.strip_suffix('.').unwrap_or(name).to_lowercase();
    name.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || name.ends_with(".localhost")
        || more.iter().any(|host| host.eq_ignore_ascii_case(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_host() {
        for (hosts, status) in [
            (&["localhost"][..], None),
            (&[], Some(400)),
            (&["localhost", "localhost"], Some(400)),
            (&["localhost", "evil.com"], Some(400)),
            (&["evil.com"], Some(403)),
        ] {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, host.parse().expect("a header"));
            }
            let checked = check(&headers, &Uri::from_static("/health"), &ServerConfig::default());
            let refused = checked.err().map(|refusal| refusal.status.as_u16());
            assert_eq!(refused, status, "{hosts:?}");
        }
    }

    #[test]
    fn a_host_in_the_address_must_be_ours_too() {
        for (uri, host, status) in [
            ("http://localhost:1/health", Some("localhost"), None),
            ("http://127.0.0.1/health", None, None),
            ("http://evil.com/health", Some("localhost"), Some(403)),
            ("http://localhost/health", Some("evil.com"), Some(403)),
            ("http://user@localhost/health", Some("localhost"), Some(403)),
            ("http://evil.com/health", None, Some(403)),
        ] {
            let mut headers = HeaderMap::new();
            headers.extend(host.map(|host| (header::HOST, host.parse().expect("a header"))));
            let checked = check(&headers, &Uri::from_static(uri), &ServerConfig::default());
            let refused = checked.err().map(|refusal| refusal.status.as_u16());
            assert_eq!(refused, status, "{uri} {host:?}");
        }
    }

    #[test]
    fn only_our_own_names_and_addresses_are_ours() {
        let more = ["Workstation.local".to_owned()];
        for host in [
            "localhost",
            "LOCALHOST:1234",
            "app.localhost:1",
            "127.0.0.1:1234",
            "192.168.1.7",
            "[::1]:1234",
            "[2001:db8::7]:1234",
            "[fe80::1%25eth0]:1234",
            "localhost:",
            "localhost:65535",
            "workstation.local:1234",
            "localhost.",
        ] {
            assert!(is_ours(host, &more), "{host}");
        }
        for host in [
            "evil.com",
            "localhost.evil.com",
            "127.0.0.1.evil.com",
            "evil.com:1234",
            "[evil]",
            "[evil%25eth0]",
            "",
            "a b",
            "workstation.local.evil.com",
            "user@localhost",
            "user:secret@127.0.0.1:1234",
            "evil.com@localhost",
            "localhost@evil.com",
            "localhost:65536",
            "localhost:http",
            "localhost:+80",
            "localhost:-1",
            "[::1]x",
            "localhost/",
        ] {
            assert!(!is_ours(host, &more), "{host}");
        }
    }
}
