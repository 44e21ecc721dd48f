//! The services over the database, and which of them answers a command.

use hearth_protocol::command::{CatalogueCommand, ChatCommand, SettingsCommand};
use hearth_protocol::library::FileDeleted;
use hearth_protocol::{Command, FileId, Result};
use tokio::runtime::Runtime;

use super::heeding::Heeding;
use super::lane::Lane;
use super::{answer, refuse};
use crate::catalogue::Catalogue;
use crate::chat::Chats;
use crate::config::Config;
use crate::library::Library;
use crate::settings::SettingsService;
use crate::store::Store;

/// The services over the database.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) store: Store,
    pub(super) settings: SettingsService,
    pub(super) chats: Chats,
    catalogue: Catalogue,
    /// Where changes are carried out, one after the other.
    pub(super) changes: Lane,
    /// The same for names of files, which look at the disk before they change what is stored.
    pub(super) renames: Lane,
}

impl Stored {
    pub(super) async fn open(config: &Config, heeding: &Heeding, library: &Library) -> Result<Self> {
        let store = Store::open(&config.database()).await?;
        let settings = SettingsService::new(store.clone());
        heeding.heed(&settings.read().await);
        library.read_names(&store).await;
        let engine = heeding.engine.clone();
        let chats = Chats::new(store.clone(), engine.clone(), library.clone(), settings.clone());
        let hub = heeding.hub.clone();
        let catalogue = Catalogue::open(store.clone(), engine, library.clone(), settings.clone(), hub).await;
        Ok(Self {
            store,
            settings,
            chats,
            catalogue,
            changes: Lane::open(),
            renames: Lane::open(),
        })
    }

    /// Forgets what is remembered of a file that is deleted. Chats with it stay.
    pub(super) async fn forget(&self, heeding: &Heeding, file: &FileId) -> Result<FileDeleted> {
        heeding.library.forget_name(&self.store, file).await?;
        self.settings.write_load_options(file, None).await?;
        let mut settings = self.settings.read().await;
        let was_default = settings.default_model.as_ref() == Some(file);
        if was_default {
            settings.default_model = None;
            heeding.heed(&self.settings.write(settings).await?);
        }
        Ok(FileDeleted { was_default })
    }

    pub(super) fn settings(self, runtime: &Runtime, heeding: &Heeding, command: SettingsCommand) {
        match command {
            SettingsCommand::Read { reply } => {
                answer(runtime, reply, async move { Ok(self.settings.read().await) })
            }
            SettingsCommand::Write { settings, reply } => {
                let heeding = heeding.clone();
                self.changes.answer(reply, async move {
                    let settings = self.settings.write(*settings).await?;
                    heeding.heed(&settings);
                    Ok(settings)
                });
            }
            SettingsCommand::CheckStorage { reply } => reply.send(self.store.check_writable()),
            SettingsCommand::ReadLoadOptions { file, reply } => {
                answer(runtime, reply, async move {
                    Ok(self.settings.read_load_options(&file).await)
                });
            }
            SettingsCommand::WriteLoadOptions { file, options, reply } => {
                answer(runtime, reply, async move {
                    self.settings.write_load_options(&file, options.as_deref()).await
                });
            }
        }
    }

    pub(super) fn catalogue(self, runtime: &Runtime, command: CatalogueCommand) {
        let catalogue = self.catalogue;
        match command {
            CatalogueCommand::Search { query, events } => {
                drop(runtime.spawn(async move { catalogue.search(query, events).await }))
            }
            CatalogueCommand::Featured { reply } => {
                answer(runtime, reply, async move { catalogue.featured().await })
            }
            CatalogueCommand::Details { request, events } => {
                drop(runtime.spawn(async move { catalogue.details(request, events).await }))
            }
            CatalogueCommand::Edit { model, edits, reply } => {
                self.changes
                    .answer(reply, async move { catalogue.edit(&model, edits).await });
            }
        }
    }

    pub(super) fn chat(self, runtime: &Runtime, command: ChatCommand) {
        let (chats, changes) = (self.chats, self.changes);
        match command {
            ChatCommand::Send { turn, events } => {
                drop(runtime.spawn(async move { chats.send(*turn, events).await }))
            }
            ChatCommand::Regenerate {
                message,
                options,
                events,
            } => {
                drop(runtime.spawn(chats.regenerate(message, *options, events)));
            }
            ChatCommand::Stop { request, reply } => {
                answer(runtime, reply, async move { chats.stop(request).await })
            }
            ChatCommand::List { reply } => answer(runtime, reply, async move { chats.list().await }),
            ChatCommand::Open { chat, reply } => {
                answer(runtime, reply, async move { chats.open(chat).await })
            }
            ChatCommand::Rename { chat, title, reply } => {
                changes.answer(reply, async move { chats.rename(chat, &title).await });
            }
            ChatCommand::Pin { chat, pinned, reply } => {
                changes.answer(reply, async move { chats.pin(chat, pinned).await });
            }
            ChatCommand::Delete { chat, reply } => {
                changes.answer(reply, async move { chats.delete(chat).await })
            }
            ChatCommand::Undo { token, reply } => {
                changes.answer(reply, async move { chats.undo(token).await })
            }
            ChatCommand::SelectVersion { message, reply } => {
                changes.answer(reply, async move { chats.select_version(message).await });
            }
            ChatCommand::DeleteMessage { message, reply } => {
                changes.answer(reply, async move { chats.delete_message(message).await });
            }
            command => refuse(Command::Chat(command)),
        }
    }
}
