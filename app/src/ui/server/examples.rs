//! The endpoints, and an example for each in three languages.

use makepad_widgets::*;

use super::connection::tell;
use crate::msg::server::ServerMsg;
use crate::state::AppState;
use crate::state::conversation::ConversationKey;
use crate::state::server::example::{Endpoint, Language};
use crate::ui::chat::code_block::*;
use crate::ui::chat::painter::Painter;
use crate::ui::chat::rows::Row;
use crate::ui::widget::button::*;
use crate::ui::widget::row::*;

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
    use crate::ui::widget::button::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::chat::code_block::*;
    use crate::ui::server::kit::*;

    EndpointRow = <Row> {
        height: 28
        padding: { left: 10, right: 10 }, spacing: 10
        draw_bg: { radius: 6.0 }
        method = <TextLine> {
            width: 36, draw_text: { color: (COLOR_OK), text_style: <FONT_CODE_MICRO> {} }
            text: "POST"
        }
        path = <TextLine> { width: Fill, draw_text: { text_style: <FONT_CODE_SMALL> {} } }
        what = <Caption> {}
    }
    pub Endpoints = {{Endpoints}} {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <PartHead> {
            <Strong> { width: Fill, text: (TEXT_ENDPOINTS) }
            <Caption> { text: (TEXT_COMPATIBLE) }
        }
        <PartCard> {
            padding: { left: 7, right: 7, top: 8, bottom: 8 }
            models = <EndpointRow> {
                method = { text: "GET", draw_text: { color: (COLOR_INFO) } }
                path = { text: "/v1/models" }
                what = { text: (TEXT_ENDPOINT_MODELS) }
            }
            chat = <EndpointRow> { path = { text: "/v1/chat/completions" }, what = { text: (TEXT_ENDPOINT_CHAT) } }
            text = <EndpointRow> { path = { text: "/v1/completions" }, what = { text: (TEXT_ENDPOINT_TEXT) } }
            vectors = <EndpointRow> { path = { text: "/v1/embeddings" }, what = { text: (TEXT_ENDPOINT_VECTORS) } }
        }
    }
    pub Example = {{Example}} {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <Surface> {
            width: Fill, height: Fit, flow: Down
            clip_x: false, clip_y: false
            draw_bg: { color: (COLOR_INSET), radius: 12.0 }
            <View> {
                width: Fill, height: 40, flow: Right
                align: { y: 0.5 }, padding: { left: 6, right: 6 }, spacing: 2
                clip_x: false, clip_y: false
                curl = <SmallQuietButton> { text: "curl" }
                python = <SmallQuietButton> { text: "Python" }
                java_script = <SmallQuietButton> { text: "JavaScript" }
                <Spacer> {}
                copy_example = <SmallQuietButton> { text: (TEXT_COPY), draw_icon: { svg_path: (ICON_COPY) } }
            }
            <View> {
                width: Fill, height: Fit
                padding: { left: 16, right: 16, bottom: 10 }
                code = <CodeText> { line: 20.0, draw_text: { text_style: <FONT_CODE_SMALL> {} } }
            }
        }
    }
}

/// Each row and its endpoint.
const ENDPOINTS: [(&[LiveId; 1], Endpoint); 4] = [
    (id!(models), Endpoint::Models),
    (id!(chat), Endpoint::Chat),
    (id!(text), Endpoint::Text),
    (id!(vectors), Endpoint::Vectors),
];

/// Each button and its language.
const LANGUAGES: [(&[LiveId; 1], Language); 3] = [
    (id!(curl), Language::Curl),
    (id!(python), Language::Python),
    (id!(java_script), Language::JavaScript),
];

/// The endpoints, one of them chosen.
#[derive(Live, LiveHook, Widget)]
pub struct Endpoints {
    #[deref]
    view: View,
}

impl Widget for Endpoints {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (row, endpoint) in ENDPOINTS {
                if self.view.row(row).clicked(actions) {
                    tell(cx, ServerMsg::PickEndpoint(endpoint));
                }
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            for (row, endpoint) in ENDPOINTS {
                let chosen = state.server.example.endpoint == endpoint;
                self.view.row(row).set_on(cx, chosen);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

/// The example of the chosen endpoint.
#[derive(Live, LiveHook, Widget)]
pub struct Example {
    #[deref]
    view: View,
    #[rust]
    painter: Painter,
}

impl Widget for Example {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Signal = event
            && self.painter.take_done()
        {
            self.view.redraw(cx);
        }
        if let Event::Actions(actions) = event {
            for (button, language) in LANGUAGES {
                if self.view.push_button(button).clicked(actions) {
                    tell(cx, ServerMsg::PickLanguage(language));
                }
            }
            if self.view.push_button(id!(copy_example)).clicked(actions) {
                tell(cx, ServerMsg::CopyExample);
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let chosen = state.server.example.language;
            for (button, language) in LANGUAGES {
                self.view.push_button(button).set_on(cx, chosen == language);
            }
            let code = self.view.code_text(id!(code));
            // Nothing else has this painter: its blocks are told apart by their language alone.
            let key = (ConversationKey(0), Row::Block(0, chosen as usize));
            let example = state.server_example();
            let lines = self
                .painter
                .lines(key, chosen.code(), &example, SignalToUI::set_ui_signal);
            code.set(key, lines, true);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
