//! The answers to one request on their way, from the engine to whoever listens.

use std::collections::VecDeque;

use hearth_protocol::answer::Logprobs;
use hearth_protocol::completion::{CompletionEvent, CompletionRequest, Piece};
use hearth_protocol::engine::LoadedModel;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::tools::ToolCall;
use hearth_protocol::{Error, RunEvent};

use super::listening::{Listening, Woken};
use super::metrics::Cost;
use super::refusal::Refusal;
use super::site::Site;
use super::ticket::Ticket;

/// The answers to one request, one for each choice. Dropping it stops them all.
pub(super) struct Run {
    /// `None` for one that was [ended](Self::end).
    choices: Vec<Option<Listening<CompletionEvent>>>,
    /// What each has cost so far; `None` before it has begun.
    costs: Vec<Option<Cost>>,
    woken: Woken,
    /// What came before the answer could begin to be sent.
    first: VecDeque<(u32, CompletionEvent)>,
    /// Which choice is asked first for news, so that none waits for another.
    turn: usize,
    /// The model's name, once it is known.
    model: String,
    site: Site,
    ticket: Ticket,
    /// Choices whose prompt the model has not taken yet.
    waiting: u32,
    failed: bool,
}

impl Run {
    /// Asks the engine, and waits until the first answer is on its way: whatever is wrong with the request itself, its
    /// model or the queue is told by then, so that it can be answered with a status of its own. Gives the model.
    ///
    /// # Errors
    /// What stands in the way.
    pub(super) async fn begin(
        site: &Site,
        ticket: &Ticket,
        requests: Vec<CompletionRequest>,
    ) -> Result<(Self, LoadedModel), Refusal> {
        let woken = Woken::default();
        let client = woken.client(site.client());
        let waiting = u32::try_from(requests.len()).unwrap_or(u32::MAX);
        site.metrics().waits(waiting);
        let costs = vec![None; requests.len()];
        let choices = requests
            .into_iter()
            .map(|request| Some(Listening::new(client.complete(request), woken.clone())))
            .collect();
        let mut run = Self {
            choices,
            costs,
            woken,
            first: VecDeque::new(),
            turn: 0,
            model: "The model".into(),
            site: site.clone(),
            ticket: ticket.clone(),
            waiting,
            failed: false,
        };
        let mut model = None;
        let mut first = VecDeque::new();
        while let Some((choice, event)) = run.next().await {
            match event {
                CompletionEvent::Failed(error) => return Err(error.into()),
                CompletionEvent::Loading(_) => (),
                CompletionEvent::Started(started) => {
                    if model.is_none() {
                        run.model = site.names().of(&started);
                        ticket.model(&run.model);
                        model = Some(started);
                    }
                }
                event => {
                    // The prompt has been accepted from here on.
                    let is_over = event.is_terminal();
                    first.push_back((choice, event));
                    // One that ends before it began, as at the end of Hearth, says so too.
                    if model.is_some() || is_over {
                        break;
                    }
                }
            }
        }
        let model = model.ok_or(Error::BackendGone)?;
        run.first = first;
        Ok((run, model))
    }

    /// The name of the model that answers.
    pub(super) fn model(&self) -> &str {
        &self.model
    }

    /// How many choices there are.
    pub(super) fn choices(&self) -> usize {
        self.choices.len()
    }

    /// The next event that has come already, with its choice.
    pub(super) fn try_next(&mut self) -> Option<(u32, CompletionEvent)> {
        if let Some(first) = self.first.pop_front() {
            return Some(first);
        }
        let count = self.choices.len();
        for step in 0..count {
            let choice = (self.turn + step) % count;
            let listening = self.choices.get_mut(choice).and_then(Option::as_mut);
            let event = listening.and_then(Listening::try_next);
            if let Some(event) = event {
                self.turn = choice + 1;
                let event = self.note(choice, event);
                return Some((u32::try_from(choice).unwrap_or(u32::MAX), event));
            }
        }
        None
    }

    /// The next event; `None` once all choices have ended or one has failed. Ends with a failure where the server is
    /// stopped and waits no longer. Nothing is lost where this is dropped while it waits.
    pub(super) async fn next(&mut self) -> Option<(u32, CompletionEvent)> {
        loop {
            if let Some(next) = self.try_next() {
                return Some(next);
            }
            if self.failed || self.choices.iter().flatten().all(Listening::has_ended) {
                return None;
            }
            tokio::select! {
                () = self.woken.wait() => (),
                () = self.site.cut_off() => {
                    self.failed = true;
                    return Some((0, CompletionEvent::Failed(Error::ServerStopped)));
                }
            }
        }
    }

    /// Ends one choice with what has come of it: it is computed no further, and counted as having cost this.
    pub(super) fn end(&mut self, choice: u32, stats: &TurnStats) {
        let listening = self.choices.get_mut(choice as usize).and_then(Option::take);
        // One that ended by itself is counted already.
        if listening.is_some_and(|listening| !listening.has_ended()) {
            self.count(stats);
        }
        if let Some(cost) = self.costs.get_mut(choice as usize) {
            *cost = None;
        }
    }

    /// Waits for the whole answers.
    ///
    /// # Errors
    /// What broke one of them off.
    pub(super) async fn collect(mut self) -> Result<Vec<Whole>, Refusal> {
        let mut whole = vec![Whole::default(); self.choices.len()];
        while let Some((choice, event)) = self.next().await {
            if let CompletionEvent::Failed(error) = event {
                return Err(error.into());
            }
            if let Some(whole) = whole.get_mut(choice as usize) {
                whole.take(event);
            }
        }
        Ok(whole)
    }

    /// Counts what has come. An answer whose model was taken away has broken off, whatever it has written.
    fn note(&mut self, choice: usize, event: CompletionEvent) -> CompletionEvent {
        self.meter(choice, &event);
        let event = match event {
            CompletionEvent::Finished {
                stop: StopReason::ModelEjected,
                ..
            } => CompletionEvent::Failed(Error::ModelEjected {
                model: self.model.clone(),
            }),
            event => event,
        };
        match &event {
            CompletionEvent::Started(_) => self.wait_no_more(1),
            CompletionEvent::Finished { stats, .. } => {
                if let Some(cost) = self.costs.get_mut(choice) {
                    *cost = None;
                }
                self.count(stats);
            }
            CompletionEvent::Failed(error) => {
                self.failed = true;
                self.ticket.failed(error);
            }
            _ => (),
        }
        event
    }

    /// Notes what a choice has cost, should it break off.
    fn meter(&mut self, choice: usize, event: &CompletionEvent) {
        let Some(metered) = self.costs.get_mut(choice) else {
            return;
        };
        match event {
            CompletionEvent::Started(_) => *metered = Some(Cost::default()),
            CompletionEvent::PromptProgress {
                processed, cached, ..
            } => {
                let cost = metered.get_or_insert_default();
                (cost.read, cost.cached) = (processed.saturating_sub(*cached), *cached);
            }
            // A token at least.
            CompletionEvent::Piece(_) => metered.get_or_insert_default().generated += 1,
            CompletionEvent::Finished { stats, .. } => {
                *metered = Some(Cost {
                    read: stats.prompt_tokens.saturating_sub(stats.cached_tokens),
                    cached: stats.cached_tokens,
                    generated: stats.generated_tokens,
                });
            }
            CompletionEvent::Loading(_) | CompletionEvent::Logprobs(_) | CompletionEvent::Failed(_) => (),
        }
    }

    /// An answer has cost this.
    fn count(&self, stats: &TurnStats) {
        self.site.metrics().answered(stats);
        self.ticket.answered(stats);
    }

    /// So many choices wait for their model no longer.
    fn wait_no_more(&mut self, choices: u32) {
        let choices = choices.min(self.waiting);
        self.waiting -= choices;
        self.site.metrics().waits_no_more(choices);
        if self.waiting == 0 {
            self.ticket.taken();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.wait_no_more(self.waiting);
        // What came and nobody took counts as well.
        while self.try_next().is_some() {}
        for cost in self.costs.drain(..).flatten() {
            self.site.metrics().broke_off(cost);
        }
    }
}

/// A whole answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Whole {
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) tool_calls: Vec<ToolCall>,
    pub(super) logprobs: Vec<Logprobs>,
    /// `None` only while it is not whole.
    pub(super) stop: Option<StopReason>,
    pub(super) stats: TurnStats,
}

impl Whole {
    /// Takes what comes next.
    pub(super) fn take(&mut self, event: CompletionEvent) {
        match event {
            CompletionEvent::Piece(Piece::Text(text)) => self.text.push_str(&text),
            CompletionEvent::Piece(Piece::Reasoning(text)) => self.reasoning.push_str(&text),
            CompletionEvent::Piece(Piece::ToolCall { id, name, .. }) => self.tool_calls.push(ToolCall {
                id,
                name,
                arguments: String::new(),
            }),
            CompletionEvent::Piece(Piece::ToolArguments { index, text }) => {
                if let Some(call) = self.tool_calls.get_mut(index as usize) {
                    call.arguments.push_str(&text);
                }
            }
            CompletionEvent::Logprobs(tokens) => self.logprobs.extend(tokens),
            CompletionEvent::Finished { stop, stats } => {
                self.stop = Some(stop);
                self.stats = stats;
            }
            CompletionEvent::Loading(_)
            | CompletionEvent::Started(_)
            | CompletionEvent::PromptProgress { .. }
            | CompletionEvent::Failed(_) => (),
        }
    }
}
