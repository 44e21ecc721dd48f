//! What an empty chat shows: a greeting, and the beginnings of some messages.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::composer::SUGGESTIONS;
use crate::ui::widget::button::*;
use crate::ui::widget::row::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::notice::*;
    use crate::ui::widget::shape::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::row::*;

    Suggestion = <Row> {
        width: Fill, height: 62
        padding: { left: 16, right: 16 }, spacing: 12
        draw_bg: {
            uniform line: (COLOR_LINE_SUBTLE)
            color: (COLOR_RAISED)
            radius: 12.0
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let fill = mix(mix(self.color, self.color_hover, self.hover), self.color_down, self.down);
                return Shape::framed(point, self.rect_size, self.radius, fill, self.line, self.dpi_factor);
            }
        }
        glyph = <Glyph> {}
        text = <View> {
            width: Fill, height: Fit, flow: Down
            padding: { left: 2 }, spacing: 2
            title = <Strong> { width: Fill, line: 18.0 }
            body = <Caption> { width: Fill }
        }
    }
    SuggestionRow = <View> { width: Fill, height: Fit, flow: Right, spacing: 12 }

    pub Greeting = {{Greeting}} {
        visible: false
        width: Fill, height: Fill, flow: Down
        align: { x: 0.5, y: 0.5 }
        padding: { left: 24, right: 24 }
        <Glyph> {
            icon_walk: { width: 48, height: 48 }
            draw_icon: { color: (COLOR_ACCENT), svg_path: (ICON_HEARTH) }
        }
        title = <Display> { margin: { top: 16, bottom: 6 } }
        body = <TextBlock> {
            width: 420, align: { x: 0.5 }
            draw_text: { text_style: <FONT_MESSAGE> {} }
        }
        look = <PrimaryButton> {
            margin: { top: 20 }
            text: (TEXT_LOOK_AGAIN), draw_icon: { svg_path: (ICON_RETRY) }
        }
        suggestions = <View> {
            width: 672, height: Fit, flow: Down
            margin: { top: 32 }, spacing: 12
            <SuggestionRow> {
                s0 = <Suggestion> { glyph = { draw_icon: { svg_path: (ICON_EDIT) } } }
                s1 = <Suggestion> { glyph = { draw_icon: { svg_path: (ICON_CODE) } } }
            }
            <SuggestionRow> {
                s2 = <Suggestion> { glyph = { draw_icon: { svg_path: (ICON_FILE) } } }
                s3 = <Suggestion> { glyph = { draw_icon: { svg_path: (ICON_THOUGHT) } } }
            }
        }
    }
}

/// Each suggestion's row.
const ROWS: [&[LiveId; 1]; SUGGESTIONS.len()] = [id!(s0), id!(s1), id!(s2), id!(s3)];
/// Widest the suggestions become, in pixels.
const WIDEST: f64 = 672.0;
const SIDE: f64 = 24.0;

/// What an empty chat shows.
#[derive(Live, LiveHook, Widget)]
pub struct Greeting {
    #[deref]
    view: View,
}

impl Widget for Greeting {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            if self.view.push_button(id!(look)).clicked(actions) {
                cx.action(Msg::LookForModels);
            }
            for (index, row) in ROWS.into_iter().enumerate() {
                if self.view.row(row).clicked(actions) {
                    cx.action(Msg::PickSuggestion(index));
                }
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let state = scope.data.get::<AppState>();
        let say = |key| state.map_or_else(String::new, |state| state.texts().say(key, &[]));
        if let Some(greeting) = state.and_then(AppState::greeting) {
            self.view.text_line(id!(title)).set_text(cx, &say(greeting.title));
            self.view.label(id!(body)).set_text(cx, &greeting.text);
            self.view
                .view(id!(suggestions))
                .set_visible(cx, greeting.suggestions);
            self.view
                .push_button(id!(look))
                .set_visible(cx, !greeting.suggestions);
        }
        for (suggestion, row) in SUGGESTIONS.iter().zip(ROWS) {
            let row = self.view.row(row);
            row.text_line(id!(title)).set_text(cx, &say(suggestion.title));
            row.text_line(id!(body)).set_text(cx, &say(suggestion.text));
        }
        let width = (cx.peek_walk_turtle(walk).size.x - 2.0 * SIDE).min(WIDEST);
        self.view
            .view(id!(suggestions))
            .apply_over(cx, live! { width: (width) });
        self.view.draw_walk(cx, scope, walk)
    }
}
