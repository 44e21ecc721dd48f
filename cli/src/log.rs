//! `hearth-cli log`: follows the log of the local server.

use std::io::{self, Write};

use hearth_protocol::server::{LogLevel, LogLine, ServerEvent, ServerStatus};
use hearth_protocol::{Client, UnixMillis};
use serde::Serialize;

use crate::arguments::LogArguments;
use crate::exit::{Exit, Failure};
use crate::interrupts::{Interrupts, Next};
use crate::list::json;
use crate::text::printable;
use crate::time::{millisecond, now};

/// What a script sees. Fields may be added, none is renamed.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// A line of the log.
    Line {
        #[serde(flatten)]
        line: &'a LogLine,
    },
    /// So many lines before the next one are not told.
    LeftOut { lines: u64 },
}

/// How the log is shown.
pub(crate) struct LogView {
    /// As lines of JSON.
    json: bool,
    /// Of what was logged before it began, only so many lines; `None` all of them.
    before: Option<usize>,
    began: UnixMillis,
}

/// Why following ended.
pub(crate) enum Ended {
    /// Ctrl-C, or the system's wish.
    Interrupted,
    /// The server was stopped.
    Stopped,
}

/// Shows what was logged and what is, until Ctrl-C.
pub(crate) fn log(
    client: &Client,
    interrupts: &Interrupts,
    arguments: &LogArguments,
) -> Result<Exit, Failure> {
    let _run = interrupts.run();
    let view = LogView::new(arguments.json, arguments.lines);
    // It is followed through stops and starts of the server.
    follow(client, interrupts, &view, false)?;
    Ok(Exit::Interrupted)
}

/// Shows the log until Ctrl-C, or until the server is stopped where `until_stopped`.
pub(crate) fn follow(
    client: &Client,
    interrupts: &Interrupts,
    view: &LogView,
    until_stopped: bool,
) -> Result<Ended, Failure> {
    let events = client.watch_server();
    loop {
        match interrupts.next(&events) {
            Next::Event(ServerEvent::Lines { lines, left_out }) => view.show(&lines, left_out)?,
            Next::Event(ServerEvent::Status(ServerStatus::Stopped)) if until_stopped => {
                return Ok(Ended::Stopped);
            }
            Next::Event(ServerEvent::Status(_) | ServerEvent::Keys(_)) => (),
            Next::Event(ServerEvent::Closed(error)) => return Err(error.into()),
            Next::Interrupt => return Ok(Ended::Interrupted),
        }
    }
}

impl LogView {
    pub(crate) fn new(json: bool, before: Option<usize>) -> Self {
        Self {
            json,
            before,
            began: now(),
        }
    }

    fn show(&self, lines: &[LogLine], left_out: u64) -> Result<(), Failure> {
        let old = lines.iter().take_while(|line| line.at < self.began).count();
        let skipped = self.before.map_or(0, |most| old.saturating_sub(most));
        if left_out > 0 && skipped == 0 {
            self.tell_gap(left_out)?;
        }
        for line in lines.iter().skip(skipped) {
            if self.json {
                json(&Line::Line { line })?;
            } else {
                let text = format!("{} {} {}", millisecond(line.at), level(line.level), line.text);
                writeln!(io::stdout().lock(), "{}", printable(&text))?;
            }
        }
        Ok(())
    }

    fn tell_gap(&self, lines: u64) -> Result<(), Failure> {
        match self.json {
            true => json(&Line::LeftOut { lines }).map(|_| ()),
            false => Ok(writeln!(io::stdout().lock(), "… {lines} lines are left out")?),
        }
    }
}

fn level(level: LogLevel) -> &'static str {
    match level {
        LogLevel::Info => "info   ",
        LogLevel::Request => "request",
        LogLevel::Warning => "warning",
        LogLevel::Error => "error  ",
    }
}
