//! Carries out what the state wants of the backend, and turns all that comes back into messages.
//!
//! Never waits: the waker of the client tells the window when there is something to drain. Names no toolkit.

mod catalogue;
mod composer;
mod discover;
mod downloads;
mod load;
mod my_models;
mod panel;
mod server;
mod settings;
#[cfg(test)]
mod tests;

use hearth_protocol::chat::list::ChatsEvent;
use hearth_protocol::chat::{Chat, ChatEvent, ChatSummary, NewMessage};
use hearth_protocol::download::DownloadEvent;
use hearth_protocol::engine::{EngineEvent, EstimateEvent, LoadEvent, UsageEvent};
use hearth_protocol::library::{ImportEvent, LibraryEvent};
use hearth_protocol::server::ServerEvent;
use hearth_protocol::settings::SettingsEvent;
use hearth_protocol::window::WindowEvent;
use hearth_protocol::{Answer, Client, Events, RequestId, Result, RunEvent, Waker};

use crate::effect::{BackendEffect, ChatChange, RowChange, Run};
use crate::msg::{Msg, News};

/// The window's way to the backend.
pub(crate) struct Bridge {
    client: Client,
    answers: Vec<Awaited>,
    turns: Vec<Named<ChatEvent>>,
    loads: Vec<Named<LoadEvent>>,
    /// The search that runs; a newer one ends it.
    search: Option<Awaited>,
    /// What a load would take; a newer question ends it.
    estimate: Option<Named<EstimateEvent>>,
    chats: Option<Events<ChatsEvent>>,
    engine: Option<Events<EngineEvent>>,
    settings: Option<Events<SettingsEvent>>,
    window: Option<Events<WindowEvent>>,
    server: Option<Events<ServerEvent>>,
    discover: discover::Asked,
    downloads: Option<Events<DownloadEvent>>,
    library: Option<Events<LibraryEvent>>,
    imports: Vec<Named<ImportEvent>>,
    usage: Option<Events<UsageEvent>>,
}

/// An answer that is awaited: tells it if it has come; whether it has.
type Awaited = Box<dyn FnMut(&mut Vec<News>) -> bool>;

/// Events with the state's name for their run.
struct Named<E> {
    run: Run,
    events: Events<E>,
}

impl Bridge {
    /// A bridge whose news call `waker`, from other threads.
    pub(crate) fn new(client: &Client, waker: Waker) -> Self {
        Self {
            client: client.with_waker(waker),
            answers: Vec::new(),
            turns: Vec::new(),
            loads: Vec::new(),
            search: None,
            estimate: None,
            chats: None,
            engine: None,
            settings: None,
            window: None,
            server: None,
            discover: discover::Asked::default(),
            downloads: None,
            library: None,
            imports: Vec::new(),
            usage: None,
        }
    }

    /// Asks the backend. What comes of it is drained later.
    pub(crate) fn run(&mut self, effect: BackendEffect) {
        match effect {
            BackendEffect::WatchSettings => self.settings = Some(self.client.watch_settings()),
            BackendEffect::WatchWindow => self.window = Some(self.client.watch_window()),
            BackendEffect::WriteSettings(settings) => {
                self.await_news(self.client.write_settings(*settings), News::SettingsWritten);
            }
            BackendEffect::CheckStorage => {
                self.await_news(self.client.check_storage(), News::StorageChecked);
            }
            BackendEffect::WatchChats => self.chats = Some(self.client.watch_chats()),
            BackendEffect::Search { run, words } => {
                let answer = self.client.search_chats(words);
                self.search = Some(awaited(answer, move |result| Some(News::Found { run, result })));
            }
            BackendEffect::OpenChat(chat) => {
                let news = move |result| News::Opened { chat, result };
                self.await_news(self.client.open_chat(chat), news);
            }
            BackendEffect::RenameChat { chat, title } => {
                self.await_row(self.client.rename_chat(chat, title), RowChange::Title);
            }
            BackendEffect::PinChat { chat, pinned } => {
                self.await_row(self.client.pin_chat(chat, pinned), RowChange::Pin);
            }
            BackendEffect::MoveChat { chat, folder } => {
                self.await_row(self.client.move_chat(chat, folder), RowChange::Folder);
            }
            BackendEffect::DuplicateChat(chat) => {
                self.await_row(self.client.duplicate_chat(chat), RowChange::Copy);
            }
            BackendEffect::Branch(message) => {
                self.await_row(self.client.branch_chat(message), RowChange::Branch);
            }
            BackendEffect::MakeFolder { name, holds } => {
                let news = move |result| News::FolderMade { holds, result };
                self.await_news(self.client.make_folder(name), news);
            }
            BackendEffect::RenameFolder { folder, name } => {
                self.await_news(self.client.rename_folder(folder, name), News::FolderRenamed);
            }
            BackendEffect::DeleteFolder(folder) => {
                self.await_news(self.client.delete_folder(folder), News::FolderDeleted);
            }
            BackendEffect::Export(request) => {
                self.await_news(self.client.export_chat(request), News::Exported);
            }
            BackendEffect::Import(path) => {
                self.await_news(self.client.import_chats(path), News::Imported);
            }
            BackendEffect::Change { conversation, change } => {
                let answer = self.change(change.clone());
                let news = move |result| News::Changed {
                    conversation,
                    change,
                    result,
                };
                self.await_news(answer, news);
            }
            BackendEffect::DeleteMessage {
                message,
                chat,
                beginning,
            } => {
                let news = move |result| News::MessageDeleted {
                    chat,
                    beginning,
                    result,
                };
                self.await_news(self.client.delete_message(message), news);
            }
            BackendEffect::ReadDraft => self.await_news(self.client.read_draft(None), News::DraftRead),
            BackendEffect::WriteDraft { chat, text } => {
                let answer = self.client.write_draft(chat, text);
                self.await_answer(answer, |result| result.err().map(News::NotKept));
            }
            BackendEffect::WritePlace { chat, place } => {
                let answer = self.client.write_place(chat, place);
                self.await_answer(answer, |result| result.err().map(News::NotKept));
            }
            BackendEffect::DeleteChat(chat) => {
                let news = move |result| News::Deleted { chat, result };
                self.await_news(self.client.delete_chat(chat), news);
            }
            BackendEffect::Undo { token, reopen } => {
                let news = move |result| News::Undone {
                    token,
                    reopen,
                    result,
                };
                self.await_news(self.client.undo(token), news);
            }
            BackendEffect::ListFiles => self.await_news(self.client.list_files(), News::Files),
            BackendEffect::LookUp(model) => self.look_up(model),
            BackendEffect::WatchEngine => self.engine = Some(self.client.watch_engine()),
            BackendEffect::Send { run, turn } => {
                let events = self.client.send(turn);
                self.turns.push(Named { run, events });
            }
            BackendEffect::Regenerate {
                run,
                message,
                options,
            } => {
                let events = self.client.regenerate(message, options);
                self.turns.push(Named { run, events });
            }
            BackendEffect::Continue {
                run,
                message,
                options,
            } => {
                let events = self.client.continue_answer(message, options);
                self.turns.push(Named { run, events });
            }
            BackendEffect::Stop(run) => {
                if let Some(request) = request_of(&self.turns, run) {
                    self.await_refusal(self.client.stop(request));
                }
            }
            BackendEffect::Load { run, request } => {
                let events = self.client.load(request);
                self.loads.push(Named { run, events });
            }
            BackendEffect::CancelLoad(run) => {
                if let Some(request) = request_of(&self.loads, run) {
                    self.await_refusal(self.client.cancel_load(request));
                }
            }
            BackendEffect::Eject(model) => {
                let news = move |result| News::Ejected { model, result };
                self.await_news(self.client.eject(model), news);
            }
            BackendEffect::LoadDialog(effect) => self.run_load(effect),
            BackendEffect::Composer(effect) => self.run_composer(effect),
            BackendEffect::Panel(effect) => self.run_panel(effect),
            BackendEffect::MyModels(effect) => self.run_my_models(effect),
            BackendEffect::Server(effect) => self.run_server(effect),
            BackendEffect::Discover(effect) => self.run_discover(effect),
            BackendEffect::Downloads(effect) => self.run_downloads(effect),
            BackendEffect::SettingsPage(effect) => self.run_settings(effect),
        }
    }

    /// Everything that has come since the last time, runs in their order. The engine's list of models comes last,
    /// since it is right when all else is told.
    pub(crate) fn drain(&mut self) -> Vec<Msg> {
        let mut news = Vec::new();
        // What the server told before an answer is no longer true after it.
        self.drain_server(&mut news);
        self.drain_discover(&mut news);
        self.drain_downloads(&mut news);
        self.drain_usage(&mut news);
        self.answers.retain_mut(|tell| !tell(&mut news));
        drain_runs(&mut self.turns, |run, event| news.push(News::Turn { run, event }));
        self.drain_estimate(&mut news);
        self.drain_my_models(&mut news);
        drain_runs(&mut self.loads, |run, event| news.push(News::Load { run, event }));
        if let Some(events) = &self.settings
            && !drain_run(events, |event| news.push(settings_news(event)))
        {
            self.settings = None;
        }
        if let Some(events) = &self.window
            && !drain_run(events, |event| news.extend(window_news(event)))
        {
            self.window = None;
        }
        if self.search.as_mut().is_some_and(|tell| tell(&mut news)) {
            self.search = None;
        }
        if let Some(events) = &self.chats
            && !drain_run(events, |event| news.push(News::Chats(event)))
        {
            self.chats = None;
        }
        if let Some(events) = &self.engine
            && !drain_run(events, |event| news.push(News::Engine(event)))
        {
            self.engine = None;
        }
        news.into_iter().map(Msg::Backend).collect()
    }

    /// Tells the answer when it comes.
    fn await_news<T: 'static>(&mut self, answer: Answer<T>, news: impl FnOnce(Result<T>) -> News + 'static) {
        self.await_answer(answer, |result| Some(news(result)));
    }

    /// Tells only that it was refused: what it does is told by the run it belongs to.
    fn await_refusal(&mut self, answer: Answer<()>) {
        self.await_answer(answer, |result| result.err().map(News::Refused));
    }

    fn await_row(&mut self, answer: Answer<ChatSummary>, change: RowChange) {
        self.await_news(answer, move |result| News::RowChanged { change, result });
    }

    fn await_answer<T: 'static>(
        &mut self,
        answer: Answer<T>,
        news: impl FnOnce(Result<T>) -> Option<News> + 'static,
    ) {
        self.answers.push(awaited(answer, news));
    }

    fn change(&self, change: ChatChange) -> Answer<Chat> {
        match change {
            ChatChange::Insert { chat, role, message } => self.client.insert_message(NewMessage {
                chat,
                role,
                text: message.text,
                attachments: message.files,
            }),
            ChatChange::Edit { message, text, .. } => self.client.edit_message(message, text),
            ChatChange::Version { message, version } => self.client.select_version(message, version),
        }
    }
}

/// Tells an answer once it has come.
fn awaited<T: 'static>(answer: Answer<T>, news: impl FnOnce(Result<T>) -> Option<News> + 'static) -> Awaited {
    let mut news = Some(news);
    Box::new(move |told| {
        let Some(result) = answer.try_take() else {
            return false;
        };
        if let Some(news) = news.take() {
            told.extend(news(result));
        }
        true
    })
}

impl std::fmt::Debug for Bridge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bridge")
            .field("answers", &self.answers.len())
            .field("turns", &self.turns.len())
            .field("loads", &self.loads.len())
            .finish_non_exhaustive()
    }
}

fn settings_news(event: SettingsEvent) -> News {
    News::SettingsRead(match event {
        SettingsEvent::Settings(settings) => Ok(*settings),
        SettingsEvent::Closed(error) => Err(error),
    })
}

/// What the end means is told by all else.
fn window_news(event: WindowEvent) -> Option<News> {
    match event {
        WindowEvent::Show { handed } => Some(News::ShowWindow(handed)),
        WindowEvent::Closed(_) => None,
    }
}

/// The backend's name for a run that has not ended.
fn request_of<E>(runs: &[Named<E>], run: Run) -> Option<RequestId> {
    let named = runs.iter().find(|named| named.run == run)?;
    Some(named.events.request())
}

/// Tells all events that have come; forgets the runs that have ended.
fn drain_runs<E: RunEvent>(runs: &mut Vec<Named<E>>, mut tell: impl FnMut(Run, E)) {
    runs.retain(|named| drain_run(&named.events, |event| tell(named.run, event)));
}

/// Tells all events of a run that have come; whether more may come.
fn drain_run<E: RunEvent>(events: &Events<E>, mut tell: impl FnMut(E)) -> bool {
    while let Some(event) = events.try_next() {
        let ended = event.body.is_terminal();
        tell(event.body);
        if ended {
            return false;
        }
    }
    true
}
