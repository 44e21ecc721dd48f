//! What tests see of the list.
#![cfg(feature = "probe")]

use makepad_widgets::*;

use super::*;
use crate::ui::elements::Element;
use crate::ui::widget::text::*;

impl ChatListRef {
    /// The rows in view with their names, as tests see them.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(list) = self.borrow() else {
            return Vec::new();
        };
        let named = |name: String, widget: WidgetRef, text| Element {
            name,
            widget,
            text,
            part: None,
        };
        let rows = list.drawn.iter().flat_map(|(key, row)| {
            let (kind, id) = match key {
                RowKey::Chat(chat) => ("", chat.to_string()),
                RowKey::Folder(folder) => ("folder.", folder.to_string()),
                RowKey::NewFolder => ("folder.", "new".to_owned()),
            };
            let title = row.text_line(id!(label)).text();
            [
                named(format!("list.{kind}row.{id}"), row.clone(), Some(title)),
                named(format!("list.{kind}date.{id}"), row.widget(id!(date)), None),
                named(format!("list.{kind}busy.{id}"), row.widget(id!(busy)), None),
                named(format!("list.{kind}pin.{id}"), row.widget(id!(pin)), None),
                named(format!("list.{kind}more.{id}"), row.widget(id!(more)), None),
                named("list.rename.input".to_owned(), row.widget(id!(title.input)), None),
            ]
        });
        let hits = list.hits.iter().map(|(index, row)| {
            let text = format!(
                "{} {}",
                row.text_line(id!(label)).text(),
                row.widget(id!(text)).text()
            );
            named(format!("list.hit.{index}"), row.clone(), Some(text))
        });
        rows.chain(hits)
            .filter(|element| !element.widget.is_empty())
            .collect()
    }
}
