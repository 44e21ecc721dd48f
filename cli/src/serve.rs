//! `hearth-cli serve`: runs the local server until Ctrl-C.

mod install;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossbeam_channel::bounded;
use hearth_protocol::server::{ServerConfig, ServerEvent, ServerStatus, TlsFiles};
use hearth_protocol::{Client, Error};
use serde::Serialize;

use crate::arguments::{ServeArguments, ServeOptions};
use crate::exit::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::list::json;
use crate::log::{Ended, LogView, follow};

pub(crate) use install::install;

/// How long a Hearth that has just begun may take until it serves.
const SOON: Duration = Duration::from_secs(5);

/// Whose backend the server runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// This command's.
    Here,
    /// That of a Hearth that ran already.
    Elsewhere,
    /// That of one that began at the same time as this command: what it serves shows in a moment.
    BegunElsewhere,
}

/// What a script sees before the log. Fields may be added, none is renamed.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line {
    /// It can be asked: where, and where from other computers.
    Serving { url: String, network: Vec<String> },
    /// It is over.
    Stopped,
}

/// Starts the server, shows its log, and stops it at Ctrl-C. One that ran before is only shown.
pub(crate) fn serve(
    client: &Client,
    interrupts: &Interrupts,
    arguments: &ServeArguments,
    runs: Runs,
) -> Result<Exit, Failure> {
    let _run = interrupts.run();
    let view = LogView::new(arguments.json, Some(0));
    let (status, is_ours) = start(client, &arguments.options, runs)?;
    let ServerStatus::Running {
        address,
        https,
        network,
        ..
    } = status
    else {
        return Err(Error::internal("the server started and does not run").into());
    };
    let url = |address| format!("{}://{address}", if https { "https" } else { "http" });
    let elsewhere = network.into_iter().map(|ip| SocketAddr::new(ip, address.port()));
    tell_address(
        arguments.json,
        url(address),
        elsewhere.map(url).collect(),
        is_ours,
    )?;
    match follow(client, interrupts, &view, true)? {
        Ended::Interrupted if is_ours => stop(client, interrupts)?,
        Ended::Interrupted => {
            writeln!(io::stderr().lock(), "The Hearth that runs goes on serving.")?;
            return Ok(Exit::Done);
        }
        Ended::Stopped => (),
    }
    match arguments.json {
        true => json(&Line::Stopped),
        false => {
            writeln!(io::stderr().lock(), "The server has stopped.")?;
            Ok(Exit::Done)
        }
    }
}

/// The server as it runs, and whether this command began it.
fn start(client: &Client, options: &ServeOptions, runs: Runs) -> Result<(ServerStatus, bool), Failure> {
    let asks_for_more = *options != ServeOptions::default();
    let status = match runs {
        Runs::Here | Runs::Elsewhere => client.server_status().wait()?,
        Runs::BegunElsewhere => status_soon(client)?,
    };
    match status {
        // One that began with this Hearth, as the settings say, goes on or begins anew as it was typed.
        ServerStatus::Running { .. } if runs == Runs::Here => (),
        ServerStatus::Running { address, .. } if asks_for_more => {
            return Err(Error::Busy {
                what: "The server".into(),
                reason: format!(
                    "a Hearth serves at {address} already; stop it first, or follow it by `hearth-cli serve` without \
                     options"
                ),
            }
            .into());
        }
        status @ ServerStatus::Running { .. } => return Ok((status, false)),
        ServerStatus::Stopped => (),
    }
    let config = config(client.read_settings().wait()?.server, options)?;
    config.validate()?;
    Ok((client.start_server(config).wait()?, true))
}

/// The settings' way to serve, with what was typed in place of it.
fn config(base: ServerConfig, options: &ServeOptions) -> io::Result<ServerConfig> {
    let whole = |path: &PathBuf| std::path::absolute(path);
    let tls = match (&options.tls_certificate, &options.tls_key) {
        (Some(certificate), Some(key)) => Some(TlsFiles {
            certificate: whole(certificate)?,
            key: whole(key)?,
        }),
        _ => base.tls,
    };
    let or = |typed: &Vec<String>, base: Vec<String>| match typed.is_empty() {
        true => base,
        false => typed.clone(),
    };
    Ok(ServerConfig {
        port: options.port.unwrap_or(base.port),
        network: options.network || base.network,
        keys_required: options.require_key || base.keys_required,
        cors_origins: or(&options.cors_origins, base.cors_origins),
        hosts: or(&options.hosts, base.hosts),
        tls,
        log_prompts: options.log_prompts || base.log_prompts,
        start_with_hearth: base.start_with_hearth,
    })
}

/// The status of a server that may be about to start.
fn status_soon(client: &Client) -> Result<ServerStatus, Error> {
    let events = client.watch_server();
    let end = Instant::now() + SOON;
    loop {
        let rest = end.saturating_duration_since(Instant::now());
        match events.next_timeout(rest) {
            Ok(Some(ServerEvent::Status(status @ ServerStatus::Running { .. }))) => return Ok(status),
            Ok(Some(ServerEvent::Closed(error))) => return Err(error),
            Ok(Some(_)) => (),
            Ok(None) => return Err(Error::BackendGone),
            // It serves nobody.
            Err(_) => return Ok(ServerStatus::Stopped),
        }
    }
}

fn tell_address(as_json: bool, url: String, network: Vec<String>, is_ours: bool) -> Result<(), Failure> {
    if as_json {
        json(&Line::Serving { url, network })?;
        return Ok(());
    }
    let end = match is_ours {
        true => "Ctrl-C stops it.",
        false => "It ran already; Ctrl-C leaves it running.",
    };
    writeln!(io::stdout().lock(), "Hearth serves at {url}")?;
    if !network.is_empty() {
        let urls = network.join(" or ");
        writeln!(io::stderr().lock(), "Other computers reach it at {urls}")?;
    }
    writeln!(io::stderr().lock(), "{end}")?;
    Ok(())
}

/// Stops the server. A second Ctrl-C does not wait for the requests that still run.
fn stop(client: &Client, interrupts: &Interrupts) -> Result<(), Failure> {
    let stopping = client.stop_server();
    let (sender, stopped) = bounded(1);
    // A thread of its own, since waiting for an answer heeds no Ctrl-C. It ends with the process then.
    std::thread::spawn(move || drop(sender.send(stopping.wait())));
    match interrupts.wait_for(&stopped) {
        Some(outcome) => Ok(outcome?),
        None => Err(Error::Cancelled.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_goes_before_the_settings() {
        let base = ServerConfig {
            port: 4000,
            cors_origins: vec!["https://a.example".into()],
            ..ServerConfig::default()
        };
        let none = ServeOptions::default();
        assert_eq!(config(base.clone(), &none).expect("a folder"), base);
        let typed = ServeOptions {
            port: Some(0),
            require_key: true,
            cors_origins: vec!["*".into()],
            tls_certificate: Some("/c.pem".into()),
            tls_key: Some("k.pem".into()),
            ..ServeOptions::default()
        };
        let config = config(base, &typed).expect("a folder");
        assert_eq!((config.port, config.keys_required), (0, true));
        assert_eq!(config.cors_origins, ["*"]);
        let tls = config.tls.expect("files");
        assert!(tls.key.is_absolute() && tls.key.ends_with("k.pem"));
    }
}
