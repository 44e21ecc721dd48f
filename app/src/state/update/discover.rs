//! Finding models: searching, the model that is shown, and the way from its file to a chat.

use hearth_protocol::Error;
use hearth_protocol::ModelId;
use hearth_protocol::download::DownloadState;
use hearth_protocol::hub::link::{self, Link};

use crate::effect::discover::DiscoverEffect;
use crate::effect::{BackendEffect, WindowEffect};
use crate::msg::discover::{DiscoverMsg, DiscoverNews};
use crate::msg::downloads::DownloadsMsg;
use crate::state::discover::Waiting;
use crate::state::discover::filters::Filters;
use crate::state::discover::shown::{FileName, Shown};
use crate::state::links::AskedLink;
use crate::state::overlay::Overlay;
use crate::state::{AppState, Page};
use crate::text::say;

impl AppState {
    pub(super) fn update_discover(&mut self, msg: DiscoverMsg) {
        match msg {
            DiscoverMsg::FocusField => self.want(WindowEffect::FocusDiscover),
            DiscoverMsg::TextChanged(text) => self.change_text(text),
            DiscoverMsg::TextEntered => self.take_text(),
            DiscoverMsg::ToggleFits => self.filter(|filters| filters.fits = !filters.fits),
            DiscoverMsg::ToggleCapability(capability) => self.filter(|filters| filters.toggle(capability)),
            DiscoverMsg::SetSize(size) => self.filter(|filters| filters.size = size),
            DiscoverMsg::SetSort(sort) => self.filter(|filters| filters.sort = sort),
            DiscoverMsg::ClearFilters => self.filter(|filters| *filters = filters.cleared()),
            DiscoverMsg::Retry => {
                self.search_models();
                self.ask_details();
            }
            DiscoverMsg::MoreWanted => self.search_further(),

            DiscoverMsg::Choose(model) => self.show_model(model, None),
            DiscoverMsg::Back => self.discover.shown = None,
            DiscoverMsg::SlideContext(share) => self.set_context(|shown| shown.slide_context(share)),
            DiscoverMsg::StepContext(by) => self.set_context(|shown| shown.step_context(by)),
            DiscoverMsg::LookAt(file) => {
                if let Some(shown) = &mut self.discover.shown {
                    shown.look_at(file);
                }
                self.ask_details();
            }
            DiscoverMsg::ToggleFavourite => self.toggle_favourite(),
            DiscoverMsg::OpenPage => {
                if let Some(shown) = &self.discover.shown {
                    let page = self.page_of(&shown.model);
                    self.want(WindowEffect::OpenLink(page));
                }
            }
            DiscoverMsg::AskLicencePage => self.ask_licence_page(),

            DiscoverMsg::DownloadAndChat(file) => self.download_and_chat(file),
            DiscoverMsg::Chat(file) => self.use_in_chat(file),
        }
    }

    pub(super) fn take_discover_news(&mut self, news: DiscoverNews) {
        match news {
            DiscoverNews::Search { run, event } => self.discover.list.take(run, event),
            DiscoverNews::Details { run, event } => {
                let Some(shown) = &mut self.discover.shown else {
                    return;
                };
                if let Some(details) = shown.take(run, event) {
                    self.discover.list.put(&details.model);
                    let recommended = details.files.iter().find(|file| file.recommended.is_some());
                    if let Some(file) = recommended {
                        self.discover.fits.insert(details.model.id.clone(), file.fit);
                    }
                }
            }
            DiscoverNews::Hub(Ok(hub)) => self.discover.hub = Some(hub),
            DiscoverNews::Devices(Ok(devices)) => self.discover.devices = Some(devices),
            // The page says less then, and what was asked of the hub says why.
            DiscoverNews::Hub(Err(_)) | DiscoverNews::Devices(Err(_)) => (),
            DiscoverNews::Edited(Ok(model)) => self.discover.list.put(&model),
            DiscoverNews::Edited(Err(error)) => {
                self.complain(&say!(self.texts(), "failed-edit-model"), &error);
                self.ask_details();
            }
        }
    }

    /// The page comes into sight.
    pub(super) fn enter_discover(&mut self) {
        self.ask_discover(DiscoverEffect::ReadHub);
        self.ask_discover(DiscoverEffect::ReadDevices);
        if self.discover.list.is_loading() {
            self.search_models();
        }
    }

    /// What Escape closes on the page.
    pub(super) fn escape_discover(&mut self) {
        if !self.discover.filters.text.is_empty() {
            self.change_text(String::new());
        } else {
            self.discover.shown = None;
        }
    }

    fn filter(&mut self, change: impl FnOnce(&mut Filters)) {
        let before = self.discover.filters.clone();
        change(&mut self.discover.filters);
        if self.discover.filters != before {
            self.search_models();
        }
    }

    /// A link that was pasted shows its model at once. One that is typed is another link with each letter.
    fn change_text(&mut self, text: String) {
        let is_pasted = text.chars().count() > self.discover.filters.text.chars().count() + 1;
        self.filter(|filters| filters.text = text);
        if is_pasted {
            self.follow_text();
        }
    }

    /// Shows the model that the link in the field leads to; whether it leads to one.
    fn follow_text(&mut self) -> bool {
        let text = self.discover.filters.text.trim();
        let Some(Link::Model { model, file, .. }) = link::read(text, self.discover.endpoint()) else {
            return false;
        };
        self.show_model(model, file);
        true
    }

    /// What Enter in the field shows: the model of a link, else the first that was found.
    fn take_text(&mut self) {
        if self.follow_text() {
            return;
        }
        if let Some(first) = self.discover.list.models.first() {
            let first = first.id.clone();
            self.show_model(first, None);
        }
    }

    fn search_models(&mut self) {
        let run = self.new_run();
        self.discover.list.begin(run);
        let query = Box::new(self.discover.filters.query(0));
        self.ask_discover(DiscoverEffect::Search { run, query });
    }

    fn search_further(&mut self) {
        let run = self.new_run();
        if let Some(page) = self.discover.list.begin_next(run) {
            let query = Box::new(self.discover.filters.query(page));
            self.ask_discover(DiscoverEffect::Search { run, query });
        }
    }

    /// Shows a model that a link leads to, on its page.
    pub(super) fn show_linked(&mut self, model: ModelId, file: Option<String>) {
        self.show_page(Page::Discover);
        self.show_model(model, file);
    }

    fn show_model(&mut self, model: ModelId, file: Option<String>) {
        let is_shown = |shown: &Shown| shown.model == model && file.is_none();
        if !self.discover.shown.as_ref().is_some_and(is_shown) {
            self.discover.shown = Some(Shown::new(model, file));
            self.ask_details();
        }
    }

    fn ask_details(&mut self) {
        let run = self.new_run();
        if let Some(shown) = &mut self.discover.shown {
            let request = shown.begin(run);
            self.ask_discover(DiscoverEffect::Details { run, request });
        }
    }

    fn set_context(&mut self, change: impl FnOnce(&mut Shown) -> bool) {
        if self.discover.shown.as_mut().is_some_and(change) {
            self.ask_details();
        }
    }

    fn toggle_favourite(&mut self) {
        let Some(details) = self
            .discover
            .shown
            .as_mut()
            .and_then(|shown| shown.details.as_mut())
        else {
            return;
        };
        details.edits.favourite = !details.edits.favourite;
        let (model, edits) = (details.model.id.clone(), Box::new(details.edits.clone()));
        self.ask_discover(DiscoverEffect::Edit { model, edits });
    }

    /// The page of a model on the hub.
    fn page_of(&self, model: &ModelId) -> String {
        format!("{}/{model}", self.discover.endpoint().trim_end_matches('/'))
    }

    /// Asks before a page is opened on which the person agrees to something.
    fn ask_licence_page(&mut self) {
        let Some(shown) = &self.discover.shown else {
            return;
        };
        let access = shown.details.as_ref().and_then(|details| details.access.as_ref());
        let address = match access {
            Some(Error::NoAccess { page, .. }) => page.clone(),
            _ => {
                let file = shown.files().next();
                self.page_of(file.map_or(&shown.model, |file| &file.repository))
            }
        };
        let link = AskedLink {
            address,
            can_open: true,
        };
        self.overlay = Some(Overlay::Link(link));
        self.want(WindowEffect::FocusOverlay);
    }

    fn download_and_chat(&mut self, file: FileName) {
        if let Some(here) = self.file_here(&file) {
            return self.use_in_chat(here);
        }
        if !self.discover.waits_for(&file) {
            self.discover.waiting.push(Waiting {
                file: file.clone(),
                download: None,
            });
        }
        let download = self.downloads.of_file(&file.repository, &file.name);
        let msg = match download.map(|download| (download.id, &download.state)) {
            Some((id, DownloadState::Failed { .. })) => DownloadsMsg::Retry(id),
            Some((_, DownloadState::Done { .. })) | None => DownloadsMsg::Start(file.request()),
            Some(_) => return,
        };
        self.update_downloads(msg);
    }

    /// Begins the chat with a file that has come, where the person still waits for it here. Who has gone elsewhere is told
    /// by the toast of the download, which leads to a chat, too.
    pub(super) fn look_for_arrivals(&mut self) {
        let mut arrived = None;
        let downloads = &self.downloads;
        self.discover.waiting.retain_mut(|waiting| {
            let by_name = || downloads.of_file(&waiting.file.repository, &waiting.file.name);
            // It may be called by another name meanwhile.
            let by_id = waiting.download.and_then(|id| downloads.get(id));
            let Some(download) = by_id.or_else(by_name) else {
                // One that was there and is not any more was taken away.
                return waiting.download.is_none();
            };
            waiting.download = Some(download.id);
            if let DownloadState::Done { file, .. } = &download.state {
                arrived.clone_from(file);
                return false;
            }
            true
        });
        let is_here = self.page == Page::Discover && self.overlay.is_none() && !self.downloads.is_open;
        if let Some(file) = arrived.filter(|_| is_here) {
            self.use_in_chat(file);
        }
    }

    fn ask_discover(&mut self, effect: DiscoverEffect) {
        self.ask(BackendEffect::Discover(effect));
    }
}
