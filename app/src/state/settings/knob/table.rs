//! The settings one by one.

use hearth_protocol::ByteSize;
use hearth_protocol::chat::TurnOptions;
use hearth_protocol::engine::{ContextLength, FlashAttention, GpuLayers, KvType};
use hearth_protocol::settings::{DownloadPlace, MemoryGuard, Settings};

use super::{AUTOMATIC, Kind, Knob, whole};
use crate::state::number::Shape;
use crate::state::panel::effective::Effective;
use crate::state::panel::parameter::Parameter;
use crate::text::{Key, key};

const GIGABYTE: f64 = 1_000_000_000.0;
const MEGABYTE: f64 = 1_000_000.0;

/// What each is called, and what it means; of those that are numbers, their shape says it.
pub(super) fn words(knob: Knob) -> (Key, Key) {
    match knob {
        Knob::Theme => (key!("settings-theme"), key!("settings-theme")),
        Knob::Accent => (key!("settings-accent"), key!("settings-accent")),
        Knob::Language => (key!("settings-language"), key!("settings-language-hint")),
        Knob::TextSize => (key!("settings-text-size"), key!("settings-text-size-hint")),
        Knob::Density => (key!("settings-density"), key!("settings-density-hint")),
        Knob::Zoom => (key!("settings-zoom"), key!("settings-zoom-hint")),
        Knob::DownloadPlace => (
            key!("setting-download-place"),
            key!("setting-download-place-help"),
        ),
        Knob::Mirror => (key!("setting-mirror"), key!("setting-mirror-help")),
        Knob::Proxy => (key!("setting-proxy"), key!("setting-proxy-help")),
        Knob::Offline => (key!("setting-offline"), key!("setting-offline-help")),
        Knob::ServeAtLogin => (
            key!("setting-serve-at-login"),
            key!("setting-serve-at-login-help"),
        ),
        Knob::Guard => (key!("setting-guard"), key!("setting-guard-help")),
        Knob::FlashAttention => (
            key!("setting-flash-attention"),
            key!("setting-flash-attention-help"),
        ),
        Knob::KvFormat => (key!("setting-kv-format"), key!("setting-kv-format-help")),
        Knob::KvOnCpu => (key!("setting-kv-on-cpu"), key!("setting-kv-on-cpu-help")),
        Knob::Mmap => (key!("setting-mmap"), key!("setting-mmap-help")),
        Knob::Mlock => (key!("setting-mlock"), key!("setting-mlock-help")),
        Knob::Speculation => (key!("setting-speculation"), key!("setting-speculation-help")),
        Knob::DefaultModel => (key!("setting-default-model"), key!("setting-default-model-help")),
        Knob::Titles => (key!("setting-titles"), key!("setting-titles-help")),
        Knob::DownloadsAtOnce
        | Knob::SpeedLimit
        | Knob::GuardLimit
        | Knob::IdleMinutes
        | Knob::KvLimit
        | Knob::Context
        | Knob::GpuLayers
        | Knob::Threads
        | Knob::AtOnce
        | Knob::Sampling(_) => (key!("settings-title"), key!("settings-title")),
    }
}

/// What each can be.
pub(super) fn kind(knob: Knob) -> Kind {
    match knob {
        Knob::Theme => Kind::Look(|to, from| to.theme = from.theme),
        Knob::Accent => Kind::Look(|to, from| to.accent = from.accent),
        Knob::Language => Kind::Look(|to, from| to.language = from.language),
        Knob::TextSize => Kind::Look(|to, from| to.text_size = from.text_size),
        Knob::Density => Kind::Look(|to, from| to.density = from.density),
        Knob::Zoom => Kind::Look(|to, from| to.zoom = from.zoom),
        Knob::DefaultModel => Kind::Look(|to, from| to.default_model.clone_from(&from.default_model)),
        Knob::DownloadPlace => Kind::Choice(&[
            (key!("setting-download-place-cache"), |it| {
                it.download_place = DownloadPlace::HubCache;
            }),
            (key!("setting-download-place-folder"), |it| {
                it.download_place = DownloadPlace::Folder;
            }),
        ]),
        Knob::Mirror => Kind::Text {
            empty: key!("setting-mirror-empty"),
            read: |it| it.hub_endpoint.as_deref(),
            write: |it, text| it.hub_endpoint = text,
        },
        Knob::Proxy => Kind::Text {
            empty: key!("setting-proxy-empty"),
            read: |it| it.proxy.as_deref(),
            write: |it, text| it.proxy = text,
        },
        Knob::Offline => Kind::Switch {
            read: |it| it.offline,
            write: |it, on| it.offline = on,
        },
        Knob::ServeAtLogin => Kind::Switch {
            read: |it| it.serve_at_login,
            write: |it, on| it.serve_at_login = on,
        },
        Knob::Guard => Kind::Choice(&[
            (key!("setting-guard-off"), |it| it.memory_guard = MemoryGuard::Off),
            (key!("setting-guard-relaxed"), |it| {
                it.memory_guard = MemoryGuard::Relaxed;
            }),
            (key!("setting-guard-balanced"), |it| {
                it.memory_guard = MemoryGuard::Balanced;
            }),
            (key!("setting-guard-strict"), |it| {
                it.memory_guard = MemoryGuard::Strict;
            }),
        ]),
        Knob::Titles => Kind::Switch {
            read: |it| it.automatic_titles,
            write: |it, on| it.automatic_titles = on,
        },
        Knob::Sampling(parameter) => Kind::Sampling(parameter),
        Knob::FlashAttention => Kind::Choice(&[
            (key!("setting-automatic"), |it| {
                it.load.flash_attention = FlashAttention::Auto;
            }),
            (key!("panel-on"), |it| {
                it.load.flash_attention = FlashAttention::On
            }),
            (key!("panel-off"), |it| {
                it.load.flash_attention = FlashAttention::Off
            }),
        ]),
        Knob::KvFormat => Kind::Choice(&[
            (key!("setting-kv-f16"), |it| set_kv(it, KvType::F16)),
            (key!("setting-kv-q8"), |it| set_kv(it, KvType::Q8_0)),
            (key!("setting-kv-q4"), |it| set_kv(it, KvType::Q4_0)),
        ]),
        Knob::KvOnCpu => Kind::Switch {
            read: |it| it.load.kv_on_cpu,
            write: |it, on| it.load.kv_on_cpu = on,
        },
        Knob::Mmap => Kind::Switch {
            read: |it| it.load.mmap,
            write: |it, on| it.load.mmap = on,
        },
        Knob::Mlock => Kind::Switch {
            read: |it| it.load.mlock,
            write: |it, on| it.load.mlock = on,
        },
        Knob::Speculation => Kind::Switch {
            read: |it| it.load.ngram_speculation,
            write: |it, on| it.load.ngram_speculation = on,
        },
        number => number_kind(number),
    }
}

fn number_kind(knob: Knob) -> Kind {
    match knob {
        Knob::SpeedLimit => Kind::Number {
            shape: Shape {
                range: (0.001, 1_000_000.0),
                whole: false,
                ..whole(
                    key!("setting-speed-limit"),
                    key!("setting-speed-limit-help"),
                    (0.0, 0.0),
                    Some(key!("number-empty-no-limit")),
                )
            },
            unit: Some(key!("unit-megabytes-a-second")),
            read: |it| it.download_speed_limit.map(|limit| limit.0 as f64 / MEGABYTE),
            write: |it, number| {
                it.download_speed_limit = number.map(|number| ByteSize((number * MEGABYTE).round() as u64));
            },
        },
        Knob::GuardLimit => Kind::Number {
            shape: whole(
                key!("setting-guard-limit"),
                key!("setting-guard-limit-help"),
                (1.0, 100_000.0),
                Some(key!("setting-guard-limit-empty")),
            ),
            unit: Some(key!("unit-gigabytes")),
            read: |it| match it.memory_guard {
                MemoryGuard::Gigabytes(count) => Some(count.into()),
                _ => None,
            },
            write: |it, number| {
                it.memory_guard = match (number, it.memory_guard) {
                    (Some(number), _) => MemoryGuard::Gigabytes(number.round() as u32),
                    (None, MemoryGuard::Gigabytes(_)) => MemoryGuard::default(),
                    (None, guard) => guard,
                };
            },
        },
        Knob::IdleMinutes => Kind::Number {
            shape: whole(
                key!("setting-idle"),
                key!("setting-idle-help"),
                (1.0, 10_080.0),
                Some(key!("setting-idle-empty")),
            ),
            unit: Some(key!("unit-minutes")),
            read: |it| it.idle_unload_minutes.map(f64::from),
            write: |it, number| it.idle_unload_minutes = number.map(|number| number.round() as u32),
        },
        Knob::KvLimit => Kind::Number {
            shape: Shape {
                whole: false,
                ..whole(
                    key!("setting-kv-limit"),
                    key!("setting-kv-limit-help"),
                    (0.0, 100_000.0),
                    None,
                )
            },
            unit: Some(key!("unit-gigabytes")),
            read: |it| Some(it.kv_store_limit.0 as f64 / GIGABYTE),
            write: |it, number| {
                it.kv_store_limit = ByteSize((number.unwrap_or_default() * GIGABYTE).round() as u64);
            },
        },
        Knob::Context => Kind::Number {
            shape: whole(
                key!("setting-context"),
                key!("setting-context-help"),
                (16.0, 100_000_000.0),
                AUTOMATIC,
            ),
            unit: Some(key!("unit-tokens")),
            read: |it| match it.load.context_length {
                ContextLength::Tokens(tokens) => Some(tokens.into()),
                ContextLength::Auto => None,
            },
            write: |it, number| {
                let tokens = number.map(|number| ContextLength::Tokens(number.round() as u32));
                it.load.context_length = tokens.unwrap_or_default();
            },
        },
        Knob::GpuLayers => Kind::Number {
            shape: whole(
                key!("setting-gpu-layers"),
                key!("setting-gpu-layers-help"),
                (0.0, 10_000.0),
                AUTOMATIC,
            ),
            unit: None,
            read: |it| match it.load.gpu_layers {
                GpuLayers::Count(count) => Some(count.into()),
                GpuLayers::Auto | GpuLayers::All => None,
            },
            write: |it, number| {
                let layers = number.map(|number| GpuLayers::Count(number.round() as u32));
                it.load.gpu_layers = layers.unwrap_or_default();
            },
        },
        Knob::Threads => Kind::Number {
            shape: whole(
                key!("setting-threads"),
                key!("setting-threads-help"),
                (1.0, 512.0),
                AUTOMATIC,
            ),
            unit: None,
            read: |it| it.load.threads.map(f64::from),
            write: |it, number| it.load.threads = number.map(|number| number.round() as u32),
        },
        Knob::AtOnce => Kind::Number {
            shape: whole(
                key!("setting-at-once"),
                key!("setting-at-once-help"),
                (1.0, 64.0),
                None,
            ),
            unit: None,
            read: |it| Some(it.load.parallel_slots.into()),
            write: |it, number| {
                if let Some(number) = number {
                    it.load.parallel_slots = number.round() as u32;
                }
            },
        },
        // The last of the numbers; all else is told above.
        _ => Kind::Number {
            shape: whole(
                key!("setting-downloads-at-once"),
                key!("setting-downloads-at-once-help"),
                (1.0, 8.0),
                None,
            ),
            unit: None,
            read: |it| Some(it.downloads_at_once.into()),
            write: |it, number| {
                if let Some(number) = number {
                    it.downloads_at_once = number.round() as u32;
                }
            },
        },
    }
}

/// Both halves of the KV cache have one format here; who wants two of them says so at a model.
fn set_kv(settings: &mut Settings, kind: KvType) {
    (settings.load.kv_type_k, settings.load.kv_type_v) = (kind, kind);
}

/// A number of how tokens are chosen.
pub(in crate::state::settings) fn read_sampling(parameter: Parameter, settings: &Settings) -> Option<f64> {
    parameter.read(&effective(settings))
}

/// Sets it.
pub(in crate::state::settings) fn write_sampling(
    parameter: Parameter,
    settings: &mut Settings,
    value: Option<f64>,
) {
    let mut effective = effective(settings);
    parameter.write(&mut effective, value);
    settings.sampling = effective.sampling;
}

fn effective(settings: &Settings) -> Effective {
    Effective::of(TurnOptions::default(), &settings.sampling)
}
