//! What the hub knows and remembers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::{HeaderMap, Method, Uri, header};
use tokio::sync::watch;

use crate::fault::{Fault, Place, Rule, take};
use crate::held::Held;
use crate::repo::Repo;

/// Entries of a page of a list, unless a test wants fewer.
const PAGE_LENGTH: usize = 1000;

/// Which of the two servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    Hub,
    Files,
}

/// A request that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Whether it came to the file host, else to the hub.
    pub on_file_host: bool,
    /// `GET` or `HEAD`.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// First and last byte asked for; the last may be left open.
    pub range: Option<(u64, Option<u64>)>,
    /// The header `Authorization`.
    pub authorization: Option<String>,
    /// The header `If-Range`.
    pub if_range: Option<String>,
}

/// Shared by all handlers.
pub(crate) struct State {
    pub(crate) hub: SocketAddr,
    pub(crate) files: SocketAddr,
    /// Whether bytes of files are neither counted nor held back.
    pub(crate) uncounted: bool,
    /// Bytes of files that may be sent in all.
    pub(crate) budget: watch::Sender<u64>,
    /// Bytes of files that were sent in all.
    pub(crate) sent: watch::Sender<u64>,
    /// Bodies of files that are being sent.
    pub(crate) sending: watch::Sender<usize>,
    /// The requests that are held.
    pub(crate) held: watch::Sender<Held>,
    /// Told when they are to be answered.
    pub(crate) released: watch::Sender<()>,
    world: Mutex<World>,
}

/// What tests change.
pub(crate) struct World {
    pub(crate) repos: BTreeMap<String, Repo>,
    /// By token: the account's name and the gated repositories it may read.
    pub(crate) tokens: HashMap<String, (String, HashSet<String>)>,
    pub(crate) faults: Vec<Rule>,
    pub(crate) seen: Vec<Seen>,
    pub(crate) first_valid_signature: u64,
    pub(crate) page_length: usize,
}

impl State {
    pub(crate) fn new(hub: SocketAddr, files: SocketAddr, uncounted: bool) -> Self {
        Self {
            hub,
            files,
            uncounted,
            budget: watch::Sender::new(u64::MAX),
            sent: watch::Sender::new(0),
            sending: watch::Sender::new(0),
            held: watch::Sender::default(),
            released: watch::Sender::default(),
            world: Mutex::new(World {
                repos: BTreeMap::new(),
                tokens: HashMap::new(),
                faults: Vec::new(),
                seen: Vec::new(),
                first_valid_signature: 0,
                page_length: PAGE_LENGTH,
            }),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World {
    /// Notes a request and gives the fault that is to be played for it.
    pub(crate) fn meet(
        &mut self,
        place: Place,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Option<Fault> {
        let text = |name| headers.get(name)?.to_str().ok().map(str::to_owned);
        self.seen.push(Seen {
            on_file_host: place == Place::File,
            method: method.to_string(),
            path: uri.to_string(),
            range: text(header::RANGE).as_deref().and_then(range),
            authorization: text(header::AUTHORIZATION),
            if_range: text(header::IF_RANGE),
        });
        take(&mut self.faults, place, uri.path())
    }

    /// The account of a request and the gated repositories it may read. `Err` for a token that nobody has.
    pub(crate) fn account(&self, headers: &HeaderMap) -> Result<Option<&(String, HashSet<String>)>, ()> {
        let Some(value) = headers.get(header::AUTHORIZATION) else {
            return Ok(None);
        };
        let token = value.to_str().ok().and_then(|text| text.strip_prefix("Bearer "));
        token.and_then(|token| self.tokens.get(token)).map(Some).ok_or(())
    }
}

/// `bytes=5-9` or `bytes=5-`.
pub(crate) fn range(text: &str) -> Option<(u64, Option<u64>)> {
    let (start, end) = text.strip_prefix("bytes=")?.split_once('-')?;
    Some((start.parse().ok()?, end.parse().ok()))
}
