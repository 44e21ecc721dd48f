//! The services over the database, and which of them answers a command.

use hearth_protocol::command::{CatalogueCommand, SettingsCommand};
use hearth_protocol::library::FileDeleted;
use hearth_protocol::settings::Settings;
use hearth_protocol::{Command, FileId, Result};
use tokio::runtime::Runtime;

use super::answer;
use super::heeding::Heeding;
use super::lane::Lane;
use crate::catalogue::Catalogue;
use crate::chat::Chats;
use crate::chat::presets::Presets;
use crate::config::Config;
use crate::library::Library;
use crate::server::LocalServer;
use crate::settings::SettingsService;
use crate::store::Store;

/// The services over the database.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) store: Store,
    pub(super) settings: SettingsService,
    pub(super) chats: Chats,
    pub(super) presets: Presets,
    pub(super) catalogue: Catalogue,
    /// Where changes are carried out, one after the other.
    pub(super) changes: Lane,
    /// The same for names of files, which look at the disk before they change what is stored.
    pub(super) renames: Lane,
}

impl Stored {
    pub(super) async fn open(config: &Config, heeding: &Heeding, library: &Library) -> Result<Self> {
        let store = Store::open(&config.database()).await?;
        let settings = SettingsService::new(store.clone()).with_login(config.login.clone());
        heeding.heed(&settings.read().await);
        library.read_names(&store).await;
        let engine = heeding.engine.clone();
        let chats = Chats::new(store.clone(), engine.clone(), library.clone(), settings.clone());
        chats.index_older();
        let presets = Presets::new(store.clone());
        let hub = heeding.hub.clone();
        let catalogue = Catalogue::open(store.clone(), engine, library.clone(), settings.clone(), hub).await;
        Ok(Self {
            store,
            settings,
            chats,
            presets,
            catalogue,
            changes: Lane::open(),
            renames: Lane::open(),
        })
    }

    /// Forgets what is remembered of a file that is deleted. Chats with it stay.
    pub(super) async fn forget(&self, heeding: &Heeding, file: &FileId) -> Result<FileDeleted> {
        heeding.library.forget_name(&self.store, file).await?;
        self.catalogue.forget_file_notes(file).await?;
        self.settings.write_load_options(file, None).await?;
        let mut settings = self.settings.read().await;
        let was_default = settings.default_model.as_ref() == Some(file);
        if was_default {
            settings.default_model = None;
            heeding.heed(&self.settings.write(settings).await?);
        }
        Ok(FileDeleted { was_default })
    }

    pub(super) fn settings(
        self,
        runtime: &Runtime,
        heeding: &Heeding,
        server: &LocalServer,
        command: SettingsCommand,
    ) {
        match command {
            SettingsCommand::Read { reply } => {
                answer(runtime, reply, async move { Ok(self.settings.read().await) })
            }
            SettingsCommand::Watch { events } => {
                drop(runtime.spawn(async move { self.settings.watch(events).await }));
            }
            SettingsCommand::Write { settings, reply } => {
                let (heeding, server, changes) = (heeding.clone(), server.clone(), self.changes.clone());
                changes.answer(reply, async move {
                    let settings = self.write_settings(&server, *settings).await?;
                    heeding.heed(&settings);
                    Ok(settings)
                });
            }
            // Answered without a database, which may be what is wrong.
            SettingsCommand::DeleteAll { .. } | SettingsCommand::MoveData { .. } => {
                super::refuse(Command::Settings(command))
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

    /// Stores settings, once the server that runs serves as they say: what it cannot do is not stored.
    async fn write_settings(&self, server: &LocalServer, settings: Settings) -> Result<Settings> {
        settings.validate()?;
        let (before, after) = (self.settings.read().await.server, settings.server.clone());
        server.take_over(&before, &after).await?;
        let written = self.settings.write(settings).await;
        if written.is_err()
            && let Err(error) = server.take_over(&after, &before).await
        {
            tracing::warn!(%error, "the server keeps to settings that could not be stored");
        }
        written
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
}
