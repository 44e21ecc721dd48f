//! A load and a turn from their first event to their last, with Ctrl-C in between.

use std::io;

use hearth_protocol::chat::{ChatEvent, Message, TurnOptions, TurnRequest};
use hearth_protocol::engine::{LoadEvent, LoadRequest, LoadedModel};
use hearth_protocol::{ChatId, Client, Error, Image, RunEvent};

use crate::exit::Failure;
use crate::interrupts::{Interrupts, Next};

/// Shows what happens.
pub(crate) trait View {
    /// While a model loads.
    fn load(&mut self, event: &LoadEvent) -> io::Result<()>;
    /// While an answer is made.
    fn turn(&mut self, event: &ChatEvent) -> io::Result<()>;
}

/// One chat with one model, turn by turn.
pub(crate) struct Conversation<'a> {
    client: &'a Client,
    interrupts: &'a Interrupts,
    load: LoadRequest,
    options: TurnOptions,
    chat: Option<ChatId>,
}

impl<'a> Conversation<'a> {
    /// A chat that begins with its first message.
    pub(crate) fn new(
        client: &'a Client,
        interrupts: &'a Interrupts,
        load: LoadRequest,
        options: TurnOptions,
    ) -> Self {
        Self {
            client,
            interrupts,
            load,
            options,
            chat: None,
        }
    }

    /// Begins another chat with the next message.
    pub(crate) fn start_anew(&mut self) {
        self.chat = None;
    }

    /// Brings the model into memory, which takes no time where it is there already. Ctrl-C cancels.
    ///
    /// # Errors
    /// The load's own error; `Cancelled` when cancelled.
    pub(crate) fn load(&self, view: &mut dyn View) -> Result<LoadedModel, Failure> {
        let _run = self.interrupts.run();
        let events = self.client.load(self.load.clone());
        let mut cancelled = false;
        loop {
            let event = match self.interrupts.next(&events) {
                Next::Event(event) => event,
                Next::Interrupt if !cancelled => {
                    cancelled = true;
                    // The load ends with an event of its own; this answer is not waited for.
                    drop(self.client.cancel_load(events.request()));
                    continue;
                }
                Next::Interrupt => LoadEvent::Failed(Error::Cancelled),
            };
            view.load(&event)?;
            match event {
                LoadEvent::Loaded(model) => return Ok(model),
                LoadEvent::Failed(error) => return Err(error.into()),
                LoadEvent::Started { .. } | LoadEvent::Progress(_) => (),
            }
        }
    }

    /// Sends a message, with pictures beside it, and shows the answer. The first Ctrl-C stops it, the second leaves.
    ///
    /// # Errors
    /// The error of the load or the turn; `Cancelled` when left.
    pub(crate) fn send(
        &mut self,
        view: &mut dyn View,
        text: String,
        images: Vec<Image>,
    ) -> Result<Message, Failure> {
        // A model whose worker died since the last turn comes back as it was asked for, not with the defaults.
        self.load(view)?;
        let _run = self.interrupts.run();
        let events = self.client.send(TurnRequest {
            chat: self.chat,
            text,
            images,
            options: self.options.clone(),
            ..TurnRequest::default()
        });
        let mut stopped = false;
        loop {
            let event = match self.interrupts.next(&events) {
                Next::Event(event) => event,
                Next::Interrupt if !stopped => {
                    stopped = true;
                    // The turn ends with an event of its own; this answer is not waited for.
                    drop(self.client.stop(events.request()));
                    continue;
                }
                Next::Interrupt => ChatEvent::failed(Error::Cancelled),
            };
            view.turn(&event)?;
            match event {
                ChatEvent::Started { chat, .. } => self.chat = Some(chat.id),
                ChatEvent::Finished(answer) => return Ok(answer),
                ChatEvent::Failed { error, .. } => return Err(error.into()),
                _ => (),
            }
        }
    }
}
