//! What is chosen of a few by buttons of its own: the look and the language, in the settings and at the first start.

use hearth_protocol::settings::{Accent, Density, Language, Settings, TextSize, Theme};
use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::settings::SettingsMsg;
use crate::ui::widget::button::*;

/// A button, what it changes, and whether the settings have that.
pub(crate) type Choice = (&'static [LiveId], SettingsMsg, fn(&Settings) -> bool);

/// The colours.
pub(crate) const THEMES: &[Choice] = &[
    (id!(system), SettingsMsg::Theme(Theme::System), |it| {
        it.theme == Theme::System
    }),
    (id!(light), SettingsMsg::Theme(Theme::Light), |it| {
        it.theme == Theme::Light
    }),
    (id!(dark), SettingsMsg::Theme(Theme::Dark), |it| {
        it.theme == Theme::Dark
    }),
];

/// The language.
pub(crate) const LANGUAGES: &[Choice] = &[
    (id!(system_language), SettingsMsg::Language(None), |it| {
        it.language.is_none()
    }),
    (
        id!(english),
        SettingsMsg::Language(Some(Language::English)),
        |it| it.language == Some(Language::English),
    ),
    (id!(german), SettingsMsg::Language(Some(Language::German)), |it| {
        it.language == Some(Language::German)
    }),
];

/// The rest of the look.
pub(crate) const LOOKS: &[Choice] = &[
    (id!(ember), SettingsMsg::Accent(Accent::Ember), |it| {
        it.accent == Accent::Ember
    }),
    (id!(moss), SettingsMsg::Accent(Accent::Moss), |it| {
        it.accent == Accent::Moss
    }),
    (id!(lake), SettingsMsg::Accent(Accent::Lake), |it| {
        it.accent == Accent::Lake
    }),
    (id!(iris), SettingsMsg::Accent(Accent::Iris), |it| {
        it.accent == Accent::Iris
    }),
    (id!(rose), SettingsMsg::Accent(Accent::Rose), |it| {
        it.accent == Accent::Rose
    }),
    (id!(small), SettingsMsg::TextSize(TextSize::Small), |it| {
        it.text_size == TextSize::Small
    }),
    (id!(usual), SettingsMsg::TextSize(TextSize::Default), |it| {
        it.text_size == TextSize::Default
    }),
    (id!(large), SettingsMsg::TextSize(TextSize::Large), |it| {
        it.text_size == TextSize::Large
    }),
    (
        id!(comfortable),
        SettingsMsg::Density(Density::Comfortable),
        |it| it.density == Density::Comfortable,
    ),
    (id!(compact), SettingsMsg::Density(Density::Compact), |it| {
        it.density == Density::Compact
    }),
];

/// Turns presses of these buttons into messages.
pub(crate) fn take(cx: &mut Cx, view: &View, choices: &[Choice], actions: &Actions) {
    for (button, message, _) in choices {
        if view.push_button(button).clicked(actions) {
            cx.action(Msg::Settings(message.clone()));
        }
    }
}

/// Shows which of these are chosen.
pub(crate) fn fill(cx: &mut Cx, view: &View, choices: &[Choice], settings: &Settings) {
    for (button, _, is_so) in choices {
        view.push_button(button).set_on(cx, is_so(settings));
    }
}
