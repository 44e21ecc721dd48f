//! Everything of the page that scrolls: the disk, imports, the table, the folders. Only the rows in view are drawn,
//! whatever their number; Tab stops at one row of the table, from which arrows lead on.

mod keys;
mod plan;

use hearth_protocol::FileId;
use makepad_widgets::*;

use plan::{Item, Plan, height_of};

use super::kit::tell;
use super::rows;
use crate::effect::Run;
use crate::msg::Msg;
use crate::msg::load::LoadMsg;
use crate::msg::my_models::MyModelsMsg;
use crate::state::AppState;
use crate::state::models::picker::PickerState;
use crate::state::my_models::{MenuTarget, Pick};
use crate::state::overlay::menu::Place;
use crate::ui::widget::button::*;
use crate::ui::widget::place::seen;
use crate::ui::widget::reused::{has_keys, item_at};
use crate::ui::widget::reveal::reveal;
use crate::ui::widget::row::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::my_models::kit::*;
    use crate::ui::my_models::rows::*;

    pub ModelList = {{ModelList}} {
        width: Fill, height: Fill
        rows = <PortalList> {
            width: Fill, height: Fill, flow: Down
            drag_scrolling: false
            reuse_items: true
            scroll_bar: { bar_size: 0.0 }
            Disk = <DiskRow> {}
            Import = <ImportRow> {}
            Head = <ModelTableHead> {}
            Model = <ModelTableRow> {}
            Damaged = <DamagedTableRow> {}
            NoMatch = <NoMatchRow> {}
            Foot = <TableFoot> {}
            Folders = <FoldersHead> {}
            Pair = <FolderPair> {}
            End = <EndRow> {}
            Blank = <View> {}
        }
    }
}

/// The list.
#[derive(Live, LiveHook, Widget)]
pub struct ModelList {
    #[deref]
    view: View,
    /// Models in view with their rows.
    #[rust]
    drawn: Vec<(FileId, WidgetRef)>,
    /// Imports in view with their rows.
    #[rust]
    imports: Vec<(Run, WidgetRef)>,
    /// Folders in view with their cards.
    #[rust]
    folders: Vec<(usize, WidgetRef)>,
    /// The other rows in view.
    #[rust]
    others: Vec<(Item, WidgetRef)>,
    /// The model under the pointer, which shows its buttons.
    #[rust]
    hovered: Option<FileId>,
    /// The model whose row shall get the keyboard.
    #[rust]
    wanted: Option<FileId>,
    /// Comes when that has been drawn, if it is in view.
    #[rust]
    drawn_by_now: NextFrame,
}

impl Widget for ModelList {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Some(state) = scope.data.get::<AppState>() else {
            return;
        };
        match event {
            Event::Actions(actions) => self.handle_actions(cx, actions, state),
            Event::MouseMove(mouse) => self.hover(cx, mouse.abs),
            Event::MouseDown(mouse) if !mouse.button.is_primary() && state.overlay.is_none() => {
                self.open_menu_at(cx, mouse.abs);
            }
            Event::KeyDown(key) => self.take_key(cx, key, state),
            _ if self.drawn_by_now.is_event(event).is_some() => self.try_focus(cx, state),
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let Some(state) = scope.data.get::<AppState>() else {
            return DrawStep::done();
        };
        let width = cx.peek_walk_turtle(walk).size.x;
        let plan = Plan::of(state);
        let list = self.view.portal_list(id!(rows));
        if let Some(at) = self.wanted.as_ref().and_then(|file| place_of(state, file)) {
            let row = plan.first_model() + at;
            reveal(cx, &list, row, |row| {
                height_of(plan.item(row), |at| is_damaged(state, at))
            });
        }
        let keyed = self.keyed(cx);
        self.drawn.clear();
        self.imports.clear();
        self.folders.clear();
        self.others.clear();
        while let Some(step) = self.view.draw_walk(cx, &mut Scope::empty(), walk).step() {
            let list = step.as_portal_list();
            let Some(mut list) = list.borrow_mut() else {
                continue;
            };
            list.set_item_range(cx, 0, plan.len());
            while let Some(index) = list.next_visible_item(cx) {
                let Some(item) = plan.item(index) else { continue };
                if let Some(row) = self.row(cx, &mut list, (index, item), state, width) {
                    row.draw_all(cx, &mut Scope::empty());
                }
            }
        }
        // The keyboard stays with the model whose row has moved, not with the row.
        let now = self.keyed(cx);
        if self.wanted.is_none() && now.is_some() && now != keyed {
            self.wanted = keyed.filter(|file| place_of(state, file).is_some());
        }
        if self.wanted.is_some() {
            self.drawn_by_now = cx.new_next_frame();
        }
        DrawStep::done()
    }
}

impl ModelList {
    fn row(
        &mut self,
        cx: &mut Cx,
        list: &mut PortalList,
        (index, item): (usize, Item),
        state: &AppState,
        width: f64,
    ) -> Option<WidgetRef> {
        let row = match item {
            Item::Disk => {
                let row = item_at(cx, list, index, live_id!(Disk), &[]);
                rows::fill_disk(cx, &row, state.disk_view().as_ref());
                row
            }
            Item::Import(at) => {
                let row = item_at(cx, list, index, live_id!(Import), &[]);
                let import = state.import_views().into_iter().nth(at)?;
                rows::fill_import(cx, &row, &import);
                self.imports.push((import.run, row.clone()));
                row
            }
            Item::Head => {
                let row = item_at(cx, list, index, live_id!(Head), &[]);
                rows::fill_head(cx, &row, state, width);
                row
            }
            Item::Model(at) => {
                let model = state.model_row(state.shown_file(at)?);
                let template = match model.state {
                    PickerState::Damaged(_) => live_id!(Damaged),
                    _ => live_id!(Model),
                };
                let row = item_at(cx, list, index, template, &keys::TOOLS);
                let tools = self.hovered.as_ref() == Some(&model.file) || has_keys(cx, &row, &keys::TOOLS);
                rows::fill_model(cx, &row, &model, state, tools, width);
                self.drawn.push((model.file, row.clone()));
                return Some(row);
            }
            Item::NoMatch => item_at(cx, list, index, live_id!(NoMatch), &[]),
            Item::Foot => item_at(cx, list, index, live_id!(Foot), &[]),
            Item::Folders => item_at(cx, list, index, live_id!(Folders), &[]),
            Item::Pair(first) => {
                let row = item_at(cx, list, index, live_id!(Pair), &[]);
                let folders = state.my_models.folders().get(first..)?;
                rows::fill_folders(cx, &row, folders, state);
                for (at, card) in [id!(first), id!(second)]
                    .into_iter()
                    .enumerate()
                    .take(folders.len())
                {
                    self.folders.push((first + at, row.widget(card)));
                }
                row
            }
            Item::End => item_at(cx, list, index, live_id!(End), &[]),
        };
        self.others.push((item, row.clone()));
        Some(row)
    }

    fn handle_actions(&mut self, cx: &mut Cx, actions: &Actions, state: &AppState) {
        for (file, row) in self.drawn.clone() {
            self.model_actions(cx, actions, state, &file, &row);
        }
        for (run, row) in &self.imports {
            if row.push_button(id!(cancel)).clicked(actions) {
                tell(cx, MyModelsMsg::CancelImport(*run));
            }
        }
        for (index, card) in &self.folders {
            if card.push_button(id!(more)).clicked(actions) {
                open_menu_below(cx, MenuTarget::Folder(*index), &card.widget(id!(more)));
            }
        }
        for (item, row) in &self.others {
            let buttons: [(&[LiveId], MyModelsMsg); 3] = [
                (id!(clean), MyModelsMsg::AskCleanUp),
                (id!(clear), MyModelsMsg::ClearFilters),
                (id!(add), MyModelsMsg::AskFolder),
            ];
            for (button, message) in buttons {
                if row.push_button(button).clicked(actions) {
                    tell(cx, message);
                }
            }
            if *item == Item::Head {
                for (cell, column) in rows::HEADS {
                    if row.widget(cell).push_button(id!(sort)).clicked(actions) {
                        tell(cx, MyModelsMsg::SortBy(column));
                    }
                }
            }
        }
    }

    fn model_actions(
        &mut self,
        cx: &mut Cx,
        actions: &Actions,
        state: &AppState,
        file: &FileId,
        row: &WidgetRef,
    ) {
        let buttons: [(&[LiveId], MyModelsMsg); 2] = [
            (id!(chat), MyModelsMsg::Chat(file.clone())),
            (id!(delete), MyModelsMsg::AskDelete(file.clone())),
        ];
        for (button, message) in buttons {
            if row.push_button(button).clicked(actions) {
                return tell(cx, message);
            }
        }
        if row.push_button(id!(set_load)).clicked(actions) {
            return cx.action(Msg::LoadDialog(LoadMsg::Open(Some(file.clone()))));
        }
        if row.push_button(id!(more)).clicked(actions) {
            let of = MenuTarget::Model(file.clone());
            return open_menu_below(cx, of, &row.widget(id!(more)));
        }
        if row.push_button(id!(eject)).clicked(actions) {
            if let Some(model) = state.models.loaded.iter().find(|model| model.file == *file) {
                cx.action(Msg::Eject(model.id));
            }
            return;
        }
        if let RowAction::DoubleClicked = row.as_row().action(actions) {
            tell(cx, MyModelsMsg::Inspect(file.clone()));
        } else if let Some(held) = row.as_row().pointer_click(actions) {
            let how = match (held.shift, held.is_primary()) {
                (true, _) => Pick::UpTo,
                (_, true) => Pick::Toggle,
                _ => Pick::One,
            };
            let file = file.clone();
            tell(
                cx,
                MyModelsMsg::Select {
                    file: file.clone(),
                    how,
                },
            );
            self.take_focus(cx, file);
        }
    }

    /// The model whose row has the keyboard.
    fn keyed(&self, cx: &Cx) -> Option<FileId> {
        let row = self.drawn.iter().find(|(_, row)| cx.has_key_focus(row.area()));
        row.map(|(file, _)| file.clone())
    }

    /// Opens the menu of the model at a place.
    fn open_menu_at(&self, cx: &mut Cx, pointer: DVec2) {
        if !seen(cx, self.view.area()).contains(pointer) {
            return;
        }
        let at = Place {
            x: pointer.x,
            y: pointer.y,
        };
        if let Some(file) = self.model_at(cx, pointer) {
            let of = MenuTarget::Model(file);
            tell(cx, MyModelsMsg::OpenMenu { of, at });
        }
    }

    fn hover(&mut self, cx: &mut Cx, pointer: DVec2) {
        let hovered = self.model_at(cx, pointer);
        if self.hovered != hovered {
            self.hovered = hovered;
            self.view.redraw(cx);
        }
    }

    fn model_at(&self, cx: &Cx, pointer: DVec2) -> Option<FileId> {
        let over = |row: &WidgetRef| seen(cx, row.area()).contains(pointer);
        let row = self.drawn.iter().find(|(_, row)| over(row));
        row.map(|(file, _)| file.clone())
    }
}

/// The place of a model among those that are shown.
fn place_of(state: &AppState, file: &FileId) -> Option<usize> {
    state.shown_files().position(|shown| shown.id == *file)
}

fn is_damaged(state: &AppState, at: usize) -> bool {
    let file = state.shown_file(at);
    file.is_some_and(|file| file.state != hearth_protocol::library::FileState::Ready)
}

/// Opens a menu below a widget.
fn open_menu_below(cx: &mut Cx, of: MenuTarget, widget: &WidgetRef) {
    let place = seen(cx, widget.area());
    let at = Place {
        x: place.pos.x,
        y: place.pos.y + place.size.y + 4.0,
    };
    tell(cx, MyModelsMsg::OpenMenu { of, at });
}
