//! What a person can set. Each field has a default, so that an old file always opens.

mod appearance;
pub mod chat_panel;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::engine::LoadOptions;
use crate::generate::SamplingParams;
use crate::library::Source;
use crate::server::ServerConfig;
use crate::settings::chat_panel::ChatPanel;
use crate::{ByteSize, Error, FileId, FolderId, Result, RunEvent};

pub use appearance::{Accent, Density, Language, TextSize, Theme, WindowPlace, Zoom};

/// Longest time to live of an idle model, in minutes: a week.
const MAX_IDLE_MINUTES: u32 = 7 * 24 * 60;

/// Most downloads at once: more only take each other's share.
const MAX_DOWNLOADS_AT_ONCE: u32 = 8;

/// Most actions with other keys than the usual ones: many more than there are.
const MAX_SHORTCUTS: usize = 500;

/// Slowest speed limit: below it no part of a file would come before it counts as stalled.
const MIN_SPEED_LIMIT: ByteSize = ByteSize(1_000);

/// All settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Colours of the window.
    pub theme: Theme,
    /// The one colour beside the neutral ones.
    pub accent: Accent,
    /// Size of the text of messages and code.
    pub text_size: TextSize,
    /// Room around rows.
    pub density: Density,
    /// Size of everything in the window, 70 to 200 per cent.
    pub zoom: Zoom,
    /// The language of the window; `None` takes the system's where Hearth speaks it, else English.
    pub language: Option<Language>,
    /// Keys of the window's actions where they are not the usual ones: the action's name, and the keys such as
    /// `mod+shift+c`; none at all take the usual ones away.
    pub shortcuts: BTreeMap<String, String>,
    /// Where the window stood; `None` before it was ever moved.
    pub window: Option<WindowPlace>,
    /// Whether the steps of the first start have been seen, or skipped.
    pub first_start_seen: bool,
    /// Folders of the list of chats whose chats are not shown.
    pub folded_folders: BTreeSet<FolderId>,
    /// Whether every outbound connection is refused.
    pub offline: bool,
    /// The model that answers where none is named and none is loaded; `None` takes the one that answered last, else
    /// the first of the library.
    pub default_model: Option<FileId>,
    /// How models are loaded, where nothing else is remembered for the model.
    pub load: LoadOptions,
    /// How tokens are chosen.
    pub sampling: SamplingParams,
    /// Minutes after which a model that was loaded on request and does nothing leaves memory, 1 to 10,080; `None`
    /// keeps it. A model that was loaded by hand stays.
    pub idle_unload_minutes: Option<u32>,
    /// How much memory models may take.
    pub memory_guard: MemoryGuard,
    /// What the KV states of chats may take on the disk, so that yesterday's chat goes on without being read again; 0
    /// keeps none.
    pub kv_store_limit: ByteSize,
    /// A mirror of the hub, such as `https://hub.example.org`; `None` takes the hub itself. `HF_ENDPOINT` goes first.
    pub hub_endpoint: Option<String>,
    /// A proxy for all connections, such as `http://proxy.example.org:3128`; `None` takes the environment's and the
    /// system's.
    pub proxy: Option<String>,
    /// Where downloads go.
    pub download_place: DownloadPlace,
    /// How many downloads run at once, 1 to 8.
    pub downloads_at_once: u32,
    /// How many bytes a second all downloads together may take, 1 kB or more; `None` takes all there is.
    pub download_speed_limit: Option<ByteSize>,
    /// Further folders with models, absolute; all that is below them is looked through.
    pub model_folders: Vec<PathBuf>,
    /// Other programs, or the Hugging Face cache, whose models are left out of the library.
    pub ignored_sources: Vec<Source>,
    /// Whether a model that is in memory and has nothing to do gives new chats their titles.
    pub automatic_titles: bool,
    /// The local server.
    pub server: ServerConfig,
    /// Whether the system starts the local server when the person signs in.
    pub serve_at_login: bool,
    /// The panel of a chat's settings in the window.
    pub chat_panel: ChatPanel,
}

/// News of the settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingsEvent {
    /// All settings, as stored.
    Settings(Box<Settings>),
    /// No more news.
    Closed(Error),
}

impl RunEvent for SettingsEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}

/// Where downloads go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DownloadPlace {
    /// The Hugging Face cache, where other programs find them too.
    #[default]
    HubCache,
    /// Hearth's own folder, as `publisher/repository/file`.
    Folder,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            accent: Accent::default(),
            text_size: TextSize::default(),
            density: Density::default(),
            zoom: Zoom::default(),
            language: None,
            shortcuts: BTreeMap::new(),
            window: None,
            first_start_seen: false,
            folded_folders: BTreeSet::new(),
            offline: false,
            default_model: None,
            load: LoadOptions::default(),
            sampling: SamplingParams::default(),
            idle_unload_minutes: Some(60),
            memory_guard: MemoryGuard::default(),
            kv_store_limit: ByteSize(4_000_000_000),
            hub_endpoint: None,
            proxy: None,
            download_place: DownloadPlace::default(),
            downloads_at_once: 2,
            download_speed_limit: None,
            model_folders: Vec::new(),
            ignored_sources: Vec::new(),
            automatic_titles: true,
            server: ServerConfig::default(),
            serve_at_login: false,
            chat_panel: ChatPanel::default(),
        }
    }
}

/// How much of the computer's memory all loaded models together may take. All but `Off` and `Gigabytes` also heed what
/// other programs leave free. A load that is refused can be forced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryGuard {
    /// As much as they want; a load is always tried, and nothing is unloaded for it.
    Off,
    /// 95 %.
    Relaxed,
    /// 85 %.
    #[default]
    Balanced,
    /// 70 %.
    Strict,
    /// This many, of 1,000,000,000 bytes each, 1 or more.
    Gigabytes(u32),
}

impl MemoryGuard {
    /// What all models together may take on a computer with this much memory; `None` where there is no limit or the
    /// memory is not known.
    pub fn limit(self, total: Option<ByteSize>) -> Option<ByteSize> {
        let percent = match self {
            Self::Off => return None,
            Self::Gigabytes(count) => return Some(ByteSize(u64::from(count) * 1_000_000_000)),
            Self::Relaxed => 95,
            Self::Balanced => 85,
            Self::Strict => 70,
        };
        total.map(|total| ByteSize(total.0 / 100 * percent))
    }

    /// Whether it heeds what other programs leave free.
    pub fn heeds_free_memory(self) -> bool {
        matches!(self, Self::Relaxed | Self::Balanced | Self::Strict)
    }
}

impl Settings {
    /// Checks every field.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] names the first field that is out of range.
    pub fn validate(&self) -> Result<()> {
        self.load.validate()?;
        self.sampling.validate()?;
        self.server.validate()?;
        if self
            .idle_unload_minutes
            .is_some_and(|minutes| !(1..=MAX_IDLE_MINUTES).contains(&minutes))
        {
            return Err(Error::invalid(
                "idle_unload_minutes",
                format!("must be from 1 to {MAX_IDLE_MINUTES}, or none at all"),
            ));
        }
        if self.memory_guard == MemoryGuard::Gigabytes(0) {
            return Err(Error::invalid("memory_guard", "must be 1 GB or more"));
        }
        for (field, address) in [("hub_endpoint", &self.hub_endpoint), ("proxy", &self.proxy)] {
            if address.as_deref().is_some_and(|address| !is_address(address)) {
                return Err(Error::invalid(
                    field,
                    "must begin with http:// or https:// and name a host",
                ));
            }
        }
        if !self.zoom.is_valid() {
            return Err(Error::invalid("zoom", "must be from 70 to 200 per cent"));
        }
        if self.shortcuts.len() > MAX_SHORTCUTS {
            return Err(Error::invalid(
                "shortcuts",
                format!("must be at most {MAX_SHORTCUTS}"),
            ));
        }
        if !(1..=MAX_DOWNLOADS_AT_ONCE).contains(&self.downloads_at_once) {
            return Err(Error::invalid(
                "downloads_at_once",
                format!("must be from 1 to {MAX_DOWNLOADS_AT_ONCE}"),
            ));
        }
        if self.model_folders.iter().any(|folder| !folder.is_absolute()) {
            return Err(Error::invalid("model_folders", "must be absolute paths"));
        }
        // Settings are kept as text.
        if let Some(folder) = self.model_folders.iter().find(|folder| folder.to_str().is_none()) {
            return Err(Error::invalid(
                &folder.display().to_string(),
                "has a name that is no Unicode; rename it",
            ));
        }
        if self
            .download_speed_limit
            .is_some_and(|limit| limit < MIN_SPEED_LIMIT)
        {
            return Err(Error::invalid(
                "download_speed_limit",
                format!("must be {MIN_SPEED_LIMIT} a second or more, or none at all"),
            ));
        }
        Ok(())
    }
}

/// Whether this can be the address of a server. What is wrong with it otherwise shows itself when it is used.
fn is_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && !rest.contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(Settings::default().validate(), Ok(()));
    }

    #[test]
    fn the_guards_leave_what_they_say() {
        let total = Some(ByteSize(8_000_000_000));
        let cases = [
            (MemoryGuard::Off, total, None),
            (MemoryGuard::Relaxed, total, Some(7_600_000_000)),
            (MemoryGuard::Balanced, total, Some(6_800_000_000)),
            (MemoryGuard::Strict, total, Some(5_600_000_000)),
            (MemoryGuard::Strict, None, None),
            (MemoryGuard::Gigabytes(3), None, Some(3_000_000_000)),
            (
                MemoryGuard::Gigabytes(u32::MAX),
                total,
                Some(4_294_967_295_000_000_000),
            ),
            (
                MemoryGuard::Relaxed,
                Some(ByteSize(u64::MAX)),
                Some(u64::MAX / 100 * 95),
            ),
        ];
        for (guard, total, limit) in cases {
            assert_eq!(guard.limit(total), limit.map(ByteSize), "{guard:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_kept_is_refused() {
        use std::os::unix::ffi::OsStrExt;

        let cases: [(&[u8], bool); 4] = [
            (b"/models", true),
            ("/模型".as_bytes(), true),
            (b"models", false),
            (b"/bad\xff", false),
        ];
        for (folder, is_good) in cases {
            let settings = Settings {
                model_folders: vec![std::ffi::OsStr::from_bytes(folder).into()],
                ..Settings::default()
            };
            assert_eq!(settings.validate().is_ok(), is_good, "{settings:?}");
        }
    }

    #[test]
    fn what_downloads_cannot_work_with_is_refused() {
        let with = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings.validate().is_ok()
        };
        assert!(with(
            |settings| settings.hub_endpoint = Some("http://127.0.0.1:80/hub".into())
        ));
        assert!(!with(
            |settings| settings.hub_endpoint = Some("hub.example.org".into())
        ));
        assert!(!with(|settings| settings.proxy = Some("http:///".into())));
        assert!(!with(|settings| settings.downloads_at_once = 0));
        assert!(!with(|settings| settings.downloads_at_once = 9));
        assert!(!with(
            |settings| settings.download_speed_limit = Some(ByteSize(999))
        ));
        assert!(with(
            |settings| settings.download_speed_limit = Some(ByteSize(1_000))
        ));
    }

    #[test]
    fn a_zoom_at_which_nothing_can_be_read_is_refused() {
        for (zoom, is_good) in [(69, false), (70, true), (200, true), (201, false)] {
            let settings = Settings {
                zoom: Zoom(zoom),
                ..Settings::default()
            };
            assert_eq!(settings.validate().is_ok(), is_good, "{zoom}");
        }
    }

    #[test]
    fn limits_that_are_none_are_refused() {
        let settings = |idle_unload_minutes, memory_guard| Settings {
            idle_unload_minutes,
            memory_guard,
            ..Settings::default()
        };
        let cases = [
            (settings(None, MemoryGuard::Off), None),
            (settings(Some(0), MemoryGuard::Off), Some("idle_unload_minutes")),
            (settings(Some(10_080), MemoryGuard::Off), None),
            (
                settings(Some(10_081), MemoryGuard::Off),
                Some("idle_unload_minutes"),
            ),
            (settings(None, MemoryGuard::Gigabytes(0)), Some("memory_guard")),
            (settings(None, MemoryGuard::Gigabytes(1)), None),
        ];
        for (settings, refused) in cases {
            let field = match settings.validate() {
                Ok(()) => None,
                Err(Error::Invalid { field, .. }) => Some(field),
                Err(error) => panic!("{error}"),
            };
            assert_eq!(field.as_deref(), refused, "{settings:?}");
        }
    }
}
