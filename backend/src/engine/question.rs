//! What a model is asked beside its answers: the tokens of a text, the text of tokens, what its slots know.

use hearth_protocol::engine::{KeepLoaded, LoadOptions, LoadedModel, SlotAction, SlotDone, SlotState};
use hearth_protocol::generate::StopReason;
use hearth_protocol::library::LibraryFile;
use hearth_protocol::prompt::{Token, TokenizeInput, Tokenized};
use hearth_protocol::{Error, LoadedId, Result};
use serde::{Deserialize, Serialize};

use super::pool::Message;
use super::{Engine, Generation, JobEvent, Work};

/// A model that is known by its number only.
const NAMELESS: &str = "The model";

/// Something that a model is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Question {
    /// The tokens of a text.
    Tokenize(TokenizeInput),
    /// The text of tokens.
    Detokenize(Vec<u32>),
    /// What its slots do.
    Slots,
    /// To do this with what a slot knows.
    ChangeSlot {
        /// Which, from 0.
        slot: u32,
        /// What.
        action: SlotAction,
    },
}

/// What a model tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Told {
    /// A text and its tokens, but for those that have been told before.
    Tokens {
        /// The text, control tokens written out.
        text: String,
        /// The tokens.
        tokens: Vec<Token>,
    },
    /// The text of tokens.
    Text(String),
    /// What the slots do, by their numbers.
    Slots(Vec<SlotState>),
    /// What was done with what a slot knows.
    Changed(SlotDone),
}

impl Engine {
    /// Turns a text into tokens, loading the model first where needed.
    ///
    /// # Errors
    /// Those of the load; what is wrong with the text.
    pub(crate) async fn tokenize(
        &self,
        file: LibraryFile,
        options: LoadOptions,
        input: TokenizeInput,
    ) -> Result<Tokenized> {
        let (work, name) = (Work::Tell(Box::new(Question::Tokenize(input))), file.name.clone());
        match told(self.begin(file, options, work, KeepLoaded::Default), &name).await? {
            (Some(model), Told::Tokens { text, tokens }) => Ok(Tokenized { model, text, tokens }),
            other => Err(odd(&other)),
        }
    }

    /// Turns tokens into text, loading the model first where needed.
    ///
    /// # Errors
    /// Those of the load; `Invalid` for tokens that the model does not have.
    pub(crate) async fn detokenize(
        &self,
        file: LibraryFile,
        options: LoadOptions,
        tokens: Vec<u32>,
    ) -> Result<String> {
        let (work, name) = (
            Work::Tell(Box::new(Question::Detokenize(tokens))),
            file.name.clone(),
        );
        match told(self.begin(file, options, work, KeepLoaded::Default), &name).await? {
            (_, Told::Text(text)) => Ok(text),
            other => Err(odd(&other)),
        }
    }

    /// What the slots of a loaded model do.
    ///
    /// # Errors
    /// `NotFound` where nothing loaded has this id.
    pub(crate) async fn slots(&self, model: LoadedId) -> Result<Vec<SlotState>> {
        match told(self.ask(model, Question::Slots), NAMELESS).await? {
            (_, Told::Slots(slots)) => Ok(slots),
            other => Err(odd(&other)),
        }
    }

    /// Keeps, brings back or forgets what a slot of a loaded model knows.
    ///
    /// # Errors
    /// `NotFound` where nothing loaded has this id; `Invalid` for a slot that there is not, or that knows nothing; `Busy`
    /// where it makes an answer; `File` for a file that cannot be written, or holds no state of this model.
    pub(crate) async fn change_slot(
        &self,
        model: LoadedId,
        slot: u32,
        action: SlotAction,
    ) -> Result<SlotDone> {
        if let SlotAction::Save(path) | SlotAction::Restore(path) = &action
            && path.to_str().is_none()
        {
            return Err(Error::File {
                path: path.display().to_string(),
                reason: "its path is not Unicode text; choose another".into(),
            });
        }
        match told(self.ask(model, Question::ChangeSlot { slot, action }), NAMELESS).await? {
            (_, Told::Changed(done)) => Ok(done),
            other => Err(odd(&other)),
        }
    }

    fn ask(&self, model: LoadedId, question: Question) -> Generation {
        self.run(|id, events| Message::Ask {
            id,
            model,
            question: Box::new(question),
            events,
        })
    }
}

/// What a model tells, and which one it is where that was said; by this name it is called where it is ejected meanwhile.
async fn told(mut asked: Generation, name: &str) -> Result<(Option<LoadedModel>, Told)> {
    let (mut model, mut told, mut before) = (None, None, Vec::new());
    loop {
        match asked.events.recv().await {
            Some(JobEvent::Started(started)) => model = Some(started),
            Some(JobEvent::ToldSome(some)) => before.extend(some),
            Some(JobEvent::Told(Told::Tokens { text, tokens: last })) => {
                let mut tokens = std::mem::take(&mut before);
                tokens.extend(last);
                told = Some(Told::Tokens { text, tokens });
            }
            Some(JobEvent::Told(answer)) => told = Some(answer),
            Some(JobEvent::Finished { stop, .. }) => {
                return match (told, stop) {
                    (Some(told), _) => Ok((model, told)),
                    (None, StopReason::ModelEjected) => Err(Error::ModelEjected { model: name.into() }),
                    (None, _) => Err(Error::BackendGone),
                };
            }
            Some(JobEvent::Failed(error)) => return Err(error),
            Some(_) => (),
            None => return Err(Error::BackendGone),
        }
    }
}

fn odd(told: &impl std::fmt::Debug) -> Error {
    Error::internal(format!("the model was asked something else: {told:?}"))
}
