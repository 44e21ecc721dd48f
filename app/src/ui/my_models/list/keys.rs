//! The table and the keyboard: Tab stops at one row and its buttons, arrows lead on from it.

use makepad_widgets::*;

use super::*;
use crate::ui::keyboard::is_shown;

/// The buttons of a row.
pub(super) const TOOLS: [&[LiveId; 1]; 5] = [id!(chat), id!(set_load), id!(eject), id!(delete), id!(more)];

/// Rows that Page Up and Page Down go.
const PAGE: usize = 10;

impl ModelList {
    /// From a row that has the keyboard: arrows go to the next one, with Shift they select up to it, Space selects, Enter
    /// shows what the file says, F2 renames, Delete asks, the menu key opens the menu, Ctrl A selects all.
    pub(super) fn take_key(&mut self, cx: &mut Cx, key: &KeyEvent, state: &AppState) {
        let mut rows = self.drawn.iter();
        let Some((file, row)) = rows.find(|(_, row)| cx.has_key_focus(row.area())) else {
            return;
        };
        let (file, row) = (file.clone(), row.clone());
        let Some(at) = place_of(state, &file) else { return };
        let last = state.shown_count().saturating_sub(1);
        let next = match key.key_code {
            KeyCode::ArrowUp => at.saturating_sub(1),
            KeyCode::ArrowDown => (at + 1).min(last),
            KeyCode::PageUp => at.saturating_sub(PAGE),
            KeyCode::PageDown => (at + PAGE).min(last),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => return self.act(cx, key, state, file, &row),
        };
        let Some(next) = state.shown_file(next).map(|file| file.id.clone()) else {
            return;
        };
        if key.modifiers.shift {
            // The range begins at the row that the keyboard leaves.
            if state.my_models.selection().len() == 0 {
                let how = Pick::One;
                tell(cx, MyModelsMsg::Select { file, how });
            }
            let how = Pick::UpTo;
            tell(
                cx,
                MyModelsMsg::Select {
                    file: next.clone(),
                    how,
                },
            );
        }
        self.take_focus(cx, next);
    }

    fn act(&self, cx: &mut Cx, key: &KeyEvent, state: &AppState, file: FileId, row: &WidgetRef) {
        match key.key_code {
            KeyCode::Space => {
                let how = Pick::Toggle;
                tell(cx, MyModelsMsg::Select { file, how });
            }
            KeyCode::ReturnKey | KeyCode::NumpadEnter => tell(cx, MyModelsMsg::Inspect(file)),
            KeyCode::F2 => tell(cx, MyModelsMsg::Rename(file)),
            KeyCode::KeyA if key.modifiers.is_primary() => tell(cx, MyModelsMsg::SelectAll),
            KeyCode::Delete if state.my_models.selection().len() > 0 => {
                tell(cx, MyModelsMsg::AskDeleteSelected);
            }
            KeyCode::Delete => tell(cx, MyModelsMsg::AskDelete(file)),
            KeyCode::F10 if key.modifiers.shift => {
                open_menu_below(cx, MenuTarget::Model(file), &row.widget(id!(more)));
            }
            _ => (),
        }
    }

    pub(super) fn take_focus(&mut self, cx: &mut Cx, file: FileId) {
        self.wanted = Some(file);
        self.view.redraw(cx);
    }

    /// What is not drawn yet takes no keyboard: asks again when the list is drawn next.
    pub(super) fn try_focus(&mut self, cx: &mut Cx, state: &AppState) {
        let is_there = |file: &FileId| place_of(state, file).is_some();
        let Some(file) = self.wanted.take().filter(is_there) else {
            return;
        };
        let row = self.drawn.iter().find(|(drawn, _)| *drawn == file);
        match row.filter(|(_, row)| is_shown(cx, row)) {
            Some((_, row)) => {
                row.set_key_focus(cx);
                self.view.redraw(cx);
            }
            None => self.take_focus(cx, file),
        }
    }
}

impl ModelListRef {
    /// Gives a row the keyboard, once it is there.
    pub(crate) fn focus(&self, cx: &mut Cx, file: FileId) {
        if let Some(mut list) = self.borrow_mut() {
            list.take_focus(cx, file);
        }
    }

    /// Where Tab stops, in reading order: what stands above the table, its heads, one row with its buttons, folders.
    pub(crate) fn stops(&self, cx: &Cx) -> Vec<WidgetRef> {
        let Some(list) = self.borrow() else {
            return Vec::new();
        };
        let mut stops = Vec::new();
        let of = |wanted: Item| list.others.iter().find(move |(item, _)| *item == wanted);
        stops.extend(of(Item::Disk).map(|(_, row)| row.widget(id!(clean))));
        stops.extend(list.imports.iter().map(|(_, row)| row.widget(id!(cancel))));
        if let Some((_, head)) = of(Item::Head) {
            let cells = rows::HEADS.iter().map(|(cell, _)| head.widget(*cell));
            stops.extend(cells.map(|cell| cell.widget(id!(sort))));
        }
        stops.extend(of(Item::NoMatch).map(|(_, row)| row.widget(id!(clear))));
        let mut rows = list
            .drawn
            .iter()
            .map(|(_, row)| row)
            .filter(|row| is_shown(cx, row));
        let first = rows.clone().next();
        if let Some(row) = rows.find(|row| has_keys(cx, row, &TOOLS)).or(first) {
            stops.push(row.clone());
            stops.extend(
                TOOLS
                    .map(|tool| row.widget(tool))
                    .into_iter()
                    .filter(|it| !it.is_empty()),
            );
        }
        stops.extend(of(Item::Folders).map(|(_, row)| row.widget(id!(add))));
        stops.extend(list.folders.iter().map(|(_, card)| card.widget(id!(more))));
        stops
    }
}

#[cfg(feature = "probe")]
mod probe {
    use super::*;
    use crate::ui::elements::Element;

    impl ModelListRef {
        /// The rows in view with their names, as tests see them: models by their place in the table.
        pub(crate) fn elements(&self, state: &AppState) -> Vec<Element> {
            let mut all = Vec::new();
            let Some(list) = self.borrow() else { return all };
            let mut add = |name: String, widget: WidgetRef, text: Option<String>| {
                all.push(Element {
                    name,
                    widget,
                    text,
                    part: None,
                });
            };
            for (file, row) in &list.drawn {
                let Some(at) = place_of(state, file) else { continue };
                let name = row.widget(id!(name)).text();
                add(format!("models.row.{at}"), row.clone(), Some(name));
                for (part, path) in [
                    ("chat", id!(chat)),
                    ("set_load", id!(set_load)),
                    ("eject", id!(eject)),
                    ("delete", id!(delete)),
                    ("more", id!(more)),
                    ("reason", id!(reason)),
                    ("loaded", id!(loaded)),
                    ("heart", id!(heart)),
                    ("tags", id!(tags)),
                    ("used", id!(used)),
                ] {
                    let part_of_it = row.widget(path);
                    if !part_of_it.is_empty() {
                        add(format!("models.row.{at}.{part}"), part_of_it, None);
                    }
                }
            }
            for (at, (_, row)) in list.imports.iter().enumerate() {
                add(format!("models.import.{at}"), row.widget(id!(title)), None);
                add(
                    format!("models.import.{at}.cancel"),
                    row.widget(id!(cancel)),
                    None,
                );
            }
            for (at, card) in &list.folders {
                for (part, path) in [
                    ("label", id!(label)),
                    ("models", id!(models)),
                    ("more", id!(more)),
                ] {
                    add(format!("models.folder.{at}.{part}"), card.widget(path), None);
                }
            }
            for (item, row) in &list.others {
                let parts: &[(&str, &[LiveId])] = match item {
                    Item::Disk => &[
                        ("models.total", id!(total)),
                        ("models.count", id!(models)),
                        ("models.free", id!(free)),
                        ("models.clean", id!(clean)),
                    ],
                    Item::NoMatch => &[("models.clear", id!(clear))],
                    Item::Folders => &[("models.add_folder", id!(add))],
                    Item::Head => &[
                        ("models.sort.name", id!(name.sort)),
                        ("models.sort.publisher", id!(publisher.sort)),
                        ("models.sort.architecture", id!(architecture.sort)),
                        ("models.sort.parameters", id!(parameters.sort)),
                        ("models.sort.quantisation", id!(quantisation.sort)),
                        ("models.sort.size", id!(size.sort)),
                        ("models.sort.source", id!(source.sort)),
                        ("models.sort.used", id!(used.sort)),
                    ],
                    _ => &[],
                };
                for (name, path) in parts {
                    add((*name).to_owned(), row.widget(path), None);
                }
            }
            all
        }
    }
}
