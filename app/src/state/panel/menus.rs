//! The menus of the panel: presets, forms, what happens to a long chat, efforts, and what can be done with all of it.

use hearth_protocol::answer::ContextPolicy;

use super::forms::FormKind;
use super::view::policy_label;
use crate::msg::Msg;
use crate::msg::panel::PanelMsg;
use crate::state::AppState;
use crate::state::overlay::Glyph;
use crate::state::overlay::menu::MenuItem;

/// What each effort is called, by the name that templates know.
pub(super) const EFFORTS: [(Option<&str>, &str); 4] = [
    (None, "As the model has it"),
    (Some("low"), "Low"),
    (Some("medium"), "Medium"),
    (Some("high"), "High"),
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
        match menu {
            PanelMenu::Presets => self.preset_items(),
            PanelMenu::ContextPolicy => [
                ContextPolicy::Stop,
                ContextPolicy::Rolling,
                ContextPolicy::KeepEnds,
            ]
            .map(|policy| {
                let is_it = now.answer.context_policy == policy;
                choice(policy_label(policy), is_it, PanelMsg::SetContextPolicy(policy))
            })
            .into(),
            PanelMenu::Form => FormKind::ALL
                .map(|form| {
                    let is_it = self.open().settings.typed.form(&now) == form;
                    choice(form.label(), is_it, PanelMsg::SetForm(form))
                })
                .into(),
            PanelMenu::Effort => EFFORTS
                .map(|(effort, label)| {
                    let is_it = self.effort(&now) == effort;
                    choice(label, is_it, PanelMsg::SetEffort(effort))
                })
                .into(),
            PanelMenu::All => self.whole_items(),
        }
    }

    fn preset_items(&self) -> Vec<MenuItem> {
        let chosen = self.chosen_preset();
        let is_chosen = |name: &str| chosen.as_ref().is_some_and(|preset| preset.name == name);
        let presets = self.panel.presets.listed().iter();
        let mut items: Vec<MenuItem> = presets
            .map(|preset| {
                let choose = PanelMsg::ChoosePreset(preset.name.clone());
                choice(&preset.name, is_chosen(&preset.name), choose)
            })
            .collect();
        items.push(item(Glyph::Add, "Save as a preset", PanelMsg::BeginSave).apart());
        if let Some(preset) = &chosen {
            if !preset.shipped {
                items.push(item(Glyph::Edit, "Rename", PanelMsg::BeginRename));
            }
            items.push(item(Glyph::Export, "Export", PanelMsg::AskExport));
        }
        items.push(item(Glyph::Import, "Import a preset", PanelMsg::AskImport));
        if chosen.is_some_and(|preset| !preset.shipped) {
            items.push(item(Glyph::Trash, "Delete", PanelMsg::DeletePreset).deletes());
        }
        items
    }

    fn whole_items(&self) -> Vec<MenuItem> {
        let mut items = vec![item(Glyph::Add, "Save as a preset", PanelMsg::BeginSave)];
        if let Some((_, name)) = self.panel_model() {
            items.push(item(
                Glyph::Check,
                &format!("Make default for {name}"),
                PanelMsg::MakeDefault,
            ));
        }
        if self.has_defaults() {
            items.push(item(
                Glyph::Regenerate,
                "Forget that default",
                PanelMsg::ForgetDefault,
            ));
        }
        items.push(
            item(
                Glyph::Regenerate,
                "Reset this chat's settings",
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
