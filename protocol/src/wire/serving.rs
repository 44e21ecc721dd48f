//! The serving side: lines become commands to a client's backend, and what it answers becomes lines.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Fields, Line, Wire, read, unreadable, write};
use crate::{Answer, Client, Command, Error, EventSink, Events, Reply, RequestId, Result, RunEvent, Waker};

/// Most commands of one asking side that are not answered yet.
const MOST_CALLS: usize = 1024;

/// The number of no run: runs begin at 1.
const NO_RUN: RequestId = RequestId(0);

/// Called with the number of a command that has news, once for each, from the thread that answered. Must return at once.
type Ready = Arc<dyn Fn(u64) + Send + Sync>;

/// What one asking side waits for. Dropping it leaves all of it, so that the work stops.
pub struct Serving {
    client: Client,
    calls: HashMap<u64, Call>,
    ready: Ready,
}

/// A command that is not answered, or has more to tell.
struct Call {
    /// The number of its run there, and the one here.
    run: Option<(RequestId, RequestId)>,
    listener: Box<dyn Listener>,
}

impl Serving {
    /// Nothing asked yet; `ready` is told which command has news and hands it to [`Self::news`].
    pub fn new(client: Client, ready: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self {
            client,
            calls: HashMap::new(),
            ready: Arc::new(ready),
        }
    }

    /// Does what a line says; gives the line that refuses a command at once.
    ///
    /// # Errors
    /// Why the line cannot be understood; nothing more is to be read then.
    pub fn hear(&mut self, line: &str) -> Result<Option<String>> {
        match read(line)? {
            Line::Ask {
                call,
                run,
                command,
                fields,
            } => {
                if self.calls.contains_key(&call) {
                    return Err(unreadable(format_args!("it asks {call} twice")));
                }
                let asked = self.ask(call, run, &command, fields);
                Ok(asked.err().map(|error| write(&Line::Failed { call, error })))
            }
            Line::Leave { call } => {
                self.calls.remove(&call);
                Ok(None)
            }
            Line::Bad { error } => Err(error),
            Line::Hello(_) | Line::Answer { .. } | Line::Failed { .. } => {
                Err(unreadable("it answers instead of asking"))
            }
        }
    }

    fn ask(&mut self, call: u64, run: Option<RequestId>, name: &str, mut fields: Fields) -> Result<()> {
        if self.calls.len() >= MOST_CALLS {
            return Err(Error::Busy {
                what: "the Hearth that runs".into(),
                reason: "too many commands wait".into(),
            });
        }
        let mut opening = Opening {
            client: &self.client,
            waker: {
                let ready = Arc::clone(&self.ready);
                Waker::new(move || ready(call))
            },
            opened: None,
        };
        let mut command = Command::put_together(name, &mut fields, &mut opening)?;
        let Some((listener, own_run)) = opening.opened else {
            return Err(Error::internal("a command came without its sender"));
        };
        if let Some(meant) = command.run_meant() {
            *meant = self.own_run(*meant);
        }
        let run = run.zip(own_run);
        self.calls.insert(call, Call { run, listener });
        self.client.submit(command);
        Ok(())
    }

    /// What a run of the asking side is called here. One that is over is called nothing.
    fn own_run(&self, theirs: RequestId) -> RequestId {
        let runs = self.calls.values().filter_map(|call| call.run);
        let mut own = runs.filter_map(|(there, here)| (there == theirs).then_some(here));
        own.next().unwrap_or(NO_RUN)
    }

    /// The line that tells the next news of a command; `None` where it was left.
    pub fn news(&mut self, call: u64) -> Option<String> {
        let news = self.calls.get(&call)?.listener.next()?;
        if news.is_last() {
            self.calls.remove(&call);
        }
        Some(write(&news.line(call)))
    }
}

/// How the sender of a command is made that comes over the wire.
pub(crate) struct Opening<'a> {
    client: &'a Client,
    waker: Waker,
    opened: Option<(Box<dyn Listener>, Option<RequestId>)>,
}

impl Opening<'_> {
    /// The sender.
    pub(crate) fn open<S: Opened>(&mut self) -> S {
        let (sender, listener, run) = S::open(self.waker.clone(), self.client);
        self.opened = Some((listener, run));
        sender
    }
}

/// A sender with what listens to it.
pub(crate) trait Opened: Sized {
    fn open(waker: Waker, client: &Client) -> (Self, Box<dyn Listener>, Option<RequestId>);
}

impl<T: Wire> Opened for Reply<T> {
    fn open(waker: Waker, _: &Client) -> (Self, Box<dyn Listener>, Option<RequestId>) {
        let (reply, answer) = Self::new(waker);
        (reply, Box::new(answer), None)
    }
}

impl<E: Wire + RunEvent> Opened for EventSink<E> {
    fn open(waker: Waker, client: &Client) -> (Self, Box<dyn Listener>, Option<RequestId>) {
        let run = client.next_run();
        let (sink, events) = Self::new(run, waker);
        (sink, Box::new(events), Some(run))
    }
}

/// What listens to a command.
pub(crate) trait Listener: Send {
    /// What came next.
    fn next(&self) -> Option<News>;
}

/// What a command told.
pub(crate) struct News {
    body: Result<serde_json::Value>,
    last: bool,
}

impl News {
    fn new(body: &impl Wire, last: bool) -> Self {
        let body = body.to_wire().map_err(Error::internal);
        Self { body, last }
    }

    /// Whether nothing more is to come; what cannot be told ends it too.
    fn is_last(&self) -> bool {
        self.last || self.body.is_err()
    }

    fn line(self, call: u64) -> Line {
        match self.body {
            Ok(body) => Line::Answer { call, body },
            Err(error) => Line::Failed { call, error },
        }
    }
}

impl<T: Wire> Listener for Answer<T> {
    fn next(&self) -> Option<News> {
        Some(match self.try_take()? {
            Ok(answer) => News::new(&answer, true),
            Err(error) => News {
                body: Err(error),
                last: true,
            },
        })
    }
}

impl<E: Wire + RunEvent> Listener for Events<E> {
    fn next(&self) -> Option<News> {
        let event = self.try_next()?.body;
        Some(News::new(&event, event.is_terminal()))
    }
}
