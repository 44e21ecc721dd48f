//! The head of the conversation: which model answers, what it does, and the button that ejects it.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::panel::PanelMsg;
use crate::state::AppState;
use crate::state::models::Dot as ModelDot;
use crate::ui::widget::button::*;
use crate::ui::widget::row::*;
use crate::ui::widget::tag::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::shape::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::tag::*;

    PickerButton = <Row> {
        width: Fit, height: 36
        padding: { left: 13, right: 11 }
        draw_bg: {
            uniform line: (COLOR_LINE)
            uniform line_hover: (COLOR_LINE_STRONG)
            color: (COLOR_RAISED)
            radius: 10.0
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let fill = mix(mix(self.color, self.color_hover, self.hover), self.color_down, self.down);
                let line = mix(self.line, self.line_hover, self.hover);
                let body = Shape::framed(point, self.rect_size, self.radius, fill, line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, self.radius, -2.0, 0.0, self.dpi_factor);
                return mix(body, vec4(self.color_ring.rgb, 1.0), band * self.ring);
            }
        }
        dot = <Dot> {}
        name = <Strong> { max_width: 280.0 }
        quant = <Tag> {}
        doing = <Caption> {}
        <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_DOWN) } }
    }
    pub Header = {{Header}}<View> {
        width: Fill, height: 52, flow: Down
        <View> {
            width: Fill, height: 51, flow: Overlay
            clip_x: false, clip_y: false
            <View> {
                width: Fill, height: Fill
                padding: { left: 12 }, align: { y: 0.5 }
                show_chats = <LargeIconButton> {
                    visible: false
                    tip: (TEXT_CHATS), draw_icon: { svg_path: (ICON_PANEL_LEFT) }
                }
            }
            <View> {
                width: Fill, height: Fill
                padding: { right: 12 }, align: { x: 1.0, y: 0.5 }
                clip_x: false, clip_y: false
                show_panel = <LargeIconButton> {
                    tip: (TIP_PANEL), draw_icon: { svg_path: (ICON_PANEL_RIGHT) }
                }
            }
            <View> {
                width: Fill, height: Fill, flow: Right
                spacing: 4, align: { x: 0.5, y: 0.5 }
                clip_x: false, clip_y: false
                // As wide as the eject button, so that the picker stays in the middle.
                <View> { width: 32, height: 1 }
                picker = <PickerButton> {}
                eject_place = <View> {
                    width: 32, height: 32
                    clip_x: false, clip_y: false
                    eject = <LargeIconButton> {
                        tip: (TIP_EJECT), draw_icon: { svg_path: (ICON_EJECT) }
                    }
                }
            }
        }
        <LineH> {}
    }
}

/// The head of the conversation.
#[derive(Live, LiveHook, Widget)]
pub struct Header {
    #[deref]
    view: View,
}

impl Widget for Header {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            if self.view.row(id!(picker)).clicked(actions) {
                cx.action(Msg::TogglePicker);
            }
            if self.view.push_button(id!(eject)).clicked(actions) {
                cx.action(Msg::EjectCurrent);
            }
            if self.view.push_button(id!(show_panel)).clicked(actions) {
                cx.action(Msg::Panel(PanelMsg::Toggle));
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let header = state.header();
            let picker = self.view.row(id!(picker));
            picker.dot(id!(dot)).set(match header.dot {
                ModelDot::Off => DotKind::Idle,
                ModelDot::Ready => DotKind::Ok,
                ModelDot::Busy => DotKind::Busy,
                ModelDot::Failed => DotKind::Bad,
            });
            picker.text_line(id!(name)).set_text(cx, &header.name);
            picker.text_line(id!(doing)).set_text(cx, &header.doing);
            let quantisation = header.quantisation.as_deref().unwrap_or_default();
            picker.view(id!(quant)).set_visible(cx, !quantisation.is_empty());
            picker.text_line(id!(quant.label)).set_text(cx, quantisation);
            self.view
                .push_button(id!(eject))
                .set_visible(cx, header.can_eject);
            self.view
                .push_button(id!(show_panel))
                .set_on(cx, state.panel_is_shown());
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
