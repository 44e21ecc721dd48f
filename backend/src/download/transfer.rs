//! Fetches what is missing of one file: parts over several connections, each tried again as long as that brings bytes.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use hearth_protocol::{Error, ModelId, Result};
use http::{HeaderMap, HeaderValue, header};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use url::Url;

use super::Surroundings;
use super::answer::{Asked, Trouble, check, strong};
use super::disk::Piece;
use super::limiter::Limiter;
use super::plan::Plan;
use super::progress::Progress;
use super::ranges::Ranges;
use super::tries::{Broken, Next, Tries};
use crate::hub::{Hub, Location};
use crate::net::{HttpError, offline};

/// Redirects from host to host that a file may take.
const MAX_HOPS: usize = 4;

/// What all parts of a file need.
pub(super) struct Source {
    pub(super) hub: Hub,
    pub(super) model: ModelId,
    pub(super) commit: String,
    pub(super) path: String,
    pub(super) size: u64,
    /// Whether the hub has told a hash of it.
    pub(super) has_hash: bool,
    pub(super) limiter: Limiter,
    pub(super) progress: Arc<Progress>,
    pub(super) surroundings: Arc<Surroundings>,
    /// Host and strong ETag under which the bytes come.
    pub(super) etag: Mutex<Option<(String, String)>>,
    /// Whether another ETag means another file.
    pub(super) heeds_etags: AtomicBool,
    /// Where the bytes are, and the how-manieth address that is. Empty once it does not hold any more.
    pub(super) location: tokio::sync::Mutex<(u64, Option<Location>)>,
}

/// Why a part ended before its end.
enum Stop {
    /// It may go on.
    Trouble(Trouble),
    /// It may not.
    Refused(Error),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// A part that ended.
struct Ended {
    part: Range<u64>,
    /// The end of what came.
    reached: u64,
    began: Instant,
    outcome: std::result::Result<(), Stop>,
}

/// Fetches these gaps and sends what comes to the one who writes. It has all come, or the writer has ended, when this
/// is done. Dropping it ends all connections.
///
/// # Errors
/// [`Error::Transfer`] where trying brings no more bytes, [`Error::Offline`], or what the hub refuses with.
pub(super) async fn fetch(
    source: Arc<Source>,
    gaps: Vec<Range<u64>>,
    pieces: mpsc::Sender<Piece>,
) -> Result<()> {
    let mut plan = Plan::new(gaps);
    let mut running = JoinSet::new();
    let mut rest_until: Option<Instant> = None;
    let mut tries = Tries::new(source.has_hash, Instant::now());
    loop {
        while rest_until.is_none()
            && let Some(part) = plan.take(running.len())
        {
            running.spawn(Arc::clone(&source).part(part, plan.is_whole(), pieces.clone()));
        }
        let rest = tokio::time::sleep_until(rest_until.unwrap_or_else(Instant::now));
        let ended = tokio::select! {
            Some(ended) = running.join_next() => ended.map_err(Error::internal)?,
            () = rest, if rest_until.is_some() => {
                rest_until = None;
                continue;
            }
            else => return Ok(()),
        };
        let trouble = match ended.outcome {
            Ok(()) => {
                tries.succeeded();
                plan.succeeded(ended.part.end - ended.part.start, ended.began.elapsed());
                continue;
            }
            Err(Stop::Refused(error)) => return Err(error),
            // The writer says why.
            Err(Stop::Trouble(Trouble::NotWritten)) => return Ok(()),
            Err(Stop::Trouble(Trouble::Offline)) => return Err(offline("This download")),
            Err(Stop::Trouble(trouble)) => trouble,
        };
        tracing::info!(file = source.path, reason = trouble.words(), "a part broke off");
        let broken = Broken {
            part: ended.part.clone(),
            reached: ended.reached,
            began: ended.began,
            trouble: &trouble,
        };
        let rest = match tries.failed(Instant::now(), &broken) {
            Next::GiveUp => {
                return Err(Error::Transfer {
                    file: source.path.clone(),
                    reason: trouble.words(),
                });
            }
            Next::Again(rest) => {
                plan.failed(ended.reached..ended.part.end);
                rest
            }
            Next::Anew(rest) => {
                running.shutdown().await;
                source.forget_etag(tries.heeds_etags());
                if pieces.send(Piece::Reset).await.is_err() {
                    return Ok(());
                }
                plan = if tries.is_whole() {
                    Plan::whole(source.size)
                } else {
                    Plan::new(Ranges::default().gaps(source.size))
                };
                rest
            }
        };
        source.progress.set_trouble(Some(trouble.words()));
        if let Some(rest) = rest.and_then(|tries| source.rest(&trouble, tries)) {
            let until = Instant::now() + rest;
            rest_until = Some(rest_until.map_or(until, |other| other.max(until)));
        }
    }
}

impl Source {
    /// Fetches a part as far as it comes.
    async fn part(self: Arc<Self>, part: Range<u64>, is_whole: bool, pieces: mpsc::Sender<Piece>) -> Ended {
        let began = Instant::now();
        let mut reached = part.start;
        let outcome = self.receive(&part, is_whole, &mut reached, &pieces).await;
        Ended {
            part,
            reached,
            began,
            outcome,
        }
    }

    async fn receive(
        &self,
        part: &Range<u64>,
        is_whole: bool,
        reached: &mut u64,
        pieces: &mpsc::Sender<Piece>,
    ) -> std::result::Result<(), Stop> {
        let (number, mut location) = self.locate().await?;
        let stall = self.surroundings.stall;
        let mut hops = 0;
        let (mut response, host) = loop {
            let host = location.url.authority().to_owned();
            let etag = self.etag_of(&host);
            let headers = headers((!is_whole).then_some(part), etag.as_deref());
            let opening = timeout(stall, self.hub.open(&location, headers)).await;
            let response = opening
                .map_err(|_| self.stalled(&location.url))?
                .map_err(broken)?;
            let to = response.redirect(&location.url).map_err(broken)?;
            match to.filter(|_| hops < MAX_HOPS) {
                Some(url) => {
                    hops += 1;
                    location = Location { url, ..location };
                }
                None => break (response, host),
            }
        };
        let etag = self.etag_of(&host);
        let asked = Asked {
            range: (!is_whole).then(|| part.clone()),
            size: self.size,
            etag: etag.as_deref().filter(|_| !is_whole),
            is_page: self.path.ends_with(".html"),
        };
        let checked = check(response.status(), response.headers(), &asked);
        if matches!(checked, Err(Trouble::Expired(_) | Trouble::Changed)) {
            self.expire(number).await;
        }
        checked?;
        let etag = response
            .header(header::ETAG.as_str())
            .and_then(strong)
            .map(str::to_owned);
        self.learn_etag(&host, etag, pieces).await?;
        while *reached < part.end {
            let chunk = timeout(stall, response.chunk()).await;
            let chunk = chunk.map_err(|_| self.stalled(&location.url))?;
            let chunk = chunk
                .map_err(broken)?
                .ok_or_else(|| self.broken_off(&location.url, "ended the connection before the file did"))?;
            let wanted = usize::try_from(part.end - *reached)
                .unwrap_or(usize::MAX)
                .min(chunk.len());
            self.write(*reached, chunk.slice(..wanted), pieces).await?;
            *reached += wanted as u64;
        }
        Ok(())
    }

    fn stalled(&self, url: &Url) -> Trouble {
        self.broken_off(url, "sent nothing for too long")
    }

    fn broken_off(&self, url: &Url, what: &str) -> Trouble {
        Trouble::Broken(format!("{} {what}", self.hub.way(url)))
    }

    async fn write(
        &self,
        offset: u64,
        bytes: Bytes,
        pieces: &mpsc::Sender<Piece>,
    ) -> std::result::Result<(), Stop> {
        let length = bytes.len();
        self.progress.receive(length as u64);
        let sent = pieces.send(Piece::Bytes(offset, bytes)).await;
        sent.map_err(|_| Trouble::NotWritten)?;
        self.limiter.take(length).await;
        Ok(())
    }

    /// The address of the bytes and its number; asks the hub where the last one does not hold any more.
    async fn locate(&self) -> std::result::Result<(u64, Location), Stop> {
        let mut kept = self.location.lock().await;
        if let (number, Some(location)) = &*kept {
            return Ok((*number, location.clone()));
        }
        let location = self.hub.locate(&self.model, &self.commit, &self.path).await;
        let location = location.map_err(|error| match error {
            Error::HubDown { reason } => Trouble::Broken(reason).into(),
            Error::TooManyRequests { seconds } => Trouble::Wait(Duration::from_secs(seconds)).into(),
            Error::Offline { .. } => Trouble::Offline.into(),
            error => Stop::Refused(error),
        })?;
        let number = kept.0 + 1;
        *kept = (number, Some(location.clone()));
        Ok((number, location))
    }

    /// The address of this number does not hold any more.
    async fn expire(&self, number: u64) {
        let mut kept = self.location.lock().await;
        if kept.0 == number {
            kept.1 = None;
        }
    }

    fn etag_of(&self, host: &str) -> Option<String> {
        let known = self.etag.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, etag) = known.as_ref()?;
        (of == host).then(|| etag.clone())
    }

    /// Forgets the ETag; whether one is learned again.
    fn forget_etag(&self, heeds_etags: bool) {
        self.heeds_etags.store(heeds_etags, Ordering::Relaxed);
        *self.etag.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Remembers the ETag of the first answer of a host, for all that follow.
    async fn learn_etag(
        &self,
        host: &str,
        etag: Option<String>,
        pieces: &mpsc::Sender<Piece>,
    ) -> std::result::Result<(), Stop> {
        let Some(etag) = etag else { return Ok(()) };
        if self.etag_of(host).is_some() || !self.heeds_etags.load(Ordering::Relaxed) {
            return Ok(());
        }
        let learned = (host.to_owned(), etag);
        *self.etag.lock().unwrap_or_else(PoisonError::into_inner) = Some(learned.clone());
        let sent = pieces.send(Piece::Etag(learned.0, learned.1)).await;
        Ok(sent.map_err(|_| Trouble::NotWritten)?)
    }

    /// How long to rest after a part broke off; not at all where bytes came, or an address has only expired.
    fn rest(&self, trouble: &Trouble, fruitless: u32) -> Option<Duration> {
        match (trouble, fruitless) {
            (Trouble::Wait(time), _) => Some(*time),
            (_, 0) | (Trouble::Expired(_) | Trouble::NoRanges | Trouble::Changed, 1) => None,
            (_, tries) => Some(self.surroundings.rest(tries, fastrand::f64())),
        }
    }
}

/// The headers of a request for a part, or for the whole.
fn headers(part: Option<&Range<u64>>, etag: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some(part) = part else { return headers };
    let range = format!("bytes={}-{}", part.start, part.end.saturating_sub(1));
    let pairs = [(header::RANGE, Some(range.as_str())), (header::IF_RANGE, etag)];
    for (name, value) in pairs {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    }
    headers
}

fn broken(error: HttpError) -> Trouble {
    match error {
        HttpError::Offline => Trouble::Offline,
        HttpError::Broken(reason) => Trouble::Broken(format!("the connection broke: {reason}")),
    }
}
