//! Removing files that are of no use any more.

use hearth_protocol::Result;
use hearth_protocol::library::{Cleaned, Leftover};

use crate::effect::WindowEffect;
use crate::effect::my_models::MyModelsEffect;
use crate::state::my_models::clean_up::CleanUp;
use crate::state::overlay::Overlay;
use crate::state::{AppState, Page, format};
use crate::text::say;

impl AppState {
    pub(super) fn ask_clean_up(&mut self) {
        if self.page != Page::Models {
            self.show_page(Page::Models);
        }
        self.overlay = Some(Overlay::CleanUp(CleanUp::default()));
        self.want(WindowEffect::FocusOverlay);
        self.ask_my_models(MyModelsEffect::ListLeftovers);
    }

    pub(super) fn take_leftovers(&mut self, result: Result<Vec<Leftover>>) {
        if let Some(Overlay::CleanUp(dialog)) = &mut self.overlay {
            dialog.take(result);
        }
    }

    pub(super) fn tick_leftover(&mut self, index: usize) {
        if let Some(Overlay::CleanUp(dialog)) = &mut self.overlay {
            dialog.tick(index);
        }
    }

    pub(super) fn clean_up(&mut self) {
        let Some(Overlay::CleanUp(dialog)) = &mut self.overlay else {
            return;
        };
        let (paths, confirmed) = dialog.wanted();
        if paths.is_empty() || dialog.running {
            return;
        }
        dialog.running = true;
        self.ask_my_models(MyModelsEffect::Clean { paths, confirmed });
    }

    pub(super) fn take_cleaned(&mut self, result: Result<Cleaned>) {
        if let Some(Overlay::CleanUp(dialog)) = &self.overlay
            && dialog.running
        {
            self.overlay = None;
        }
        match result {
            Ok(cleaned) => self.tell_cleaned(&cleaned),
            Err(error) => self.complain(&say!(self.texts(), "failed-clean-up"), &error),
        }
        self.read_about_models();
    }

    fn tell_cleaned(&mut self, cleaned: &Cleaned) {
        let now = self.present.now;
        if cleaned.removed > 0 {
            let size = format::size(self.texts(), cleaned.freed);
            let title = say!(self.texts(), "done-clean-up", size = size);
            let text = say!(self.texts(), "done-clean-up-count", count = cleaned.removed);
            self.toasts.done(&title, text, None, now);
        }
        if let Some((path, reason)) = cleaned.kept.first() {
            let title = say!(self.texts(), "failed-clean-up-some", count = cleaned.kept.len());
            let text = format!("{}: {reason}", self.short_path(path));
            self.toasts.trouble(&title, text, None, now);
        }
    }
}
