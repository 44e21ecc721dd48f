//! What the panel shows, in words.

use hearth_protocol::FileId;
use hearth_protocol::answer::ContextPolicy;
use hearth_protocol::chat::TurnOptions;
use hearth_protocol::chat::preset::Preset;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::generate::MirostatVersion;
use hearth_protocol::settings::chat_panel::PanelSection;

use super::Prompt;
use super::effective::Effective;
use super::forms::{self, FormKind};
use super::menus::EFFORTS;
use super::parameter::{self, MAIN, Parameter};
use super::presets::gives;
use super::problem::Problem;
use super::settings::Spot;
use crate::state::conversation::Contents;
use crate::state::number::{Number, NumberView};
use crate::state::{AppState, format};
use crate::text::{Key, key, say};

/// The name under which templates know how much a model shall think.
pub(crate) const EFFORT: &str = "reasoning_effort";

/// The panel as it is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PanelView {
    /// The preset that counts: `Precise`, `Precise, changed`, `No preset`.
    pub(crate) preset: String,
    /// The instructions.
    pub(crate) system_prompt: String,
    /// `24 tokens`; empty where it is not known.
    pub(crate) prompt_tokens: String,
    /// How tokens are chosen: what most people change.
    pub(crate) sampling: Vec<NumberView>,
    /// The rest of it.
    pub(crate) fine: Vec<NumberView>,
    /// Which Mirostat is on.
    pub(crate) mirostat: Option<MirostatVersion>,
    /// Its numbers; none while it is off.
    pub(crate) mirostat_numbers: Vec<NumberView>,
    /// Whether how tokens are chosen differs from what counts without the chat.
    pub(crate) can_reset: bool,
    /// Most tokens, the seed.
    pub(crate) length: Vec<NumberView>,
    /// Texts that end the answer, as they are shown.
    pub(crate) stops: Vec<String>,
    /// The one that is being typed.
    pub(crate) stop: String,
    /// What happens when the chat outgrows the context.
    pub(crate) context_policy: Key,
    /// The form of the answer.
    pub(crate) form: FormKind,
    /// Its text.
    pub(crate) form_text: String,
    /// What is wrong with it.
    pub(crate) form_problem: Option<String>,
    /// Whether the model shall think; `None` leaves it to the model.
    pub(crate) thinking: Option<bool>,
    /// How much.
    pub(crate) effort: String,
    /// Most tokens to think with.
    pub(crate) budget: Vec<NumberView>,
    /// Values for the template.
    pub(crate) arguments: String,
    /// What is wrong with them.
    pub(crate) arguments_problem: Option<String>,
    /// `Make default for SmolLM2`; `None` where no model is known.
    pub(crate) make_default: Option<String>,
    /// Where settings come from that the chat does not set.
    pub(crate) default_note: String,
}

impl AppState {
    /// Whether the panel is in sight.
    pub(crate) fn panel_is_shown(&self) -> bool {
        match self.panel.is_narrow {
            true => self.panel.lies_over,
            false => self.settings.shown().chat_panel.open,
        }
    }

    /// Whether only the title of a section is shown.
    pub(crate) fn is_folded(&self, section: PanelSection) -> bool {
        self.settings.shown().chat_panel.folded.contains(&section)
    }

    /// Whether the settings of the open chat are here and can be changed.
    pub(crate) fn can_set(&self) -> bool {
        self.open.contents == Contents::Here
    }

    /// What counts for the next answer of the open chat.
    pub(crate) fn effective(&self) -> Effective {
        let options = self.open.settings.options.clone();
        Effective::of(options.or(self.model_defaults()), &self.settings.shown().sampling)
    }

    /// What would count if the chat set nothing.
    pub(in crate::state) fn usual(&self) -> Effective {
        Effective::of(self.model_defaults(), &self.settings.shown().sampling)
    }

    fn model_defaults(&self) -> TurnOptions {
        let model = self.panel_model();
        self.panel.defaults_of(model.as_ref().map(|(file, _)| file))
    }

    /// Whether something is remembered of how the model answers.
    pub(super) fn has_defaults(&self) -> bool {
        self.model_defaults() != TurnOptions::default()
    }

    /// The model that answers next and its name, as far as it is known before it is asked.
    pub(crate) fn panel_model(&self) -> Option<(FileId, String)> {
        if let Some(load) = self.models.load.as_ref().filter(|load| !load.cancelling) {
            return Some((load.file.clone(), load.name.clone()));
        }
        let named = |file: &FileId| {
            let file = self.models.usable(file)?;
            Some((file.id.clone(), file.name.clone()))
        };
        if let Some(ModelRef::File(file)) = &self.open.settings.options.model {
            return named(file);
        }
        if let Some(model) = self.models.current() {
            return Some((model.file.clone(), model.name.clone()));
        }
        self.settings.shown().default_model.as_ref().and_then(named)
    }

    /// The preset that was chosen, or that gives what counts.
    pub(crate) fn chosen_preset(&self) -> Option<Preset> {
        let presets = &self.panel.presets;
        let chosen = self.open.settings.preset.as_deref();
        let chosen = chosen.and_then(|name| presets.get(name));
        chosen.or_else(|| presets.that_gives(&self.effective())).cloned()
    }

    /// How much the model shall think, by the name that templates know.
    pub(super) fn effort<'a>(&self, now: &'a Effective) -> Option<&'a str> {
        now.answer.template_arguments.get(EFFORT)?.as_str()
    }

    /// The instructions of the open chat for the model in memory, which can be counted.
    pub(in crate::state) fn countable_prompt(&self) -> Option<Prompt> {
        let file = self.models.current()?.file.clone();
        let text = self.effective().system_prompt;
        (!text.is_empty()).then_some(Prompt { file, text })
    }

    fn prompt_tokens(&self) -> String {
        let known = self.panel.count.known.as_ref();
        let now = self.countable_prompt();
        let tokens = known.filter(|(prompt, _)| now.as_ref() == Some(prompt));
        tokens
            .and_then(|(_, tokens)| *tokens)
            .map_or_else(String::new, |tokens| format::tokens(self.texts(), tokens))
    }

    /// The panel of the open chat.
    pub(crate) fn panel_view(&self) -> PanelView {
        let (now, usual) = (self.effective(), self.usual());
        let (typed, texts) = (&self.open.settings.typed, self.texts());
        let words = |problem: Option<Problem>| problem.map(|problem| problem.words(texts));
        let all = |parameters: &[Parameter]| -> Vec<NumberView> {
            let view = |parameter: &Parameter| self.number_view(*parameter, &now, &usual);
            parameters.iter().map(view).collect()
        };
        let effort = self.effort(&now);
        let known = EFFORTS.iter().find(|(name, _)| *name == effort);
        let form = typed.form(&now);
        let text = |spot, counts: String| typed.text(spot).map_or(counts, str::to_owned);
        let mirostat = now.sampling.mirostat.map(|mirostat| mirostat.version);
        PanelView {
            preset: match self.chosen_preset() {
                None => say!(texts, "panel-preset-none"),
                Some(preset) if gives(&preset, &now) => preset.name,
                Some(preset) => say!(texts, "panel-preset-changed", preset = preset.name),
            },
            system_prompt: now.system_prompt.clone(),
            prompt_tokens: self.prompt_tokens(),
            sampling: all(&MAIN),
            fine: all(&parameter::fine(&now)),
            mirostat,
            mirostat_numbers: match mirostat {
                Some(_) => all(&[Parameter::MirostatTau, Parameter::MirostatEta]),
                None => Vec::new(),
            },
            can_reset: now.sampling != usual.sampling,
            length: all(&[Parameter::MaxTokens, Parameter::Seed]),
            stops: now
                .sampling
                .stop
                .iter()
                .map(|text| forms::shown_stop(text))
                .collect(),
            stop: typed.stop.clone(),
            context_policy: policy_label(now.answer.context_policy),
            form,
            form_text: text(Spot::Form, form.text_of(&now.answer.format)),
            form_problem: words(typed.problem(Spot::Form, &now)),
            thinking: now.answer.reasoning.enabled,
            effort: known.map_or_else(
                || effort.unwrap_or_default().to_owned(),
                |(_, label)| texts.say(*label, &[]),
            ),
            budget: all(&[Parameter::ThinkingBudget]),
            arguments: text(
                Spot::Arguments,
                forms::arguments_text(&now.answer.template_arguments),
            ),
            arguments_problem: words(typed.problem(Spot::Arguments, &now)),
            make_default: self
                .panel_model()
                .map(|(_, name)| say!(texts, "panel-make-default", model = name)),
            default_note: match (self.panel_model(), self.has_defaults()) {
                (Some((_, name)), true) => say!(texts, "panel-note-model", model = name),
                (Some(_), false) => say!(texts, "panel-note-settings"),
                (None, _) => say!(texts, "panel-note-no-model"),
            },
        }
    }

    fn number_view(&self, parameter: Parameter, now: &Effective, usual: &Effective) -> NumberView {
        let spot = Spot::Number(parameter);
        let (typed, texts) = (&self.open.settings.typed, self.texts());
        let (value, usual) = (parameter.read(now), parameter.read(usual));
        let shape = parameter.shape();
        NumberView {
            number: Number::Panel(parameter),
            shape,
            help: texts.say(shape.help, &[]),
            text: typed.text(spot).map_or_else(|| shape.text(value), str::to_owned),
            share: shape.share(value),
            problem: typed.problem(spot, now).map(|problem| {
                let (problem, counts) = (problem.words(texts), shape.words(value, texts));
                say!(texts, "problem-until-then", problem = problem, counts = counts)
            }),
            usual: (value != usual).then(|| shape.words(usual, texts)),
        }
    }
}

/// What happens when the chat outgrows the context, in a few words.
pub(super) fn policy_label(policy: ContextPolicy) -> Key {
    match policy {
        ContextPolicy::Stop => key!("panel-policy-stop"),
        ContextPolicy::Rolling => key!("panel-policy-rolling"),
        ContextPolicy::KeepEnds => key!("panel-policy-ends"),
    }
}
