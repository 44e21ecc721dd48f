//! How many tokens the draft is, as the model that would read it counts them: asked once typing rests, one count at a
//! time. The time is passed in.

use hearth_protocol::engine::ModelRef;
use hearth_protocol::{ChatId, LoadedId, UnixMillis};

use super::draft::Changed;

/// How long typing rests before it is counted, in milliseconds.
const REST_MS: i64 = 300;

/// A draft at a moment, for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    /// The chat; `None` is the new one.
    pub(crate) chat: Option<ChatId>,
    /// The model.
    pub(crate) model: ModelRef,
    /// The models in memory. One that comes or goes may be the one that counts.
    pub(crate) loaded: Vec<LoadedId>,
    /// Which text and files.
    pub(crate) changed: Changed,
}

impl Subject {
    /// Whether another differs by its text only: its count is close until this one is counted.
    fn is_near(&self, other: &Self) -> bool {
        self.chat == other.chat
            && self.model == other.model
            && self.loaded == other.loaded
            && self.changed.files == other.changed.files
    }
}

/// The count of the draft that is shown.
#[derive(Debug, Default)]
pub(in crate::state) struct DraftCount {
    /// What is to be counted; `None` where there is nothing, or no model that could.
    wanted: Option<Subject>,
    /// When it is to be asked for; `None` once it was.
    due: Option<UnixMillis>,
    /// What is being counted.
    asked: Option<Subject>,
    /// What was counted last; `None` where no model could tell.
    known: Option<(Subject, Option<u32>)>,
}

impl DraftCount {
    /// Notes what is to be counted now.
    pub(in crate::state) fn want(&mut self, subject: Option<Subject>, now: UnixMillis) {
        if self.wanted == subject {
            return;
        }
        self.due = subject
            .as_ref()
            .map(|_| UnixMillis(now.0.saturating_add(REST_MS)));
        self.wanted = subject;
    }

    /// What is to be asked for now: typing has rested, and no other count runs.
    pub(in crate::state) fn take_due(&mut self, now: UnixMillis) -> Option<Subject> {
        self.due().filter(|due| *due <= now)?;
        self.due = None;
        self.asked = self.wanted.clone();
        self.asked.clone()
    }

    /// When there is something to ask for; `None` while a count runs, whose end is told anyway.
    pub(in crate::state) fn due(&self) -> Option<UnixMillis> {
        self.due.filter(|_| self.asked.is_none())
    }

    /// Takes a count. One of a draft that has changed since tells nothing.
    pub(in crate::state) fn take(&mut self, subject: Subject, tokens: Option<u32>) {
        if self.asked.as_ref() == Some(&subject) {
            self.asked = None;
        }
        if self.wanted.as_ref() == Some(&subject) {
            self.known = Some((subject, tokens));
        }
    }

    /// The count. While more is being typed the last one stays until the next is there.
    pub(in crate::state) fn tokens(&self) -> Option<u32> {
        let wanted = self.wanted.as_ref()?;
        let (subject, tokens) = self.known.as_ref()?;
        tokens.filter(|_| subject.is_near(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(chat: i64) -> Subject {
        Subject {
            chat: Some(ChatId(chat)),
            model: ModelRef::Name("smol".into()),
            loaded: vec![LoadedId(1)],
            changed: Changed::default(),
        }
    }

    #[test]
    fn a_draft_is_counted_once_typing_rests_and_one_at_a_time() {
        let (first, second) = (subject(1), subject(2));
        let mut count = DraftCount::default();
        count.want(Some(first.clone()), UnixMillis(0));
        count.want(Some(first.clone()), UnixMillis(200));
        assert_eq!(count.due(), Some(UnixMillis(300)), "nothing was typed since");
        assert_eq!(count.take_due(UnixMillis(299)), None);
        assert_eq!(count.take_due(UnixMillis(300)), Some(first.clone()));
        assert_eq!(count.take_due(UnixMillis(301)), None, "it is asked once");

        count.want(Some(second.clone()), UnixMillis(400));
        assert_eq!(count.due(), None, "one count runs");
        assert_eq!(count.take_due(UnixMillis(900)), None);
        count.take(first, Some(5));
        assert_eq!(count.tokens(), None, "that was another draft");
        assert_eq!(count.take_due(UnixMillis(900)), Some(second.clone()));
        count.take(second, Some(7));
        assert_eq!(count.tokens(), Some(7));

        count.want(None, UnixMillis(1_000));
        assert_eq!((count.tokens(), count.due()), (None, None), "there is no draft");
    }

    #[test]
    fn the_last_count_stays_while_more_is_typed_but_not_where_the_files_or_models_change() {
        let (text, files) = (Changed { text: 2, files: 0 }, Changed { text: 2, files: 2 });
        let cases = [
            (
                Subject {
                    changed: text,
                    ..subject(1)
                },
                Some(7),
            ),
            (
                Subject {
                    changed: files,
                    ..subject(1)
                },
                None,
            ),
            (
                Subject {
                    loaded: vec![LoadedId(2)],
                    ..subject(1)
                },
                None,
            ),
            (subject(2), None),
        ];
        for (next, shown) in cases {
            let mut count = DraftCount::default();
            count.want(Some(subject(1)), UnixMillis(0));
            count.take_due(UnixMillis(300));
            count.take(subject(1), Some(7));
            count.want(Some(next.clone()), UnixMillis(400));
            assert_eq!(count.tokens(), shown, "{next:?}");
        }
    }
}
