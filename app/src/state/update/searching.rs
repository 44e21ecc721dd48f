//! Searching the chats, and showing what was found.

use crate::effect::{BackendEffect, WindowEffect};
use crate::state::conversation::Contents;
use crate::state::search::Hit;
use crate::state::{AppState, Page};

impl AppState {
    /// Gives the field that searches on this page the keyboard; where it has none, that of the chats.
    pub(super) fn focus_search(&mut self) {
        match self.page {
            Page::Models => self.want(WindowEffect::FocusModelFilter),
            Page::Discover => self.want(WindowEffect::FocusDiscover),
            Page::Chat | Page::Server | Page::Settings => {
                self.show_page(Page::Chat);
                self.want(WindowEffect::FocusSearch);
            }
        }
    }

    pub(super) fn change_search(&mut self, words: String) {
        let run = self.new_run();
        if self.search.change(words, run) {
            let words = self.search.words.trim().to_owned();
            self.ask(BackendEffect::Search { run, words });
        }
    }

    pub(super) fn leave_search(&mut self) {
        self.search.clear();
        self.focus_composer();
    }

    /// Shows the chat at the message. The search stays, so that the next hit can be looked at.
    pub(super) fn open_hit(&mut self, hit: Option<Hit>) {
        let Some(hit) = hit.filter(|hit| self.chats.get(hit.chat).is_some()) else {
            return;
        };
        self.open_chat(hit.chat);
        self.open.seek = hit.message;
        if self.open.contents == Contents::Here {
            self.seek();
        }
    }
}
