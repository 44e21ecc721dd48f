//! The designs of the panel's parts, from the preset to the values for the template.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::select::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::text_area::*;
    use crate::ui::chat::panel::kit::*;
    use crate::ui::widget::number::*;

    pub Numbers = <Stack> { row: <NumberRow> {} }

    // Which preset counts, and the name that one gets.
    pub PresetPart = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <PanelLabel> { margin: { top: 0, bottom: 6 }, text: (TEXT_PRESET) }
        <View> {
            width: Fill, height: 32, flow: Right
            spacing: 8
            clip_x: false, clip_y: false
            preset = <Select> { width: Fill }
            save_preset = <SecondaryButton> { text: (TEXT_SAVE) }
        }
        naming = <View> {
            visible: false
            width: Fill, height: Fit, flow: Down
            margin: { top: 8 }
            clip_x: false, clip_y: false
            preset_name = <Field> { empty_text: (TEXT_PRESET_NAME) }
            remark = <Problem> {}
            <View> {
                width: Fill, height: Fit, flow: Right
                align: { x: 1.0 }, spacing: 8, margin: { top: 8 }
                clip_x: false, clip_y: false
                cancel_name = <SmallButton> { text: (TEXT_CANCEL) }
                take_name = <PrimaryButton> {
                    height: 28, padding: { left: 11, right: 11 }
                    draw_bg: { radius: 7.0 }
                    draw_text: { text_style: <FONT_SMALL_BOLD> {} }
                    text: (TEXT_SAVE)
                }
            }
        }
    }
    pub PromptPart = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <View> {
            width: Fill, height: Fit, flow: Right
            margin: { top: 16, bottom: 6 }
            <Small> { width: Fill, text: (TEXT_PROMPT) }
            prompt_tokens = <Micro> {}
        }
        prompt = <TextArea> { input = { empty_text: (TEXT_PROMPT_EMPTY) } }
    }
    pub FinePart = <FoldBody> {
        fine = <Numbers> {}
        <PanelLabel> { text: (TEXT_MIROSTAT) }
        <Segmented> {
            mirostat_off = <Segment> { text: (TEXT_OFF) }
            mirostat_1 = <Segment> { text: (TEXT_MIROSTAT_1) }
            mirostat_2 = <Segment> { text: (TEXT_MIROSTAT_2) }
        }
        mirostat_numbers = <Numbers> {}
    }
    StopChip = <Surface> {
        width: Fit, height: 24, flow: Right
        padding: { left: 7 }, spacing: 2, align: { y: 0.5 }
        clip_x: false, clip_y: false
        draw_bg: { color: (COLOR_TAG), line: (COLOR_NONE), radius: 5.0 }
        label = <Small> {
            max_width: 200.0
            draw_text: { text_style: <FONT_CODE_MICRO> {} }
        }
        remove = <IconButton> {
            width: 24, height: 24
            icon_walk: { width: 12, height: 12 }
            tip: (TEXT_REMOVE), draw_icon: { svg_path: (ICON_CLOSE) }
        }
    }
    pub LengthPart = <FoldBody> {
        length = <Numbers> {}
        <PanelLabel> { text: (TEXT_STOPS) }
        stops = <Stack> { flow: RightWrap, spacing: 4, row: <StopChip> { margin: { bottom: 4 } } }
        <View> {
            width: Fill, height: 28, flow: Right
            spacing: 8
            clip_x: false, clip_y: false
            stop = <Field> {
                width: Fill, height: 28
                padding: { left: 9, right: 9, top: 7, bottom: 4 }
                empty_text: (TEXT_STOP_EMPTY)
                draw_text: { text_style: <FONT_CODE_SMALL> {} }
            }
            add_stop = <SmallButton> { text: (TEXT_ADD) }
        }
        <PanelLabel> { text: (TEXT_POLICY) }
        policy = <Select> {}
    }
    pub FormPart = <FoldBody> {
        form_kind = <Select> { margin: { top: 8 } }
        form_text = <CodeArea> { height: 160, margin: { top: 8 } }
        form_problem = <Problem> {}
    }
    pub ThinkingPart = <FoldBody> {
        <Segmented> {
            margin: { top: 8 }
            think_usual = <Segment> { text: (TEXT_AS_MODEL) }
            think_on = <Segment> { text: (TEXT_ON) }
            think_off = <Segment> { text: (TEXT_OFF) }
        }
        <PanelLabel> { text: (TEXT_EFFORT) }
        effort = <Select> {}
        budget = <Numbers> {}
    }
    pub TemplatePart = <FoldBody> {
        <PanelNote> { margin: { top: 8 }, text: (TEXT_ARGUMENTS) }
        arguments = <CodeArea> {
            height: 80, margin: { top: 8 }
            input = { empty_text: (TEXT_ARGUMENTS_EMPTY) }
        }
        arguments_problem = <Problem> {}
    }
}
