//! The panel beside the chat: what the person sets there, and how it is kept.

mod keeping;
mod presets;

use hearth_protocol::chat::TurnOptions;
use hearth_protocol::generate::{Mirostat, MirostatVersion};
use hearth_protocol::settings::chat_panel::ChatPanel;
use hearth_protocol::{FileId, Result};

use crate::effect::BackendEffect;
use crate::effect::panel::PanelEffect;
use crate::msg::number::NumberMsg;
use crate::msg::panel::{PanelMsg, PanelNews};
use crate::state::panel::effective::Effective;
use crate::state::panel::forms;
use crate::state::panel::parameter::Parameter;
use crate::state::panel::settings::{ChatSettings, Spot};
use crate::state::panel::view::EFFORT;
use crate::state::{AppState, Page};
use crate::text::{key, say};

/// Usual target and rate of Mirostat (llama.cpp).
const MIROSTAT_TAU: f32 = 5.0;
const MIROSTAT_ETA: f32 = 0.1;

impl AppState {
    pub(super) fn update_panel(&mut self, msg: PanelMsg) {
        match msg {
            PanelMsg::Toggle => self.toggle_panel(),
            PanelMsg::Close { has_keys } => {
                self.panel.lies_over = false;
                if has_keys {
                    self.focus_composer();
                }
            }
            PanelMsg::SetNarrow(narrow) => {
                let was_shown = self.panel_is_shown();
                self.panel.is_narrow = narrow;
                if was_shown && !self.panel_is_shown() {
                    self.focus_composer();
                }
            }
            PanelMsg::ToggleSection(section) => self.change_panel(|panel| {
                let before = panel.folded.len();
                panel.folded.retain(|folded| *folded != section);
                if panel.folded.len() == before {
                    panel.folded.push(section);
                }
            }),

            PanelMsg::PromptChanged(text) => self.change_answer(|now| now.system_prompt = text),
            PanelMsg::Number(parameter, happens) => self.update_number(parameter, happens),
            PanelMsg::ResetSampling => self.reset_sampling(),
            PanelMsg::SetMirostat(version) => self.change_answer(|now| set_mirostat(now, version)),

            PanelMsg::StopTyped(text) => self.open.settings.typed.stop = text,
            PanelMsg::AddStop => self.add_stop(),
            PanelMsg::RemoveStop(index) => self.change_answer(|now| {
                if index < now.sampling.stop.len() {
                    now.sampling.stop.remove(index);
                }
            }),
            PanelMsg::SetContextPolicy(policy) => {
                self.change_answer(|now| now.answer.context_policy = policy)
            }

            PanelMsg::SetForm(form) => {
                let text = form.text_of(&self.effective().answer.format);
                self.open.settings.typed.choose(form);
                // One that needs a text counts once that is typed.
                let format = form.read(&text).unwrap_or_default();
                self.change_answer(|now| now.answer.format = format);
                self.settle_form();
            }
            PanelMsg::FormTyped(text) => self.type_form(text),
            PanelMsg::SetThinking(enabled) => {
                self.change_answer(|now| now.answer.reasoning.enabled = enabled)
            }
            PanelMsg::SetEffort(effort) => {
                self.open.settings.typed.forget(Spot::Arguments);
                self.change_answer(|now| {
                    let arguments = &mut now.answer.template_arguments;
                    match effort {
                        Some(effort) => arguments.insert(EFFORT.into(), effort.into()),
                        None => arguments.shift_remove(EFFORT),
                    };
                });
            }
            PanelMsg::ArgumentsTyped(text) => {
                let read = forms::read_arguments(&text);
                self.open.settings.typed.put(Spot::Arguments, text);
                self.keeping.note_typed(self.present.now);
                if let Ok(arguments) = read {
                    self.change_answer(|now| now.answer.template_arguments = arguments);
                }
            }

            PanelMsg::MakeDefault => {
                let options = self.effective().into_options();
                self.keep_defaults(options);
            }
            PanelMsg::ForgetDefault => self.keep_defaults(TurnOptions::default()),
            PanelMsg::ResetAll => {
                let model = self.open.settings.options.model.take();
                self.open.settings = ChatSettings::default();
                self.open.settings.options.model = model;
                self.note_settings();
            }
            about_presets => self.update_presets(about_presets),
        }
    }

    pub(super) fn take_panel_news(&mut self, news: PanelNews) {
        match news {
            PanelNews::Defaults { file, result } => {
                let result = result.inspect_err(|error| {
                    self.complain(&say!(self.texts(), "failed-read-defaults"), error);
                });
                self.panel.defaults.insert(file, Some(result.unwrap_or_default()));
            }
            PanelNews::DefaultsKept {
                file,
                options,
                result,
            } => self.take_kept_defaults(file, *options, result),
            PanelNews::Counted { prompt, result } => {
                // Nothing is lost where it cannot be counted.
                self.panel.count.asked = None;
                self.panel.count.known = Some((prompt, result.unwrap_or_default()));
            }
            PanelNews::Kept { chat, result } => self.take_kept(chat, result),
            about_presets => self.take_preset_news(about_presets),
        }
    }

    /// Asks for what the panel shows and is not known yet; nothing while it is out of sight.
    pub(super) fn refresh_panel(&mut self) {
        if !self.panel_is_shown() {
            return;
        }
        if self.panel.presets.all.is_none() {
            self.panel.presets.all = Some(Vec::new());
            self.ask_panel(PanelEffect::ListPresets);
        }
        if let Some((file, _)) = self.panel_model()
            && !self.panel.defaults.contains_key(&file)
        {
            self.panel.defaults.insert(file.clone(), None);
            self.ask_panel(PanelEffect::ReadDefaults(file));
        }
        self.count_prompt();
    }

    fn count_prompt(&mut self) {
        let count = &self.panel.count;
        let Some(prompt) = self.countable_prompt().filter(|_| count.asked.is_none()) else {
            return;
        };
        if count.known.as_ref().is_none_or(|(known, _)| *known != prompt) {
            self.panel.count.asked = Some(prompt.clone());
            self.ask_panel(PanelEffect::Count(prompt));
        }
    }

    fn toggle_panel(&mut self) {
        let was_shown = self.page() == Page::Chat && self.panel_is_shown();
        if self.page() != Page::Chat {
            self.show_page(Page::Chat);
        }
        match self.panel.is_narrow {
            true => self.panel.lies_over = !was_shown,
            false => self.change_panel(|panel| panel.open = !was_shown),
        }
        if was_shown {
            self.focus_composer();
        }
    }

    fn change_panel(&mut self, change: impl FnOnce(&mut ChatPanel)) {
        if let Some(settings) = self.settings.change(|all| change(&mut all.chat_panel)) {
            self.ask(BackendEffect::WriteSettings(Box::new(settings)));
        }
    }

    /// Changes what counts for the next answer of the open chat, which is then kept.
    fn change_answer(&mut self, change: impl FnOnce(&mut Effective)) {
        if !self.can_set() {
            return;
        }
        let before = self.effective();
        let mut after = before.clone();
        change(&mut after);
        if after != before {
            self.open.settings.change(&before, after);
            self.note_settings();
        }
    }

    fn set_number(&mut self, parameter: Parameter, value: Option<f64>) {
        self.open.settings.typed.forget(Spot::Number(parameter));
        self.change_answer(|now| parameter.write(now, value));
    }

    fn update_number(&mut self, parameter: Parameter, happens: NumberMsg) {
        let shape = parameter.shape();
        match happens {
            NumberMsg::Slid(share) => self.set_number(parameter, shape.at(share)),
            NumberMsg::Typed(text) => {
                if let Ok(value) = shape.read(&text) {
                    self.change_answer(|now| parameter.write(now, value));
                }
                self.open.settings.typed.put(Spot::Number(parameter), text);
            }
            NumberMsg::Stepped(steps) => {
                let from = parameter.read(&self.effective()).unwrap_or(0.0);
                self.set_number(parameter, Some(shape.stepped(from, steps)));
            }
            NumberMsg::Done => {
                let now = self.effective();
                self.open.settings.tidy(Spot::Number(parameter), &now);
            }
            NumberMsg::Reset => {
                let usual = parameter.read(&self.usual());
                self.set_number(parameter, usual);
                self.leave_out_what_is_usual();
            }
        }
    }

    /// How tokens are chosen is as without the chat; where the answer ends stays.
    fn reset_sampling(&mut self) {
        let usual = self.usual().sampling;
        self.open.settings.typed.forget_sampling();
        self.change_answer(|now| {
            let kept = std::mem::replace(&mut now.sampling, usual);
            now.sampling.seed = kept.seed;
            now.sampling.max_tokens = kept.max_tokens;
            now.sampling.stop = kept.stop;
            now.sampling.logit_bias = kept.logit_bias;
        });
        self.leave_out_what_is_usual();
    }

    /// What was set back to what counts without the chat follows that from now on.
    fn leave_out_what_is_usual(&mut self) {
        let usual = self.usual();
        let options = &mut self.open.settings.options;
        options.sampling.take_if(|sampling| *sampling == usual.sampling);
        options.answer.take_if(|answer| *answer == usual.answer);
    }

    fn add_stop(&mut self) {
        let text = forms::read_stop(&std::mem::take(&mut self.open.settings.typed.stop));
        if !text.is_empty() {
            self.change_answer(|now| {
                if !now.sampling.stop.contains(&text) {
                    now.sampling.stop.push(text);
                }
            });
        }
    }

    /// Takes what is typed of a form as far as it is one; the one before counts until then.
    fn type_form(&mut self, text: String) {
        let now = self.effective();
        let typed = &mut self.open.settings.typed;
        let read = typed.form(&now).read(&text);
        typed.put(Spot::Form, text);
        self.keeping.note_typed(self.present.now);
        if let Ok(format) = read {
            self.change_answer(|now| now.answer.format = format);
            self.settle_form();
        }
    }

    fn settle_form(&mut self) {
        let now = self.effective();
        self.open.settings.typed.settle_form(&now);
    }

    fn keep_defaults(&mut self, options: TurnOptions) {
        if let Some((file, _)) = self.panel_model() {
            let options = Box::new(options);
            self.ask_panel(PanelEffect::KeepDefaults { file, options });
        }
    }

    fn take_kept_defaults(&mut self, file: FileId, options: TurnOptions, result: Result<()>) {
        if let Err(error) = result {
            return self.complain(&say!(self.texts(), "failed-write-defaults"), &error);
        }
        let (title, text) = match options == TurnOptions::default() {
            true => (
                key!("done-defaults-forgotten"),
                key!("done-defaults-forgotten-text"),
            ),
            false => (key!("done-defaults-saved"), key!("done-defaults-saved-text")),
        };
        self.panel.defaults.insert(file, Some(options));
        let [title, text] = [title, text].map(|key| self.texts().say(key, &[]));
        self.toasts.done(&title, text, None, self.present.now);
    }

    pub(super) fn ask_panel(&mut self, effect: PanelEffect) {
        self.ask(BackendEffect::Panel(effect));
    }
}

fn set_mirostat(now: &mut Effective, version: Option<MirostatVersion>) {
    let before = now.sampling.mirostat;
    now.sampling.mirostat = version.map(|version| Mirostat {
        version,
        tau: before.map_or(MIROSTAT_TAU, |mirostat| mirostat.tau),
        eta: before.map_or(MIROSTAT_ETA, |mirostat| mirostat.eta),
    });
}
