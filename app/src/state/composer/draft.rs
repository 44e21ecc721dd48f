//! What is not sent yet: a text and the files beside it, for each chat.

use std::collections::HashMap;

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::{ByteSize, ChatId, Result};

/// A message that is not sent yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Unsent {
    /// Its text. May be empty beside a file.
    pub(crate) text: String,
    /// The files of text beside it.
    pub(crate) files: Vec<Attachment>,
}

impl Unsent {
    /// Whether there is nothing to send.
    pub(in crate::state) fn is_blank(&self) -> bool {
        self.text.trim().is_empty() && self.files.is_empty()
    }

    /// As it is sent: without the blank lines around its text.
    pub(in crate::state) fn trimmed(self) -> Self {
        let text = self.text.trim_end().trim_start_matches(['\n', '\r']);
        Self {
            text: text.to_owned(),
            ..self
        }
    }

    /// Several messages as one: their texts with a blank line between them, and all their files.
    pub(in crate::state) fn joined(messages: impl IntoIterator<Item = Self>) -> Self {
        let (mut texts, mut files) = (Vec::new(), Vec::new());
        for message in messages {
            texts.push(message.text);
            files.extend(message.files);
        }
        let text = joined(texts.iter().map(String::as_str));
        Self { text, files }
    }
}

/// Several texts as one, with a blank line between them.
pub(in crate::state) fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let texts: Vec<_> = texts.filter(|text| !text.trim().is_empty()).collect();
    texts.join("\n\n")
}

/// A file beside a message, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileMark {
    /// Its name.
    pub(crate) name: String,
    /// How long its text is.
    pub(crate) size: ByteSize,
}

impl FileMark {
    /// The marks of these files.
    pub(crate) fn all(files: &[Attachment]) -> Vec<Self> {
        let mark = |file: &Attachment| Self {
            name: file.name.clone(),
            size: ByteSize(file.text.len() as u64),
        };
        files.iter().map(mark).collect()
    }
}

/// What is typed in each chat and not sent; `None` is the new chat. A chat has none here until one was read or typed.
#[derive(Debug, Default)]
pub(in crate::state) struct Drafts {
    all: HashMap<Option<ChatId>, Draft>,
    /// How often any of them was changed.
    changes: u64,
}

/// What is typed in a chat.
#[derive(Debug, Default)]
struct Draft {
    message: Unsent,
    /// The change that made its text what it is, and the one that did so with its files.
    changed: Changed,
}

/// Which text and which files a draft has, by the numbers of their changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(super) text: u64,
    pub(super) files: u64,
}

impl Drafts {
    /// The text of a chat's draft; empty where there is none.
    pub(in crate::state) fn text(&self, chat: Option<ChatId>) -> &str {
        self.all.get(&chat).map_or("", |draft| &draft.message.text)
    }

    /// The files beside it.
    pub(in crate::state) fn files(&self, chat: Option<ChatId>) -> &[Attachment] {
        self.all.get(&chat).map_or(&[], |draft| &draft.message.files)
    }

    /// Whether there is nothing to send.
    pub(in crate::state) fn is_blank(&self, chat: Option<ChatId>) -> bool {
        self.all.get(&chat).is_none_or(|draft| draft.message.is_blank())
    }

    /// Which text and which files it has.
    pub(in crate::state) fn changed(&self, chat: Option<ChatId>) -> Changed {
        self.all
            .get(&chat)
            .map_or(Changed::default(), |draft| draft.changed)
    }

    /// Takes a text as it was typed.
    pub(in crate::state) fn set_text(&mut self, chat: Option<ChatId>, text: String) {
        self.changes += 1;
        let draft = self.all.entry(chat).or_default();
        draft.message.text = text;
        draft.changed.text = self.changes;
    }

    /// Takes a text as it was kept, unless something was typed since. Files are not kept.
    pub(in crate::state) fn learn(&mut self, chat: Option<ChatId>, text: String) {
        let is_typed = |draft: &Draft| draft.changed.text > 0;
        if !self.all.get(&chat).is_some_and(is_typed) {
            self.set_text(chat, text);
        }
    }

    /// Puts a file beside it.
    ///
    /// # Errors
    /// Those of [`Attachment::validate_all`], where it could not be sent with the others; then it is not there.
    pub(in crate::state) fn attach(&mut self, chat: Option<ChatId>, file: Attachment) -> Result<()> {
        let before = self.changed(chat);
        let files = self.files_to_change(chat);
        files.push(file);
        let checked = Attachment::validate_all(files);
        if checked.is_err() {
            files.pop();
            self.all.entry(chat).or_default().changed = before;
        }
        checked
    }

    /// Takes the file at this place away.
    pub(in crate::state) fn detach(&mut self, chat: Option<ChatId>, index: usize) {
        let files = self.files_to_change(chat);
        if index < files.len() {
            files.remove(index);
        }
    }

    /// Takes all of it away.
    pub(in crate::state) fn take(&mut self, chat: Option<ChatId>) -> Unsent {
        self.put(chat, Unsent::default())
    }

    /// Puts a message that was not sent back, before what was typed since.
    pub(in crate::state) fn put_back(&mut self, chat: Option<ChatId>, message: Unsent) {
        let since = self.take(chat);
        self.put(chat, Unsent::joined([message, since]));
    }

    /// Puts a message in the place of what is there, and gives that.
    pub(in crate::state) fn put(&mut self, chat: Option<ChatId>, message: Unsent) -> Unsent {
        self.changes += 1;
        let draft = self.all.entry(chat).or_default();
        draft.changed = Changed {
            text: self.changes,
            files: self.changes,
        };
        std::mem::replace(&mut draft.message, message)
    }

    fn files_to_change(&mut self, chat: Option<ChatId>) -> &mut Vec<Attachment> {
        self.changes += 1;
        let draft = self.all.entry(chat).or_default();
        draft.changed.files = self.changes;
        &mut draft.message.files
    }
}
