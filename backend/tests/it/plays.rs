//! Random plays on the whole backend: whatever is asked in whatever order, every question is answered, every run ends
//! once, the end comes, and the database holds an end for every answer.

use hearth_protocol::chat::{ChatEvent, Deleted, Role, TurnOptions};
use hearth_protocol::engine::{LoadEvent, ModelRef};
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::{Answer, ChatId, Events};

use crate::app::{App, Turn, context, greedy, next};
use crate::tiny_gguf::{Random, Tiny};

/// Moves of a play.
const MOVES: usize = 150;

struct Play {
    app: App,
    random: Random,
    models: [std::path::PathBuf; 2],
    loads: Vec<Events<LoadEvent>>,
    /// With what was seen of each.
    turns: Vec<(Turn, Vec<ChatEvent>)>,
    answers: Vec<Answer<()>>,
    deletes: Vec<Answer<Deleted>>,
}

impl Play {
    fn new(seed: u64) -> Self {
        let app = App::real();
        let models = [app.tiny(), app.tiny_as("other.gguf", &Tiny::default())];
        Self {
            app,
            random: Random(seed),
            models,
            loads: Vec::new(),
            turns: Vec::new(),
            answers: Vec::new(),
            deletes: Vec::new(),
        }
    }

    /// A number below this one, which is not 0.
    fn below(&mut self, count: usize) -> usize {
        (self.random.bits() % count as u64) as usize
    }

    /// One of several, if there are any.
    fn any<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())].clone())
    }

    fn any_chat(&mut self) -> Option<ChatId> {
        let chats = self.app.client.list_chats().wait().expect("the list");
        self.any(&chats).map(|chat| chat.id)
    }

    fn sampling(&mut self) -> SamplingParams {
        // Some end by themselves, some only when they are stopped or the context is full.
        greedy([1, 5, 10_000][self.below(3)])
    }

    fn step(&mut self) {
        let path = self.models[self.below(2)].clone();
        match self.below(16) {
            0 | 1 => {
                let options = context([256, 512][self.below(2)]);
                self.loads.push(self.app.begin_load(&path, options));
            }
            2 => {
                let requests: Vec<_> = self.loads.iter().map(Events::request).collect();
                let load = self.any(&requests);
                self.answers
                    .extend(load.map(|load| self.app.client.cancel_load(load)));
            }
            3 if !self.loads.is_empty() => {
                let place = self.below(self.loads.len());
                drop(self.loads.swap_remove(place));
            }
            4 | 5 => {
                let sampling = self.sampling();
                let chat = self.any_chat().filter(|_| self.random.bits().is_multiple_of(2));
                let turn = self.app.send(&path, chat, "a question", sampling);
                self.turns.push((turn, Vec::new()));
            }
            6 => {
                let requests: Vec<_> = self.turns.iter().map(|(turn, _)| turn.0.request()).collect();
                let turn = self.any(&requests);
                self.answers.extend(turn.map(|turn| self.app.client.stop(turn)));
            }
            7 if !self.turns.is_empty() => {
                let place = self.below(self.turns.len());
                drop(self.turns.swap_remove(place));
            }
            8 => {
                let loaded = self.app.loaded();
                let ejects = loaded.iter().map(|model| self.app.client.eject(model.id));
                self.answers.extend(ejects);
            }
            9 => {
                let chat = self.any_chat();
                self.deletes
                    .extend(chat.map(|chat| self.app.client.delete_chat(chat)));
            }
            10 => {
                if let Some(Ok(deleted)) = self.deletes.pop().map(Answer::wait) {
                    self.app.client.undo(deleted.undo).wait().expect("undo");
                }
            }
            11 => {
                let chat = self.any_chat().map(|chat| self.app.client.open_chat(chat).wait());
                let Some(Ok(chat)) = chat else { return };
                let Some(message) = self.any(&chat.messages) else {
                    return;
                };
                let options = TurnOptions {
                    model: Some(ModelRef::Path(path)),
                    sampling: Some(self.sampling()),
                    ..TurnOptions::default()
                };
                let turn = Turn(self.app.client.regenerate(message.id, options));
                self.turns.push((turn, Vec::new()));
            }
            12.. if !self.turns.is_empty() => {
                let place = self.below(self.turns.len());
                let (turn, seen) = &mut self.turns[place];
                seen.extend(next(&turn.0));
            }
            _ => (),
        }
    }

    fn end(mut self) {
        self.app.shut_down();
        for load in self.loads {
            let mut ends = 0;
            while let Some(event) = next(&load) {
                ends += usize::from(matches!(event, LoadEvent::Loaded(_) | LoadEvent::Failed(_)));
            }
            assert_eq!(ends, 1, "a load ends once");
        }
        for (turn, seen) in self.turns {
            turn.finish_after(seen);
        }
        for answer in self.answers {
            assert!(answer.try_take().is_some(), "every question is answered");
        }
        self.app.start_again();
        for chat in self.app.client.list_chats().wait().expect("the list") {
            let chat = self.app.client.open_chat(chat.id).wait().expect("the chat");
            let mut ended = chat
                .messages
                .iter()
                .filter(|message| message.role == Role::Assistant);
            assert!(ended.all(|answer| answer.stop.is_some()), "{:#?}", chat.messages);
        }
        let last = self.app.ask(&self.models[0], None, "and now", greedy(3));
        assert_eq!(last.stats().generated_tokens, 3);
    }
}

/// Case 60 of the public reports.
#[test]
fn nothing_hangs_and_nothing_is_lost() {
    for seed in 1..=8 {
        let mut play = Play::new(seed);
        for _ in 0..MOVES {
            play.step();
        }
        play.end();
    }
}

/// The same with the end in the middle of an answer.
#[test]
fn the_end_may_come_at_any_time() {
    for seed in 1..=8 {
        let mut play = Play::new(100 + seed);
        let path = play.models[0].clone();
        let turn = play.app.send(&path, None, "a long answer", greedy(10_000));
        let seen = match seed % 2 {
            0 => turn.until(|event| matches!(event, ChatEvent::Delta(_))),
            _ => Vec::new(),
        };
        play.turns.push((turn, seen));
        for _ in 0..play.below(6) {
            play.step();
        }
        play.end();
    }
}
