//! What pages do with a button.

use makepad_widgets::*;

use super::{PushButtonAction, PushButtonRef};

impl PushButtonRef {
    /// Whether it was pressed.
    pub fn clicked(&self, actions: &Actions) -> bool {
        actions
            .filter_widget_actions_cast::<PushButtonAction>(self.widget_uid())
            .any(|action| matches!(action, PushButtonAction::Clicked))
    }

    /// Shows it as the chosen one of its kind.
    pub fn set_on(&self, cx: &mut Cx, on: bool) {
        if let Some(mut button) = self.borrow_mut()
            && button.animator_in_state(cx, id!(on.on)) != on
        {
            button.animator_toggle(cx, on, Animate::No, id!(on.on), id!(on.off));
        }
    }

    /// Sets what its tooltip says.
    pub fn set_tip(&self, tip: &str) {
        if let Some(mut button) = self.borrow_mut() {
            tip.clone_into(&mut button.tip);
        }
    }

    /// What its tooltip says.
    pub fn tip(&self) -> String {
        self.borrow().map_or_else(String::new, |it| it.tip.clone())
    }
}
