//! What a person can set. Each field has a default, so that an old file always opens.

use serde::{Deserialize, Serialize};

use crate::engine::LoadOptions;
use crate::generate::SamplingParams;
use crate::{ByteSize, Error, FileId, Result};

/// Longest time to live of an idle model, in minutes: a week.
const MAX_IDLE_MINUTES: u32 = 7 * 24 * 60;

/// All settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Colours of the window.
    pub theme: Theme,
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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            offline: false,
            default_model: None,
            load: LoadOptions::default(),
            sampling: SamplingParams::default(),
            idle_unload_minutes: Some(60),
            memory_guard: MemoryGuard::default(),
            kv_store_limit: ByteSize(4_000_000_000),
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

/// Colours of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Dark.
    #[default]
    Dark,
    /// Light.
    Light,
}

impl Settings {
    /// Checks every field.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] names the first field that is out of range.
    pub fn validate(&self) -> Result<()> {
        self.load.validate()?;
        self.sampling.validate()?;
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
        Ok(())
    }
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
