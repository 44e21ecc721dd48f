//! What computes here, and what Hearth takes of it now and over the last minute.

use std::collections::VecDeque;

use hearth_protocol::engine::{Device, DeviceKind, GpuLayers, Usage};
use hearth_protocol::settings::Settings;
use hearth_protocol::{ByteSize, Error, Result};

use super::Part;
use crate::state::{AppState, Page, failure, format};
use crate::text::{Texts, say};

/// Measurements that are kept: those of a minute.
const KEPT: usize = 60;

/// What is known of this computer.
#[derive(Debug, Default)]
pub(crate) struct Hardware {
    devices: Option<Result<Vec<Device>>>,
    /// Whether it is being looked for devices.
    looking: bool,
    /// What Hearth took, the newest last.
    usage: VecDeque<Usage>,
    /// Whether that is being told.
    pub(in crate::state) watching: bool,
    /// What the KV states of chats take on the disk.
    pub(in crate::state) kept: Option<ByteSize>,
}

/// A device in the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DeviceRow {
    /// llama.cpp's name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) label: String,
    /// Its kind, and what computes there.
    pub(crate) detail: String,
    /// `3.10 of 8.00 GB`; empty where that is not known.
    pub(crate) memory: String,
    /// The share of its memory that is in use.
    pub(crate) share: Option<f32>,
    /// Whether models may use it; `None` for what is always used.
    pub(crate) used: Option<bool>,
    /// Whether it is a graphics card.
    pub(crate) is_gpu: bool,
}

/// One figure with its plot.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Figure {
    /// As a person reads it; empty until it is known.
    pub(crate) now: String,
    /// Shares of the whole, 0.0 to 1.0, one a second, the newest last.
    pub(crate) minute: Vec<f32>,
}

/// What Hearth and its workers take.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct UsageView {
    /// Main memory.
    pub(crate) memory: Figure,
    /// Processors.
    pub(crate) cpu: Figure,
    /// Memory of graphics cards that is in use, by whomever; `None` without one. The system does not tell it by program.
    pub(crate) video: Option<String>,
}

impl Hardware {
    /// Begins to look for devices; whether it is not under way already.
    pub(in crate::state) fn begin_looking(&mut self) -> bool {
        !std::mem::replace(&mut self.looking, true)
    }

    /// Whether it was ever looked for devices, or is.
    pub(in crate::state) fn has_looked(&self) -> bool {
        self.looking || self.devices.is_some()
    }

    /// Takes what was found.
    pub(in crate::state) fn take_devices(&mut self, found: Result<Vec<Device>>) {
        (self.looking, self.devices) = (false, Some(found));
    }

    /// Takes a measurement; whether it can be seen: where it looks as all before it do, the plot moves on unseen, and a window
    /// that rests draws nothing.
    pub(in crate::state) fn take_usage(&mut self, usage: Usage) -> bool {
        let is_seen = self.usage.is_empty() || !self.usage.iter().all(|before| is_alike(before, &usage));
        if self.usage.len() >= KEPT {
            self.usage.pop_front();
        }
        self.usage.push_back(usage);
        is_seen
    }

    /// Forgets measurements between which nobody listened: a plot of them would tell a minute that was none.
    pub(in crate::state) fn forget_usage(&mut self) {
        self.usage.clear();
    }

    /// Why no devices are known; `None` where they are, or nobody has looked yet.
    fn trouble(&self) -> Option<&Error> {
        self.devices.as_ref().and_then(|found| found.as_ref().err())
    }

    fn devices(&self) -> &[Device] {
        match &self.devices {
            Some(Ok(devices)) => devices,
            _ => &[],
        }
    }
}

/// The least differences that are drawn at once, in bytes and in per cent. Smaller ones are lost in a plot of 24 pixels.
const MEMORY_STEP: u64 = 16 << 20;
const CPU_STEP: f32 = 5.0;

/// Whether two measurements look alike.
fn is_alike(one: &Usage, other: &Usage) -> bool {
    let cpu = |usage: &Usage| usage.cpu_percent.unwrap_or_default();
    one.memory.0.abs_diff(other.memory.0) < MEMORY_STEP && (cpu(one) - cpu(other)).abs() < CPU_STEP
}

/// Whether models may use a device.
fn is_used(settings: &Settings, device: &Device) -> bool {
    let named = &settings.load.devices;
    settings.load.gpu_layers != GpuLayers::Count(0) && (named.is_empty() || named.contains(&device.name))
}

fn is_gpu(device: &Device) -> bool {
    matches!(device.kind, DeviceKind::Gpu | DeviceKind::IntegratedGpu)
}

impl AppState {
    /// Whether something in sight shows what Hearth takes.
    pub(in crate::state) fn shows_usage(&self) -> bool {
        match self.page() {
            _ if self.load_dialog().is_some() => true,
            Page::Server => true,
            Page::Settings => self.settings.part == Part::Hardware,
            Page::Chat | Page::Discover | Page::Models => false,
        }
    }

    /// What computes here.
    pub(crate) fn device_rows(&self) -> Vec<DeviceRow> {
        let (texts, settings) = (self.texts(), self.settings.shown());
        let row = |device: &Device| {
            let share = used_share(device);
            DeviceRow {
                name: device.name.clone(),
                label: device.description.clone(),
                detail: kind_words(texts, device),
                memory: match (share, device.memory_total) {
                    (Some(share), Some(total)) => format::part_of_size(texts, share, total),
                    (None, Some(total)) => format::size(texts, total),
                    (_, None) => String::new(),
                },
                share,
                used: is_gpu(device).then(|| is_used(settings, device)),
                is_gpu: is_gpu(device),
            }
        };
        self.settings.hardware.devices().iter().map(row).collect()
    }

    /// What is said instead of devices; empty where there are some.
    pub(crate) fn devices_note(&self) -> String {
        let hardware = &self.settings.hardware;
        match (hardware.trouble(), hardware.devices().is_empty()) {
            (Some(error), _) => failure::reason(self.texts(), error),
            (None, true) => say!(self.texts(), "hardware-looking"),
            (None, false) => String::new(),
        }
    }

    /// The settings after a graphics card is used, or not any longer. Without any, the processor computes all.
    pub(in crate::state) fn with_device(&self, name: &str, used: bool) -> impl FnOnce(&mut Settings) + use<> {
        let gpus = self.settings.hardware.devices().iter().filter(|it| is_gpu(it));
        let settings = self.settings.shown();
        let wanted: Vec<(String, bool)> = gpus
            .map(|it| {
                let is_it = it.name == name;
                (it.name.clone(), if is_it { used } else { is_used(settings, it) })
            })
            .collect();
        move |settings| {
            let all = wanted.iter().all(|(_, used)| *used);
            let none = !wanted.iter().any(|(_, used)| *used);
            let names = wanted.into_iter().filter(|(_, used)| *used).map(|(name, _)| name);
            settings.load.devices = if all || none { Vec::new() } else { names.collect() };
            settings.load.tensor_split.clear();
            settings.load.gpu_layers = match (none, settings.load.gpu_layers) {
                (true, _) => GpuLayers::Count(0),
                (false, GpuLayers::Count(0)) => GpuLayers::Auto,
                (false, layers) => layers,
            };
        }
    }

    /// What Hearth and its workers take, now and over the last minute.
    pub(crate) fn usage_view(&self) -> UsageView {
        let (hardware, texts) = (&self.settings.hardware, self.texts());
        let gpus = hardware
            .devices()
            .iter()
            .filter(|device| device.kind == DeviceKind::Gpu);
        let used: Vec<String> = gpus
            .filter_map(|device| {
                let total = device.memory_total?;
                Some(format::part_of_size(texts, used_share(device)?, total))
            })
            .collect();
        let video = (!used.is_empty()).then(|| used.join(" · "));
        let Some(now) = hardware.usage.back() else {
            return UsageView {
                video,
                ..UsageView::default()
            };
        };
        let memory_share = |usage: &Usage| {
            let total = usage.memory_total.filter(|total| total.0 > 0);
            total.map_or(0.0, |total| (usage.memory.0 as f64 / total.0 as f64) as f32)
        };
        let cpu_share = |usage: &Usage| usage.cpu_percent.unwrap_or_default() / 100.0;
        let measured = &hardware.usage;
        UsageView {
            memory: Figure {
                now: match now.memory_total {
                    Some(total) => say!(
                        texts,
                        "number-part",
                        part = format::size(texts, now.memory),
                        whole = format::size(texts, total),
                    ),
                    None => format::size(texts, now.memory),
                },
                minute: measured.iter().map(memory_share).collect(),
            },
            cpu: Figure {
                now: now
                    .cpu_percent
                    .map_or_else(String::new, |share| format::percent(share / 100.0)),
                minute: measured.iter().map(cpu_share).collect(),
            },
            video,
        }
    }

    /// Whether it is being looked for devices.
    pub(crate) fn is_looking_for_devices(&self) -> bool {
        self.settings.hardware.looking
    }

    /// What the KV states of chats take; empty until it is known.
    pub(crate) fn kept_size(&self) -> String {
        let kept = self.settings.hardware.kept;
        kept.map_or_else(String::new, |size| format::size(self.texts(), size))
    }

    /// Whether there are KV states to remove.
    pub(crate) fn keeps_something(&self) -> bool {
        self.settings.hardware.kept.is_some_and(|size| size.0 > 0)
    }
}

/// The share of a device's memory that is in use, by whomever.
fn used_share(device: &Device) -> Option<f32> {
    let (total, free) = (device.memory_total?, device.memory_free?);
    (total.0 > 0).then(|| total.0.saturating_sub(free.0) as f32 / total.0 as f32)
}

fn kind_words(texts: &Texts, device: &Device) -> String {
    let kind = match device.kind {
        DeviceKind::Cpu => say!(texts, "device-cpu"),
        DeviceKind::Gpu => say!(texts, "device-gpu"),
        DeviceKind::IntegratedGpu => say!(texts, "device-integrated"),
        DeviceKind::Accelerator => say!(texts, "device-accelerator"),
    };
    format!("{kind} · {}", device.name)
}
