//! A thread that colours code, so that no frame waits for it: what has no colours yet is shown plain.
//!
//! Names no toolkit; `wake` tells whoever draws that colours have come.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::highlight::{self, Grammars, Highlighter, Line};
use super::rows::Row;
use crate::state::conversation::ConversationKey;

/// Most blocks whose colours are kept; the one that was drawn longest ago goes first.
const MOST: usize = 64;

/// A block of code in a window: its chat, its message, its place in it.
pub(crate) type Key = (ConversationKey, Row);

/// Colours code on a thread of its own, which starts with the first block.
#[derive(Default)]
pub(crate) struct Painter {
    desk: Option<Arc<Desk>>,
    blocks: HashMap<Key, Painted>,
    /// How often lines were asked for.
    clock: u64,
}

/// A block as far as it has colours.
#[derive(Debug, Default)]
struct Painted {
    language: String,
    text: String,
    lines: Vec<Line>,
    /// Grows with each change of the lines.
    version: u64,
    asked: u64,
}

/// What lies between the window and the thread.
#[derive(Default)]
struct Desk {
    papers: Mutex<Papers>,
    come: Condvar,
}

#[derive(Default)]
struct Papers {
    /// Blocks to be coloured, each once.
    wanted: VecDeque<Wanted>,
    /// Colours, with the text that they are of and the first line that changed.
    done: Vec<(Key, String, usize, Vec<Line>)>,
    closed: bool,
}

/// A block to be coloured.
#[derive(Debug)]
struct Wanted {
    key: Key,
    language: String,
    text: String,
    /// Whether the window has none of its colours.
    anew: bool,
}

impl Painter {
    /// The lines of a block, with the colours that are there, and a number that tells whether they have changed.
    pub(crate) fn lines(
        &mut self,
        key: Key,
        language: &str,
        text: &str,
        wake: impl Fn() + Send + 'static,
    ) -> (u64, &[Line]) {
        self.clock += 1;
        if !self.blocks.contains_key(&key) && self.blocks.len() >= MOST {
            let oldest = self.blocks.iter().min_by_key(|(_, block)| block.asked);
            if let Some(oldest) = oldest.map(|(key, _)| *key) {
                self.blocks.remove(&oldest);
            }
        }
        let clock = self.clock;
        let block = self.blocks.entry(key).or_default();
        block.asked = clock;
        if block.version == 0 || block.language != language || block.text != text {
            let wanted = Wanted {
                key,
                language: language.to_owned(),
                text: text.to_owned(),
                anew: block.version == 0,
            };
            block.take_text(language, text, clock);
            // What has no language has no colours.
            if !language.is_empty() {
                self.desk.get_or_insert_with(|| open(wake)).want(wanted);
            }
        }
        (block.version, &block.lines)
    }

    /// Takes what the thread has done. Whether anything has changed.
    pub(crate) fn take_done(&mut self) -> bool {
        let done = self
            .desk
            .as_ref()
            .map(|desk| std::mem::take(&mut desk.lock().done))
            .unwrap_or_default();
        self.clock += 1;
        let mut changed = false;
        for (key, text, first, lines) in done {
            if let Some(block) = self.blocks.get_mut(&key) {
                changed |= block.take_colours(&text, first, lines, self.clock);
            }
        }
        changed
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        if let Some(desk) = &self.desk {
            desk.lock().closed = true;
            desk.come.notify_all();
        }
    }
}

impl Painted {
    /// Lines that are as they were keep their colours; the others have none yet.
    fn take_text(&mut self, language: &str, text: &str, version: u64) {
        let same = if self.language == language {
            let lines = self.text.lines().zip(text.lines());
            lines.take_while(|(old, new)| old == new).count()
        } else {
            0
        };
        self.lines.truncate(same);
        self.lines.extend(text.lines().skip(same).map(highlight::plain));
        language.clone_into(&mut self.language);
        text.clone_into(&mut self.text);
        self.version = version;
    }

    /// Takes the colours of a text that may be older than the one that is shown.
    fn take_colours(&mut self, text: &str, first: usize, lines: Vec<Line>, version: u64) -> bool {
        let same = text
            .lines()
            .zip(self.text.lines())
            .take_while(|(old, new)| old == new)
            .count();
        let mut changed = false;
        for (index, line) in lines
            .into_iter()
            .enumerate()
            .map(|(index, line)| (index + first, line))
        {
            if index < same && self.lines.get(index) != Some(&line) {
                self.lines[index] = line;
                changed = true;
            }
        }
        if changed {
            self.version = version;
        }
        changed
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Papers> {
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn want(&self, mut wanted: Wanted) {
        let mut papers = self.lock();
        if let Some(at) = papers.wanted.iter().position(|waiting| waiting.key == wanted.key)
            && let Some(waiting) = papers.wanted.remove(at)
        {
            wanted.anew |= waiting.anew;
        }
        papers.wanted.push_back(wanted);
        self.come.notify_all();
    }

    /// The next block to be coloured; `None` when nobody draws any longer.
    fn next(&self) -> Option<Wanted> {
        let papers = self.lock();
        let idle = |papers: &mut Papers| papers.wanted.is_empty() && !papers.closed;
        let mut papers = self
            .come
            .wait_while(papers, idle)
            .unwrap_or_else(PoisonError::into_inner);
        if papers.closed {
            None
        } else {
            papers.wanted.pop_front()
        }
    }
}

/// Starts the thread.
fn open(wake: impl Fn() + Send + 'static) -> Arc<Desk> {
    let desk = Arc::new(Desk::default());
    let own = Arc::clone(&desk);
    thread::spawn(move || {
        let grammars = Grammars::new();
        let mut blocks: HashMap<Key, Highlighter> = HashMap::new();
        while let Some(wanted) = own.next() {
            if wanted.anew {
                blocks.remove(&wanted.key);
            }
            if blocks.len() >= MOST && !blocks.contains_key(&wanted.key) {
                blocks.clear();
            }
            let block = blocks.entry(wanted.key).or_default();
            let first = block.update(&grammars, &wanted.language, &wanted.text);
            let lines = block.lines()[first..].to_vec();
            own.lock().done.push((wanted.key, wanted.text, first, lines));
            wake();
        }
    });
    desk
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::ui::chat::highlight::Token;

    const KEY: Key = (ConversationKey(1), Row::Block(0, 0));

    #[test]
    fn code_is_plain_at_once_and_coloured_when_the_thread_has_read_it() {
        let mut painter = Painter::default();
        let (woken, wakes) = mpsc::channel();
        let lines = |painter: &mut Painter, text: &str| {
            let woken = woken.clone();
            let wake = move || woken.send(()).expect("the test waits");
            let (version, lines) = painter.lines(KEY, "rust", text, wake);
            (version, lines.to_vec())
        };
        let (plain, shown) = lines(&mut painter, "let a = 1;\nlet");
        assert_eq!(shown, [highlight::plain("let a = 1;"), highlight::plain("let")]);

        wakes.iter().next().expect("the thread answers");
        assert!(painter.take_done());
        let (coloured, shown) = lines(&mut painter, "let a = 1;\nlet");
        assert!(coloured > plain);
        assert_eq!(shown[0][0], (Token::Keyword, "let".to_owned()));

        // What was coloured stays so while the rest is read.
        let (grown, shown) = lines(&mut painter, "let a = 1;\nlet b");
        assert!(grown > coloured);
        assert_eq!(shown[0][0], (Token::Keyword, "let".to_owned()));
        assert_eq!(shown[1], highlight::plain("let b"));
        wakes.iter().next().expect("the thread answers");
        assert!(painter.take_done());
        assert!(!painter.take_done(), "nothing comes twice");
    }

    #[test]
    fn colours_of_an_older_text_are_taken_for_the_lines_that_stayed() {
        let mut block = Painted::default();
        block.take_text("rust", "one\ntwo\nthree", 1);
        let new = |text: &str| vec![(Token::Keyword, text.to_owned())];
        assert!(block.take_colours("one\ntw", 0, vec![new("one"), new("tw")], 2));
        assert_eq!(
            block.lines,
            [new("one"), highlight::plain("two"), highlight::plain("three")]
        );
        assert_eq!(block.version, 2);
    }
}
