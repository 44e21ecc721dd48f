//! Downloads: what the person does with them, what became of them, and who is told of it.

use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState};
use hearth_protocol::{DownloadId, FileId, Result};

use crate::effect::downloads::DownloadsEffect;
use crate::effect::{BackendEffect, WindowEffect};
use crate::msg::Msg;
use crate::msg::downloads::{DownloadsMsg, DownloadsNews};
use crate::state::downloads::view::{name_of, quantisation_of};
use crate::state::downloads::{Group, Taken, Use, file_of, group_of, loses_by_removal, path_in};
use crate::state::overlay::Overlay;
use crate::state::overlay::confirm::Confirm;
use crate::state::toast::ToastAction;
use crate::state::{AppState, Page, Redraw, failure};
use crate::text::say;

impl AppState {
    pub(super) fn update_downloads(&mut self, msg: DownloadsMsg) {
        match msg {
            DownloadsMsg::Toggle if self.downloads.is_open => self.close_downloads(),
            DownloadsMsg::Toggle => self.show_downloads(),
            DownloadsMsg::Close => self.close_downloads(),
            DownloadsMsg::Start(request) => self.start_download(request),
            DownloadsMsg::Pause(id) => self.ask_downloads(DownloadsEffect::Pause(id)),
            DownloadsMsg::Resume(id) => self.ask_downloads(DownloadsEffect::Resume(id)),
            DownloadsMsg::Retry(id) => self.ask_downloads(DownloadsEffect::Retry(id)),
            DownloadsMsg::Remove(id) => self.remove_download(id),
            DownloadsMsg::Cancel(id) => self.ask_downloads(DownloadsEffect::Cancel(id)),
            DownloadsMsg::Move(id, turn) => {
                if let Some(place) = self.downloads.place(id, turn) {
                    self.ask_downloads(DownloadsEffect::Move(id, place));
                }
            }
            DownloadsMsg::Act(id) => self.act_on_download(id),
            DownloadsMsg::PauseAll => {
                self.ask_each(DownloadsEffect::Pause, |it| group_of(it) == Group::Active);
            }
            DownloadsMsg::ResumeAll => self.ask_each(DownloadsEffect::Resume, |it| {
                matches!(it.state, DownloadState::Paused { .. })
            }),
            DownloadsMsg::ClearDone => {
                self.ask_each(DownloadsEffect::Cancel, |it| group_of(it) == Group::Done);
            }
            DownloadsMsg::UseInChat(id) => {
                if let Some(file) = self.file_of_download(id) {
                    self.use_in_chat(file);
                }
            }
            DownloadsMsg::ShowInFolder(id) => {
                if let Some(file) = self.file_of_download(id) {
                    self.use_file(file, Use::Folder);
                }
            }
            DownloadsMsg::SetSpeedLimit(limit) => {
                self.change_settings(|settings| settings.download_speed_limit = limit);
            }
            DownloadsMsg::SetAtOnce(count) => {
                self.change_settings(|settings| settings.downloads_at_once = count);
            }
            DownloadsMsg::Watch => {
                self.downloads.forget();
                self.ask_downloads(DownloadsEffect::Watch);
            }
            DownloadsMsg::NotShown(path, reason) => {
                let title = say!(self.texts(), "failed-show-in-folder");
                let text = say!(
                    self.texts(),
                    "error-file",
                    path = path.display().to_string(),
                    reason = reason
                );
                self.toasts.trouble(&title, text, None, self.present.now);
            }
        }
    }

    pub(super) fn take_downloads_news(&mut self, news: DownloadsNews) {
        match news {
            DownloadsNews::Event(event) => self.take_download_event(event),
            DownloadsNews::Started { request, result } => self.take_started(&request, result),
            DownloadsNews::Refused(error) => {
                self.complain(&say!(self.texts(), "failed-download-change"), &error);
            }
            // A disk that does not tell what is free is no trouble.
            DownloadsNews::Room(result) => {
                self.downloads.note_free(result.ok().and_then(|room| room.free));
                self.redraw = self.redraw_of_downloads();
            }
        }
    }

    pub(super) fn show_downloads(&mut self) {
        self.overlay = None;
        self.commit_rename();
        self.downloads.is_open = true;
        self.ask_room();
        self.want(WindowEffect::FocusDownloads);
    }

    pub(super) fn close_downloads(&mut self) {
        self.downloads.is_open = false;
        self.focus_composer();
    }

    fn start_download(&mut self, request: DownloadRequest) {
        if self.downloads.begin_start(&request) {
            self.ask_downloads(DownloadsEffect::Start(request));
        }
    }

    fn take_started(&mut self, request: &DownloadRequest, result: Result<DownloadId>) {
        self.downloads.end_start(request);
        if let Err(error) = result {
            let model = name_of(request);
            let title = say!(self.texts(), "failed-download-start", model = model);
            self.complain(&title, &error);
        }
    }

    /// Takes one away. What is lost by that and took time to come is asked about.
    fn remove_download(&mut self, id: DownloadId) {
        let Some(download) = self.downloads.get(id) else {
            return;
        };
        if !loses_by_removal(download) {
            return self.ask_downloads(DownloadsEffect::Cancel(id));
        }
        let (model, amount) = (name_of(&download.request), self.amount_of(download));
        let texts = self.texts();
        self.overlay = Some(Overlay::Confirm(Confirm {
            title: say!(texts, "confirm-remove-download", model = model),
            text: say!(texts, "confirm-remove-download-text", amount = amount.as_str()),
            button: say!(texts, "confirm-remove-download-button", amount = amount.as_str()),
            then: Box::new(Msg::Downloads(DownloadsMsg::Cancel(id))),
        }));
        self.want(WindowEffect::FocusOverlay);
    }

    fn act_on_download(&mut self, id: DownloadId) {
        let Some(download) = self.downloads.get(id) else {
            return;
        };
        match &download.state {
            DownloadState::Queued | DownloadState::Running { .. } | DownloadState::Verifying => {
                self.ask_downloads(DownloadsEffect::Pause(id));
            }
            DownloadState::Paused { .. } => self.ask_downloads(DownloadsEffect::Resume(id)),
            DownloadState::Failed { .. } => self.ask_downloads(DownloadsEffect::Retry(id)),
            DownloadState::Done { .. } => {
                if let Some(file) = file_of(download).cloned() {
                    self.use_in_chat(file);
                }
            }
        }
    }

    fn file_of_download(&self, id: DownloadId) -> Option<FileId> {
        self.downloads.get(id).and_then(file_of).cloned()
    }

    /// Begins a chat with a model.
    pub(super) fn use_in_chat(&mut self, file: FileId) {
        self.new_chat();
        self.use_file(file, Use::Chat);
    }

    /// Uses a file, once the library has listed it.
    fn use_file(&mut self, file: FileId, then: Use) {
        let path = path_in(self.models.files.as_ref(), &file);
        match (then, path) {
            (Use::Chat, Some(_)) => self.load(&file),
            (Use::Folder, Some(path)) => self.want(WindowEffect::ShowInFolder(path)),
            (then, None) => {
                self.downloads.await_file(file, then);
                self.ask(BackendEffect::ListFiles);
            }
        }
    }

    /// Uses the file that was waited for, where it is listed now.
    pub(super) fn use_awaited_file(&mut self) {
        let Some((file, then)) = self.downloads.take_awaited() else {
            return;
        };
        if path_in(self.models.files.as_ref(), &file).is_some() {
            self.use_file(file, then);
        }
    }

    fn take_download_event(&mut self, event: DownloadEvent) {
        let was_active = self.downloads.active();
        let taken = self.downloads.take(event);
        if self.downloads.is_open {
            self.ask_room();
        }
        match taken {
            Taken::Progress => self.redraw = self.redraw_of_downloads(),
            // The rail tells how many there are.
            Taken::Changed if self.downloads.active() == was_active => {
                self.redraw = self.redraw_of_downloads();
            }
            Taken::Changed => (),
            Taken::Done(download) => self.tell_done(&download),
            Taken::Failed(download) => self.tell_failed(&download),
        }
    }

    /// How soon progress is drawn: only where it is in sight, and no faster than it is read.
    fn redraw_of_downloads(&self) -> Redraw {
        if self.downloads.is_open || self.page == Page::Discover {
            Redraw::Later
        } else {
            Redraw::Never
        }
    }

    /// Tells that a model has come: by a toast, and by the desktop where nobody looks at the window.
    fn tell_done(&mut self, download: &Download) {
        // Its model can be chosen from now on.
        self.ask(BackendEffect::ListFiles);
        let model = name_of(&download.request);
        let title = say!(self.texts(), "downloads-ready", model = model);
        let tag = quantisation_of(&download.request).unwrap_or_default();
        let size = self.amount_of(download);
        let text = [tag, size].join(", ").trim_start_matches(", ").to_owned();
        self.notify(&title, &text);
        if !self.downloads.is_open {
            let action = file_of(download).cloned().map(ToastAction::UseInChat);
            self.toasts.done(&title, text, action, self.present.now);
        }
    }

    fn tell_failed(&mut self, download: &Download) {
        let DownloadState::Failed { error } = &download.state else {
            return;
        };
        let (model, text) = (name_of(&download.request), failure::words(self.texts(), error));
        let title = say!(self.texts(), "downloads-stopped", model = model);
        self.notify(&title, &text);
        if !self.downloads.is_open {
            let action = Some(ToastAction::ShowDownloads);
            self.toasts.trouble(&title, text, action, self.present.now);
        }
    }

    fn notify(&mut self, title: &str, text: &str) {
        if !self.in_front {
            self.want(WindowEffect::Notify {
                title: title.to_owned(),
                text: text.to_owned(),
            });
        }
    }

    fn ask_room(&mut self) {
        if self.downloads.ask_free(self.present.now) {
            self.ask_downloads(DownloadsEffect::ReadRoom);
        }
    }

    fn ask_each(
        &mut self,
        effect: impl Fn(DownloadId) -> DownloadsEffect,
        is_meant: impl Fn(&Download) -> bool,
    ) {
        for id in self.downloads.ids(is_meant) {
            self.ask_downloads(effect(id));
        }
    }

    fn ask_downloads(&mut self, effect: DownloadsEffect) {
        self.ask(BackendEffect::Downloads(effect));
    }
}
