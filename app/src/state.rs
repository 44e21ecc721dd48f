//! Everything the window shows, as plain data. `update` changes it, widgets draw it.
//!
//! Names no toolkit, no file and no clock: what happens comes in as a [`Msg`](crate::msg::Msg) with the time, what is
//! to be done goes out as an [`Effect`]. Data stands in the files beside `update`, what changes it below `update`.

pub(crate) mod appearance;
pub(crate) mod aside;
pub(crate) mod blocks;
pub(crate) mod calendar;
pub(crate) mod chats;
pub(crate) mod composer;
pub(crate) mod conversation;
pub(crate) mod discover;
pub(crate) mod downloads;
pub(crate) mod failure;
pub(crate) mod first_start;
pub(crate) mod format;
pub(crate) mod health;
mod keeping;
pub(crate) mod links;
pub(crate) mod load_dialog;
pub(crate) mod models;
pub(crate) mod my_models;
pub(crate) mod number;
pub(crate) mod overlay;
pub(crate) mod panel;
mod plain;
pub(crate) mod queue;
pub(crate) mod search;
pub(crate) mod server;
pub(crate) mod settings;
pub(crate) mod shortcuts;
#[cfg(test)]
mod tests;
pub(crate) mod toast;
pub(crate) mod turn;
mod update;
mod views;
pub(crate) mod window_place;

use std::collections::BTreeMap;

use hearth_protocol::UnixMillis;
use hearth_protocol::settings::Settings;
use hearth_protocol::window::Handed;
use jiff::tz::TimeZone;

use crate::effect::Effect;
use crate::text::Texts;
use appearance::{Desktop, Look};
use calendar::Present;
use chats::Chats;
use composer::count::DraftCount;
use composer::draft::Drafts;
use composer::recall::Recalled;
use conversation::{Conversation, ConversationKey};
use discover::Discover;
use downloads::Downloads;
use health::Health;
use keeping::Keeping;
use models::Models;
use my_models::MyModels;
use overlay::Overlay;
use panel::Panel;
use search::Search;
use server::Server;
use settings::SettingsState;
use toast::Toasts;

/// The whole state of the window.
#[derive(Debug)]
pub(crate) struct AppState {
    /// The list of chats.
    pub(crate) chats: Chats,
    /// The search of the chats.
    pub(crate) search: Search,
    /// What lies over the pages.
    pub(crate) overlay: Option<Overlay>,
    /// Models, the picker among them.
    pub(crate) models: Models,
    /// The page of model files.
    pub(crate) my_models: MyModels,
    /// The panel beside the chat.
    pub(crate) panel: Panel,
    /// The local server.
    pub(crate) server: Server,
    /// The page that finds models.
    pub(crate) discover: Discover,
    /// Downloads.
    pub(crate) downloads: Downloads,
    /// Toasts.
    pub(crate) toasts: Toasts,
    /// Where the data lies, for the settings page.
    pub(crate) places: Places,
    page: Page,
    /// What the desktop wants.
    desktop: Desktop,
    /// Whether the window is in front of others.
    in_front: bool,
    /// How soon what the last message changed is to be drawn.
    redraw: Redraw,
    /// How the window looks.
    look: Look,
    /// The keys that the window shows, where they are not the usual ones.
    shortcuts: BTreeMap<String, String>,
    settings: SettingsState,
    health: Health,
    /// Whether the steps of the first start are to be shown.
    first_start: first_start::Due,
    present: Present,
    open: Conversation,
    /// Those that are not shown and whose answers are being written.
    background: Vec<Conversation>,
    drafts: Drafts,
    /// How many tokens the draft in sight is.
    count: DraftCount,
    /// What was put into the composer again of what was said.
    recalled: Option<Recalled>,
    keeping: Keeping,
    next_run: u64,
    next_queued: u64,
    next_conversation: u64,
    /// The tick that was asked for.
    tick_at: Option<UnixMillis>,
    /// Effects of the update that runs.
    effects: Vec<Effect>,
}

/// A page of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Page {
    /// Chats.
    #[default]
    Chat,
    /// Finding models.
    Discover,
    /// The model files.
    Models,
    /// The local server.
    Server,
    /// Settings.
    Settings,
}

/// How soon what a message changed is to be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Redraw {
    /// At once.
    #[default]
    Soon,
    /// A little later: numbers that go on by themselves are read no faster.
    Later,
    /// Not at all: nothing that is in sight changed.
    Never,
}

/// Where the data lies, as paths to show, and what to show first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Places {
    /// The folder of everything.
    pub(crate) data: String,
    /// The folder of the model files in it.
    pub(crate) models: String,
    /// The person's own folder, which `~` stands for.
    pub(crate) home: String,
    /// What Hearth was started with, until it is shown.
    pub(crate) handed: Option<Handed>,
}

impl AppState {
    /// The state before anything is known: an empty new chat on the chat page.
    pub(crate) fn new(places: Places, zone: TimeZone) -> Self {
        Self {
            desktop: Desktop::default(),
            in_front: true,
            redraw: Redraw::default(),
            look: Look::default(),
            shortcuts: BTreeMap::new(),
            page: Page::default(),
            chats: Chats::default(),
            search: Search::default(),
            overlay: None,
            models: Models::default(),
            my_models: MyModels::default(),
            panel: Panel::default(),
            server: Server::default(),
            discover: Discover::default(),
            downloads: Downloads::default(),
            settings: SettingsState::default(),
            toasts: Toasts::default(),
            health: Health::default(),
            first_start: first_start::Due::default(),
            places,
            present: Present {
                now: UnixMillis(0),
                zone,
                texts: Texts::default(),
            },
            open: Conversation::new(ConversationKey(0)),
            background: Vec::new(),
            drafts: Drafts::default(),
            count: DraftCount::default(),
            recalled: None,
            keeping: Keeping::default(),
            next_run: 0,
            next_queued: 0,
            next_conversation: 1,
            tick_at: None,
            effects: Vec::new(),
        }
    }

    /// Whether the window is in front of others.
    #[cfg(feature = "probe")]
    pub(crate) fn is_in_front(&self) -> bool {
        self.in_front
    }

    /// Whether nothing lies over the page.
    pub(crate) fn has_pointer_on_page(&self) -> bool {
        self.overlay.is_none() && !self.downloads.is_open
    }

    /// How soon what the last message changed is to be drawn.
    pub(crate) fn redraw(&self) -> Redraw {
        self.redraw
    }

    /// The page that is shown.
    pub(crate) fn page(&self) -> Page {
        self.page
    }

    /// The same in the look the window opened with.
    pub(crate) fn opened(self, desktop: Desktop, settings: &Settings) -> Self {
        let look = Look::of(settings, desktop);
        let present = Present {
            texts: Texts::of(look.language),
            ..self.present
        };
        Self {
            desktop,
            look,
            shortcuts: settings.shortcuts.clone(),
            present,
            ..self
        }
    }

    /// What the window says, in its language.
    pub(crate) fn texts(&self) -> &Texts {
        &self.present.texts
    }

    /// How the window looks.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// The settings as shown.
    pub(crate) fn settings(&self) -> &Settings {
        self.settings.shown()
    }

    /// Whether it is decided that the steps of the first start are shown, or not.
    #[cfg(feature = "probe")]
    pub(crate) fn knows_first_start(&self) -> bool {
        self.first_start.is_decided()
    }

    /// The part of the settings that is shown.
    pub(crate) fn settings_part(&self) -> settings::Part {
        self.settings.part
    }

    /// The time and the zone of the last update, for labels.
    pub(crate) fn present(&self) -> &Present {
        &self.present
    }

    /// The conversation that is shown.
    pub(crate) fn open(&self) -> &Conversation {
        &self.open
    }
}
