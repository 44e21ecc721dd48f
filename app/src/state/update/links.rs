//! Links that are clicked. Nothing is opened that nobody clicked.

use crate::effect::WindowEffect;
use crate::state::AppState;
use crate::state::links::{self, AskedLink, Verdict};
use crate::state::overlay::Overlay;

impl AppState {
    /// Opens a link, or asks first.
    pub(super) fn follow_link(&mut self, address: String) {
        let can_open = match links::judge(&address) {
            Verdict::Open => return self.want(WindowEffect::OpenLink(address)),
            Verdict::Ask => true,
            Verdict::Never => false,
        };
        self.overlay = Some(Overlay::Link(AskedLink { address, can_open }));
        self.want(WindowEffect::FocusOverlay);
    }

    /// Answers the question: opens the link, if it can be opened.
    pub(super) fn open_asked_link(&mut self) {
        if let Some(link) = self.take_asked_link().filter(|link| link.can_open) {
            self.want(WindowEffect::OpenLink(link.address));
        }
    }

    /// Answers the question: copies the address and opens nothing.
    pub(super) fn copy_asked_link(&mut self) {
        if let Some(link) = self.take_asked_link() {
            self.want(WindowEffect::Copy(link.address));
        }
    }

    /// Closes the question; gives the link that it was about.
    fn take_asked_link(&mut self) -> Option<AskedLink> {
        let Some(Overlay::Link(link)) = &self.overlay else {
            return None;
        };
        let link = link.clone();
        self.close_overlay();
        Some(link)
    }
}
