//! The API keys: made with a name, shown once, told by their beginning, taken back after a question.

use makepad_widgets::*;

use super::connection::tell;
use crate::msg::server::ServerMsg;
use crate::state::AppState;
use crate::state::server::keys::Form;
use crate::text::{key, say};
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::stack::*;
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
    use crate::ui::server::kit::*;

    KeyRow = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        line = <LineH> {}
        <View> {
            width: Fill, height: 44, flow: Right
            align: { y: 0.5 }, padding: { left: 14, right: 8 }, spacing: 10
            clip_x: false, clip_y: false
            <Glyph> { draw_icon: { svg_path: (ICON_KEY) } }
            name = <TextLine> { max_width: 110.0 }
            begins = <Caption> { width: Fill, draw_text: { text_style: <FONT_CODE_SMALL> {} } }
            used = <Caption> {}
            revoke = <IconButton> { tip: (TEXT_REVOKE), draw_icon: { svg_path: (ICON_TRASH) } }
        }
        ask = <View> {
            visible: false
            width: Fill, height: Fit, flow: Down
            padding: { left: 14, right: 14, bottom: 12 }, spacing: 8
            clip_x: false, clip_y: false
            question = <TextBlock> {}
            <View> {
                width: Fill, height: Fit, flow: Right
                align: { x: 1.0 }, spacing: 8
                clip_x: false, clip_y: false
                keep = <SmallButton> { text: (TEXT_KEEP_KEY) }
                sure = <BadButton> { text: (TEXT_REVOKE) }
            }
        }
    }
    pub ServerKeys = {{ServerKeys}} {
        width: Fill, height: Fit, flow: Down
        margin: { top: 20 }
        clip_x: false, clip_y: false
        <PartHead> {
            <Strong> { width: Fill, text: (TEXT_API_KEYS) }
            new_key = <SmallQuietButton> { text: (TEXT_NEW_KEY), draw_icon: { svg_path: (ICON_PLUS) } }
        }
        naming = <PartCard> {
            visible: false
            padding: 13, margin: { bottom: 12 }
            first = <View> {
                width: Fill, height: Fit, padding: { bottom: 10 }
                <TextBlock> { text: (TEXT_KEY_FIRST) }
            }
            name = <Field> { empty_text: (TEXT_KEY_NAME) }
            problem = <Problem> {}
            <View> {
                width: Fill, height: Fit, flow: Right
                align: { x: 1.0 }, spacing: 8, margin: { top: 10 }
                clip_x: false, clip_y: false
                cancel = <SmallButton> { text: (TEXT_CANCEL) }
                make = <SmallPrimaryButton> { text: (TEXT_MAKE_KEY) }
            }
        }
        made = <PartCard> {
            visible: false
            padding: 13, margin: { bottom: 12 }
            title = <Strong> { width: Fill }
            <TextBlock> { text: (TEXT_COPY_KEY_NOW), margin: { top: 2, bottom: 8 } }
            secret = <TextLine> {
                width: Fill, cut_middle: true
                draw_text: { text_style: <FONT_CODE_MICRO> {} }
            }
            <View> {
                width: Fill, height: Fit, flow: Right
                align: { x: 1.0 }, spacing: 8, margin: { top: 10 }
                clip_x: false, clip_y: false
                done = <SmallButton> { text: (TEXT_DONE) }
                copy_key = <SmallPrimaryButton> { text: (TEXT_COPY_KEY) }
            }
        }
        list_card = <PartCard> { list = <Stack> { row: <KeyRow> {} } }
        foot = <TextBlock> {
            margin: { top: 8 }
            draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} }
        }
    }
}

/// The API keys.
#[derive(Live, LiveHook, Widget)]
pub struct ServerKeys {
    #[deref]
    view: View,
    /// What asked for the keyboard when it was drawn last.
    #[rust]
    open: Open,
    /// Comes when what has opened is drawn.
    #[rust]
    drawn_by_now: NextFrame,
}

/// What is open and takes the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Open {
    #[default]
    Nothing,
    Naming,
    Made,
    /// The question of this row.
    Asked(usize),
}

impl Widget for ServerKeys {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if self.drawn_by_now.is_event(event).is_some() {
            self.focus(cx);
        }
        if let (Event::Actions(actions), Some(state)) = (event, scope.data.get::<AppState>()) {
            self.handle_actions(cx, actions, state);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let open = self.fill(cx, state);
            if open != self.open {
                self.open = open;
                self.drawn_by_now = cx.new_next_frame();
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl ServerKeys {
    fn handle_actions(&self, cx: &mut Cx, actions: &Actions, state: &AppState) {
        let buttons: [(&[LiveId], ServerMsg); 5] = [
            (id!(new_key), ServerMsg::BeginKey),
            (id!(make), ServerMsg::MakeKey),
            (id!(cancel), ServerMsg::CloseKey),
            (id!(done), ServerMsg::CloseKey),
            (id!(copy_key), ServerMsg::CopyKey),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, message);
            }
        }
        match self.view.field(id!(naming.name)).action(actions) {
            FieldAction::Changed(text) => tell(cx, ServerMsg::KeyNameChanged(text)),
            FieldAction::Entered => tell(cx, ServerMsg::MakeKey),
            FieldAction::Left | FieldAction::None => (),
        }
        let rows = self.view.stack(id!(list)).rows();
        for (key, row) in state.key_rows().into_iter().zip(rows) {
            if row.push_button(id!(revoke)).clicked(actions) {
                tell(cx, ServerMsg::AskRevoke(key.id));
            }
            if row.push_button(id!(keep)).clicked(actions) {
                tell(cx, ServerMsg::KeepKey);
            }
            if row.push_button(id!(sure)).clicked(actions) {
                tell(cx, ServerMsg::Revoke);
            }
        }
    }

    /// Shows the keys; gives what is open.
    fn fill(&self, cx: &mut Cx, state: &AppState) -> Open {
        let mut open = Open::Nothing;
        let form = &state.server.keys.form;
        let naming = self.view.widget(id!(naming));
        let made = self.view.widget(id!(made));
        naming.set_visible(cx, matches!(form, Form::Naming { .. }));
        made.set_visible(cx, matches!(form, Form::Made { .. }));
        match form {
            Form::Closed => (),
            Form::Naming {
                name,
                problem,
                making,
                then,
            } => {
                open = Open::Naming;
                naming.widget(id!(first)).set_visible(cx, then.is_some());
                naming.field(id!(name)).show(cx, name);
                let why = naming.widget(id!(problem));
                why.set_visible(cx, problem.is_some());
                why.label(id!(why))
                    .set_text(cx, problem.as_deref().unwrap_or_default());
                naming.push_button(id!(make)).set_disabled(cx, *making);
            }
            Form::Made { name, secret } => {
                open = Open::Made;
                made.text_line(id!(title))
                    .set_text(cx, &say!(state.texts(), "server-key-made", name = name.as_str()));
                made.text_line(id!(secret)).set_text(cx, secret.expose());
            }
        }
        let keys = state.key_rows();
        self.view.widget(id!(list_card)).set_visible(cx, !keys.is_empty());
        let foot = if keys.is_empty() {
            key!("server-keys-none")
        } else {
            key!("server-keys-note")
        };
        self.view
            .label(id!(foot))
            .set_text(cx, &state.texts().say(foot, &[]));
        let rows = self.view.stack(id!(list)).set_rows(cx, keys.len());
        for (index, (key, row)) in keys.iter().zip(rows).enumerate() {
            row.widget(id!(line)).set_visible(cx, index > 0);
            row.text_line(id!(name)).set_text(cx, &key.name);
            row.text_line(id!(begins)).set_text(cx, &key.begins);
            row.text_line(id!(used)).set_text(cx, &key.used);
            row.widget(id!(ask)).set_visible(cx, key.question.is_some());
            if let Some(question) = &key.question {
                open = Open::Asked(index);
                row.label(id!(question)).set_text(cx, question);
            }
        }
        open
    }

    /// Gives the keyboard to what has opened: the field, the copy button, or the answer that changes nothing.
    fn focus(&self, cx: &mut Cx) {
        let wanted = match self.open {
            Open::Nothing => return,
            Open::Naming => self.view.widget(id!(naming.name)),
            Open::Made => self.view.widget(id!(copy_key)),
            Open::Asked(index) => {
                let rows = self.view.stack(id!(list)).rows();
                rows.get(index)
                    .map(|row| row.widget(id!(keep)))
                    .unwrap_or_default()
            }
        };
        wanted.set_key_focus(cx);
    }
}
