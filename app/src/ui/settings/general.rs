//! How the window looks, its language, and where the data lies.

use hearth_protocol::settings::{Accent, Density, Language, Settings, TextSize, Theme};
use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::settings::{SettingsMsg, ZoomStep};
use crate::state::AppState;
use crate::text::say;
use crate::ui::widget::button::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::settings::kit::*;

    // Its name is its tooltip.
    Sample = <Segment> {
        icon_walk: { width: 14, height: 14 }
        draw_icon: { svg_path: (ICON_DISC) }
    }

    pub GeneralPart = {{GeneralPart}}<Column> {
        <Section> { text: (TEXT_APPEARANCE) }
        <SettingsCard> {
            <Setting> {
                words = { label = { text: (TEXT_THEME) } }
                <Segmented> {
                    system = <Segment> { text: (TEXT_THEME_SYSTEM), draw_icon: { svg_path: (ICON_DISPLAY) } }
                    light = <Segment> { text: (TEXT_THEME_LIGHT), draw_icon: { svg_path: (ICON_SUN) } }
                    dark = <Segment> { text: (TEXT_THEME_DARK), draw_icon: { svg_path: (ICON_MOON) } }
                }
            }
            <LineH> {}
            <Setting> {
                words = { label = { text: (TEXT_ACCENT) } }
                <Segmented> {
                    ember = <Sample> {
                        tip: (TEXT_ACCENT_EMBER)
                        draw_icon: { color: (COLOR_EMBER), color_hover: (COLOR_EMBER), color_on: (COLOR_EMBER) }
                    }
                    moss = <Sample> {
                        tip: (TEXT_ACCENT_MOSS)
                        draw_icon: { color: (COLOR_MOSS), color_hover: (COLOR_MOSS), color_on: (COLOR_MOSS) }
                    }
                    lake = <Sample> {
                        tip: (TEXT_ACCENT_LAKE)
                        draw_icon: { color: (COLOR_LAKE), color_hover: (COLOR_LAKE), color_on: (COLOR_LAKE) }
                    }
                    iris = <Sample> {
                        tip: (TEXT_ACCENT_IRIS)
                        draw_icon: { color: (COLOR_IRIS), color_hover: (COLOR_IRIS), color_on: (COLOR_IRIS) }
                    }
                    rose = <Sample> {
                        tip: (TEXT_ACCENT_ROSE)
                        draw_icon: { color: (COLOR_ROSE), color_hover: (COLOR_ROSE), color_on: (COLOR_ROSE) }
                    }
                }
            }
            <LineH> {}
            <ExplainedSetting> {
                words = { label = { text: (TEXT_LANGUAGE) }, help = { text: (TEXT_LANGUAGE_HINT) } }
                <Segmented> {
                    system_language = <Segment> { text: (TEXT_LANGUAGE_SYSTEM) }
                    // Each in its own words, for those who cannot read the others.
                    english = <Segment> { text: (TEXT_ENGLISH) }
                    german = <Segment> { text: (TEXT_GERMAN) }
                }
            }
            <LineH> {}
            <ExplainedSetting> {
                words = { label = { text: (TEXT_SIZE) }, help = { text: (TEXT_SIZE_HINT) } }
                <Segmented> {
                    small = <Segment> { text: (TEXT_SIZE_SMALL) }
                    usual = <Segment> { text: (TEXT_SIZE_DEFAULT) }
                    large = <Segment> { text: (TEXT_SIZE_LARGE) }
                }
            }
            <LineH> {}
            <ExplainedSetting> {
                words = { label = { text: (TEXT_DENSITY) }, help = { text: (TEXT_DENSITY_HINT) } }
                <Segmented> {
                    comfortable = <Segment> { text: (TEXT_DENSITY_COMFORTABLE) }
                    compact = <Segment> { text: (TEXT_DENSITY_COMPACT) }
                }
            }
            <LineH> {}
            <ExplainedSetting> {
                words = { label = { text: (TEXT_ZOOM) }, help = { text: (TEXT_ZOOM_HINT) } }
                <View> {
                    width: Fit, height: Fit, flow: Right
                    spacing: 4, align: { y: 0.5 }
                    clip_x: false, clip_y: false
                    zoom_smaller = <IconButton> { tip: (TEXT_ZOOM_SMALLER), draw_icon: { svg_path: (ICON_MINUS) } }
                    zoom = <TextLine> { width: 48, align_x: 0.5 }
                    zoom_larger = <IconButton> { tip: (TEXT_ZOOM_LARGER), draw_icon: { svg_path: (ICON_PLUS) } }
                    zoom_usual = <SmallButton> { text: (TEXT_ZOOM_USUAL) }
                }
            }
        }
        <Section> { text: (TEXT_DATA) }
        <SettingsCard> {
            <PathSetting> { words = { label = { text: (TEXT_DATA_CHATS) } }, home = <Path> {} }
            <LineH> {}
            <PathSetting> { words = { label = { text: (TEXT_DATA_MODELS) } }, models = <Path> {} }
        }
    }
}

/// A button, what it changes, and whether the settings have that.
type Choice = (&'static [LiveId; 1], SettingsMsg, fn(&Settings) -> bool);

/// All choices of one among a few.
const CHOICES: [Choice; 16] = [
    (id!(system), SettingsMsg::Theme(Theme::System), |it| {
        it.theme == Theme::System
    }),
    (id!(light), SettingsMsg::Theme(Theme::Light), |it| {
        it.theme == Theme::Light
    }),
    (id!(dark), SettingsMsg::Theme(Theme::Dark), |it| {
        it.theme == Theme::Dark
    }),
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

/// The buttons of the size of everything.
const ZOOMS: [(&[LiveId; 1], ZoomStep); 3] = [
    (id!(zoom_smaller), ZoomStep::Smaller),
    (id!(zoom_larger), ZoomStep::Larger),
    (id!(zoom_usual), ZoomStep::Usual),
];

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct GeneralPart {
    #[deref]
    view: View,
}

impl Widget for GeneralPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        for (button, msg, _) in CHOICES {
            if self.view.push_button(button).clicked(actions) {
                cx.action(Msg::Settings(msg));
            }
        }
        for (button, step) in ZOOMS {
            if self.view.push_button(button).clicked(actions) {
                cx.action(Msg::Settings(SettingsMsg::Zoom(step)));
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let settings = state.settings();
            for (button, _, is_so) in CHOICES {
                self.view.push_button(button).set_on(cx, is_so(settings));
            }
            let zoom = settings.zoom;
            for (button, other) in [
                (id!(zoom_smaller), zoom.smaller()),
                (id!(zoom_larger), zoom.larger()),
            ] {
                self.view.push_button(button).set_disabled(cx, other == zoom);
            }
            let words = say!(state.texts(), "zoom-value", percent = zoom.0);
            self.view.text_line(id!(zoom)).set_text(cx, &words);
            self.view.text_line(id!(home)).set_text(cx, &state.places.data);
            self.view
                .text_line(id!(models))
                .set_text(cx, &state.places.models);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
