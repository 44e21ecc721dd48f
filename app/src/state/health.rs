//! What is wrong with the whole: the backend is gone, or nothing can be stored.

use hearth_protocol::Error;

use super::failure;
use crate::text::{Texts, say};

/// What is wrong with the whole. Neither heals before Hearth starts again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Health {
    /// The backend has stopped.
    pub(crate) backend_gone: bool,
    /// Nothing can be stored: why. A database of a newer Hearth can still be read.
    pub(crate) storage: Option<Error>,
}

/// A notice above everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Banner {
    /// Whether it hinders everything, or writing only.
    pub(crate) kind: BannerKind,
    /// What happened and what to do.
    pub(crate) text: String,
}

/// How bad a banner is, for its icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BannerKind {
    /// Some things cannot be done.
    Warning,
    /// Nothing can be done.
    Failed,
}

impl Health {
    /// Notes an error that is about the whole; whether it is one, which the banner then tells.
    pub(super) fn note(&mut self, error: &Error) -> bool {
        match error {
            Error::BackendGone => self.backend_gone = true,
            Error::NewerDatabase { .. } => self.storage = Some(error.clone()),
            error => return self.storage.as_ref() == Some(error),
        }
        true
    }

    /// Notes what the check of the storage found.
    pub(super) fn note_storage(&mut self, error: Error) {
        match error {
            Error::BackendGone => self.backend_gone = true,
            error => self.storage = Some(error),
        }
    }

    /// The banner; `None` while all is well.
    pub(crate) fn banner(&self, texts: &Texts) -> Option<Banner> {
        if self.backend_gone {
            return Some(Banner {
                kind: BannerKind::Failed,
                text: failure::words(texts, &Error::BackendGone),
            });
        }
        self.storage.as_ref().map(|error| match error {
            Error::NewerDatabase { .. } => Banner {
                kind: BannerKind::Warning,
                text: failure::words(texts, error),
            },
            error => Banner {
                kind: BannerKind::Failed,
                text: say!(texts, "banner-no-storage", reason = failure::words(texts, error)),
            },
        })
    }
}
