//! The buttons below a message.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::conversation::{Conversation, Entry};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::ui::widget::button::*;
use crate::ui::widget::place::seen;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;

    Versions = <View> {
        width: Fit, height: 28, flow: Right
        align: { y: 0.5 }
        back = <IconButton> {
            tip: (TIP_OLDER_VERSION), draw_icon: { svg_path: (ICON_CHEVRON_LEFT) }
        }
        number = <Small> {}
        next = <IconButton> { tip: (TIP_NEWER_VERSION), draw_icon: { svg_path: (ICON_CHEVRON_RIGHT) } }
    }
    pub AnswerActions = <View> {
        width: Fill, height: 28, flow: Right
        spacing: 2
        copy = <IconButton> { tip: (TEXT_COPY), draw_icon: { svg_path: (ICON_COPY) } }
        edit = <IconButton> { tip: (TEXT_EDIT), draw_icon: { svg_path: (ICON_EDIT) } }
        regenerate = <IconButton> { tip: (TIP_REGENERATE), draw_icon: { svg_path: (ICON_REGENERATE) } }
        versions = <Versions> {}
        go_on = <IconButton> { tip: (TEXT_CONTINUE), draw_icon: { svg_path: (ICON_ARROW_RIGHT) } }
        branch = <IconButton> { tip: (TEXT_BRANCH), draw_icon: { svg_path: (ICON_BRANCH) } }
        delete = <IconButton> { tip: (TEXT_DELETE), draw_icon: { svg_path: (ICON_TRASH) } }
        more = <IconButton> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
        copied = <Caption> { visible: false, margin: { left: 6, top: 6 }, text: (TEXT_COPIED) }
    }
    pub UserActions = <View> {
        width: Fill, height: 28, flow: Right, align: { x: 1.0 }
        spacing: 2
        copied = <Caption> { visible: false, margin: { right: 6, top: 6 }, text: (TEXT_COPIED) }
        versions = <Versions> {}
        regenerate = <IconButton> { tip: (TIP_ANSWER), draw_icon: { svg_path: (ICON_REGENERATE) } }
        copy = <IconButton> { tip: (TEXT_COPY), draw_icon: { svg_path: (ICON_COPY) } }
        edit = <IconButton> { tip: (TEXT_EDIT), draw_icon: { svg_path: (ICON_EDIT) } }
        delete = <IconButton> { tip: (TEXT_DELETE), draw_icon: { svg_path: (ICON_TRASH) } }
        more = <IconButton> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
    }
}

/// The buttons, from left to right, with their names for tests.
pub(super) const BUTTONS: [(&str, &[LiveId; 1]); 9] = [
    ("copy", id!(copy)),
    ("edit", id!(edit)),
    ("regenerate", id!(regenerate)),
    ("back", id!(back)),
    ("next", id!(next)),
    ("continue", id!(go_on)),
    ("branch", id!(branch)),
    ("delete", id!(delete)),
    ("more", id!(more)),
];

/// Shows the buttons that can be pressed now.
pub(super) fn fill(cx: &mut Cx, item: &WidgetRef, chat: &Conversation, index: usize) {
    let Some(entry) = chat.entries.get(index) else {
        return;
    };
    let can_change = chat.can_change();
    let shown = [
        (id!(edit), can_change),
        (id!(regenerate), chat.can_answer_again(index)),
        (id!(go_on), chat.can_go_on(index)),
        (id!(delete), can_change),
        (id!(versions), entry.version.1 > 1),
    ];
    for (button, shown) in shown {
        item.widget(button).set_visible(cx, shown);
    }
    let (at, count) = entry.version;
    item.text_line(id!(number))
        .set_text(cx, &format!("{}/{count}", at + 1));
    item.widget(id!(back)).set_disabled(cx, at == 0 || !can_change);
    item.widget(id!(next))
        .set_disabled(cx, at + 1 >= count || !can_change);
}

/// Turns presses of the buttons below a message into messages, but for the one that copies.
pub(super) fn take(cx: &mut Cx, actions: &Actions, item: &WidgetRef, entry: &Entry) {
    let Some(message) = entry.id else { return };
    let clicked = |button: &[LiveId]| item.push_button(button).clicked(actions);
    let (at, _) = entry.version;
    let version = |version| Msg::ShowVersion { message, version };
    let meant = [
        (id!(edit), Msg::BeginEdit(message)),
        (id!(regenerate), Msg::Regenerate(message)),
        (id!(retry), Msg::Regenerate(message)),
        (id!(back), version(at.saturating_sub(1))),
        (id!(next), version(at.saturating_add(1))),
        (id!(go_on), Msg::Continue(message)),
        (id!(branch), Msg::Branch(message)),
        (id!(delete), Msg::DeleteMessage(message)),
    ];
    for (button, msg) in meant {
        if clicked(button) {
            cx.action(msg);
        }
    }
    if clicked(id!(more)) {
        let button = seen(cx, item.widget(id!(more)).area());
        let at = Place {
            x: button.pos.x,
            y: button.pos.y + button.size.y + 4.0,
        };
        let of = MenuOf::Message(message);
        cx.action(Msg::OpenMenu { of, at });
    }
}
