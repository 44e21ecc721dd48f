//! The card above the composer while a model loads, with its cross.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::ui::widget::button::*;
use crate::ui::widget::progress::*;
use crate::ui::widget::tag::*;
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
    use crate::ui::widget::progress::*;
    use crate::ui::widget::tag::*;

    pub LoadCard = {{LoadCard}}<Surface> {
        visible: false
        width: Fill, height: 64, flow: Down
        padding: { left: 15, right: 9, top: 8, bottom: 14 }
        margin: { bottom: 12 }
        draw_bg: { line: (COLOR_LINE), radius: 14.0 }
        <View> {
            width: Fill, height: 32, flow: Right
            spacing: 8, align: { y: 0.5 }
            dot = <Dot> {}
            title = <Strong> { width: Fill }
            percent = <Small> {}
            sizes = <Caption> {}
            cancel = <IconButton> { tip: (TEXT_CANCEL), draw_icon: { svg_path: (ICON_CLOSE) } }
        }
        <View> {
            width: Fill, height: 8
            padding: { right: 6, top: 4 }
            bar = <ProgressBar> {}
        }
    }
}

/// The load that runs.
#[derive(Live, LiveHook, Widget)]
pub struct LoadCard {
    #[deref]
    view: View,
}

impl Widget for LoadCard {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event
            && self.view.push_button(id!(cancel)).clicked(actions)
        {
            cx.action(Msg::CancelLoad);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(card) = scope
            .data
            .get::<AppState>()
            .and_then(|state| state.models.load_card(state.texts()))
        {
            self.view.dot(id!(dot)).set(DotKind::Busy);
            self.view.text_line(id!(title)).set_text(cx, &card.title);
            self.view.text_line(id!(percent)).set_text(cx, &card.percent);
            self.view.text_line(id!(sizes)).set_text(cx, &card.sizes);
            self.view.progress_bar(id!(bar)).set(card.share, Level::Normal);
            self.view
                .push_button(id!(cancel))
                .set_disabled(cx, !card.can_cancel);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
