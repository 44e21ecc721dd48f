//! The page of model files: its head, the list, the panel beside it, and the bar of what is selected.

use makepad_widgets::*;

use super::details::*;
use super::kit::tell;
use crate::msg::Msg;
use crate::msg::my_models::MyModelsMsg;
use crate::state::{AppState, Page};
use crate::ui::sight::passes_over;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::one_line::*;
use crate::ui::widget::text::*;

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
    use crate::ui::widget::one_line::*;
    use crate::ui::notice::*;
    use crate::ui::overlay::confirm::*;
    use crate::ui::my_models::list::*;
    use crate::ui::my_models::details::*;

    Middle = <View> {
        visible: false
        width: Fill, height: Fill, align: { x: 0.5, y: 0.45 }
    }
    pub MyModelsPage = {{MyModelsPage}}<Flat> {
        width: Fill, height: Fill, flow: Down
        visible: false
        head = <View> {
            width: Fill, height: 51, flow: Right
            align: { y: 0.5 }, padding: { left: 24, right: 24 }, spacing: 12
            clip_x: false, clip_y: false
            <Heading> { text: (TEXT_MY_MODELS) }
            filter_place = <View> {
                width: 280, height: 32, flow: Overlay
                margin: { left: 24 }
                clip_x: false, clip_y: false
                model_filter = <FramedLine> {
                    padding: { left: 34, right: 11, top: 8, bottom: 4 }
                    scroll = { input = { empty_text: (TEXT_MODELS_FILTER) } }
                }
                <View> {
                    width: Fill, height: 32, padding: { left: 11 }, align: { y: 0.5 }
                    <Glyph> { draw_icon: { svg_path: (ICON_SEARCH) } }
                }
            }
            favourites = <LargeIconButton> {
                tip: (TEXT_MODELS_FAVOURITES)
                draw_icon: { color_on: (COLOR_ACCENT_TEXT), svg_path: (ICON_HEART) }
            }
            <Spacer> {}
            import_file = <SecondaryButton> { text: (TEXT_IMPORT_FILE), draw_icon: { svg_path: (ICON_IMPORT) } }
            find_models = <PrimaryButton> { text: (TEXT_FIND_MODELS), draw_icon: { svg_path: (ICON_DISCOVER) } }
        }
        <LineH> {}
        <View> {
            width: Fill, height: Fill, flow: Right
            table_side = <View> {
                width: Fill, height: Fill, flow: Down
                model_list = <ModelList> {}
                no_models = <Middle> {
                    <Notice> {
                        tile = { glyph = { draw_icon: { svg_path: (ICON_MODELS) } } }
                        title = { text: (TEXT_NO_MODELS_TITLE) }
                        body = { text: (TEXT_NO_MODELS_TEXT) }
                        buttons = {
                            find_first = <PrimaryButton> { text: (TEXT_FIND_MODELS) }
                            import_first = <SecondaryButton> { text: (TEXT_IMPORT_FILE) }
                        }
                    }
                }
                looking = <Middle> { <TextLine> { text: (TEXT_MODELS_LOOKING), draw_text: { color: (COLOR_TEXT_2) } } }
                selected_bar = <View> {
                    visible: false
                    width: Fill, height: 57, flow: Down
                    clip_x: false, clip_y: false
                    <LineH> {}
                    <View> {
                        width: Fill, height: 56, flow: Right
                        padding: { left: 24, right: 24 }, spacing: 8, align: { y: 0.5 }
                        clip_x: false, clip_y: false
                        selected_label = <Strong> { width: Fill }
                        select_none = <QuietButton> { text: (TEXT_SELECT_NONE) }
                        delete_selected = <DangerButton> { draw_icon: { svg_path: (ICON_TRASH) } }
                    }
                }
            }
            model_details = <ModelDetails> {}
        }
    }
}

/// A page narrower than this shows the panel in the place of the table, and has no button that the rail has too. In
/// pixels.
const NARROW: f64 = 860.0;
/// What stands in the head beside the filter, and the widths that this may have, in pixels.
const BESIDE_FILTER: f64 = 580.0;
const FILTER: (f64, f64) = (140.0, 280.0);

/// The page.
#[derive(Live, LiveHook, Widget)]
pub struct MyModelsPage {
    #[deref]
    view: View,
    /// Comes when the filter may have been drawn and shall get the keyboard.
    #[rust]
    focus: NextFrame,
}

impl Widget for MyModelsPage {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if passes_over(Page::Models, event, scope) {
            return;
        }
        if self.focus.is_event(event).is_some() {
            self.try_focus(cx);
        }
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        if let FieldAction::Changed(words) = self.view.one_line(id!(model_filter)).action(actions) {
            tell(cx, MyModelsMsg::FilterChanged(words));
        }
        let buttons: [(&[LiveId], Msg); 7] = [
            (id!(favourites), Msg::MyModels(MyModelsMsg::ToggleFavourites)),
            (id!(import_file), Msg::MyModels(MyModelsMsg::AskImport)),
            (id!(import_first), Msg::MyModels(MyModelsMsg::AskImport)),
            (id!(find_models), Msg::ShowPage(Page::Discover)),
            (id!(find_first), Msg::ShowPage(Page::Discover)),
            (id!(select_none), Msg::MyModels(MyModelsMsg::SelectNone)),
            (
                id!(delete_selected),
                Msg::MyModels(MyModelsMsg::AskDeleteSelected),
            ),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                cx.action(message);
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        if let Some(state) = scope.data.get::<AppState>() {
            self.lay_out(cx, width, state.my_models.details.is_some());
            self.fill(cx, state);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl MyModelsPage {
    fn lay_out(&mut self, cx: &mut Cx, width: f64, has_details: bool) {
        let is_narrow = width < NARROW;
        let filter = (width - BESIDE_FILTER).clamp(FILTER.0, FILTER.1);
        self.view
            .widget(id!(filter_place))
            .apply_over(cx, live! { width: (filter) });
        self.view.widget(id!(find_models)).set_visible(cx, !is_narrow);
        let table = self.view.widget(id!(table_side));
        table.set_visible(cx, !(is_narrow && has_details));
        self.view
            .model_details(id!(model_details))
            .set_wide(cx, is_narrow);
    }

    fn fill(&mut self, cx: &mut Cx, state: &AppState) {
        let page = &state.my_models;
        let files = state.models.files.as_ref();
        let shown = [
            (id!(looking), files.is_none()),
            (
                id!(no_models),
                files.is_some_and(Vec::is_empty) && page.imports.is_empty(),
            ),
            (id!(selected_bar), page.selection().len() > 0),
            (id!(model_details), page.details.is_some()),
        ];
        for (part, visible) in shown {
            self.view.widget(part).set_visible(cx, visible);
        }
        let has_list = files.is_some_and(|files| !files.is_empty()) || !page.imports.is_empty();
        self.view.widget(id!(model_list)).set_visible(cx, has_list);
        self.view.one_line(id!(model_filter)).set_text(cx, &page.filter);
        self.view.push_button(id!(favourites)).set_on(cx, page.favourites);
        let selected = state.selected_label().unwrap_or_default();
        self.view.text_line(id!(selected_label)).set_text(cx, &selected);
        self.view
            .push_button(id!(delete_selected))
            .set_text(cx, &state.delete_selected_label());
    }

    /// What is not drawn yet takes no keyboard: asks again with the next frame.
    fn try_focus(&mut self, cx: &mut Cx) {
        let filter = self.view.one_line(id!(model_filter));
        if filter.input().area().is_valid(cx) {
            filter.input().set_key_focus(cx);
            filter.select_all(cx);
        } else {
            self.focus = cx.new_next_frame();
        }
    }
}

impl MyModelsPageRef {
    /// Gives the filter the keyboard, with its text selected.
    pub(crate) fn focus_filter(&self, cx: &mut Cx) {
        if let Some(mut page) = self.borrow_mut() {
            page.focus = cx.new_next_frame();
        }
    }
}
