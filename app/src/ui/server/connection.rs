//! How the server can be reached: its address, its port, who may connect, which web pages may call.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::server::ServerMsg;
use crate::state::AppState;
use crate::text::say;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::switch::*;
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
    use crate::ui::widget::field::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::switch::*;
    use crate::ui::server::kit::*;

    OriginRow = <View> {
        width: Fill, height: 32, flow: Right
        align: { y: 0.5 }, padding: { left: 16, right: 8 }, spacing: 8
        clip_x: false, clip_y: false
        <Glyph14> { draw_icon: { svg_path: (ICON_GLOBE) } }
        origin = <TextLine> {
            width: Fill, draw_text: { text_style: <FONT_CODE_SMALL> {} }
        }
        remove = <IconButton> { tip: (TEXT_REMOVE), draw_icon: { svg_path: (ICON_CLOSE) } }
    }
    pub Connection = {{Connection}} {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <PartHead> { <Strong> { text: (TEXT_CONNECTION) } }
        <View> {
            width: Fill, height: 36, flow: Right
            align: { y: 0.5 }, spacing: 12
            clip_x: false, clip_y: false
            <Surface> {
                width: Fill, height: 36, flow: Right
                align: { y: 0.5 }, padding: { left: 11, right: 4 }, spacing: 8
                clip_x: false, clip_y: false
                draw_bg: { line: (COLOR_LINE), radius: 8.0 }
                address = <TextLine> { width: Fill, draw_text: { text_style: <FONT_CODE> {} } }
                copy_address = <IconButton> {
                    tip: (TEXT_COPY_SERVER), draw_icon: { color: (COLOR_TEXT_2), svg_path: (ICON_COPY) }
                }
            }
            <Caption> { text: (TEXT_PORT) }
            port = <Field> {
                width: 72, height: 36
                padding: { left: 11, right: 11, top: 10, bottom: 4 }
                draw_text: { text_style: <FONT_CODE> {} }
            }
        }
        reach = <Caption> { width: Fill, margin: { top: 8 } }
        trouble = <BadNotice> {}
        <PartCard> {
            margin: { top: 16 }
            <ServerSetting> {
                words = {
                    label = { text: (TEXT_SERVER_NETWORK) }
                    help = { text: (TEXT_SERVER_NETWORK_HINT) }
                }
                network = <Switch> { label: (TEXT_SERVER_NETWORK) }
            }
            <LineH> {}
            keys_option = <ServerSetting> {
                words = { label = { text: (TEXT_KEYS_REQUIRED) } }
                keys_required = <Switch> { label: (TEXT_KEYS_REQUIRED) }
            }
            <LineH> {}
            <ServerSetting> {
                words = {
                    label = { text: (TEXT_CORS) }
                    help = { text: (TEXT_CORS_HINT) }
                }
                origins_button = <SmallButton> { draw_icon: { svg_path: (ICON_CHEVRONS_UP_DOWN) } }
            }
            origins_box = <View> {
                visible: false
                width: Fill, height: Fit, flow: Down
                padding: { bottom: 12 }
                clip_x: false, clip_y: false
                origins = <Stack> { row: <OriginRow> {} }
                <View> {
                    width: Fill, height: Fit, flow: Right
                    padding: { left: 16, right: 16, top: 4 }, spacing: 8
                    clip_x: false, clip_y: false
                    origin_field = <Field> {
                        height: 28, padding: { left: 9, right: 9, top: 6, bottom: 4 }
                        empty_text: "https://chat.example.org"
                        draw_text: { text_style: <FONT_CODE_SMALL> {} }
                    }
                    add_origin = <SmallButton> { text: (TEXT_ADD) }
                }
                <View> {
                    width: Fill, height: Fit, padding: { left: 16, right: 16 }
                    origin_problem = <Problem> {}
                }
            }
            <LineH> {}
            <ServerSetting> {
                words = {
                    label = { text: (TEXT_START_WITH) }
                    help = { text: (TEXT_START_WITH_HINT) }
                }
                start_with = <Switch> { label: (TEXT_START_WITH) }
            }
        }
    }
}

/// How the server can be reached.
#[derive(Live, LiveHook, Widget)]
pub struct Connection {
    #[deref]
    view: View,
}

impl Widget for Connection {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let (Event::Actions(actions), Some(state)) = (event, scope.data.get::<AppState>()) {
            self.take_buttons(cx, actions);
            self.take_switches(cx, actions);
            self.take_fields(cx, actions);
            let origins = &state.server_config().cors_origins;
            let rows = self.view.stack(id!(origins)).rows();
            for (origin, row) in origins.iter().zip(rows) {
                if row.push_button(id!(remove)).clicked(actions) {
                    tell(cx, ServerMsg::RemoveOrigin(origin.clone()));
                }
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            self.fill(cx, state);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl Connection {
    fn take_buttons(&self, cx: &mut Cx, actions: &Actions) {
        let buttons: [(&[LiveId], ServerMsg); 4] = [
            (id!(copy_address), ServerMsg::CopyAddress),
            (id!(trouble.act), ServerMsg::UseFreePort),
            (id!(origins_button), ServerMsg::ToggleOrigins),
            (id!(add_origin), ServerMsg::AddOrigin),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, message);
            }
        }
    }

    fn take_switches(&self, cx: &mut Cx, actions: &Actions) {
        let wanted = |switch: &[LiveId]| self.view.switch(switch).wanted(actions);
        let messages = [
            wanted(id!(network)).map(ServerMsg::SetNetwork),
            wanted(id!(keys_required)).map(ServerMsg::SetKeysRequired),
            wanted(id!(start_with)).map(ServerMsg::SetStartWithHearth),
        ];
        for message in messages.into_iter().flatten() {
            tell(cx, message);
        }
    }

    fn take_fields(&self, cx: &mut Cx, actions: &Actions) {
        match self.view.field(id!(port)).action(actions) {
            FieldAction::Changed(text) => tell(cx, ServerMsg::PortChanged(text)),
            FieldAction::Entered | FieldAction::Left => tell(cx, ServerMsg::CommitPort),
            FieldAction::None => (),
        }
        match self.view.field(id!(origin_field)).action(actions) {
            FieldAction::Changed(text) => tell(cx, ServerMsg::OriginChanged(text)),
            FieldAction::Entered => tell(cx, ServerMsg::AddOrigin),
            FieldAction::Left | FieldAction::None => (),
        }
    }

    fn fill(&self, cx: &mut Cx, state: &AppState) {
        let shown = state.server_view();
        self.view.text_line(id!(address)).set_text(cx, &shown.address);
        self.view.text_line(id!(reach)).set_text(cx, &shown.reach);
        self.view.field(id!(port)).show(cx, &shown.port);

        let trouble = self.view.widget(id!(trouble));
        trouble.set_visible(cx, shown.trouble.is_some());
        if let Some(why) = &shown.trouble {
            trouble.label(id!(text)).set_text(cx, &why.text);
            let act = trouble.push_button(id!(act));
            act.set_visible(cx, why.free_port.is_some());
            let port = why.free_port.unwrap_or_default();
            let words = say!(state.texts(), "server-use-port", port = port.to_string());
            act.set_text(cx, &words);
        }
        self.view.switch(id!(network)).set_on(cx, shown.config.network);
        let required = self.view.switch(id!(keys_required));
        required.set_on(cx, shown.config.needs_key());
        // What makes the key necessary is switched elsewhere.
        required.set_disabled(cx, shown.config.needs_key() && !shown.config.keys_required);
        self.view
            .text_line(id!(keys_option.help))
            .set_text(cx, &state.texts().say(shown.keys_help, &[]));
        self.view
            .switch(id!(start_with))
            .set_on(cx, shown.config.start_with_hearth);

        self.view
            .push_button(id!(origins_button))
            .set_text(cx, &shown.origins);
        self.view
            .widget(id!(origins_box))
            .set_visible(cx, state.server.origins_open);
        let origins = &shown.config.cors_origins;
        let rows = self.view.stack(id!(origins)).set_rows(cx, origins.len());
        for (origin, row) in origins.iter().zip(rows) {
            row.text_line(id!(origin)).set_text(cx, origin);
        }
        self.view.field(id!(origin_field)).show(cx, &state.server.origin);
        let problem = self.view.widget(id!(origin_problem));
        problem.set_visible(cx, state.server.origin_is_bad);
        problem
            .label(id!(why))
            .set_text(cx, &say!(state.texts(), "server-bad-origin"));
    }
}

/// Hands a message of the server's page on.
pub(super) fn tell(cx: &mut Cx, message: ServerMsg) {
    cx.action(Msg::Server(message));
}
