//! The draft beyond its text: the files beside it, how many tokens it is, what was said before.

use hearth_protocol::chat::DraftToCount;
use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{ChatId, Result};

use crate::effect::BackendEffect;
use crate::effect::composer::ComposerEffect;
use crate::msg::composer::{ComposerMsg, ComposerNews};
use crate::state::composer::count::Subject;
use crate::state::composer::draft::Unsent;
use crate::state::conversation::ConversationKey;
use crate::state::overlay::Overlay;
use crate::state::overlay::path_form::{PathForm, Purpose};
use crate::state::{AppState, Page};
use crate::text::say;

impl AppState {
    pub(super) fn update_composer(&mut self, msg: ComposerMsg) {
        match msg {
            ComposerMsg::AskFile => self.ask_file(),
            ComposerMsg::FilesPicked(paths) => self.take_picked_files(paths),
            ComposerMsg::RemoveFile(index) => {
                self.drafts.detach(self.open.chat, index);
                self.focus_composer();
            }
            ComposerMsg::Recall { newer } => {
                if let Some((text, recalled)) = self.next_recalled(newer) {
                    self.set_draft(self.open.chat, text);
                    self.recalled = recalled;
                }
            }
        }
    }

    pub(super) fn take_composer_news(&mut self, news: ComposerNews) {
        match news {
            ComposerNews::FileRead {
                conversation,
                chat,
                result,
            } => self.take_file(conversation, chat, result),
            // Nothing is lost where it cannot be counted.
            ComposerNews::Counted { subject, result } => {
                self.count.take(subject, result.unwrap_or_default());
            }
        }
    }

    /// Asks for a file by the form for a path, and by the system's dialog at once.
    fn ask_file(&mut self) {
        if self.page != Page::Chat {
            self.show_page(Page::Chat);
        }
        self.show_form(PathForm::attach(self.open.key, self.open.chat));
        self.browse_path();
    }

    /// Reads the files of the system's dialog one after the other, where the form is still open.
    fn take_picked_files(&mut self, paths: Vec<String>) {
        let Some(Overlay::PathForm(form)) = &mut self.overlay else {
            return;
        };
        if let Purpose::Attach { rest, .. } = &mut form.purpose {
            rest.extend(paths);
            // The file that is being read leads on to the next.
            if form.running || rest.is_empty() {
                return;
            }
            form.path = rest.remove(0);
            self.take_path();
        }
    }

    /// Puts a file beside the draft it was read for, whose chat may have begun meanwhile, and goes on with the next.
    fn take_file(&mut self, key: ConversationKey, chat: Option<ChatId>, result: Result<Attachment>) {
        let now = self.conversations().find(|it| it.key == key).map(|it| it.chat);
        let result = result.and_then(|file| self.drafts.attach(now.unwrap_or(chat), file));
        let complaint = say!(self.texts(), "failed-attach");
        if !self.begin_next_file() {
            self.end_form(&complaint, result);
        } else {
            if let Err(error) = result {
                self.complain(&complaint, &error);
            }
            self.take_path();
        }
    }

    /// Puts the path of the next file into the form; whether there is one.
    fn begin_next_file(&mut self) -> bool {
        let Some(Overlay::PathForm(form)) = &mut self.overlay else {
            return false;
        };
        match &mut form.purpose {
            Purpose::Attach { rest, .. } if form.running && !rest.is_empty() => {
                form.path = rest.remove(0);
                form.running = false;
                true
            }
            _ => false,
        }
    }

    /// Puts messages that were not sent back into the composer, before what was typed since.
    pub(super) fn put_back(&mut self, chat: Option<ChatId>, messages: impl IntoIterator<Item = Unsent>) {
        self.drafts.put_back(chat, Unsent::joined(messages));
        self.keeping.note_draft(chat, self.present.now);
    }

    /// Has the draft of the open chat counted once typing rests.
    pub(super) fn refresh_count(&mut self) {
        let subject = self.countable_draft();
        self.count.want(subject, self.present.now);
        let Some(subject) = self.count.take_due(self.present.now) else {
            return;
        };
        let draft = DraftToCount {
            chat: subject.chat,
            model: Some(subject.model.clone()),
            text: self.drafts.text(subject.chat).to_owned(),
            attachments: self.drafts.files(subject.chat).to_vec(),
        };
        let count = ComposerEffect::Count { subject, draft };
        self.ask(BackendEffect::Composer(count));
    }

    /// The draft of the open chat where there is one, for the model that would read it; where the chat names none, for
    /// the one in memory.
    fn countable_draft(&self) -> Option<Subject> {
        let chat = self.open.chat;
        let current = self.models.current()?;
        if self.drafts.is_blank(chat) {
            return None;
        }
        let chosen = self.turn_options(self.open.settings.options.clone()).model;
        Some(Subject {
            chat,
            model: chosen.unwrap_or_else(|| ModelRef::File(current.file.clone())),
            loaded: self.models.loaded.iter().map(|model| model.id).collect(),
            changed: self.drafts.changed(chat),
        })
    }
}
