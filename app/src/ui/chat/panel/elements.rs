//! The names of what is in the panel, in reading order: the way of the Tab key, and what tests find elements by.

use makepad_widgets::*;

#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::number::*;
use crate::ui::widget::stack::*;

/// Something of the panel with its name.
enum Part {
    /// A control.
    Control(&'static str, &'static [LiveId]),
    /// A field of several lines.
    Area(&'static str, &'static [LiveId]),
    /// Something to see.
    Sight(&'static str, &'static [LiveId]),
    /// Numbers, each named by its label.
    Numbers(&'static [LiveId]),
    /// The stop strings.
    Stops(&'static [LiveId]),
}

use Part::*;

const PARTS: &[Part] = &[
    Control("panel.more", id!(more)),
    Control("panel.preset", id!(preset)),
    Sight("panel.preset.chosen", id!(preset.label)),
    Control("panel.save", id!(save_preset)),
    Control("panel.name", id!(preset_name)),
    Sight("panel.name.remark", id!(remark.why)),
    Control("panel.name.cancel", id!(cancel_name)),
    Control("panel.name.take", id!(take_name)),
    Sight("panel.prompt.tokens", id!(prompt_tokens)),
    Area("panel.prompt", id!(prompt)),
    Control("panel.sampling", id!(sampling_head.fold)),
    Control("panel.sampling.reset", id!(sampling_head.reset)),
    Numbers(id!(sampling)),
    Control("panel.fine", id!(fine_head.fold)),
    Numbers(id!(fine)),
    Control("panel.mirostat.off", id!(mirostat_off)),
    Control("panel.mirostat.1", id!(mirostat_1)),
    Control("panel.mirostat.2", id!(mirostat_2)),
    Numbers(id!(mirostat_numbers)),
    Control("panel.length", id!(length_head.fold)),
    Numbers(id!(length)),
    Stops(id!(stops)),
    Control("panel.stop", id!(stop)),
    Control("panel.stop.add", id!(add_stop)),
    Control("panel.policy", id!(policy)),
    Sight("panel.policy.chosen", id!(policy.label)),
    Control("panel.form", id!(form_head.fold)),
    Control("panel.form.kind", id!(form_kind)),
    Sight("panel.form.chosen", id!(form_kind.label)),
    Area("panel.form.text", id!(form_text)),
    Sight("panel.form.problem", id!(form_problem.why)),
    Control("panel.thinking", id!(thinking_head.fold)),
    Control("panel.thinking.usual", id!(think_usual)),
    Control("panel.thinking.on", id!(think_on)),
    Control("panel.thinking.off", id!(think_off)),
    Control("panel.effort", id!(effort)),
    Sight("panel.effort.chosen", id!(effort.label)),
    Numbers(id!(budget)),
    Control("panel.template", id!(template_head.fold)),
    Area("panel.arguments", id!(arguments)),
    Sight("panel.arguments.problem", id!(arguments_problem.why)),
    Sight("panel.default.note", id!(default_note)),
    Control("panel.default", id!(make_default)),
];

/// Where Tab stops in the panel.
pub(crate) fn stops(panel: &WidgetRef) -> Vec<WidgetRef> {
    panel
        .borrow::<super::page::ChatPanel>()
        .map_or_else(Vec::new, |panel| stops_in(&panel))
}

/// The same from within.
pub(super) fn stops_in(panel: &View) -> Vec<WidgetRef> {
    let of_part = |part: &Part| match part {
        Control(_, path) => vec![panel.widget(path)],
        Area(_, path) => vec![panel.widget(path).widget(id!(input))],
        Sight(..) => Vec::new(),
        Numbers(path) => {
            let rows = panel.stack(path).rows().into_iter();
            rows.flat_map(|row| row.as_number_row().stops()).collect()
        }
        Stops(path) => {
            let rows = panel.stack(path).rows().into_iter();
            rows.map(|row| row.widget(id!(remove))).collect()
        }
    };
    PARTS.iter().flat_map(of_part).collect()
}

/// What is to be in view where this stop has the keyboard: of a field of several lines all of it.
pub(super) fn whole_of(panel: &View, stop: &WidgetRef) -> WidgetRef {
    let uid = stop.widget_uid();
    let mut areas = PARTS.iter().filter_map(|part| match part {
        Area(_, path) => Some(panel.widget(path)),
        _ => None,
    });
    let area = areas.find(|area| area.widget(id!(input)).widget_uid() == uid);
    area.unwrap_or_else(|| stop.clone())
}

/// Whether something in the panel has the keyboard.
pub(super) fn has_keys(cx: &Cx, panel: &View) -> bool {
    stops_in(panel).iter().any(|stop| cx.has_key_focus(stop.area()))
}

/// Whether Tab stops at this widget of the panel.
pub(super) fn is_stop(panel: &View, widget: &WidgetRef) -> bool {
    let uid = widget.widget_uid();
    stops_in(panel).iter().any(|stop| stop.widget_uid() == uid)
}

/// All of it with its names.
#[cfg(feature = "probe")]
pub(crate) fn all(ui: &WidgetRef) -> Vec<Element> {
    let named = |name: String, widget: WidgetRef| Element {
        name,
        widget,
        text: None,
        part: None,
    };
    let panel = ui.widget(id!(chat_panel));
    let mut all = Vec::new();
    for part in PARTS {
        match part {
            Control(name, path) | Sight(name, path) => all.push(named((*name).into(), panel.widget(path))),
            Area(name, path) => {
                let input = panel.widget(path).widget(id!(input));
                all.push(named((*name).into(), input));
            }
            Numbers(path) => {
                let rows = panel.stack(path).rows().into_iter();
                all.extend(rows.flat_map(|row| row.as_number_row().elements()));
            }
            Stops(path) => {
                for (index, row) in panel.stack(path).rows().into_iter().enumerate() {
                    all.push(named(format!("panel.stop.{index}"), row.widget(id!(label))));
                    all.push(named(
                        format!("panel.stop.{index}.remove"),
                        row.widget(id!(remove)),
                    ));
                }
            }
        }
    }
    all
}
