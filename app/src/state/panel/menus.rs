//! The menus of the panel: presets, forms, what happens to a long chat, efforts, and what can be done with all of it.

use hearth_protocol::answer::ContextPolicy;

use super::forms::FormKind;
use super::view::policy_label;
use crate::msg::Msg;
use crate::msg::panel::PanelMsg;
use crate::state::AppState;
use crate::state::overlay::Glyph;
use crate::state::overlay::menu::MenuItem;
use crate::text::{Key, key, say};

/// What each effort is called, by the name that templates know.
pub(super) const EFFORTS: [(Option<&str>, Key); 4] = [
    (None, key!("panel-as-model")),
    (Some("low"), key!("panel-effort-low")),
    (Some("medium"), key!("panel-effort-medium")),
    (Some("high"), key!("panel-effort-high")),
];

/// The menus of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelMenu {
    /// The presets.
    Presets,
    /// What happens when the chat outgrows the context.
    ContextPolicy,
    /// The form of the answer.
    Form,
    /// How much the model thinks.
    Effort,
    /// What can be done with all settings.
    All,
}

impl AppState {
    /// The items of a menu of the panel.
    pub(in crate::state) fn panel_items(&self, menu: PanelMenu) -> Vec<MenuItem> {
        let now = self.effective();
        let said = |key| self.texts().say(key, &[]);
        match menu {
            PanelMenu::Presets => self.preset_items(),
            PanelMenu::ContextPolicy => [
                ContextPolicy::Stop,
                ContextPolicy::Rolling,
                ContextPolicy::KeepEnds,
            ]
            .map(|policy| {
                let is_it = now.answer.context_policy == policy;
                choice(
                    &said(policy_label(policy)),
                    is_it,
                    PanelMsg::SetContextPolicy(policy),
                )
            })
            .into(),
            PanelMenu::Form => FormKind::ALL
                .map(|form| {
                    let is_it = self.open().settings.typed.form(&now) == form;
                    choice(&said(form.label()), is_it, PanelMsg::SetForm(form))
                })
                .into(),
            PanelMenu::Effort => EFFORTS
                .map(|(effort, label)| {
                    let is_it = self.effort(&now) == effort;
                    choice(&said(label), is_it, PanelMsg::SetEffort(effort))
                })
                .into(),
            PanelMenu::All => self.whole_items(),
        }
    }

    fn preset_items(&self) -> Vec<MenuItem> {
        let (chosen, texts) = (self.chosen_preset(), self.texts());
        let is_chosen = |name: &str| chosen.as_ref().is_some_and(|preset| preset.name == name);
        let presets = self.panel.presets.listed().iter();
        let mut items: Vec<MenuItem> = presets
            .map(|preset| {
                let choose = PanelMsg::ChoosePreset(preset.name.clone());
                choice(&preset.name, is_chosen(&preset.name), choose)
            })
            .collect();
        items.push(
            item(
                Glyph::Add,
                &say!(texts, "panel-preset-save-as"),
                PanelMsg::BeginSave,
            )
            .apart(),
        );
        if let Some(preset) = &chosen {
            if !preset.shipped {
                items.push(item(
                    Glyph::Edit,
                    &say!(texts, "menu-rename"),
                    PanelMsg::BeginRename,
                ));
            }
            items.push(item(
                Glyph::Export,
                &say!(texts, "action-export"),
                PanelMsg::AskExport,
            ));
        }
        items.push(item(
            Glyph::Import,
            &say!(texts, "path-import-preset-title"),
            PanelMsg::AskImport,
        ));
        if chosen.is_some_and(|preset| !preset.shipped) {
            items.push(item(Glyph::Trash, &say!(texts, "menu-delete"), PanelMsg::DeletePreset).deletes());
        }
        items
    }

    fn whole_items(&self) -> Vec<MenuItem> {
        let texts = self.texts();
        let mut items = vec![item(
            Glyph::Add,
            &say!(texts, "panel-preset-save-as"),
            PanelMsg::BeginSave,
        )];
        if let Some((_, name)) = self.panel_model() {
            items.push(item(
                Glyph::Check,
                &say!(texts, "panel-make-default", model = name),
                PanelMsg::MakeDefault,
            ));
        }
        if self.has_defaults() {
            items.push(item(
                Glyph::Regenerate,
                &say!(texts, "panel-forget-default"),
                PanelMsg::ForgetDefault,
            ));
        }
        items.push(
            item(
                Glyph::Regenerate,
                &say!(texts, "panel-reset-all"),
                PanelMsg::ResetAll,
            )
            .apart(),
        );
        items
    }
}

fn item(glyph: Glyph, label: &str, msg: PanelMsg) -> MenuItem {
    MenuItem::new(glyph, label, Msg::Panel(msg))
}

/// One of several, of which one counts.
fn choice(label: &str, is_it: bool, msg: PanelMsg) -> MenuItem {
    item(if is_it { Glyph::Check } else { Glyph::None }, label, msg)
}
