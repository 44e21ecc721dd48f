//! The steps of the first start: what Hearth is, how it looks, which model answers.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::first_start::Step;
use crate::state::overlay::Overlay;
use crate::text::{key, say};
use crate::ui::settings::choices;
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
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::overlay::scrim::*;

    // Text alone cannot be hidden.
    StepText = <View> {
        width: Fill, height: Fit
        text = <TextBlock> { draw_text: { text_style: <FONT_MESSAGE> {} } }
    }
    Choice = <View> {
        width: Fill, height: 48, flow: Right
        spacing: 16, align: { y: 0.5 }
        clip_x: false, clip_y: false
        label = <TextLine> { width: Fill }
    }
    pub FirstSteps = {{FirstSteps}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5, y: 0.44 }
        scrim = <Scrim> {}
        card = <Card> {
            width: 560, height: Fit
            <Surface> {
                width: Fill, height: Fit, flow: Down
                padding: 33
                draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 16.0 }
                <View> {
                    width: Fill, height: Fit, flow: Right
                    align: { y: 0.5 }, spacing: 12
                    <Glyph> {
                        icon_walk: { width: 32, height: 32 }
                        draw_icon: { color: (COLOR_ACCENT), svg_path: (ICON_HEARTH) }
                    }
                    title = <Heading> { width: Fill }
                    count = <Caption> {}
                }
                // As high as the highest step, so that the buttons stay where they are.
                <View> {
                    width: Fill, height: 152, flow: Overlay
                    padding: { top: 20 }
                    clip_x: false, clip_y: false
                    welcome = <StepText> { text = { text: (TEXT_FIRST_WELCOME) } }
                    look = <View> {
                        width: Fill, height: Fit, flow: Down
                        clip_x: false, clip_y: false
                        <Choice> {
                            label = { text: (TEXT_THEME) }
                            <Segmented> {
                                system = <Segment> { text: (TEXT_THEME_SYSTEM), draw_icon: { svg_path: (ICON_DISPLAY) } }
                                light = <Segment> { text: (TEXT_THEME_LIGHT), draw_icon: { svg_path: (ICON_SUN) } }
                                dark = <Segment> { text: (TEXT_THEME_DARK), draw_icon: { svg_path: (ICON_MOON) } }
                            }
                        }
                        <Choice> {
                            label = { text: (TEXT_LANGUAGE) }
                            <Segmented> {
                                system_language = <Segment> { text: (TEXT_LANGUAGE_SYSTEM) }
                                english = <Segment> { text: (TEXT_ENGLISH) }
                                german = <Segment> { text: (TEXT_GERMAN) }
                            }
                        }
                    }
                    model = <StepText> {}
                }
                <View> {
                    width: Fill, height: Fit, flow: Right
                    margin: { top: 12 }, spacing: 8, align: { y: 0.5 }
                    clip_x: false, clip_y: false
                    skip = <QuietButton> { text: (TEXT_FIRST_SKIP) }
                    <Spacer> {}
                    back = <OverlayButton> { text: (TEXT_FIRST_BACK) }
                    next = <PrimaryButton> {}
                }
            }
        }
    }
}

/// Widest the card becomes, and what stays free beside it, in pixels.
const WIDEST: f64 = 560.0;
const BESIDE: f64 = 32.0;

/// The steps.
#[derive(Live, LiveHook, Widget)]
pub struct FirstSteps {
    #[deref]
    view: View,
}

impl Widget for FirstSteps {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            let buttons: [(&[LiveId], Msg); 3] = [
                (id!(skip), Msg::CloseOverlay),
                (id!(back), Msg::StepFirstStart { back: true }),
                (id!(next), Msg::StepFirstStart { back: false }),
            ];
            for (button, message) in buttons {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(message);
                }
            }
            choices::take(cx, &self.view, choices::THEMES, actions);
            choices::take(cx, &self.view, choices::LANGUAGES, actions);
        }
        // A press beside it reaches nothing, and does not end it by mistake either.
        event.hits(cx, self.view.area());
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let state = scope.data.get::<AppState>();
        if let Some(state) = state
            && let Some(Overlay::FirstStart(steps)) = &state.overlay
        {
            let width = (cx.peek_walk_turtle(walk).size.x - BESIDE).min(WIDEST);
            self.view
                .widget(id!(card))
                .apply_over(cx, live! { width: (width) });
            self.fill(cx, state, steps.step);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl FirstSteps {
    fn fill(&mut self, cx: &mut Cx, state: &AppState, step: Step) {
        let texts = state.texts();
        let (title, next) = match step {
            Step::Welcome => (key!("first-welcome-title"), key!("first-next")),
            Step::Look => (key!("first-look-title"), key!("first-next")),
            Step::Model => (key!("first-model-title"), key!("first-begin")),
        };
        self.view
            .text_line(id!(title))
            .set_text(cx, &texts.say(title, &[]));
        let count = say!(
            texts,
            "first-count",
            step = step.index() + 1,
            steps = Step::ALL.len()
        );
        self.view.text_line(id!(count)).set_text(cx, &count);
        for (of, part) in [
            (Step::Welcome, id!(welcome)),
            (Step::Look, id!(look)),
            (Step::Model, id!(model)),
        ] {
            self.view.widget(part).set_visible(cx, of == step);
        }
        self.view
            .label(id!(model.text))
            .set_text(cx, &state.first_model());
        choices::fill(cx, &self.view, choices::THEMES, state.settings());
        choices::fill(cx, &self.view, choices::LANGUAGES, state.settings());
        self.view
            .push_button(id!(next))
            .set_text(cx, &texts.say(next, &[]));
        self.view
            .push_button(id!(back))
            .set_visible(cx, step != Step::Welcome);
        self.view
            .push_button(id!(skip))
            .set_visible(cx, step != Step::Model);
    }
}
