//! What tests see of the conversation.
#![cfg(feature = "probe")]

use makepad_widgets::*;

use super::*;
use crate::ui::chat::files;
use crate::ui::chat::paragraph::*;
use crate::ui::chat::table::*;
use crate::ui::elements::Element;
use crate::ui::widget::stack::*;

impl ConversationRef {
    /// The rows in view with their names, as tests see them.
    pub(crate) fn elements(&self, cx: &Cx, chat: &Chat) -> Vec<Element> {
        let Some(conversation) = self.borrow() else {
            return Vec::new();
        };
        let mut elements = Vec::new();
        for (row, item) in &conversation.drawn {
            let Some(entry) = row.message().and_then(|index| chat.entries.get(index)) else {
                continue;
            };
            let Some(id) = entry.id else { continue };
            let mut name = |part: String, widget: WidgetRef, text: Option<String>| {
                elements.push(Element {
                    name: format!("message.{id}.{part}"),
                    widget,
                    text,
                    part: None,
                });
            };
            let in_view = seen(cx, item.area()).size.y > 0.0;
            let text = || Some(entry.body.text().to_owned());
            match row {
                Row::User(_) => {
                    name("text".into(), item.clone(), text());
                    let files = &item.stack(id!(files));
                    elements.extend(files::elements(files, &format!("message.{id}.file")));
                }
                Row::Aside(_, aside) => name(format!("aside.{aside}"), item.widget(id!(fold)), None),
                Row::AsideBlock(_, aside, block) => {
                    let body = [id!(code), id!(body)].map(|part| item.widget(part));
                    let body = body.into_iter().find(|body| !body.is_empty());
                    let text = body.as_ref().map(|body| body.text());
                    name(format!("aside.{aside}.block.{block}"), item.clone(), text);
                }
                Row::Head(_) => name("model".into(), item.widget(id!(name)), None),
                Row::Block(_, block) => {
                    let body = [id!(formula), id!(code), id!(body)].map(|part| item.widget(part));
                    let body = body.into_iter().find(|body| !body.is_empty());
                    if *block == 0 || in_view {
                        let text = body.as_ref().map(|body| body.text());
                        name(format!("block.{block}"), item.clone(), text);
                    }
                    for button in ["copy", "wrap"] {
                        let widget = item.widget(&[LiveId::from_str(button)]);
                        if !widget.is_empty() {
                            name(format!("block.{block}.{button}"), widget, None);
                        }
                    }
                    for (index, area) in links(item).into_iter().enumerate() {
                        elements.push(Element {
                            name: format!("message.{id}.block.{block}.link.{index}"),
                            widget: item.clone(),
                            text: None,
                            part: Some(area),
                        });
                    }
                }
                Row::Waiting(_) => name("waiting".into(), item.widget(id!(what)), None),
                Row::Stats(_) => name("stats".into(), item.widget(id!(body)), None),
                Row::Actions(_) => {
                    name("copied".into(), item.widget(id!(copied)), None);
                    name("version".into(), item.widget(id!(number)), None);
                    for (part, path) in actions::BUTTONS {
                        let button = item.widget(path);
                        if !button.is_empty() {
                            name(part.into(), button, None);
                        }
                    }
                }
                Row::Edit(_) => {
                    for (part, path) in [
                        ("edit.input", id!(input)),
                        ("edit.save", id!(save)),
                        ("edit.answer", id!(answer)),
                    ] {
                        name(part.into(), item.widget(path), None);
                    }
                }
                Row::Failure(_) => {
                    name("failure".into(), item.widget(id!(reason)), None);
                    name("retry".into(), item.widget(id!(retry)), None);
                }
                Row::Unread(_) | Row::Top | Row::Gap | Row::Tail => (),
            }
        }
        elements
    }
}

/// Where the links of a row are.
fn links(item: &WidgetRef) -> Vec<Area> {
    let mut links = item.paragraph(id!(body)).links();
    links.extend(item.table_text(id!(body)).links());
    links
}
