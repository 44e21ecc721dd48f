//! Shows in the panel what the state says.

use hearth_protocol::generate::MirostatVersion;
use hearth_protocol::settings::chat_panel::PanelSection;
use makepad_widgets::*;

use crate::state::AppState;
use crate::state::number::NumberView;
use crate::state::panel::presets::Named;
use crate::state::panel::view::PanelView;
use crate::text::{Texts, key};
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::number::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::text::*;
use crate::ui::widget::text_area::*;

/// Each section with its head and what is in it.
pub(super) const SECTIONS: [(PanelSection, &[LiveId; 1], &[LiveId; 1]); 6] = [
    (PanelSection::Sampling, id!(sampling_head), id!(sampling_body)),
    (PanelSection::FineSampling, id!(fine_head), id!(fine_body)),
    (PanelSection::Length, id!(length_head), id!(length_body)),
    (PanelSection::Form, id!(form_head), id!(form_body)),
    (PanelSection::Thinking, id!(thinking_head), id!(thinking_body)),
    (PanelSection::Template, id!(template_head), id!(template_body)),
];

/// Each segment of Mirostat.
pub(super) const MIROSTAT: [(&[LiveId; 1], Option<MirostatVersion>); 3] = [
    (id!(mirostat_off), None),
    (id!(mirostat_1), Some(MirostatVersion::V1)),
    (id!(mirostat_2), Some(MirostatVersion::V2)),
];

/// Each segment of thinking.
pub(super) const THINKING: [(&[LiveId; 1], Option<bool>); 3] = [
    (id!(think_usual), None),
    (id!(think_on), Some(true)),
    (id!(think_off), Some(false)),
];

/// Shows everything.
pub(super) fn fill(cx: &mut Cx, panel: &View, state: &AppState) {
    let (shown, texts) = (state.panel_view(), state.texts());
    for (section, head, body) in SECTIONS {
        let folded = state.is_folded(section);
        let head = panel.widget(head);
        head.widget(id!(closed)).set_visible(cx, folded);
        head.widget(id!(opened)).set_visible(cx, !folded);
        panel.widget(body).set_visible(cx, !folded);
    }
    fill_preset(cx, panel, state, &shown);
    panel.text_area(id!(prompt)).set(cx, &shown.system_prompt, false);
    panel
        .text_line(id!(prompt_tokens))
        .set_text(cx, &shown.prompt_tokens);
    panel
        .widget(id!(sampling_head.reset))
        .set_visible(cx, shown.can_reset);
    for (stack, numbers) in [
        (id!(sampling), &shown.sampling),
        (id!(fine), &shown.fine),
        (id!(mirostat_numbers), &shown.mirostat_numbers),
        (id!(length), &shown.length),
        (id!(budget), &shown.budget),
    ] {
        fill_numbers(cx, &panel.stack(stack), numbers, texts);
    }
    for (segment, version) in MIROSTAT {
        panel.push_button(segment).set_on(cx, shown.mirostat == version);
    }
    let chips = panel.stack(id!(stops)).set_rows(cx, shown.stops.len());
    for (stop, chip) in shown.stops.iter().zip(chips) {
        chip.text_line(id!(label)).set_text(cx, stop);
    }
    panel.field(id!(stop)).show(cx, &shown.stop);
    set_select(cx, panel, id!(policy), &texts.say(shown.context_policy, &[]));
    fill_form(cx, panel, &shown, texts);
    for (segment, thinking) in THINKING {
        panel.push_button(segment).set_on(cx, shown.thinking == thinking);
    }
    set_select(cx, panel, id!(effort), &shown.effort);
    let arguments = panel.text_area(id!(arguments));
    arguments.set(cx, &shown.arguments, shown.arguments_problem.is_some());
    set_problem(
        cx,
        panel,
        id!(arguments_problem),
        shown.arguments_problem.as_deref(),
    );
    panel.label(id!(default_note)).set_text(cx, &shown.default_note);
    let make_default = panel.push_button(id!(make_default));
    make_default.set_visible(cx, shown.make_default.is_some());
    make_default.set_text(cx, shown.make_default.as_deref().unwrap_or_default());
}

fn fill_preset(cx: &mut Cx, panel: &View, state: &AppState, shown: &PanelView) {
    set_select(cx, panel, id!(preset), &shown.preset);
    let naming = panel.widget(id!(naming));
    let presets = &state.panel.presets;
    naming.set_visible(cx, presets.naming.is_some());
    if let Some(now) = &presets.naming {
        panel.field(id!(preset_name)).show(cx, &now.text);
        let take = panel.push_button(id!(take_name));
        take.set_disabled(cx, now.running);
        let words = match now.of {
            Named::Settings => key!("action-save"),
            Named::Preset(_) => key!("menu-rename"),
        };
        take.set_text(cx, &state.texts().say(words, &[]));
        set_problem(cx, panel, id!(remark), presets.remark(state.texts()).as_deref());
    }
}

fn fill_form(cx: &mut Cx, panel: &View, shown: &PanelView, texts: &Texts) {
    set_select(cx, panel, id!(form_kind), &texts.say(shown.form.label(), &[]));
    let placeholder = shown.form.placeholder();
    panel
        .widget(id!(form_text))
        .set_visible(cx, placeholder.is_some());
    let text = panel.text_area(id!(form_text));
    // What is empty is not wrong yet.
    let is_bad = shown.form_problem.is_some() && !shown.form_text.trim().is_empty();
    text.set(cx, &shown.form_text, is_bad);
    text.set_placeholder(placeholder.unwrap_or_default());
    set_problem(cx, panel, id!(form_problem), shown.form_problem.as_deref());
}

fn fill_numbers(cx: &mut Cx, stack: &StackRef, numbers: &[NumberView], texts: &Texts) {
    let rows = stack.set_rows(cx, numbers.len());
    for (number, row) in numbers.iter().zip(rows) {
        row.as_number_row().fill(cx, number, texts);
    }
}

fn set_select(cx: &mut Cx, panel: &View, select: &[LiveId; 1], text: &str) {
    panel.widget(select).text_line(id!(label)).set_text(cx, text);
}

fn set_problem(cx: &mut Cx, panel: &View, label: &[LiveId; 1], problem: Option<&str>) {
    let label = panel.widget(label);
    label.set_visible(cx, problem.is_some());
    label.label(id!(why)).set_text(cx, problem.unwrap_or_default());
}
