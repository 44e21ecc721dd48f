//! `hearth-cli downloads`: the list of downloads, and what becomes of one.

use std::io::{self, Write};

use hearth_protocol::download::{Download, DownloadState};
use hearth_protocol::{Client, DownloadId, Error};

use crate::arguments::{DownloadsArguments, DownloadsCommand};
use crate::exit::{Exit, Failure};
use crate::list::{json, table};
use crate::text::{or_dash, printable};

const NONE: &str = "No download is in the list.";

/// Lists the downloads, or pauses, goes on with or ends one.
pub(crate) fn downloads(client: &Client, arguments: &DownloadsArguments) -> Result<Exit, Failure> {
    match &arguments.command {
        None => list(client, arguments.json),
        Some(DownloadsCommand::List { json }) => list(client, *json),
        Some(DownloadsCommand::Cancel { downloads }) => each(client, downloads, |download| {
            client.cancel_download(download.id).wait()?;
            Ok(match download.state {
                DownloadState::Done { .. } => "left the list; its file stays",
                _ => "is cancelled, and what came of it is removed",
            })
        }),
        Some(DownloadsCommand::Pause { downloads }) => each(client, downloads, |download| {
            client.pause_download(download.id).wait()?;
            Ok("is paused")
        }),
        Some(DownloadsCommand::Resume { downloads }) => each(client, downloads, |download| {
            client.resume_download(download.id).wait()?;
            Ok("goes on")
        }),
    }
}

fn list(client: &Client, as_json: bool) -> Result<Exit, Failure> {
    let downloads = client.list_downloads().wait()?;
    if as_json {
        return json(&downloads);
    }
    let rows: Vec<_> = downloads.iter().map(row).collect();
    table(["ID", "MODEL", "FILE", "HAS", "OF", "STATE"], &rows, NONE)
}

fn row(download: &Download) -> [String; 6] {
    [
        download.id.to_string(),
        download.request.model.to_string(),
        or_dash(download.request.file.clone()),
        download.done.to_string(),
        or_dash(download.total.map(|total| total.to_string())),
        printable(&state(&download.state)),
    ]
}

/// Where a download stands, in a few words.
fn state(state: &DownloadState) -> String {
    match state {
        DownloadState::Queued => "waits".into(),
        DownloadState::Running { trouble: None, .. } => "runs".into(),
        DownloadState::Running {
            trouble: Some(trouble),
            ..
        } => format!("runs; {trouble}"),
        DownloadState::Paused { reason: None } => "paused".into(),
        DownloadState::Paused { reason: Some(error) } => format!("paused: {error}"),
        DownloadState::Verifying => "is checked".into(),
        DownloadState::Failed { error } => format!("failed: {error}"),
        DownloadState::Done { verified: true, .. } => "done".into(),
        DownloadState::Done { verified: false, .. } => "done, unverified".into(),
    }
}

/// Does something with each of the downloads that are named, and says what.
fn each(
    client: &Client,
    named: &[i64],
    act: impl Fn(&Download) -> Result<&'static str, Error>,
) -> Result<Exit, Failure> {
    let list = client.list_downloads().wait()?;
    let find = |id: i64| {
        let found = list.iter().find(|download| download.id == DownloadId(id));
        found.ok_or_else(|| Error::NotFound {
            what: "download".into(),
            name: id.to_string(),
            known: list.iter().map(|download| download.id.to_string()).collect(),
        })
    };
    // One that is not there keeps nothing from happening to the others by half.
    let downloads = named.iter().map(|id| find(*id)).collect::<Result<Vec<_>, _>>()?;
    let mut output = io::stdout().lock();
    for download in downloads {
        let what = act(download)?;
        writeln!(
            output,
            "{} {what}.",
            printable(&download.request.model.to_string())
        )?;
    }
    Ok(Exit::Done)
}
