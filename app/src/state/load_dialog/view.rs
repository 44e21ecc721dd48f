//! What the dialog shows, in words.

use hearth_protocol::ByteSize;
use hearth_protocol::engine::{DeviceEstimate, DeviceKind, LoadOptions};

use super::number::LoadNumber;
use super::text::LoadText;
use super::{LoadDialog, Problem};
use crate::state::models::Load;
use crate::state::number::{Number, NumberView};
use crate::state::{AppState, failure, format};
use crate::text::{Key, Texts, key, say};

/// The dialog as it is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoadView {
    /// `Load Gemma 3 12B`.
    pub(crate) title: String,
    /// `Q4_K_M · 7.30 GB`.
    pub(crate) about: String,
    /// What is known of the memory.
    pub(crate) fit: FitView,
    /// One bar for each device.
    pub(crate) bars: Vec<BarView>,
    /// Weights, context and working memory in words.
    pub(crate) parts: [String; 3],
    /// The numbers, all of them.
    pub(crate) numbers: Vec<NumberView>,
    /// The texts, with what is wrong with each.
    pub(crate) texts: Vec<(LoadText, String, Option<String>)>,
    /// Whether there is more than the processor.
    pub(crate) has_cards: bool,
    /// Whether there are several cards.
    pub(crate) has_many_cards: bool,
    /// What keeps it from being loaded, or kept it from it.
    pub(crate) trouble: Option<String>,
    /// Whether the guard's refusal can be overruled.
    pub(crate) can_force: bool,
    /// Whether something differs from the settings.
    pub(crate) can_reset: bool,
    /// Whether it can be loaded now.
    pub(crate) can_load: bool,
    /// The load that runs: share done, and its words.
    pub(crate) progress: Option<(f32, String)>,
}

/// What is known of whether it fits; the words say it, the kind colours it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FitView {
    /// Its kind.
    pub(crate) kind: FitKind,
    /// `Fits`.
    pub(crate) words: String,
}

/// Kinds of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FitKind {
    /// Nothing is known.
    Unknown,
    /// It fits.
    Fits,
    /// It needs more than is free.
    Short,
}

/// The bar of a device.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BarView {
    /// `RAM`, or the card's name.
    pub(crate) name: String,
    /// Where each part ends, from 0.0 to 1.0: what others use, weights, context, working memory.
    pub(crate) ends: [f32; 4],
    /// `4.1 of 32.0 GB`.
    pub(crate) words: String,
}

impl AppState {
    /// The dialog, where it is open.
    pub(crate) fn load_view(&self) -> Option<LoadView> {
        let dialog = self.load_dialog()?;
        let texts = self.texts();
        let progress = self
            .models
            .load
            .as_ref()
            .filter(|load| Some(load.run) == dialog.load);
        let problem = dialog.problem();
        let quantisation = dialog.quantisation.as_deref();
        let size = format::size(texts, dialog.size);
        let trouble = match &problem {
            Some(Problem::Options(error)) => Some(failure::words(texts, error)),
            Some(Problem::Typed) => None,
            None => dialog.trouble(texts),
        };
        Some(LoadView {
            title: say!(texts, "load-title", model = dialog.name.as_str()),
            about: quantisation.map_or_else(|| size.clone(), |name| format!("{name} · {size}")),
            fit: dialog.fit(texts),
            bars: dialog.bars(texts),
            parts: dialog.parts(texts),
            numbers: LoadNumber::ALL.map(|number| dialog.number(number, texts)).into(),
            texts: LoadText::ALL.map(|field| dialog.text(field, texts)).into(),
            has_cards: dialog.has_cards(),
            has_many_cards: dialog.cards() > 1,
            trouble,
            can_force: matches!(&dialog.refusal, Some(hearth_protocol::Error::MemoryShort { .. })),
            can_reset: dialog.options != dialog.usual,
            can_load: problem.is_none() && dialog.is_known && progress.is_none(),
            progress: progress.map(|load| (load.share, progress_words(texts, load))),
        })
    }
}

fn progress_words(texts: &Texts, load: &Load) -> String {
    match load.cancelling {
        true => say!(texts, "header-cancelling"),
        false => say!(texts, "header-loading", share = format::percent(load.share)),
    }
}

impl LoadDialog {
    /// Why the last load failed, or why nothing is known of the memory.
    fn trouble(&self, texts: &Texts) -> Option<String> {
        let error = self.refusal.as_ref().or(self.estimate.error.as_ref())?;
        Some(failure::words(texts, error))
    }

    fn fit(&self, texts: &Texts) -> FitView {
        let told = self.estimate.told.as_ref();
        let (kind, words) = match told.and_then(|told| told.fits) {
            Some(true) => (FitKind::Fits, key!("load-fits")),
            Some(false) => (FitKind::Short, key!("load-short")),
            None if self.estimate.asked.is_some() && told.is_none() && self.estimate.error.is_none() => {
                (FitKind::Unknown, key!("load-reckoning"))
            }
            None => (FitKind::Unknown, key!("load-unknown")),
        };
        FitView {
            kind,
            words: texts.say(words, &[]),
        }
    }

    fn bars(&self, texts: &Texts) -> Vec<BarView> {
        let told = self.estimate.told.iter().flat_map(|told| &told.devices);
        told.map(|row| self.bar(row, texts)).collect()
    }

    fn bar(&self, row: &DeviceEstimate, texts: &Texts) -> BarView {
        let device = self.devices.iter().find(|device| device.name == row.device);
        let bytes = |part: Option<ByteSize>| part.unwrap_or_default().0;
        let parts = [bytes(row.weights), bytes(row.kv_cache), bytes(row.compute)];
        let wanted: u64 = parts.iter().sum();
        let free = bytes(row.free);
        let total = device.and_then(|device| device.memory_total).map(|total| total.0);
        let whole = total.unwrap_or(free).max(1);
        let used = whole.saturating_sub(free);
        let mut end = used;
        let ends = [0, parts[0], parts[1], parts[2]].map(|part| {
            end = end.saturating_add(part);
            (end as f64 / whole as f64).min(1.0) as f32
        });
        let is_processor = device.is_none_or(|device| device.kind == DeviceKind::Cpu);
        BarView {
            name: match device {
                Some(device) if !is_processor => device.description.clone(),
                _ => say!(texts, "load-ram"),
            },
            ends,
            words: say!(
                texts,
                "load-of-free",
                wanted = format::size(texts, ByteSize(wanted)),
                free = format::size(texts, ByteSize(free)),
            ),
        }
    }

    /// All devices together.
    fn parts(&self, texts: &Texts) -> [String; 3] {
        let sum = |part: fn(&DeviceEstimate) -> Option<ByteSize>| {
            let told = self.estimate.told.as_ref()?;
            let parts: Option<Vec<u64>> = told.devices.iter().map(|row| Some(part(row)?.0)).collect();
            Some(ByteSize(parts?.iter().sum()))
        };
        [
            sum(|row| row.weights),
            sum(|row| row.kv_cache),
            sum(|row| row.compute),
        ]
        .map(|bytes| bytes.map_or_else(String::new, |bytes| format::size(texts, bytes)))
    }

    fn number(&self, number: LoadNumber, texts: &Texts) -> NumberView {
        let bounds = self.bounds();
        let shape = number.shape(bounds);
        let value = number.read(&self.options, bounds);
        let usual = number.read(&self.usual, bounds);
        let typed = self.typed.get(&number);
        let fault = typed.and_then(|text| shape.read(text).err());
        NumberView {
            number: Number::Load(number),
            shape,
            help: self
                .help(number, texts)
                .unwrap_or_else(|| texts.say(shape.help, &[])),
            text: typed.cloned().unwrap_or_else(|| shape.text(value)),
            share: shape.share(value.or_else(|| self.automatic(number))),
            problem: fault.map(|fault| fault.words(texts)),
            usual: (value != usual).then(|| shape.words(usual, texts)),
        }
    }

    /// What the engine takes where it is left to it, as far as it is known.
    fn automatic(&self, number: LoadNumber) -> Option<f64> {
        let told = self.estimate.told.as_ref()?;
        match number {
            LoadNumber::Context => Some(told.context_length.into()),
            LoadNumber::GpuLayers => Some(told.gpu_layers.0.into()),
            LoadNumber::Threads => self.threads.map(f64::from),
            _ => None,
        }
    }

    /// What stands below a number that depends on the model.
    fn help(&self, number: LoadNumber, texts: &Texts) -> Option<String> {
        let is_left = number.read(&self.options, self.bounds()).is_none();
        let told = self.estimate.told.as_ref();
        match number {
            LoadNumber::Context if is_left => told.map(|told| {
                let tokens = format::count(told.context_length.into());
                say!(texts, "load-context-picked", tokens = tokens)
            }),
            LoadNumber::Context => self.trained.map(|tokens| {
                let tokens = format::count(tokens.into());
                say!(texts, "load-context-most", tokens = tokens)
            }),
            LoadNumber::GpuLayers if is_left => told.map(|told| {
                let (on_gpu, all) = told.gpu_layers;
                say!(texts, "load-gpu-layers-picked", layers = on_gpu, all = all)
            }),
            LoadNumber::GpuLayers => {
                told.map(|told| say!(texts, "load-gpu-layers-most", all = told.gpu_layers.1))
            }
            _ => None,
        }
    }

    fn text(&self, field: LoadText, texts: &Texts) -> (LoadText, String, Option<String>) {
        match self.texts.get(&field) {
            Some(text) => {
                let fault: Option<Key> = field.read(text, &mut LoadOptions::default()).err();
                (field, text.clone(), fault.map(|key| texts.say(key, &[])))
            }
            None => (field, field.show(&self.options), None),
        }
    }
}
