//! The dialog that sets how a model is loaded: what it would take above, the options below, the load at the foot.

pub mod elements;
pub mod kit;

use hearth_protocol::engine::{FlashAttention, KvType, RopeScaling, SplitMode};
use makepad_widgets::*;

use super::scrim::pressed_beside;
use crate::msg::Msg;
use crate::msg::load::LoadMsg;
use crate::state::AppState;
use crate::state::load_dialog::choice::{LoadChoice, LoadSwitch};
use crate::state::load_dialog::number::LoadNumber;
use crate::state::load_dialog::text::LoadText;
use crate::state::load_dialog::view::{BarView, FitKind, LoadView};
use crate::state::number::{Number, NumberView};
use crate::text::Texts;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::number::*;
use crate::ui::widget::parts_bar::*;
use crate::ui::widget::progress::*;
use crate::ui::widget::reveal::reveal_on_page;
use crate::ui::widget::stack::*;
use crate::ui::widget::switch::*;
use crate::ui::widget::tag::*;
use crate::ui::widget::text::*;
use crate::ui::widget::text_area::*;

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
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::switch::*;
    use crate::ui::widget::text_area::*;
    use crate::ui::usage::*;
    use crate::ui::overlay::scrim::*;
    use crate::ui::overlay::load_dialog::kit::*;

    pub LoadDialog = {{LoadDialog}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5, y: 0.5 }
        scrim = <Scrim> {}
        place = <View> {
            width: Fit, height: Fill, padding: { top: 32, bottom: 32 }, align: { y: 0.5 }
            card = <Card> {
                width: 672, height: Fit
                sheet = <Surface> {
                    width: Fill, height: Fit, flow: Down
                    padding: 1
                    draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 16.0 }
                    <View> {
                        width: Fill, height: Fit, flow: Right
                        padding: { left: 24, right: 16, top: 20, bottom: 12 }
                        clip_x: false, clip_y: false
                        <View> {
                            width: Fill, height: Fit, flow: Down, spacing: 2
                            title = <Heading> { width: Fill }
                            about = <Caption> { width: Fill }
                        }
                        close = <OverlayIconButton> { tip: (TEXT_CLOSE), draw_icon: { svg_path: (ICON_CLOSE) } }
                    }
                    <View> {
                        width: Fill, height: Fit, padding: { left: 24, right: 24 }
                        estimate = <EstimateBox> {}
                    }
                    body = <ScrollYView> {
                        width: Fill, height: Fit
                        content = <View> {
                            width: Fill, height: Fit, flow: Down
                            padding: { left: 24, right: 24, top: 8, bottom: 16 }
                            clip_x: false, clip_y: false
                            main = <LoadNumbers> {}
                            <LineH> { margin: { top: 8 } }
                            fine_head = <FineHead> {}
                            fine = <FineOptions> {}
                            <HardwareStrip> { margin: { top: 8 } }
                        }
                    }
                    <LineH> {}
                    trouble = <View> {
                        visible: false
                        width: Fill, height: Fit, padding: { left: 24, right: 24, top: 12 }
                        why = <TextBlock> { draw_text: { color: (COLOR_BAD) } }
                    }
                    foot = <View> {
                        width: Fill, height: 64, flow: Right
                        padding: { left: 24, right: 16 }, spacing: 8, align: { y: 0.5 }
                        clip_x: false, clip_y: false
                        resting = <View> {
                            width: Fill, height: Fit, flow: Right
                            spacing: 8, align: { y: 0.5 }
                            clip_x: false, clip_y: false
                            remember = <Switch> { label: (TEXT_LOAD_REMEMBER) }
                            <TextLine> { width: Fill, text: (TEXT_LOAD_REMEMBER) }
                            reset = <QuietButton> { text: (TEXT_LOAD_RESET) }
                            cancel = <OverlayButton> { text: (TEXT_CANCEL) }
                            force = <OverlayButton> { text: (TEXT_LOAD_ANYWAY) }
                            load = <PrimaryButton> { text: (TEXT_LOAD) }
                        }
                        loading = <View> {
                            visible: false
                            width: Fill, height: Fit, flow: Right
                            spacing: 16, align: { y: 0.5 }
                            clip_x: false, clip_y: false
                            words = <TextLine> {}
                            bar = <ProgressBar> {}
                            stop = <OverlayButton> { text: (TEXT_LOAD_STOP) }
                        }
                    }
                }
            }
        }
    }
}

/// Each button of one of a few, and what it chooses.
const CHOICES: [(&[LiveId; 1], LoadChoice); 26] = [
    (id!(flash_auto), LoadChoice::Flash(FlashAttention::Auto)),
    (id!(flash_on), LoadChoice::Flash(FlashAttention::On)),
    (id!(flash_off), LoadChoice::Flash(FlashAttention::Off)),
    (id!(k_f32), LoadChoice::KvK(KvType::F32)),
    (id!(k_f16), LoadChoice::KvK(KvType::F16)),
    (id!(k_bf16), LoadChoice::KvK(KvType::Bf16)),
    (id!(k_q8_0), LoadChoice::KvK(KvType::Q8_0)),
    (id!(k_q5_1), LoadChoice::KvK(KvType::Q5_1)),
    (id!(k_q5_0), LoadChoice::KvK(KvType::Q5_0)),
    (id!(k_q4_1), LoadChoice::KvK(KvType::Q4_1)),
    (id!(k_q4_0), LoadChoice::KvK(KvType::Q4_0)),
    (id!(v_f32), LoadChoice::KvV(KvType::F32)),
    (id!(v_f16), LoadChoice::KvV(KvType::F16)),
    (id!(v_bf16), LoadChoice::KvV(KvType::Bf16)),
    (id!(v_q8_0), LoadChoice::KvV(KvType::Q8_0)),
    (id!(v_q5_1), LoadChoice::KvV(KvType::Q5_1)),
    (id!(v_q5_0), LoadChoice::KvV(KvType::Q5_0)),
    (id!(v_q4_1), LoadChoice::KvV(KvType::Q4_1)),
    (id!(v_q4_0), LoadChoice::KvV(KvType::Q4_0)),
    (id!(split_layer), LoadChoice::Split(SplitMode::Layer)),
    (id!(split_row), LoadChoice::Split(SplitMode::Row)),
    (id!(split_none), LoadChoice::Split(SplitMode::None)),
    (id!(rope_own), LoadChoice::Rope(None)),
    (id!(rope_none), LoadChoice::Rope(Some(RopeScaling::None))),
    (id!(rope_linear), LoadChoice::Rope(Some(RopeScaling::Linear))),
    (id!(rope_yarn), LoadChoice::Rope(Some(RopeScaling::Yarn))),
];

/// Each switch.
const SWITCHES: [(&[LiveId; 1], LoadSwitch); 4] = [
    (id!(mmap), LoadSwitch::Mmap),
    (id!(mlock), LoadSwitch::Mlock),
    (id!(kv_on_cpu), LoadSwitch::KvOnCpu),
    (id!(speculation), LoadSwitch::Speculation),
];

/// Each text and the part of its row that tells what is wrong.
const TEXTS: [(&[LiveId; 1], LoadText); 5] = [
    (id!(devices), LoadText::Devices),
    (id!(shares), LoadText::Shares),
    (id!(template), LoadText::Template),
    (id!(adapters), LoadText::Adapters),
    (id!(ends), LoadText::Ends),
];

/// Each stack of numbers, and which.
const NUMBERS: [(&[LiveId; 1], &[LoadNumber]); 4] = [
    (
        id!(main),
        &[
            LoadNumber::Context,
            LoadNumber::GpuLayers,
            LoadNumber::Threads,
            LoadNumber::Slots,
        ],
    ),
    (
        id!(sizes),
        &[LoadNumber::Batch, LoadNumber::MicroBatch, LoadNumber::MoeLayers],
    ),
    (
        id!(rope_numbers),
        &[
            LoadNumber::RopeBase,
            LoadNumber::RopeScale,
            LoadNumber::YarnContext,
        ],
    ),
    (id!(seed), &[LoadNumber::Seed]),
];

/// The dialog.
#[derive(Live, LiveHook, Widget)]
pub struct LoadDialog {
    #[deref]
    view: View,
}

impl Widget for LoadDialog {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        match event {
            Event::KeyFocus(_) => self.reveal_focused(cx),
            Event::Actions(actions) => self.take(cx, actions),
            _ => (),
        }
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>()
            && let Some(shown) = state.load_view()
            && let Some(dialog) = state.load_dialog()
        {
            self.fill(cx, &shown, state.texts());
            for (button, choice) in CHOICES {
                self.view
                    .push_button(button)
                    .set_on(cx, choice.is_so(&dialog.options));
            }
            for (switch, what) in SWITCHES {
                self.view.switch(switch).set_on(cx, what.is_on(&dialog.options));
            }
            self.view.switch(id!(remember)).set_on(cx, dialog.remember);
            self.unfold(cx, dialog.shows_fine);
            let stretched = dialog.options.rope.is_some();
            self.view.widget(id!(rope_numbers)).set_visible(cx, stretched);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl LoadDialog {
    /// Shows the finer options, which take all the height there is, or hides them.
    fn unfold(&self, cx: &mut Cx2d, open: bool) {
        for (part, is_there) in [(id!(fine), open), (id!(opened), open), (id!(closed), !open)] {
            let part: &[LiveId; 1] = part;
            self.view.widget(part).set_visible(cx, is_there);
        }
        for part in [id!(card), id!(sheet), id!(body)] {
            let height = if open {
                live! { height: Fill }
            } else {
                live! { height: Fit }
            };
            let part: &[LiveId; 1] = part;
            self.view.widget(part).apply_over(cx, height);
        }
    }

    /// Scrolls the least so that what has the keyboard is in view.
    fn reveal_focused(&self, cx: &mut Cx) {
        let mut stops = elements::scrolled_stops(&self.view).into_iter();
        if let Some(stop) = stops.find(|stop| cx.has_key_focus(stop.area())) {
            let (body, content) = (self.view.view(id!(body)), self.view.widget(id!(content)));
            reveal_on_page(cx, &body, &content, stop.area().rect(cx));
        }
    }

    fn take(&self, cx: &mut Cx, actions: &Actions) {
        let buttons: [(&[LiveId; 1], Msg); 7] = [
            (id!(close), Msg::CloseOverlay),
            (id!(cancel), Msg::CloseOverlay),
            (id!(reset), Msg::LoadDialog(LoadMsg::Reset)),
            (id!(fold), Msg::LoadDialog(LoadMsg::ToggleFine)),
            (id!(load), Msg::LoadDialog(LoadMsg::Load { anyway: false })),
            (id!(force), Msg::LoadDialog(LoadMsg::Load { anyway: true })),
            (id!(stop), Msg::LoadDialog(LoadMsg::Cancel)),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                cx.action(message);
            }
        }
        for (button, choice) in CHOICES {
            if self.view.push_button(button).clicked(actions) {
                cx.action(Msg::LoadDialog(LoadMsg::Choose(choice)));
            }
        }
        for (switch, what) in SWITCHES {
            if let Some(on) = self.view.switch(switch).wanted(actions) {
                cx.action(Msg::LoadDialog(LoadMsg::Switch(what, on)));
            }
        }
        if let Some(remember) = self.view.switch(id!(remember)).wanted(actions) {
            cx.action(Msg::LoadDialog(LoadMsg::Remember(remember)));
        }
        for (row, field) in TEXTS {
            let area = self.view.widget(row).text_area(id!(area));
            if let FieldAction::Changed(text) = area.action(actions) {
                cx.action(Msg::LoadDialog(LoadMsg::Typed(field, text)));
            }
        }
    }

    fn fill(&mut self, cx: &mut Cx2d, shown: &LoadView, texts: &Texts) {
        let view = &self.view;
        view.text_line(id!(title)).set_text(cx, &shown.title);
        view.text_line(id!(about)).set_text(cx, &shown.about);
        fill_estimate(cx, &view.widget(id!(estimate)), shown);
        for (stack, of) in NUMBERS {
            let is_there = |number: &&NumberView| match number.number {
                Number::Load(number @ (LoadNumber::GpuLayers | LoadNumber::MoeLayers)) => {
                    shown.has_cards && of.contains(&number)
                }
                Number::Load(number) => of.contains(&number),
                Number::Panel(_) => false,
            };
            let numbers: Vec<&NumberView> = shown.numbers.iter().filter(is_there).collect();
            let rows = view.stack(stack).set_rows(cx, numbers.len());
            for (number, row) in numbers.into_iter().zip(rows) {
                row.as_number_row().fill(cx, number, texts);
            }
        }
        for (row, field) in TEXTS {
            let Some((_, text, fault)) = shown.texts.iter().find(|(of, ..)| *of == field) else {
                continue;
            };
            let row = view.widget(row);
            row.text_area(id!(area)).set(cx, text, fault.is_some());
            row.widget(id!(problem)).set_visible(cx, fault.is_some());
            row.label(id!(problem.why))
                .set_text(cx, fault.as_deref().unwrap_or_default());
        }
        view.widget(id!(of_cards)).set_visible(cx, shown.has_cards);
        view.widget(id!(of_many_cards))
            .set_visible(cx, shown.has_many_cards);
        view.widget(id!(trouble)).set_visible(cx, shown.trouble.is_some());
        view.label(id!(trouble.why))
            .set_text(cx, shown.trouble.as_deref().unwrap_or_default());
        view.widget(id!(resting))
            .set_visible(cx, shown.progress.is_none());
        view.widget(id!(loading))
            .set_visible(cx, shown.progress.is_some());
        if let Some((share, words)) = &shown.progress {
            view.text_line(id!(words)).set_text(cx, words);
            view.progress_bar(id!(bar)).set(*share, Level::Normal);
        }
        view.push_button(id!(reset)).set_visible(cx, shown.can_reset);
        view.push_button(id!(force)).set_visible(cx, shown.can_force);
        view.push_button(id!(load)).set_disabled(cx, !shown.can_load);
    }
}

fn fill_estimate(cx: &mut Cx, of: &WidgetRef, shown: &LoadView) {
    for (kind, tag) in [
        (FitKind::Fits, id!(fits)),
        (FitKind::Short, id!(short)),
        (FitKind::Unknown, id!(unknown)),
    ] {
        let tag = of.widget(tag);
        tag.set_visible(cx, shown.fit.kind == kind);
        tag.text_line(id!(label)).set_text(cx, &shown.fit.words);
        tag.dot(id!(dot)).set(match kind {
            FitKind::Fits => DotKind::Ok,
            FitKind::Short => DotKind::Bad,
            FitKind::Unknown => DotKind::Idle,
        });
    }
    let rows = of.stack(id!(bars)).set_rows(cx, shown.bars.len());
    for (bar, row) in shown.bars.iter().zip(rows) {
        let BarView { name, ends, words } = bar;
        row.text_line(id!(name)).set_text(cx, name);
        row.text_line(id!(words)).set_text(cx, words);
        row.parts_bar(id!(bar)).set(*ends);
    }
    for (part, legend) in [id!(weights), id!(context), id!(working)]
        .into_iter()
        .zip(&shown.parts)
    {
        let part: &[LiveId; 1] = part;
        of.widget(part).text_line(id!(amount)).set_text(cx, legend);
    }
}
