//! What computes here, how much memory models may take, what is kept of them on the disk, and how they are loaded.

use makepad_widgets::*;

use super::row::{self, tell};
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
use crate::state::settings::hardware::DeviceRow;
use crate::state::settings::knob::Card;
use crate::ui::widget::button::*;
use crate::ui::widget::progress::*;
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
    use crate::ui::spacing::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::switch::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::tag::*;
    use crate::ui::widget::progress::*;
    use crate::ui::usage::*;
    use crate::ui::settings::kit::*;
    use crate::ui::settings::row::*;

    DeviceItem = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        line = <LineH> {}
        <View> {
            width: Fill, height: 64, flow: Right
            align: { y: 0.5 }, padding: { left: 16, right: 16 }, spacing: 16
            clip_x: false, clip_y: false
            gpu = <View> { width: Fit, height: Fit, <Glyph18> { draw_icon: { svg_path: (ICON_GPU) } } }
            cpu = <View> { width: Fit, height: Fit, <Glyph18> { draw_icon: { svg_path: (ICON_CHIP) } } }
            <View> {
                width: Fill, height: Fit, flow: Down
                label = <TextLine> { width: Fill, line: 18.0 }
                detail = <Caption> { width: Fill, line: 18.0 }
            }
            <View> {
                width: 160, height: Fit, flow: Down, spacing: 6
                memory = <Caption> { width: Fill, align_x: 1.0 }
                bar = <ProgressBar> { draw_bg: { fill: (COLOR_TRACK_FILL) } }
            }
            use_it = <Switch> {}
        }
    }
    pub HardwarePart = {{HardwarePart}}<Column> {
        <SectionHead> {
            title = { text: (TEXT_HARDWARE) }
            check_again = <SmallQuietButton> { text: (TEXT_CHECK_AGAIN), draw_icon: { svg_path: (ICON_RETRY) } }
        }
        <SettingsCard> {
            devices = <Stack> { row: <DeviceItem> {} }
            devices_none = <View> {
                width: Fill, height: Fit, padding: { left: 16, right: 16, top: 14, bottom: 14 }
                note = <Note> {}
            }
        }
        <SectionHead> {
            title = { text: (TEXT_USAGE) }
            <Caption> { text: (TEXT_USAGE_HINT) }
        }
        settings_usage = <HardwareStrip> {}
        <Section> { text: (TEXT_MEMORY) }
        <SettingsCard> { memory_rows = <SettingRows> {} }
        <Section> { text: (TEXT_KEPT) }
        <SettingsCard> {
            kept_rows = <SettingRows> {}
            <LineH> {}
            <ExplainedSetting> {
                words = { label = { text: (TEXT_KEPT_NOW) }, help = { text: (TEXT_KEPT_NOW_HINT) } }
                kept_size = <TextLine> { draw_text: { color: (COLOR_TEXT_2) } }
                empty_kept = <SmallButton> { text: (TEXT_KEPT_EMPTY) }
            }
        }
        <SectionHead> {
            title = { text: (TEXT_LOADING) }
            <Caption> { text: (TEXT_LOADING_HINT) }
        }
        <SettingsCard> { loading_rows = <SettingRows> {} }
    }
}

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct HardwarePart {
    #[deref]
    view: View,
}

/// The cards of rows.
const CARDS: [(&[LiveId; 1], Card); 3] = [
    (id!(memory_rows), Card::Memory),
    (id!(kept_rows), Card::Kept),
    (id!(loading_rows), Card::Loading),
];

impl Widget for HardwarePart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let (Event::Actions(actions), Some(state)) = (event, scope.data.get::<AppState>()) else {
            return;
        };
        for (stack, card) in CARDS {
            row::take(cx, actions, &self.view.stack(stack), card);
        }
        let buttons: [(&[LiveId], SettingsMsg); 2] = [
            (id!(check_again), SettingsMsg::LookForDevices),
            (id!(empty_kept), SettingsMsg::EmptyKept),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, message);
            }
        }
        let rows = self.view.stack(id!(devices)).rows();
        for (device, row) in state.device_rows().into_iter().zip(rows) {
            if let Some(used) = row.switch(id!(use_it)).wanted(actions) {
                tell(cx, SettingsMsg::UseDevice(device.name, used));
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            for (stack, card) in CARDS {
                row::fill(cx, &self.view.stack(stack), state, card);
            }
            let devices = state.device_rows();
            let rows = self.view.stack(id!(devices)).set_rows(cx, devices.len());
            for (index, (device, row)) in devices.iter().zip(rows).enumerate() {
                row.widget(id!(line)).set_visible(cx, index > 0);
                fill(cx, &row, device);
            }
            let note = state.devices_note();
            self.view
                .widget(id!(devices_none))
                .set_visible(cx, !note.is_empty());
            self.view.label(id!(note)).set_text(cx, &note);
            let is_looking = state.is_looking_for_devices();
            self.view
                .push_button(id!(check_again))
                .set_disabled(cx, is_looking);
            self.view
                .text_line(id!(kept_size))
                .set_text(cx, &state.kept_size());
            self.view
                .push_button(id!(empty_kept))
                .set_disabled(cx, !state.keeps_something());
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

fn fill(cx: &mut Cx, row: &WidgetRef, device: &DeviceRow) {
    row.widget(id!(gpu)).set_visible(cx, device.is_gpu);
    row.widget(id!(cpu)).set_visible(cx, !device.is_gpu);
    row.text_line(id!(label)).set_text(cx, &device.label);
    row.text_line(id!(detail)).set_text(cx, &device.detail);
    row.text_line(id!(memory)).set_text(cx, &device.memory);
    let bar = row.progress_bar(id!(bar));
    bar.set_visible(cx, device.share.is_some());
    bar.set(device.share.unwrap_or_default(), Level::Normal);
    let switch = row.switch(id!(use_it));
    switch.set_visible(cx, device.used.is_some());
    switch.set_label(&device.label);
    switch.set_on(cx, device.used.unwrap_or_default());
}
