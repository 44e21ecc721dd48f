//! Turns what is done in the panel into messages.

use makepad_widgets::*;

use super::elements::has_keys;
use super::fill::{MIROSTAT, SECTIONS, THINKING};
use crate::msg::Msg;
use crate::msg::panel::PanelMsg;
use crate::state::AppState;
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::panel::menus::PanelMenu;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::row::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::text_area::*;

/// Between a select and its menu, in pixels.
const GAP: f64 = 4.0;

/// What a text that was typed becomes.
type Typed = fn(String) -> PanelMsg;

/// Takes everything.
pub(super) fn take(cx: &mut Cx, actions: &Actions, panel: &View, state: &AppState) {
    for (section, head, _) in SECTIONS {
        if panel.widget(head).row(id!(fold)).clicked(actions) {
            // What had the keyboard may go out of sight.
            if has_keys(cx, panel) {
                panel.widget(head).widget(id!(fold)).set_key_focus(cx);
            }
            tell(cx, PanelMsg::ToggleSection(section));
        }
    }
    let selects: [(&[LiveId; 1], PanelMenu); 4] = [
        (id!(preset), PanelMenu::Presets),
        (id!(policy), PanelMenu::ContextPolicy),
        (id!(form_kind), PanelMenu::Form),
        (id!(effort), PanelMenu::Effort),
    ];
    for (select, menu) in selects {
        if panel.row(select).clicked(actions) {
            open_menu(cx, &panel.widget(select), menu);
        }
    }
    if panel.push_button(id!(more)).clicked(actions) {
        open_menu(cx, &panel.widget(id!(more)), PanelMenu::All);
    }
    take_buttons(cx, actions, panel);
    take_fields(cx, actions, panel);
    let chips = panel.stack(id!(stops)).rows();
    for (index, chip) in chips.iter().enumerate() {
        if chip.push_button(id!(remove)).clicked(actions) && state.can_set() {
            tell(cx, PanelMsg::RemoveStop(index));
        }
    }
}

fn take_buttons(cx: &mut Cx, actions: &Actions, panel: &View) {
    let buttons: [(&[LiveId], PanelMsg); 6] = [
        (id!(save_preset), PanelMsg::BeginSave),
        (id!(cancel_name), PanelMsg::CloseName),
        (id!(take_name), PanelMsg::TakeName),
        (id!(sampling_head.reset), PanelMsg::ResetSampling),
        (id!(add_stop), PanelMsg::AddStop),
        (id!(make_default), PanelMsg::MakeDefault),
    ];
    let mirostat = MIROSTAT.map(|(segment, version)| (&segment[..], PanelMsg::SetMirostat(version)));
    let thinking = THINKING.map(|(segment, thinking)| (&segment[..], PanelMsg::SetThinking(thinking)));
    for (button, message) in buttons.into_iter().chain(mirostat).chain(thinking) {
        if panel.push_button(button).clicked(actions) {
            tell(cx, message);
        }
    }
}

fn take_fields(cx: &mut Cx, actions: &Actions, panel: &View) {
    let areas: [(&[LiveId; 1], Typed); 3] = [
        (id!(prompt), PanelMsg::PromptChanged),
        (id!(form_text), PanelMsg::FormTyped),
        (id!(arguments), PanelMsg::ArgumentsTyped),
    ];
    for (area, message) in areas {
        if let FieldAction::Changed(text) = panel.text_area(area).action(actions) {
            tell(cx, message(text));
        }
    }
    match panel.field(id!(preset_name)).action(actions) {
        FieldAction::Changed(text) => tell(cx, PanelMsg::NameTyped(text)),
        FieldAction::Entered => tell(cx, PanelMsg::TakeName),
        FieldAction::Left | FieldAction::None => (),
    }
    match panel.field(id!(stop)).action(actions) {
        FieldAction::Changed(text) => tell(cx, PanelMsg::StopTyped(text)),
        FieldAction::Entered => tell(cx, PanelMsg::AddStop),
        FieldAction::Left | FieldAction::None => (),
    }
}

/// Hands a message of the panel on.
fn tell(cx: &mut Cx, message: PanelMsg) {
    cx.action(Msg::Panel(message));
}

fn open_menu(cx: &mut Cx, below: &WidgetRef, menu: PanelMenu) {
    let place = below.area().rect(cx);
    cx.action(Msg::OpenMenu {
        of: MenuOf::Panel(menu),
        at: Place {
            x: place.pos.x,
            y: place.pos.y + place.size.y + GAP,
        },
    });
}
