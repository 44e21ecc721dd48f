//! The names of what is in the dialog that sets how a model is loaded, in reading order.

use super::*;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;

/// Something of the dialog with its name.
enum Part {
    /// A control.
    Control(&'static str, &'static [LiveId]),
    /// Something to see.
    Sight(&'static str, &'static [LiveId]),
    /// Numbers: a stack of [`NUMBERS`].
    Numbers(usize),
    /// A text: one of [`TEXTS`].
    Text(&'static str, usize),
}

use Part::*;

const HEAD: &[Part] = &[
    Sight("load_dialog.title", id!(title)),
    Control("load_dialog.close", id!(close)),
    Sight("load_dialog.fits", id!(fits.label)),
    Sight("load_dialog.short", id!(short.label)),
    Sight("load_dialog.bars", id!(bars)),
    Sight("load_dialog.weights", id!(weights.amount)),
    Sight("load_dialog.context.memory", id!(context.amount)),
];

/// What scrolls.
const BODY: &[Part] = &[
    Numbers(0),
    Control("load_dialog.fine", id!(fold)),
    Control("load_dialog.flash.auto", id!(flash_auto)),
    Control("load_dialog.flash.on", id!(flash_on)),
    Control("load_dialog.flash.off", id!(flash_off)),
    Control("load_dialog.k.f32", id!(k_f32)),
    Control("load_dialog.k.f16", id!(k_f16)),
    Control("load_dialog.k.bf16", id!(k_bf16)),
    Control("load_dialog.k.q8_0", id!(k_q8_0)),
    Control("load_dialog.k.q5_1", id!(k_q5_1)),
    Control("load_dialog.k.q5_0", id!(k_q5_0)),
    Control("load_dialog.k.q4_1", id!(k_q4_1)),
    Control("load_dialog.k.q4_0", id!(k_q4_0)),
    Control("load_dialog.v.f32", id!(v_f32)),
    Control("load_dialog.v.f16", id!(v_f16)),
    Control("load_dialog.v.bf16", id!(v_bf16)),
    Control("load_dialog.v.q8_0", id!(v_q8_0)),
    Control("load_dialog.v.q5_1", id!(v_q5_1)),
    Control("load_dialog.v.q5_0", id!(v_q5_0)),
    Control("load_dialog.v.q4_1", id!(v_q4_1)),
    Control("load_dialog.v.q4_0", id!(v_q4_0)),
    Control("load_dialog.mmap", id!(mmap)),
    Control("load_dialog.mlock", id!(mlock)),
    Control("load_dialog.speculation", id!(speculation)),
    Numbers(1),
    Numbers(3),
    Control("load_dialog.kv_on_cpu", id!(kv_on_cpu)),
    Text("load_dialog.devices", 0),
    Control("load_dialog.split.layer", id!(split_layer)),
    Control("load_dialog.split.row", id!(split_row)),
    Control("load_dialog.split.none", id!(split_none)),
    Text("load_dialog.shares", 1),
    Control("load_dialog.rope.own", id!(rope_own)),
    Control("load_dialog.rope.none", id!(rope_none)),
    Control("load_dialog.rope.linear", id!(rope_linear)),
    Control("load_dialog.rope.yarn", id!(rope_yarn)),
    Numbers(2),
    Text("load_dialog.template", 2),
    Text("load_dialog.adapters", 3),
    Text("load_dialog.ends", 4),
];

const FOOT: &[Part] = &[
    Sight("load_dialog.trouble", id!(trouble.why)),
    Control("load_dialog.remember", id!(remember)),
    Control("load_dialog.reset", id!(reset)),
    Control("load_dialog.cancel", id!(resting.cancel)),
    Control("load_dialog.force", id!(force)),
    Control("load_dialog.load", id!(resting.load)),
    Sight("load_dialog.progress", id!(loading.words)),
    Control("load_dialog.stop", id!(stop)),
];

/// Where Tab stops.
pub(crate) fn stops(dialog: &WidgetRef) -> Vec<WidgetRef> {
    let parts = [HEAD, BODY, FOOT].into_iter().flatten();
    let dialog = dialog.as_load_dialog();
    let dialog = dialog.borrow();
    dialog.map_or_else(Vec::new, |dialog| {
        parts.flat_map(|part| stops_of(&dialog.view, part)).collect()
    })
}

/// Where it stops in what scrolls.
pub(super) fn scrolled_stops(dialog: &View) -> Vec<WidgetRef> {
    BODY.iter().flat_map(|part| stops_of(dialog, part)).collect()
}

/// Whether a widget is drawn in what scrolls, be it out of view.
pub(crate) fn holds(cx: &Cx, dialog: &WidgetRef, widget: &WidgetRef) -> bool {
    let (area, uid) = (widget.area(), widget.widget_uid());
    let dialog = dialog.as_load_dialog();
    let Some(dialog) = dialog.borrow() else {
        return false;
    };
    let stops = scrolled_stops(&dialog.view);
    area.is_valid(cx) && area.rect(cx).size.x > 0.0 && stops.iter().any(|stop| stop.widget_uid() == uid)
}

fn stops_of(dialog: &View, part: &Part) -> Vec<WidgetRef> {
    match part {
        Control(_, path) => vec![dialog.widget(path)],
        Sight(..) => Vec::new(),
        Numbers(stack) => {
            let rows = dialog.stack(NUMBERS[*stack].0).rows().into_iter();
            rows.flat_map(|row| row.as_number_row().stops()).collect()
        }
        Text(_, text) => vec![area(dialog, *text)],
    }
}

fn area(dialog: &View, text: usize) -> WidgetRef {
    dialog.widget(TEXTS[text].0).widget(id!(area.input))
}

/// All of it with its names.
#[cfg(feature = "probe")]
pub(crate) fn all(ui: &WidgetRef) -> Vec<Element> {
    let named = |name: &str, widget: WidgetRef| Element {
        name: name.to_owned(),
        widget,
        text: None,
        part: None,
    };
    let dialog = ui.load_dialog(id!(load_dialog));
    let Some(dialog) = dialog.borrow() else {
        return Vec::new();
    };
    let dialog = &dialog.view;
    let of_part = |part: &Part| match part {
        Control(name, path) | Sight(name, path) => vec![named(name, dialog.widget(path))],
        Numbers(stack) => {
            let rows = dialog.stack(NUMBERS[*stack].0).rows().into_iter();
            rows.flat_map(|row| row.as_number_row().elements()).collect()
        }
        Text(name, text) => vec![named(name, area(dialog, *text))],
    };
    [HEAD, BODY, FOOT]
        .into_iter()
        .flatten()
        .flat_map(of_part)
        .collect()
}
