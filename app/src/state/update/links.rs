//! Links that are clicked, here and elsewhere. Nothing is opened that nobody clicked.

use hearth_protocol::window::Handed;

use crate::effect::WindowEffect;
use crate::state::links::{self, AskedLink, Verdict};
use crate::state::my_models::import::ImportForm;
use crate::state::overlay::Overlay;
use crate::state::{AppState, Page};

impl AppState {
    /// Shows what Hearth was started with: a model on the page that finds models, a file in the form that imports it. Neither
    /// is downloaded, moved or loaded before the person says so.
    pub(super) fn take_handed(&mut self, handed: Option<Handed>) {
        match handed {
            Some(Handed::Model { model, file }) => self.show_linked(model, file),
            Some(Handed::File(path)) => {
                self.show_page(Page::Models);
                self.show_import(ImportForm {
                    path: path.display().to_string(),
                    ..ImportForm::default()
                });
            }
            None => (),
        }
    }

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
