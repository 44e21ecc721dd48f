//! The folders with models, and where downloads go.

use makepad_widgets::*;

use super::row::{self, tell};
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
use crate::state::settings::folders::{FolderOf, FolderRow};
use crate::state::settings::knob::Card;
use crate::ui::widget::button::*;
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

    FolderItem = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        line = <LineH> {}
        <View> {
            width: Fill, height: 48, flow: Right
            align: { y: 0.5 }, padding: { left: 16, right: 16 }, spacing: 12
            clip_x: false, clip_y: false
            <Glyph> { draw_icon: { svg_path: (ICON_FOLDER) } }
            path = <TextLine> { width: Fill, cut_middle: true, draw_text: { text_style: <FONT_CODE_SMALL> {} } }
            goal = <Surface> {
                width: Fit, height: 20
                padding: { left: 7, right: 7 }, align: { y: 0.5 }
                draw_bg: { color: (COLOR_ACCENT_SOFT), line: (COLOR_NONE), radius: 5.0 }
                <Micro> { text: (TEXT_DOWNLOADS_GO_HERE), draw_text: { color: (COLOR_ACCENT_TEXT) } }
            }
            detail = <Caption> {}
            use_it = <Switch> { visible: false }
            remove = <IconButton> { visible: false, tip: (TEXT_FOLDER_REMOVE), draw_icon: { svg_path: (ICON_CLOSE) } }
        }
    }
    pub ModelsPart = {{ModelsPart}}<Column> {
        <SectionHead> {
            title = { text: (TEXT_MODEL_FOLDERS) }
            add_folder = <SmallQuietButton> { text: (TEXT_ADD_FOLDER), draw_icon: { svg_path: (ICON_PLUS) } }
        }
        <SettingsCard> { folders = <Stack> { row: <FolderItem> {} } }
        models_total = <Note> { margin: { top: 8 } }
        <Section> { text: (TEXT_SETTINGS_DOWNLOADS) }
        <SettingsCard> { download_rows = <SettingRows> {} }
    }
}

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct ModelsPart {
    #[deref]
    view: View,
}

impl Widget for ModelsPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let (Event::Actions(actions), Some(state)) = (event, scope.data.get::<AppState>()) else {
            return;
        };
        row::take(cx, actions, &self.view.stack(id!(download_rows)), Card::Downloads);
        if self.view.push_button(id!(add_folder)).clicked(actions) {
            tell(cx, SettingsMsg::AskFolder);
        }
        let rows = self.view.stack(id!(folders)).rows();
        for (folder, row) in state.folder_rows().into_iter().zip(rows) {
            match folder.of {
                FolderOf::Person(path) if row.push_button(id!(remove)).clicked(actions) => {
                    tell(cx, SettingsMsg::RemoveFolder(path));
                }
                FolderOf::Program(source, _) => {
                    if let Some(used) = row.switch(id!(use_it)).wanted(actions) {
                        tell(cx, SettingsMsg::UseSource(source, used));
                    }
                }
                FolderOf::Person(_) | FolderOf::Hearth => (),
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            row::fill(cx, &self.view.stack(id!(download_rows)), state, Card::Downloads);
            let folders = state.folder_rows();
            let rows = self.view.stack(id!(folders)).set_rows(cx, folders.len());
            for (index, (folder, row)) in folders.iter().zip(rows).enumerate() {
                row.widget(id!(line)).set_visible(cx, index > 0);
                fill(cx, &row, folder);
            }
            self.view
                .label(id!(models_total))
                .set_text(cx, &state.models_total());
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

fn fill(cx: &mut Cx, row: &WidgetRef, folder: &FolderRow) {
    row.text_line(id!(path)).set_text(cx, &folder.label);
    row.text_line(id!(detail)).set_text(cx, &folder.detail);
    row.widget(id!(goal)).set_visible(cx, folder.takes_downloads);
    let switch = row.switch(id!(use_it));
    switch.set_label(&folder.label);
    switch.set_visible(cx, matches!(folder.of, FolderOf::Program(..)));
    if let FolderOf::Program(_, used) = folder.of {
        switch.set_on(cx, used);
    }
    row.widget(id!(remove))
        .set_visible(cx, matches!(folder.of, FolderOf::Person(_)));
}
