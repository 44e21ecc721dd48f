//! Whether a window can open here.

use std::net::TcpStream;

/// TCP port of display 0.
const FIRST_PORT: u16 = 6000;

/// Where an X server listens.
#[derive(Debug, PartialEq, Eq)]
enum Server<'a> {
    Here(&'a str),
    At(&'a str, u16),
}

/// Whether a window can open. On Linux it needs X11; a server that is named and does not answer counts as none.
pub(super) fn is_there() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let display = std::env::var("DISPLAY").unwrap_or_default();
    match server(&display) {
        Some(Server::Here(number)) => answers_here(number),
        Some(Server::At(host, port)) => TcpStream::connect((host, port)).is_ok(),
        None => false,
    }
}

/// Reads `[HOST]:NUMBER[.SCREEN]`.
fn server(display: &str) -> Option<Server<'_>> {
    let (host, number) = display.rsplit_once(':')?;
    let number = number.split('.').next()?;
    let port = number.parse::<u16>().ok()?.checked_add(FIRST_PORT)?;
    Some(match host {
        "" | "unix" => Server::Here(number),
        host => Server::At(host, port),
    })
}

#[cfg(target_os = "linux")]
fn answers_here(number: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};

    let path = format!("/tmp/.X11-unix/X{number}");
    UnixStream::connect(&path).is_ok()
        || SocketAddr::from_abstract_name(&path)
            .is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn answers_here(_number: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_names_a_server_here_or_elsewhere() {
        let cases = [
            (":0", Some(Server::Here("0"))),
            (":99.0", Some(Server::Here("99"))),
            ("unix:1", Some(Server::Here("1"))),
            ("localhost:10.0", Some(Server::At("localhost", 6010))),
            ("", None),
            (":", None),
            ("localhost", None),
            (":60000", None),
        ];
        for (display, expected) in cases {
            assert_eq!(server(display), expected, "{display}");
        }
    }
}
