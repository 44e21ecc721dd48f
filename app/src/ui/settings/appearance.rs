//! How the window looks.

use makepad_widgets::*;

use super::choices;
use super::row::{take_reset, tell};
use crate::msg::settings::{SettingsMsg, ZoomStep};
use crate::state::AppState;
use crate::state::settings::knob::Knob;
use crate::text::say;
use crate::ui::widget::button::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::spacing::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::switch::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::tag::*;
    use crate::ui::widget::progress::*;
    use crate::ui::usage::*;
    use crate::ui::settings::kit::*;
    use crate::ui::settings::row::*;

    // Its name is its tooltip.
    Sample = <Segment> {
        icon_walk: { width: 14, height: 14 }
        draw_icon: { svg_path: (ICON_DISC) }
    }

    pub Appearance = {{Appearance}} {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <Section> { text: (TEXT_APPEARANCE) }
        <SettingsCard> {
            theme_row = <Setting> {
                words = { label = { text: (TEXT_THEME) } }
                <Segmented> {
                    system = <Segment> { text: (TEXT_THEME_SYSTEM), draw_icon: { svg_path: (ICON_DISPLAY) } }
                    light = <Segment> { text: (TEXT_THEME_LIGHT), draw_icon: { svg_path: (ICON_SUN) } }
                    dark = <Segment> { text: (TEXT_THEME_DARK), draw_icon: { svg_path: (ICON_MOON) } }
                }
            }
            <LineH> {}
            accent_row = <Setting> {
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
            size_row = <ExplainedSetting> {
                words = { label = { text: (TEXT_SIZE) }, help = { text: (TEXT_SIZE_HINT) } }
                <Segmented> {
                    small = <Segment> { text: (TEXT_SIZE_SMALL) }
                    usual = <Segment> { text: (TEXT_SIZE_DEFAULT) }
                    large = <Segment> { text: (TEXT_SIZE_LARGE) }
                }
            }
            <LineH> {}
            density_row = <ExplainedSetting> {
                words = { label = { text: (TEXT_DENSITY) }, help = { text: (TEXT_DENSITY_HINT) } }
                <Segmented> {
                    comfortable = <Segment> { text: (TEXT_DENSITY_COMFORTABLE) }
                    compact = <Segment> { text: (TEXT_DENSITY_COMPACT) }
                }
            }
            <LineH> {}
            zoom_row = <ExplainedSetting> {
                words = { label = { text: (TEXT_ZOOM) }, help = { text: (TEXT_ZOOM_HINT) } }
                <View> {
                    width: Fit, height: Fit, flow: Right
                    spacing: 4, align: { y: 0.5 }
                    clip_x: false, clip_y: false
                    zoom_smaller = <IconButton> { tip: (TEXT_ZOOM_SMALLER), draw_icon: { svg_path: (ICON_MINUS) } }
                    zoom = <TextLine> { width: 48, align_x: 0.5 }
                    zoom_larger = <IconButton> { tip: (TEXT_ZOOM_LARGER), draw_icon: { svg_path: (ICON_PLUS) } }
                }
            }
        }
    }
}

/// The buttons of the size of everything.
const ZOOMS: [(&[LiveId; 1], ZoomStep); 2] = [
    (id!(zoom_smaller), ZoomStep::Smaller),
    (id!(zoom_larger), ZoomStep::Larger),
];

/// The rows, for the way back to the default.
const ROWS: [(&[LiveId; 1], Knob); 5] = [
    (id!(theme_row), Knob::Theme),
    (id!(accent_row), Knob::Accent),
    (id!(size_row), Knob::TextSize),
    (id!(density_row), Knob::Density),
    (id!(zoom_row), Knob::Zoom),
];

/// The card with its title.
#[derive(Live, LiveHook, Widget)]
pub struct Appearance {
    #[deref]
    view: View,
}

impl Widget for Appearance {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        choices::take(cx, &self.view, choices::THEMES, actions);
        choices::take(cx, &self.view, choices::LOOKS, actions);
        for (button, step) in ZOOMS {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, SettingsMsg::Zoom(step));
            }
        }
        for (row, knob) in ROWS {
            take_reset(cx, actions, &self.view.widget(row), knob);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let settings = state.settings();
            choices::fill(cx, &self.view, choices::THEMES, settings);
            choices::fill(cx, &self.view, choices::LOOKS, settings);
            for (row, knob) in ROWS {
                let reset = self.view.widget(row).push_button(id!(reset));
                reset.set_visible(cx, knob.is_changed(settings));
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
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
