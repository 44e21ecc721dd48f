//! The settings of one chat: what counts of them, and what was typed and cannot count yet.

use std::collections::BTreeMap;

use hearth_protocol::chat::TurnOptions;
use hearth_protocol::chat::preset::Preset;
use hearth_protocol::settings::chat_panel::UnfinishedField;

use super::effective::Effective;
use super::forms::{self, FormKind};
use super::parameter::Parameter;
use super::problem::Problem;

/// The settings of a chat.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ChatSettings {
    /// What counts, as the chat keeps it; an answer can be made of all of it.
    pub(crate) options: TurnOptions,
    /// What stands in fields as it was typed.
    pub(in crate::state) typed: Typed,
    /// The preset that was chosen last.
    pub(in crate::state) preset: Option<String>,
}

/// What stands in fields as it was typed: what is wrong, and what is right and still being typed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Typed {
    texts: BTreeMap<Spot, String>,
    /// The form that was chosen, while another one counts.
    form: Option<FormKind>,
    /// The stop string that is being typed.
    pub(in crate::state) stop: String,
}

/// A field that may hold something that is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Spot {
    /// That of a number.
    Number(Parameter),
    /// That of the answer's form.
    Form,
    /// That of the values for the template.
    Arguments,
}

impl Typed {
    /// The text in a field, where it is not that which counts.
    pub(super) fn text(&self, spot: Spot) -> Option<&str> {
        self.texts.get(&spot).map(String::as_str)
    }

    /// Keeps a text as it is typed.
    pub(in crate::state) fn put(&mut self, spot: Spot, text: String) {
        self.texts.insert(spot, text);
    }

    /// What was typed gives way to what counts.
    pub(in crate::state) fn forget(&mut self, spot: Spot) {
        self.texts.remove(&spot);
        if spot == Spot::Form {
            self.form = None;
        }
    }

    /// The same for all that says how tokens are chosen, but for where the answer ends.
    pub(in crate::state) fn forget_sampling(&mut self) {
        let ends = [Parameter::MaxTokens, Parameter::Seed];
        self.texts.retain(|spot, _| match spot {
            Spot::Number(parameter) => ends.contains(parameter) || !parameter.is_sampling(),
            Spot::Form | Spot::Arguments => true,
        });
    }

    /// Chooses a form, of which a text may be missing.
    pub(in crate::state) fn choose(&mut self, form: FormKind) {
        self.forget(Spot::Form);
        self.form = Some(form);
    }

    /// The texts in fields for JSON that cannot count.
    pub(in crate::state) fn unfinished(&self, now: &Effective) -> Vec<(UnfinishedField, &str)> {
        let is_schema = self.form(now) == FormKind::Schema;
        let fields = [
            (UnfinishedField::Schema, Spot::Form, is_schema),
            (UnfinishedField::TemplateArguments, Spot::Arguments, true),
        ];
        let texts = fields.into_iter().filter_map(|(field, spot, is_it)| {
            let text = self.text(spot).filter(|text| is_it && !text.trim().is_empty())?;
            self.problem(spot, now).map(|_| (field, text))
        });
        texts.collect()
    }

    /// Puts back a text that could not count when Hearth was closed.
    pub(in crate::state) fn put_back(&mut self, field: UnfinishedField, text: String) {
        match field {
            UnfinishedField::Schema => {
                self.choose(FormKind::Schema);
                self.put(Spot::Form, text);
            }
            UnfinishedField::TemplateArguments => self.put(Spot::Arguments, text),
        }
    }

    /// What counts by now is shown as it does.
    pub(in crate::state) fn keep_only_what_is_wrong(&mut self, now: &Effective) {
        self.settle_form(now);
        let right: Vec<Spot> = self
            .texts
            .keys()
            .copied()
            .filter(|spot| self.problem(*spot, now).is_none())
            .collect();
        for spot in right {
            self.texts.remove(&spot);
        }
    }

    /// The form that was chosen needs no mark of its own once it is the one that counts.
    pub(in crate::state) fn settle_form(&mut self, now: &Effective) {
        if self.form == Some(FormKind::of(&now.answer.format)) {
            self.form = None;
        }
    }

    /// Whether something cannot count, and would be lost.
    fn is_unfinished(&self, now: &Effective) -> bool {
        let is_wrong = |spot: &Spot| self.problem(*spot, now).is_some();
        self.form.is_some() || !self.stop.is_empty() || self.texts.keys().any(is_wrong)
    }

    /// The form that is chosen.
    pub(crate) fn form(&self, now: &Effective) -> FormKind {
        self.form.unwrap_or_else(|| FormKind::of(&now.answer.format))
    }

    /// What is wrong with a field; `None` where its text counts.
    pub(crate) fn problem(&self, spot: Spot, now: &Effective) -> Option<Problem> {
        let typed = self.text(spot);
        match spot {
            Spot::Number(parameter) => parameter.shape().read(typed?).err().map(Problem::Number),
            Spot::Arguments => forms::read_arguments(typed?).err(),
            Spot::Form => {
                let form = self.form(now);
                let counts = form.text_of(&now.answer.format);
                form.read(typed.unwrap_or(&counts)).err()
            }
        }
    }
}

impl ChatSettings {
    /// Those of a chat as it was read, with what was typed and could not count.
    pub(crate) fn read(options: TurnOptions, typed: Typed) -> Self {
        Self {
            options,
            typed,
            preset: None,
        }
    }

    /// Takes what was typed and cannot count; `None` where all counts.
    pub(crate) fn take_unfinished(&mut self, now: &Effective) -> Option<Typed> {
        let typed = std::mem::take(&mut self.typed);
        typed.is_unfinished(now).then_some(typed)
    }

    /// Takes over a preset: what it leaves out stays as it is.
    pub(in crate::state) fn take_preset(&mut self, preset: &Preset) {
        let before = std::mem::take(&mut self.options);
        self.options = preset.options.clone().or(before);
        self.typed = Typed::default();
        self.preset = Some(preset.name.clone());
    }

    /// What was typed is shown as it counts, where it does.
    pub(crate) fn tidy(&mut self, spot: Spot, now: &Effective) {
        if self.typed.problem(spot, now).is_none() {
            self.typed.texts.remove(&spot);
        }
    }

    /// Chooses the options that count for what was changed.
    pub(crate) fn change(&mut self, before: &Effective, after: Effective) {
        if after.system_prompt != before.system_prompt {
            self.options.system_prompt = Some(after.system_prompt);
        }
        if after.sampling != before.sampling {
            self.options.sampling = Some(after.sampling);
        }
        if after.answer != before.answer {
            self.options.answer = Some(after.answer);
        }
    }
}
