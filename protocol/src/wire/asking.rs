//! The asking side: each command gets a number, and its answer finds back.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::{Line, Wire, read, unreadable, write};
use crate::{Command, Error, EventSink, Reply, RequestId, Result, RunEvent};

/// Called with the number of a command whose listener has left, from the thread that left. Must return at once.
type Left = Arc<dyn Fn(u64) + Send + Sync>;

/// What was asked and is not answered. Dropping it answers all of it with [`Error::BackendGone`].
pub struct Asking {
    open: HashMap<u64, Box<dyn WayBack>>,
    last: u64,
    left: Left,
}

impl Asking {
    /// Nothing asked yet; `left` is told who has left and hands it to [`Self::leave`].
    pub fn new(left: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self {
            open: HashMap::new(),
            last: 0,
            left: Arc::new(left),
        }
    }

    /// The line that asks; `None` for a command that cannot be told, which is answered with why.
    pub fn ask(&mut self, command: Command) -> Option<String> {
        let name = command.name();
        let (fields, way_back) = command.take_apart();
        let fields = match fields.whole() {
            Ok(fields) => fields,
            Err(error) => {
                drop(way_back.hear(Err(error)));
                return None;
            }
        };
        self.last += 1;
        let (call, left) = (self.last, Arc::clone(&self.left));
        way_back.when_left(Box::new(move || left(call)));
        let line = Line::Ask {
            call,
            run: way_back.run(),
            command: name.to_owned(),
            fields,
        };
        self.open.insert(call, way_back);
        Some(write(&line))
    }

    /// The line that tells that a listener has left; `None` where its command is over.
    pub fn leave(&mut self, call: u64) -> Option<String> {
        self.open.remove(&call).map(|_| write(&Line::Leave { call }))
    }

    /// Hands on what was answered.
    ///
    /// # Errors
    /// Why the other side cannot be understood, or does not understand this one; nothing more comes of it.
    pub fn hear(&mut self, line: &str) -> Result<()> {
        let (call, news) = match read(line)? {
            Line::Answer { call, body } => (call, Ok(body)),
            Line::Failed { call, error } => (call, Err(error)),
            Line::Bad { error } => return Err(error),
            Line::Hello(_) | Line::Ask { .. } | Line::Leave { .. } => {
                return Err(unreadable("it asks instead of answering"));
            }
        };
        // What comes for one who has left crossed the news of it.
        if let Some(more) = self.open.remove(&call).and_then(|way_back| way_back.hear(news)) {
            self.open.insert(call, more);
        }
        Ok(())
    }
}

/// The sender that a command carries, fed with what comes over the wire.
pub(crate) trait WayBack: Send {
    /// Hands on an answer or an event; gives itself back where more may come.
    fn hear(self: Box<Self>, news: Result<Value>) -> Option<Box<dyn WayBack>>;
    /// The run of its events.
    fn run(&self) -> Option<RequestId>;
    /// Calls `hook` when nobody listens to its events any more.
    fn when_left(&self, hook: Box<dyn FnOnce() + Send>);
}

impl<T: Wire> WayBack for Reply<T> {
    fn hear(self: Box<Self>, news: Result<Value>) -> Option<Box<dyn WayBack>> {
        self.send(news.and_then(understood));
        None
    }
    fn run(&self) -> Option<RequestId> {
        None
    }
    fn when_left(&self, _: Box<dyn FnOnce() + Send>) {
        // One answer stops no work, whoever waits for it.
    }
}

impl<E: Wire + RunEvent> WayBack for EventSink<E> {
    fn hear(mut self: Box<Self>, news: Result<Value>) -> Option<Box<dyn WayBack>> {
        let event: E = match news.and_then(understood) {
            Ok(event) => event,
            Err(error) => {
                self.refuse(error);
                return None;
            }
        };
        let is_over = event.is_terminal();
        // Who has left has told it.
        self.send(event).ok();
        (!is_over).then_some(self)
    }
    fn run(&self) -> Option<RequestId> {
        Some(self.request())
    }
    fn when_left(&self, hook: Box<dyn FnOnce() + Send>) {
        self.on_abandoned(hook);
    }
}

fn understood<T: Wire>(body: Value) -> Result<T> {
    T::from_wire(body).map_err(|error| Error::OtherHearth {
        problem: format!("its answer cannot be read, since it is of another version: {error}"),
    })
}
