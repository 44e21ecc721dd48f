//! The keys of each action: shown, pressed anew, given back.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::settings::SettingsMsg;
use crate::state::settings::Part;
use crate::state::{AppState, Page};
use crate::ui::widget::button::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::spacing::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::stack::*;
    use crate::ui::settings::kit::*;

    ShortcutRow = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        line = <LineH> {}
        <View> {
            width: Fill, height: (ROW_SHORTCUT), flow: Right
            padding: { left: 16, right: 12 }, spacing: 8, align: { y: 0.5 }
            clip_x: false, clip_y: false
            <View> {
                width: Fill, height: Fit, flow: Down
                label = <TextLine> { width: Fill, line: 18.0 }
                problem = <Caption> { visible: false, width: Fill, line: 18.0, draw_text: { color: (COLOR_BAD) } }
            }
            reset = <IconButton> { tip: (TEXT_SHORTCUT_RESET), draw_icon: { svg_path: (ICON_RETRY) } }
            record = <SmallButton> { draw_bg: { color_on: (COLOR_ACCENT_SOFT), line_on: (COLOR_ACCENT) } }
        }
    }

    pub ShortcutsPart = {{ShortcutsPart}}<Column> {
        <View> {
            width: Fill, height: Fit, flow: Right
            margin: { top: (GAP_SECTION), bottom: 8 }, align: { y: 0.5 }
            clip_x: false, clip_y: false
            <View> {
                width: Fill, height: Fit, flow: Down
                <Strong> { text: (TEXT_SHORTCUTS) }
                <Caption> { width: Fill, text: (TEXT_SHORTCUTS_HINT) }
            }
            reset_all = <SmallButton> { text: (TEXT_SHORTCUT_RESET_ALL) }
        }
        <SettingsCard> { list = <Stack> { row: <ShortcutRow> {} } }
    }
}

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct ShortcutsPart {
    #[deref]
    view: View,
}

impl Widget for ShortcutsPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let (Event::Actions(actions), Some(state)) = (event, scope.data.get::<AppState>()) else {
            return;
        };
        if state.page() != Page::Settings || state.settings_part() != Part::Shortcuts {
            return;
        }
        if self.view.push_button(id!(reset_all)).clicked(actions) {
            cx.action(Msg::Settings(SettingsMsg::ResetAllKeys));
        }
        let rows = self.view.stack(id!(list)).rows();
        for (shortcut, row) in state.shortcut_rows().iter().zip(rows) {
            if row.push_button(id!(record)).clicked(actions) {
                cx.action(Msg::Settings(SettingsMsg::RecordKeys(shortcut.action)));
            }
            if row.push_button(id!(reset)).clicked(actions) {
                cx.action(Msg::Settings(SettingsMsg::ResetKeys(shortcut.action)));
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let shortcuts = state.shortcut_rows();
            let any = shortcuts.iter().any(|shortcut| shortcut.changed);
            self.view.push_button(id!(reset_all)).set_disabled(cx, !any);
            let rows = self.view.stack(id!(list)).set_rows(cx, shortcuts.len());
            for (index, (shortcut, row)) in shortcuts.iter().zip(rows).enumerate() {
                row.widget(id!(line)).set_visible(cx, index > 0);
                row.text_line(id!(label)).set_text(cx, &shortcut.label);
                let problem = row.text_line(id!(problem));
                problem.set_visible(cx, !shortcut.problem.is_empty());
                problem.set_text(cx, &shortcut.problem);
                row.widget(id!(reset)).set_visible(cx, shortcut.changed);
                let record = row.push_button(id!(record));
                record.set_text(cx, &shortcut.keys);
                record.set_on(cx, shortcut.waiting);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

/// Where Tab stops in the rows.
pub(crate) fn stops(list: &WidgetRef) -> Vec<WidgetRef> {
    let rows = list.as_stack().rows().into_iter();
    rows.flat_map(|row| [row.widget(id!(reset)), row.widget(id!(record))])
        .collect()
}

/// The rows with their names.
#[cfg(feature = "probe")]
pub(crate) fn elements(ui: &WidgetRef, state: &AppState) -> Vec<crate::ui::elements::Element> {
    let rows = ui.stack(id!(settings_page.shortcuts_part.list)).rows();
    let mut all = Vec::new();
    for (shortcut, row) in state.shortcut_rows().iter().zip(rows) {
        for part in ["label", "problem", "reset", "record"] {
            all.push(crate::ui::elements::Element {
                name: format!("settings.shortcut.{}.{part}", shortcut.action.name()),
                widget: row.widget(&[LiveId::from_str(part)]),
                text: None,
                part: None,
            });
        }
    }
    all
}
