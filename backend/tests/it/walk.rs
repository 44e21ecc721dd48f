//! A random walk over three tiny models: load, send, stop, cancel, leave, eject, delete, kill, end. Whatever the order:
//! nothing stands still, every run ends exactly once, no process is left behind, and afterwards every model answers.
//!
//! The long walk is over workers that play the real one, so that it is quick; a short one is over real workers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::engine::LoadEvent;
use hearth_protocol::generate::StopReason;
use hearth_protocol::settings::{MemoryGuard, Settings};
use hearth_protocol::{ChatId, Error, Events};
use serde_json::json;

use crate::app::{App, Turn, context, eventually, greedy, is_process, next, outcome_of_load, without_titles};
use crate::tiny_gguf::Tiny;

/// Names the seed of the walks, to take one again that failed.
const SEED_VARIABLE: &str = "HEARTH_TEST_SEED";

/// The end of a run whose backend is gone.
const BACKEND_GONE: &str = "backend gone";

/// Runs that are open at most; the next step then waits for the oldest.
const MOST_OPEN: usize = 24;

#[test]
fn two_thousand_steps_over_workers_that_play() {
    let seed = seed();
    println!("{SEED_VARIABLE}={seed}");
    let mut random = Random(seed);
    let mut ends = Ends::default();
    for leg in 0..8 {
        let app = App::scripted(&json!([
            {"await": "load"},
            {"say": {"response": "load_progress", "share": 0.5}},
            {"say": {"response": "loaded", "context_length": 64, "has_chat_template": true, "gpu_layers": [0, 5],
                "threads": 1}},
            {"serve": 20},
        ]));
        if leg % 2 == 1 {
            // Two of the three models fit, by what is thought of their sizes.
            let settings = Settings {
                memory_guard: MemoryGuard::Gigabytes(7),
                ..without_titles()
            };
            app.client.write_settings(settings).wait().expect("written");
        }
        let walk = Walk::new(app, &mut random, &mut ends);
        walk.models.iter().for_each(|path| make_large(path));
        walk.walk(250);
    }
    // It has been everywhere.
    for end in [
        "end of text",
        "stopped by you",
        "model ejected",
        "worker died",
        "loaded",
        "busy",
        "cancelled",
    ] {
        assert!(ends.contains_key(end), "no {end} in {ends:?}");
    }
}

/// Makes a file take 3 GB by its size, and nothing more on the disk. Workers that play do not read it.
fn make_large(path: &Path) {
    let file = std::fs::OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.set_len(3_000_000_000))
        .expect("it grows");
}

#[test]
fn two_hundred_steps_over_real_workers() {
    let seed = seed();
    println!("{SEED_VARIABLE}={seed}");
    let mut random = Random(seed);
    let mut ends = Ends::default();
    for _ in 0..2 {
        Walk::new(App::real(), &mut random, &mut ends).walk(100);
    }
}

/// The seed that was given, or one that nobody chose.
fn seed() -> u64 {
    match std::env::var(SEED_VARIABLE) {
        Ok(seed) => seed.parse().expect("the seed is a number"),
        Err(_) => {
            let since = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("a clock");
            since.as_nanos() as u64
        }
    }
}

/// Numbers that look random: SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    /// Takes one out.
    fn take<T>(&mut self, from: &mut Vec<T>) -> Option<T> {
        (!from.is_empty()).then(|| from.remove(self.below(from.len())))
    }
}

/// How runs ended, and how many did so.
type Ends = BTreeMap<String, u32>;

struct Walk<'a> {
    app: App,
    random: &'a mut Random,
    ends: &'a mut Ends,
    models: Vec<PathBuf>,
    turns: Vec<Turn>,
    loads: Vec<Events<LoadEvent>>,
    chats: Vec<ChatId>,
    /// Every worker that was seen.
    processes: Vec<u32>,
    /// The backend has ended.
    is_over: bool,
}

impl<'a> Walk<'a> {
    fn new(app: App, random: &'a mut Random, ends: &'a mut Ends) -> Self {
        let tiny = |seed: u64| {
            let model = Tiny {
                seed,
                ..Tiny::default()
            };
            app.tiny_as(&format!("tiny-{seed}.gguf"), &model)
        };
        let models = (1..=3).map(tiny).collect();
        Self {
            app,
            random,
            ends,
            models,
            turns: Vec::new(),
            loads: Vec::new(),
            chats: Vec::new(),
            processes: Vec::new(),
            is_over: false,
        }
    }

    fn walk(mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
            let loaded = self.app.loaded();
            self.processes.extend(loaded.iter().map(|model| model.process));
            assert!(
                loaded.len() <= self.models.len(),
                "a file is in memory once: {loaded:?}"
            );
        }
        // Half of them end here, the other half with the backend.
        for _ in 0..self.turns.len() / 2 {
            self.finish_a_turn();
        }
        for path in self.models.clone() {
            self.answers(&path);
        }
        self.app.shut_down();
        self.is_over = true;
        while !self.turns.is_empty() {
            self.finish_a_turn();
        }
        while !self.loads.is_empty() {
            self.finish_a_load();
        }
        // Workers that play have the script among their arguments, those that never became known too.
        let script = self.app.path("script.json");
        assert!(!has_argument(&script), "a worker is left behind");
        self.processes.sort_unstable();
        self.processes.dedup();
        for process in &self.processes {
            eventually("the end of every worker", || !is_process(*process));
        }
    }

    fn step(&mut self) {
        if self.turns.len() + self.loads.len() >= MOST_OPEN {
            self.finish_a_turn();
            self.finish_a_load();
        }
        match self.random.below(100) {
            0..35 => self.send(),
            35..50 => {
                let load = self.a_load();
                self.loads.push(load);
            }
            50..62 => {
                if !self.turns.is_empty() {
                    let turn = &self.turns[self.random.below(self.turns.len())];
                    assert_eq!(self.app.client.stop(turn.0.request()).wait(), Ok(()));
                }
            }
            62..67 => {
                if !self.loads.is_empty() {
                    let load = &self.loads[self.random.below(self.loads.len())];
                    assert_eq!(self.app.client.cancel_load(load.request()).wait(), Ok(()));
                }
            }
            67..72 => drop(self.random.take(&mut self.turns)),
            72..74 => drop(self.random.take(&mut self.loads)),
            74..82 => {
                if let Some(model) = self.random.take(&mut self.app.loaded()) {
                    let ejected = self.app.client.eject(model.id).wait();
                    assert!(
                        matches!(ejected, Ok(()) | Err(Error::NotFound { .. })),
                        "{ejected:?}"
                    );
                }
            }
            82..90 => {
                if let Some(model) = self.random.take(&mut self.app.loaded()) {
                    kill_if_there(model.process);
                }
            }
            90..93 => {
                if let Some(chat) = self.random.take(&mut self.chats) {
                    let deleted = self.app.client.delete_chat(chat).wait();
                    assert!(
                        matches!(deleted, Ok(_) | Err(Error::NotFound { .. })),
                        "{deleted:?}"
                    );
                }
            }
            93..97 => self.finish_a_turn(),
            _ => self.finish_a_load(),
        }
    }

    fn a_model(&mut self) -> PathBuf {
        self.models[self.random.below(self.models.len())].clone()
    }

    fn a_load(&mut self) -> Events<LoadEvent> {
        let path = self.a_model();
        let tokens = [64, 128][self.random.below(2)];
        self.app.begin_load(&path, context(tokens))
    }

    /// Sends into a new chat, or into one that may be writing or deleted.
    fn send(&mut self) {
        let path = self.a_model();
        let chat = match self.random.below(3) {
            0 if !self.chats.is_empty() => Some(self.chats[self.random.below(self.chats.len())]),
            _ => None,
        };
        let sampling = match self.random.below(2) {
            0 => greedy(3),
            _ => greedy(200),
        };
        self.turns.push(self.app.send(&path, chat, "x", sampling));
    }

    /// Waits for a turn's end, of which there is exactly one, and a good one.
    fn finish_a_turn(&mut self) {
        let Some(turn) = self.random.take(&mut self.turns) else {
            return;
        };
        // Half of them are stopped.
        if self.random.below(2) == 0 {
            assert!(matches!(
                self.app.client.stop(turn.0.request()).wait(),
                Ok(()) | Err(Error::BackendGone)
            ));
        }
        let answer = turn.finish();
        if answer.chat != ChatId(0) {
            self.chats.push(answer.chat);
        }
        let end = match (answer.error, answer.message.and_then(|message| message.stop)) {
            (None, Some(StopReason::Failed { .. }) | None) => panic!("a good end without one"),
            (None, Some(stop)) => stop.to_string(),
            (Some(error), _) => in_a_word(&error).to_owned(),
        };
        self.count(end);
    }

    fn count(&mut self, end: String) {
        // Whoever is let drop hears this too.
        assert!(self.is_over || end != BACKEND_GONE, "a run was lost");
        *self.ends.entry(end).or_default() += 1;
    }

    fn finish_a_load(&mut self) {
        let Some(load) = self.random.take(&mut self.loads) else {
            return;
        };
        let end = match outcome_of_load(&load) {
            Ok(_) => "loaded",
            Err(error) => in_a_word(&error),
        };
        self.count(end.to_owned());
        assert_eq!(next(&load), None, "nothing follows the last event");
    }

    /// After all that happened, this model answers.
    fn answers(&self, path: &Path) {
        let turn = self.app.send(path, None, "x", greedy(3));
        let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
        assert_eq!(turn.finish_after(seen).error, None, "{}", path.display());
    }
}

/// The errors that may come of what the walk does.
fn in_a_word(error: &Error) -> &'static str {
    match error {
        Error::WorkerDied { .. } => "worker died",
        Error::Busy { .. } => "busy",
        Error::Cancelled => "cancelled",
        // A chat that was deleted meanwhile.
        Error::NotFound { .. } => "not found",
        Error::ContextOverflow { .. } => "too long",
        Error::BackendGone => BACKEND_GONE,
        other => panic!("{other}"),
    }
}

/// Whether a process was started with this argument.
fn has_argument(argument: &Path) -> bool {
    let mut list = std::process::Command::new("ps");
    let list = list.args(["-A", "-ww", "-o", "args="]).output().expect("ps runs");
    String::from_utf8_lossy(&list.stdout).contains(argument.to_str().expect("text"))
}

/// Kills a process as the system does when memory runs out, unless it has ended meanwhile.
fn kill_if_there(process: u32) {
    let mut kill = std::process::Command::new("kill");
    let kill = kill.args(["-9", &process.to_string()]);
    kill.stderr(std::process::Stdio::null())
        .status()
        .expect("kill runs");
}
