//! What lies between a dialog and the page below it.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;

    pub Scrim = <View> {
        width: Fill, height: Fill
        show_bg: true
        draw_bg: {
            color: (COLOR_SCRIM)
            fn pixel(self) -> vec4 {
                return vec4(self.color.rgb * self.color.a, self.color.a);
            }
        }
    }
}

/// Whether a press beside `card` is over, which closes what lies there. No press reaches what is below.
pub(in crate::ui) fn pressed_beside(cx: &mut Cx, event: &Event, card: Area, whole: Area) -> bool {
    let on_card = !matches!(event.hits(cx, card), Hit::Nothing);
    matches!(event.hits(cx, whole), Hit::FingerUp(finger) if finger.is_over) && !on_card
}
