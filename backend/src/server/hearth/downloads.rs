//! `POST /api/v1/models/download` and `/api/v1/downloads`: files from the hub, where offline mode allows it.

use std::ops::ControlFlow;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState};
use hearth_protocol::{Answer, Client, DownloadId, Error, ModelId};
use serde::{Deserialize, Serialize};

use super::stream::{Writer, fail, stream};
use crate::download::request::check;
use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::{Listening, answer};
use crate::server::part::Part;
use crate::server::refusal::Refusal;
use crate::server::site::Site;
use crate::server::sse::Frames;
use crate::server::ticket::Ticket;

/// What a client sends.
#[derive(Deserialize)]
struct Wire {
    /// `owner/name` on the hub.
    model: String,
    /// The file; none takes the one that suits most machines.
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    revision: Option<String>,
    /// Tell how far it is, to its end.
    #[serde(default)]
    stream: bool,
}

/// All downloads.
#[derive(Serialize)]
struct Downloads {
    downloads: Vec<Download>,
}

/// Starts a download, or gives the one that runs for this file.
pub(super) async fn start(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let wire: Wire = taken_apart(&body, parse).await?;
    let request = DownloadRequest {
        model: ModelId(wire.model),
        file: wire.file,
        revision: wire.revision,
    };
    check(&request)?;
    if answer(site.client(), Client::hub_status).await?.offline {
        let message = "Hearth is in offline mode and downloads nothing. Switch it off in the settings first.";
        return Err(Refusal::coded(StatusCode::FORBIDDEN, "offline", message));
    }
    let id = answer(site.client(), |client| client.start_download(request)).await?;
    // The news begin with how all of them stand.
    let mut run = Listening::begin(site.client(), Client::watch_downloads);
    let mut writer = DownloadFrames { id, ticket };
    if wire.stream {
        return Ok(stream(&site, run, writer, Frames::default()));
    }
    loop {
        match run.next().await {
            Some(DownloadEvent::Changed(download)) if download.id == id => return Ok(ok(&download)),
            Some(DownloadEvent::Closed(error)) => return Err(error.into()),
            None => return Err(Error::BackendGone.into()),
            Some(event) => {
                if writer.write(event, &mut Frames::default()).is_break() {
                    return Err(Error::Cancelled.into());
                }
            }
        }
    }
}

/// Tells all downloads, in the order in which they come to their turn.
pub(super) async fn list(State(site): State<Site>) -> Result<Response, Refusal> {
    let downloads = answer(site.client(), Client::list_downloads).await?;
    Ok(ok(&Downloads { downloads }))
}

/// Pauses a download; what is on the disk is kept.
pub(super) async fn pause(State(site): State<Site>, Part(id): Part) -> Result<Response, Refusal> {
    change(&site, &id, Client::pause_download).await
}

/// Goes on with a download that is paused or has failed.
pub(super) async fn resume(State(site): State<Site>, Part(id): Part) -> Result<Response, Refusal> {
    change(&site, &id, Client::resume_download).await
}

/// Ends a download and removes what is on the disk; one that is done only leaves the list.
pub(super) async fn cancel(State(site): State<Site>, Part(id): Part) -> Result<Response, Refusal> {
    change(&site, &id, Client::cancel_download).await
}

/// Changes a download, and tells all as they are then.
async fn change(
    site: &Site,
    id: &str,
    ask: impl FnOnce(&Client, DownloadId) -> Answer<()>,
) -> Result<Response, Refusal> {
    let unknown = || Refusal::new(StatusCode::NOT_FOUND, format!("There is no download “{id}”."));
    let number = id.parse().map(DownloadId).map_err(|_| unknown())?;
    let downloads = answer(site.client(), Client::list_downloads).await?;
    if !downloads.iter().any(|download| download.id == number) {
        return Err(unknown());
    }
    answer(site.client(), |client| ask(client, number)).await?;
    list(State(site.clone())).await
}

/// Makes the frames of one download.
struct DownloadFrames {
    id: DownloadId,
    ticket: Ticket,
}

impl Writer<DownloadEvent> for DownloadFrames {
    fn write(&mut self, event: DownloadEvent, frames: &mut Frames) -> ControlFlow<()> {
        match event {
            DownloadEvent::Changed(download) if download.id == self.id => {
                if let DownloadState::Failed { error } = &download.state {
                    fail(error.clone(), Some(&self.ticket), frames);
                    return ControlFlow::Break(());
                }
                let is_done = matches!(download.state, DownloadState::Done { .. });
                frames.event(if is_done { "done" } else { "progress" }, &download);
                if is_done {
                    return ControlFlow::Break(());
                }
            }
            DownloadEvent::Removed(id) if id == self.id => {
                fail(Error::Cancelled, Some(&self.ticket), frames);
                return ControlFlow::Break(());
            }
            DownloadEvent::Closed(error) => {
                fail(error, Some(&self.ticket), frames);
                return ControlFlow::Break(());
            }
            DownloadEvent::Changed(_) | DownloadEvent::Removed(_) | DownloadEvent::Order(_) => (),
        }
        ControlFlow::Continue(())
    }
}
