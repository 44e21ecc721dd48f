//! What the panel of downloads says: its head and foot, and each row.

use hearth_protocol::download::{Download, DownloadRequest, DownloadState};
use hearth_protocol::{DownloadId, Error};

use super::{Group, file_of, group_of, hindrance_of, share_of, whole_of};
use crate::state::{AppState, failure, format};
use crate::text::{Texts, say};

/// Between the parts of a line.
const SEPARATOR: &str = " · ";
/// How quantisations begin in names of files, in capitals.
const QUANTISATIONS: [&str; 8] = ["IQ", "TQ", "MXFP", "BF16", "F16", "F32", "FP16", "Q"];

/// A download in the panel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DownloadRow {
    /// Which.
    pub(crate) id: DownloadId,
    /// Its model, such as `Qwen3 8B`.
    pub(crate) name: String,
    /// Its quantisation; empty where its name tells none.
    pub(crate) tag: String,
    /// Its like.
    pub(crate) group: Group,
    /// The share that is on the disk, 0.0 to 1.0.
    pub(crate) share: f32,
    /// What has come.
    pub(crate) amount: String,
    /// How fast, how long still.
    pub(crate) pace: String,
    /// What is in the way and what to do; empty where nothing is.
    pub(crate) reason: String,
    /// Whether what came was compared with the hub's hash.
    pub(crate) verified: bool,
    /// Whether its file can be used and shown.
    pub(crate) has_file: bool,
    /// The page where what keeps it can be mended.
    pub(crate) page: Option<String>,
}

/// The head and the foot of the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PanelText {
    /// How many are active and how fast.
    pub(crate) caption: String,
    /// What is free on the disk; empty until that is known.
    pub(crate) free: String,
    /// Whether some can be paused.
    pub(crate) can_pause: bool,
    /// Whether none can be paused and some can go on.
    pub(crate) can_resume: bool,
    /// Whether some are done.
    pub(crate) can_clear: bool,
}

/// What the panel says where it has no rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoRows {
    /// In a few words.
    pub(crate) title: String,
    /// More of it, and what to do.
    pub(crate) text: String,
    /// Whether the list did not come and can be asked for again; else there is no download.
    pub(crate) has_failed: bool,
}

impl AppState {
    /// A row of the panel.
    pub(crate) fn download_row(&self, download: &Download) -> DownloadRow {
        row(self.texts(), download)
    }

    /// What the panel's head and foot say.
    pub(crate) fn downloads_text(&self) -> PanelText {
        let (texts, downloads) = (self.texts(), &self.downloads);
        let active = downloads.active();
        let can_go_on = |it: &Download| matches!(it.state, DownloadState::Paused { .. });
        let paused = downloads.shown().filter(|it| can_go_on(it)).count();
        let mut caption = Vec::new();
        if active > 0 {
            let speed = format::transfer_speed(texts, downloads.speed());
            caption.push(say!(texts, "downloads-active", count = active, speed = speed));
        } else if paused > 0 {
            caption.push(say!(texts, "downloads-paused", count = paused));
        }
        if let Some(limit) = self.settings().download_speed_limit.filter(|_| active > 0) {
            let limit = format::transfer_speed(texts, limit.0 as f64);
            caption.push(say!(texts, "downloads-limited", speed = limit));
        }
        let free = downloads.free().map(|free| format::size(texts, free));
        PanelText {
            caption: caption.join(SEPARATOR),
            free: free.map_or_else(String::new, |free| say!(texts, "downloads-free", size = free)),
            can_pause: active > 0,
            can_resume: active == 0 && paused > 0,
            can_clear: downloads.has(Group::Done),
        }
    }

    /// What stands in the place of rows; `None` where there are some.
    pub(crate) fn no_downloads(&self) -> Option<NoRows> {
        let texts = self.texts();
        if let Some(error) = self.downloads.closed() {
            return Some(NoRows {
                title: say!(texts, "failed-downloads"),
                text: failure::words(texts, error),
                has_failed: true,
            });
        }
        let (title, text) = if self.settings().offline {
            (
                say!(texts, "downloads-offline-title"),
                say!(texts, "downloads-offline-text"),
            )
        } else {
            (
                say!(texts, "downloads-empty-title"),
                say!(texts, "downloads-empty-text"),
            )
        };
        (self.downloads.len() == 0).then_some(NoRows {
            title,
            text,
            has_failed: false,
        })
    }

    /// What has come of a download, to be said in a question.
    pub(in crate::state) fn amount_of(&self, download: &Download) -> String {
        format::size(self.texts(), download.done)
    }
}

fn row(texts: &Texts, download: &Download) -> DownloadRow {
    let hindrance = hindrance_of(download);
    let (amount, pace, trouble) = words_of(texts, download);
    let reason = hindrance.map(|error| failure::words(texts, error));
    DownloadRow {
        id: download.id,
        name: name_of(&download.request),
        tag: quantisation_of(&download.request).unwrap_or_default(),
        group: group_of(download),
        share: share_of(download).unwrap_or_default(),
        amount,
        pace,
        reason: reason.or(trouble).unwrap_or_default(),
        verified: matches!(download.state, DownloadState::Done { verified: true, .. }),
        has_file: file_of(download).is_some(),
        page: hindrance.and_then(page_of),
    }
}

/// What has come, at what pace, and what is in the way at the moment.
fn words_of(texts: &Texts, download: &Download) -> (String, String, Option<String>) {
    let amount = amount_in_words(texts, download);
    match &download.state {
        DownloadState::Queued => (amount, say!(texts, "downloads-waiting"), None),
        DownloadState::Running {
            bytes_per_second,
            seconds_left,
            trouble,
        } => {
            let speed = format::transfer_speed(texts, *bytes_per_second);
            let left = seconds_left.map(|seconds| {
                let time = format::rough_time(seconds);
                say!(texts, "downloads-left", time = time)
            });
            let pace: Vec<_> = [Some(speed), left].into_iter().flatten().collect();
            (
                amount,
                pace.join(SEPARATOR),
                trouble.as_deref().map(failure::sentence),
            )
        }
        DownloadState::Paused { reason: None } => {
            let share = share_of(download).map(format::percent).unwrap_or_default();
            (say!(texts, "downloads-paused-at", amount = amount), share, None)
        }
        DownloadState::Paused { reason: Some(_) } | DownloadState::Failed { .. } => {
            let is_wrong = matches!(hindrance_of(download), Some(Error::WrongHash { .. }));
            let kept = match download.total {
                // Nothing of it is kept, whatever had come.
                Some(total) if is_wrong => format::size(texts, total),
                _ if download.done.0 > 0 => say!(texts, "downloads-kept", amount = amount),
                // The hub said nothing of it.
                None => String::new(),
                _ => amount,
            };
            (kept, String::new(), None)
        }
        DownloadState::Verifying => (amount, say!(texts, "downloads-verifying"), None),
        DownloadState::Done { verified, .. } => {
            let size = format::size(texts, download.total.unwrap_or(download.done));
            let checked = if *verified {
                say!(texts, "downloads-hash-matches")
            } else {
                say!(texts, "downloads-no-hash")
            };
            (format!("{size}{SEPARATOR}{checked}"), String::new(), None)
        }
    }
}

/// `3.63 of 5.85 GB`; what has come alone until the whole is known.
fn amount_in_words(texts: &Texts, download: &Download) -> String {
    match (download.total, share_of(download)) {
        (Some(total), Some(share)) if download.done.0 > 0 => format::part_of_size(texts, share, total),
        (Some(total), _) => {
            say!(
                texts,
                "number-part",
                part = "0",
                whole = format::size(texts, total)
            )
        }
        (None, _) if download.done.0 > 0 => format::size(texts, download.done),
        (None, _) => say!(texts, "downloads-size-unknown"),
    }
}

/// A page where what keeps a download can be mended.
pub(super) fn page_of(error: &Error) -> Option<String> {
    match error {
        Error::NoAccess { page, .. } | Error::TokenRefused { page } => Some(page.clone()),
        _ => None,
    }
}

/// What the model of a request is called: the name of its repository without its owner, with spaces.
pub(crate) fn name_of(request: &DownloadRequest) -> String {
    let model = request.model.as_str();
    let name = model.rsplit_once('/').map_or(model, |(_, name)| name);
    let at = name.len().saturating_sub("-gguf".len());
    let is_gguf = name
        .get(at..)
        .is_some_and(|end| end.eq_ignore_ascii_case("-gguf"));
    let name = if is_gguf { &name[..at] } else { name };
    name.replace(['-', '_'], " ")
}

/// The quantisation that the name of a file tells: `Q4_K_M` of `m.Q4_K_M.gguf`.
pub(crate) fn quantisation_of(request: &DownloadRequest) -> Option<String> {
    let file = request.file.as_deref()?;
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    let mut words = whole_of(name).split(['-', '.']).map(str::to_uppercase);
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let is_one = |word: &String| {
        let mut begins = QUANTISATIONS.into_iter();
        has_digit(word)
            && begins.any(|begin| {
                let rest = word.strip_prefix(begin);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(|it: char| it.is_ascii_digit()))
            })
    };
    words.rfind(is_one)
}
