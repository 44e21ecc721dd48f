//! What a row is measured on: a model, the peers, how many rounds; and the order of the two sides.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::SamplingParams;

use crate::hearth::{Ask, Hearth};
use crate::peers::{Peers, Server};
use crate::text;

/// Words of the first chat with a model, which only shows what the chat template adds.
const FIRST_WORDS: usize = 16;

/// A model of the benchmark.
pub(crate) struct Model {
    /// Its file, as `cargo xtask models` brings it.
    pub(crate) file: &'static str,
    /// Tokens that end a text. They are forbidden, so that each answer is as long as it is asked to be.
    ends: &'static [i32],
}

/// All of them.
pub(crate) const MODELS: [Model; 2] = [
    Model {
        file: "SmolLM2-135M-Instruct-Q4_1.gguf",
        // <|endoftext|>, <|im_start|>, <|im_end|>, <repo_name>, <reponame>, <file_sep>
        ends: &[0, 1, 2, 3, 4, 5],
    },
    Model {
        file: "gemma-3-270m-Q4_K_M.gguf",
        // <eos>, <end_of_turn>
        ends: &[1, 106],
    },
];

/// What a row is measured on.
pub(crate) struct Stage<'a> {
    pub(crate) model: &'a Model,
    pub(crate) path: PathBuf,
    pub(crate) peers: Option<&'a Peers>,
    pub(crate) rounds: u32,
    /// Folder for the peers' logs.
    logs: &'a Path,
    /// Texts that were made, so that each is a new one.
    texts: Cell<u64>,
}

/// What both sides of a round gave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Both<T> {
    pub(crate) ours: T,
    pub(crate) theirs: Option<T>,
}

/// The rounds of the first figure and those of the second, where each round gave two.
pub(crate) fn split(rounds: &[Both<(f64, f64)>]) -> (Vec<Both<f64>>, Vec<Both<f64>>) {
    let first = rounds.iter().map(|both| Both {
        ours: both.ours.0,
        theirs: both.theirs.map(|theirs| theirs.0),
    });
    let second = rounds.iter().map(|both| Both {
        ours: both.ours.1,
        theirs: both.theirs.map(|theirs| theirs.1),
    });
    (first.collect(), second.collect())
}

impl<'a> Stage<'a> {
    /// # Errors
    /// Where the model file is not there.
    pub(crate) fn new(
        model: &'a Model,
        models: &Path,
        peers: Option<&'a Peers>,
        logs: &'a Path,
        rounds: u32,
    ) -> anyhow::Result<Self> {
        let path = models.join(model.file);
        ensure!(path.is_file(), "{} is not there", path.display());
        Ok(Self {
            model,
            path,
            peers,
            rounds,
            logs,
            texts: Cell::new(0),
        })
    }

    /// Hearth with the model loaded.
    ///
    /// # Errors
    /// Where it does not load.
    pub(crate) fn hearth(&self, options: LoadOptions) -> anyhow::Result<Hearth> {
        let first = Ask::new(self.words(FIRST_WORDS), self.greedy(1));
        Hearth::start(&self.path, options, first)
    }

    /// llama-server with the model loaded and as many threads as Hearth takes; `None` where there is no peer.
    ///
    /// # Errors
    /// Where it does not start.
    pub(crate) fn server(&self, arguments: &[&str]) -> anyhow::Result<Option<Server>> {
        let start = |peers: &Peers| peers.serve(&self.path, &self.logs.join("llama-server.log"), arguments);
        self.peers.map(start).transpose()
    }

    /// A text of so many words that nothing has read before.
    pub(crate) fn words(&self, count: usize) -> String {
        self.texts.set(self.texts.get() + 1);
        text::words(self.texts.get(), count)
    }

    /// Greedy, exactly this many tokens.
    pub(crate) fn greedy(&self, tokens: u32) -> SamplingParams {
        SamplingParams {
            max_tokens: Some(tokens),
            logit_bias: self
                .model
                .ends
                .iter()
                .map(|end| (*end, f32::NEG_INFINITY))
                .collect(),
            ..SamplingParams::greedy()
        }
    }

    /// [`in_turn`] for the rounds of this stage.
    ///
    /// # Errors
    /// At the first failure of a side.
    pub(crate) fn in_turn<T: Copy + std::fmt::Debug>(
        &self,
        ours: impl FnMut(u32) -> anyhow::Result<T>,
        theirs: impl FnMut(u32) -> anyhow::Result<Option<T>>,
    ) -> anyhow::Result<Vec<Both<T>>> {
        in_turn(self.rounds, ours, theirs)
    }
}

/// Measures round after round, both sides in turn; who begins changes, so that neither always has the machine as the
/// other left it. A side is handed the round's number, from 0.
///
/// # Errors
/// At the first failure of a side.
pub(crate) fn in_turn<T: Copy + std::fmt::Debug>(
    count: u32,
    mut ours: impl FnMut(u32) -> anyhow::Result<T>,
    mut theirs: impl FnMut(u32) -> anyhow::Result<Option<T>>,
) -> anyhow::Result<Vec<Both<T>>> {
    let mut rounds = Vec::new();
    for round in 0..count {
        let both = if round % 2 == 0 {
            let ours = ours(round)?;
            let theirs = theirs(round)?;
            Both { ours, theirs }
        } else {
            let theirs = theirs(round)?;
            let ours = ours(round)?;
            Both { ours, theirs }
        };
        println!("round {}: {:?} | {:?}", round + 1, both.ours, both.theirs);
        rounds.push(both);
    }
    Ok(rounds)
}
