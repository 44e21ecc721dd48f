//! Parts of the dialog that sets how a model is loaded.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::number::*;
    use crate::ui::widget::parts_bar::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::switch::*;
    use crate::ui::widget::tag::*;
    use crate::ui::widget::text_area::*;

    pub LoadNumbers = <Stack> { row: <WideNumberRow> {} }

    FitTag = <Surface> {
        visible: false
        width: Fit, height: 22, flow: Right
        padding: { left: 8, right: 8 }, spacing: 6, align: { y: 0.5 }
        draw_bg: { color: (COLOR_TAG), line: (COLOR_NONE), radius: 5.0 }
        dot = <Dot> { width: 6, height: 6 }
        label = <Micro> {}
    }
    Legend = <View> {
        width: Fit, height: Fit, flow: Right
        spacing: 6, align: { y: 0.5 }
        sample = <Surface> { width: 8, height: 8, draw_bg: { color: (COLOR_ACCENT), line: (COLOR_NONE), radius: 2.0 } }
        what = <Small> {}
        amount = <Caption> {}
    }
    DeviceBar = <View> {
        width: Fill, height: 24, flow: Right
        spacing: 12, align: { y: 0.5 }
        name = <Strong> { width: 120 }
        bar = <PartsBar> {}
        words = <Small> { width: 168, align_x: 1.0 }
    }
    // What the load would take.
    pub EstimateBox = <Surface> {
        width: Fill, height: Fit, flow: Down
        padding: { left: 16, right: 16, top: 12, bottom: 12 }, spacing: 4
        draw_bg: { color: (COLOR_INSET), line: (COLOR_OVERLAY_LINE), radius: 12.0 }
        <View> {
            width: Fill, height: 24, flow: Right, align: { y: 0.5 }
            <Small> { width: Fill, text: (TEXT_LOAD_ESTIMATE) }
            fits = <FitTag> { draw_bg: { color: (COLOR_OK_SOFT) }, label = { draw_text: { color: (COLOR_OK) } } }
            short = <FitTag> { draw_bg: { color: (COLOR_BAD_SOFT) }, label = { draw_text: { color: (COLOR_BAD) } } }
            unknown = <FitTag> {}
        }
        bars = <Stack> { row: <DeviceBar> {} }
        <View> {
            width: Fill, height: Fit, flow: Right
            spacing: 20, margin: { top: 6 }
            used = <Legend> {
                sample = { draw_bg: { color: (COLOR_TEXT_DISABLED) } }
                what = { text: (TEXT_LOAD_USED) }
            }
            weights = <Legend> { what = { text: (TEXT_LOAD_WEIGHTS) } }
            context = <Legend> {
                sample = { draw_bg: { color: (COLOR_ACCENT_PRESSED) } }
                what = { text: (TEXT_LOAD_CONTEXT) }
            }
            working = <Legend> {
                sample = { draw_bg: { color: (COLOR_TRACK_FILL) } }
                what = { text: (TEXT_LOAD_WORKING) }
            }
        }
    }

    pub FineHead = <View> {
        width: Fill, height: 40, flow: Right
        align: { y: 0.5 }, margin: { top: 4 }
        clip_x: false, clip_y: false
        fold = <QuietButton> { margin: { left: -10 }, text: (TEXT_LOAD_FINE) }
        closed = <View> { width: Fit, height: Fit, <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_RIGHT) } } }
        opened = <View> { width: Fit, height: Fit, <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_DOWN) } } }
    }

    // A name and what it does; the control follows.
    Option = <View> {
        width: Fill, height: 48, flow: Right
        spacing: 16, align: { y: 0.5 }
        clip_x: false, clip_y: false
        words = <View> {
            width: Fill, height: Fit, flow: Down
            label = <TextLine> { width: Fill, line: 18.0 }
            help = <Caption> { width: Fill, line: 18.0 }
        }
    }
    Format = <Segment> { padding: { left: 8, right: 8 } }
    TextOption = <View> {
        width: Fill, height: Fit, flow: Down
        padding: { top: 8 }, spacing: 6
        clip_x: false, clip_y: false
        label = <TextLine> { width: Fill, line: 18.0 }
        help = <Caption> { width: Fill, line: 18.0 }
        area = <CodeArea> { height: 36, draw_bg: { color: (COLOR_CANVAS) } }
        problem = <Problem> {}
    }

    // The options that few people change.
    pub FineOptions = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <Option> {
            words = { label = { text: (TEXT_LOAD_FLASH) }, help = { text: (TEXT_LOAD_FLASH_HELP) } }
            <Segmented> {
                flash_auto = <Segment> { text: (TEXT_LOAD_AUTO) }
                flash_on = <Segment> { text: (TEXT_LOAD_ON) }
                flash_off = <Segment> { text: (TEXT_LOAD_OFF) }
            }
        }
        <Option> {
            words = { label = { text: (TEXT_LOAD_KV_K) }, help = { text: (TEXT_LOAD_KV_K_HELP) } }
            <Segmented> {
                k_f32 = <Format> { text: "F32" }
                k_f16 = <Format> { text: "F16" }
                k_bf16 = <Format> { text: "BF16" }
                k_q8_0 = <Format> { text: "Q8_0" }
                k_q5_1 = <Format> { text: "Q5_1" }
                k_q5_0 = <Format> { text: "Q5_0" }
                k_q4_1 = <Format> { text: "Q4_1" }
                k_q4_0 = <Format> { text: "Q4_0" }
            }
        }
        <Option> {
            words = { label = { text: (TEXT_LOAD_KV_V) }, help = { text: (TEXT_LOAD_KV_V_HELP) } }
            <Segmented> {
                v_f32 = <Format> { text: "F32" }
                v_f16 = <Format> { text: "F16" }
                v_bf16 = <Format> { text: "BF16" }
                v_q8_0 = <Format> { text: "Q8_0" }
                v_q5_1 = <Format> { text: "Q5_1" }
                v_q5_0 = <Format> { text: "Q5_0" }
                v_q4_1 = <Format> { text: "Q4_1" }
                v_q4_0 = <Format> { text: "Q4_0" }
            }
        }
        <Option> {
            words = { label = { text: (TEXT_LOAD_MMAP) }, help = { text: (TEXT_LOAD_MMAP_HELP) } }
            mmap = <Switch> { label: (TEXT_LOAD_MMAP) }
        }
        <Option> {
            words = { label = { text: (TEXT_LOAD_MLOCK) }, help = { text: (TEXT_LOAD_MLOCK_HELP) } }
            mlock = <Switch> { label: (TEXT_LOAD_MLOCK) }
        }
        <Option> {
            words = { label = { text: (TEXT_LOAD_SPECULATION) }, help = { text: (TEXT_LOAD_SPECULATION_HELP) } }
            speculation = <Switch> { label: (TEXT_LOAD_SPECULATION) }
        }
        sizes = <LoadNumbers> {}
        seed = <LoadNumbers> {}
        of_cards = <View> {
            width: Fill, height: Fit, flow: Down
            clip_x: false, clip_y: false
            <Option> {
                words = { label = { text: (TEXT_LOAD_KV_ON_CPU) }, help = { text: (TEXT_LOAD_KV_ON_CPU_HELP) } }
                kv_on_cpu = <Switch> { label: (TEXT_LOAD_KV_ON_CPU) }
            }
            devices = <TextOption> { label = { text: (TEXT_LOAD_DEVICES) }, help = { text: (TEXT_LOAD_DEVICES_HELP) } }
        }
        of_many_cards = <View> {
            width: Fill, height: Fit, flow: Down
            clip_x: false, clip_y: false
            <Option> {
                words = { label = { text: (TEXT_LOAD_SPLIT) }, help = { text: (TEXT_LOAD_SPLIT_HELP) } }
                <Segmented> {
                    split_layer = <Segment> { text: (TEXT_LOAD_SPLIT_LAYER) }
                    split_row = <Segment> { text: (TEXT_LOAD_SPLIT_ROW) }
                    split_none = <Segment> { text: (TEXT_LOAD_SPLIT_NONE) }
                }
            }
            shares = <TextOption> { label = { text: (TEXT_LOAD_SHARES) }, help = { text: (TEXT_LOAD_SHARES_HELP) } }
        }
        <Option> {
            words = { label = { text: (TEXT_LOAD_ROPE) }, help = { text: (TEXT_LOAD_ROPE_HELP) } }
            <Segmented> {
                rope_own = <Segment> { text: (TEXT_LOAD_ROPE_OWN) }
                rope_none = <Segment> { text: (TEXT_LOAD_ROPE_NONE) }
                rope_linear = <Segment> { text: (TEXT_LOAD_ROPE_LINEAR) }
                rope_yarn = <Segment> { text: "YaRN" }
            }
        }
        rope_numbers = <LoadNumbers> {}
        template = <TextOption> {
            label = { text: (TEXT_LOAD_TEMPLATE) }, help = { text: (TEXT_LOAD_TEMPLATE_HELP) }
            area = { height: 72 }
        }
        adapters = <TextOption> {
            label = { text: (TEXT_LOAD_ADAPTERS) }, help = { text: (TEXT_LOAD_ADAPTERS_HELP) }
            area = { height: 52 }
        }
        ends = <TextOption> {
            label = { text: (TEXT_LOAD_ENDS) }, help = { text: (TEXT_LOAD_ENDS_HELP) }
            area = { height: 52 }
        }
    }
}
