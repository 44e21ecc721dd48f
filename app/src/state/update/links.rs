//! Links that are clicked. Nothing is opened that nobody clicked.

use crate::effect::WindowEffect;
use crate::state::AppState;
use crate::state::links::{self, AskedLink, Verdict};

impl AppState {
    /// Opens a link, or asks first.
    pub(super) fn follow_link(&mut self, address: String) {
        let can_open = match links::judge(&address) {
            Verdict::Open => return self.want(WindowEffect::OpenLink(address)),
            Verdict::Ask => true,
            Verdict::Never => false,
        };
        self.asked_link = Some(AskedLink { address, can_open });
        self.want(WindowEffect::FocusQuestion);
    }

    /// Answers the question: opens the link.
    pub(super) fn open_asked_link(&mut self) {
        if let Some(link) = self.asked_link.take_if(|link| link.can_open) {
            self.want(WindowEffect::OpenLink(link.address));
        }
        self.focus_composer();
    }

    /// Answers the question: copies the address and opens nothing.
    pub(super) fn copy_asked_link(&mut self) {
        if let Some(link) = self.asked_link.take() {
            self.want(WindowEffect::Copy(link.address));
        }
        self.focus_composer();
    }

    /// Answers the question: does nothing.
    pub(super) fn close_asked_link(&mut self) {
        self.asked_link = None;
        self.focus_composer();
    }
}
