//! The dialog that sets how a model is loaded: every option, what it would take, and the load itself.

pub(crate) mod choice;
pub(crate) mod number;
pub(crate) mod text;
pub(crate) mod view;

use std::collections::BTreeMap;

use hearth_protocol::engine::{Device, DeviceKind, LoadOptions, MemoryEstimate};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{ByteSize, Error, FileId};

use crate::effect::Run;
use number::{Bounds, LoadNumber};
use text::LoadText;

/// The dialog.
#[derive(Debug)]
pub(crate) struct LoadDialog {
    /// The model's file.
    pub(crate) file: FileId,
    name: String,
    quantisation: Option<String>,
    size: ByteSize,
    trained: Option<u32>,
    /// How it will be loaded.
    pub(crate) options: LoadOptions,
    /// How it would be if nothing were set here.
    usual: LoadOptions,
    /// Whether it is known by now what is remembered, so that a change counts.
    pub(super) is_known: bool,
    /// Whether something is remembered of the model.
    is_remembered: bool,
    /// Whether it shall be.
    pub(crate) remember: bool,
    /// Whether the finer options are shown.
    pub(crate) shows_fine: bool,
    /// Numbers that are being typed.
    typed: BTreeMap<LoadNumber, String>,
    /// Texts that are being typed.
    texts: BTreeMap<LoadText, String>,
    devices: Vec<Device>,
    /// Threads that run side by side here.
    threads: Option<u32>,
    estimate: Estimating,
    /// The load that was begun here.
    pub(super) load: Option<Run>,
    /// Why the last load failed.
    pub(super) refusal: Option<Error>,
}

/// What is known of the memory that it would take.
#[derive(Debug, Default)]
struct Estimating {
    /// The question that is being answered.
    asked: Option<Run>,
    /// The newest answer.
    told: Option<MemoryEstimate>,
    /// Why there is none.
    error: Option<Error>,
}

impl LoadDialog {
    /// The dialog of a file, before anything is known but what the settings say.
    pub(super) fn new(file: &LibraryFile, usual: &LoadOptions) -> Self {
        Self {
            file: file.id.clone(),
            name: file.name.clone(),
            quantisation: file.quantisation.clone(),
            size: file.size,
            trained: file.context_length,
            options: usual.clone(),
            usual: usual.clone(),
            is_known: false,
            is_remembered: false,
            remember: true,
            shows_fine: false,
            typed: BTreeMap::new(),
            texts: BTreeMap::new(),
            devices: Vec::new(),
            threads: None,
            estimate: Estimating::default(),
            load: None,
            refusal: None,
        }
    }

    /// Takes what is remembered of the model.
    pub(super) fn take_remembered(&mut self, remembered: Option<LoadOptions>) {
        self.is_known = true;
        self.is_remembered = remembered.is_some();
        if let Some(options) = remembered {
            self.options = options;
        }
    }

    /// Takes what can compute.
    pub(super) fn take_devices(&mut self, devices: Vec<Device>, threads: Option<u32>) {
        self.devices = devices;
        self.threads = threads;
    }

    /// Notes the question that is asked now.
    pub(super) fn ask_estimate(&mut self, run: Run) {
        self.estimate.asked = Some(run);
    }

    /// Whether this is the question that is being answered.
    pub(super) fn asks(&self, run: Run) -> bool {
        self.estimate.asked == Some(run)
    }

    /// Takes an answer.
    pub(super) fn take_estimate(&mut self, told: Result<MemoryEstimate, Error>) {
        match told {
            Ok(told) => {
                self.estimate.told = Some(told);
                self.estimate.error = None;
            }
            Err(error) => {
                self.estimate.told = None;
                self.estimate.error = Some(error);
            }
        }
    }

    /// What the ends of sliders depend on.
    pub(super) fn bounds(&self) -> Bounds {
        let layers = self.estimate.told.as_ref().map(|told| told.gpu_layers.1);
        Bounds {
            trained: self.trained,
            layers: layers.filter(|_| self.has_cards()),
            threads: self.threads,
        }
    }

    /// Whether something other than the processor can compute.
    fn has_cards(&self) -> bool {
        self.cards() > 0
    }

    fn cards(&self) -> usize {
        let is_card = |device: &&Device| device.kind != DeviceKind::Cpu;
        self.devices.iter().filter(is_card).count()
    }

    /// Sets a number; whether that changes how the model is loaded.
    pub(super) fn set(&mut self, number: LoadNumber, value: Option<f64>) {
        self.typed.remove(&number);
        let bounds = self.bounds();
        number.write(&mut self.options, value, bounds);
    }

    /// Sets a number as it is typed, as far as it is one.
    pub(super) fn type_number(&mut self, number: LoadNumber, text: String) {
        let bounds = self.bounds();
        if let Ok(value) = number.shape(bounds).read(&text) {
            number.write(&mut self.options, value, bounds);
        }
        self.typed.insert(number, text);
    }

    /// What was typed and counts is shown as it does.
    pub(super) fn end_typing(&mut self, number: LoadNumber) {
        let shape = number.shape(self.bounds());
        if self
            .typed
            .get(&number)
            .is_some_and(|text| shape.read(text).is_ok())
        {
            self.typed.remove(&number);
        }
    }

    /// Sets a text as it is typed, as far as it can be read.
    pub(super) fn type_text(&mut self, field: LoadText, text: String) {
        // What is wrong with it is told beside it.
        field.read(&text, &mut self.options).ok();
        self.texts.insert(field, text);
    }

    /// Sets a number back to what it is without this dialog.
    pub(super) fn reset_number(&mut self, number: LoadNumber) {
        let usual = number.read(&self.usual, self.bounds());
        self.set(number, usual);
    }

    /// Sets all back.
    pub(super) fn reset(&mut self) {
        self.options = self.usual.clone();
        self.typed.clear();
        self.texts.clear();
    }

    /// What shall be remembered, where that is something else than before; `None` of it forgets.
    pub(super) fn to_remember(&self) -> Option<Option<Box<LoadOptions>>> {
        match (self.remember, self.options == self.usual) {
            (true, false) => Some(Some(Box::new(self.options.clone()))),
            (true, true) => self.is_remembered.then_some(None),
            (false, _) => None,
        }
    }

    /// What is wrong with what is set, which keeps it from being loaded.
    pub(super) fn problem(&self) -> Option<Problem> {
        let bounds = self.bounds();
        let is_wrong = |(number, text): (&LoadNumber, &String)| number.shape(bounds).read(text).is_err();
        let is_unread =
            |(field, text): (&LoadText, &String)| field.read(text, &mut LoadOptions::default()).is_err();
        let is_typed_wrong = self.typed.iter().any(is_wrong) || self.texts.iter().any(is_unread);
        is_typed_wrong
            .then_some(Problem::Typed)
            .or_else(|| self.options.validate().err().map(Problem::Options))
    }
}

/// What is wrong with what is set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Problem {
    /// With what is typed in a field, beside which it is told.
    Typed,
    /// With what goes together.
    Options(Error),
}
