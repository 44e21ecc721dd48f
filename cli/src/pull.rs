//! `hearth-cli pull`: downloads a model file, or goes on where that stood.

use std::cell::RefCell;
use std::io::{self, Write};

use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::FileState;
use hearth_protocol::{ByteSize, Client, DownloadId, Error, ModelId};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::arguments::PullArguments;
use crate::exit::{Exit, Failure};
use crate::get::{HubName, choose};
use crate::interrupts::{Interrupts, Next};
use crate::text::printable;

/// Steps of the bar, so that it moves smoothly whatever the size.
const STEPS: u64 = 1000;

/// What a script sees of an event. Fields may be added, none is renamed.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// How it stands.
    Progress { download: &'a Download },
    /// It is in the library.
    Finished { download: &'a Download },
    /// It waits: Ctrl-C was pressed. The same command goes on.
    Paused { download: &'a Download },
}

/// Downloads and shows how it goes. Ctrl-C pauses.
pub(crate) fn pull(
    client: &Client,
    interrupts: &Interrupts,
    arguments: PullArguments,
) -> Result<Exit, Failure> {
    let name = HubName::typed(client, &arguments.model).ok_or(Failure::Usage(
        "MODEL must be OWNER/NAME, OWNER/NAME:FILE or a link to a model's page.",
    ))?;
    let view = View::new(arguments.json)?;
    let request = choose(client, interrupts, name, arguments.revision.clone())?;
    let outcome = follow(client, interrupts, request, &view);
    view.clear();
    let download = outcome?;
    let exit = view.end(&download)?;
    warn_of_damage(client, &download)?;
    Ok(exit)
}

/// Says of a file that came as the hub has it, and is no whole model all the same, that it is none.
fn warn_of_damage(client: &Client, download: &Download) -> Result<(), Failure> {
    let DownloadState::Done { file: Some(file), .. } = &download.state else {
        return Ok(());
    };
    let listed = client.find_files(ModelRef::File(file.clone())).wait()?;
    if let Some(FileState::Damaged { reason }) = listed.first().map(|file| &file.state) {
        let line = format!("It came as the hub has it, and cannot be loaded: {reason}.");
        writeln!(io::stderr().lock(), "{}", printable(&line))?;
    }
    Ok(())
}

/// The download as it stands when it neither runs nor waits for its turn.
pub(crate) fn follow(
    client: &Client,
    interrupts: &Interrupts,
    request: DownloadRequest,
    view: &View,
) -> Result<Download, Failure> {
    let _run = interrupts.run();
    let mut name = request.model.clone();
    let id = client.start_download(request).wait()?;
    let events = client.watch_downloads();
    let mut paused = false;
    loop {
        let download = match interrupts.next(&events) {
            Next::Event(DownloadEvent::Changed(download)) if download.id == id => download,
            Next::Event(DownloadEvent::Closed(error)) => return Err(error.into()),
            Next::Event(_) => continue,
            Next::Interrupt if !paused => {
                paused = true;
                pause(client, id);
                continue;
            }
            Next::Interrupt => return Err(Error::Cancelled.into()),
        };
        if download.request.model != name {
            view.tell_new_name(&name, &download.request.model)?;
            name.clone_from(&download.request.model);
        }
        match &download.state {
            DownloadState::Queued | DownloadState::Running { .. } | DownloadState::Verifying => {
                view.show(&download)?;
            }
            DownloadState::Paused { reason: Some(error) } | DownloadState::Failed { error } => {
                return Err(error.clone().into());
            }
            DownloadState::Paused { reason: None } | DownloadState::Done { .. } => return Ok(download),
        }
    }
}

/// Asks for a pause. News of it come with all others; this answer is not waited for.
fn pause(client: &Client, id: DownloadId) {
    drop(client.pause_download(id));
}

/// Where news go.
pub(crate) struct View {
    json: bool,
    bar: ProgressBar,
    /// What was last told to be in the way.
    trouble: RefCell<Option<String>>,
}

impl View {
    pub(crate) fn new(json: bool) -> Result<Self, Failure> {
        let style = ProgressStyle::with_template("{bar:30} {wide_msg}");
        let style = style.map_err(|error| Failure::Hearth(Error::internal(error)))?;
        // On standard error, and nowhere if that is no terminal.
        let bar = if json {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(STEPS)
        };
        Ok(Self {
            json,
            bar: bar.with_style(style),
            trouble: RefCell::default(),
        })
    }

    /// Takes the bar from the terminal.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, download: &Download) -> Result<(), Failure> {
        if self.json {
            return self.write(&Line::Progress { download });
        }
        if let Some(line) = self.new_trouble(download).filter(|_| !self.bar.is_hidden()) {
            self.write_above(&line)?;
        }
        let total = download.total.map_or(0, |total| total.0);
        self.bar
            .set_position((download.done.0 * STEPS).checked_div(total).unwrap_or(0));
        self.bar.set_message(printable(&words(download)));
        Ok(())
    }

    /// Tells that the hub calls the model by another name now.
    fn tell_new_name(&self, old: &ModelId, new: &ModelId) -> Result<(), Failure> {
        self.write_above(&format!("{old} is called {new} now; that is what is downloaded."))
    }

    /// What is in the way since the last news of it, in full: the bar ends where its line does.
    fn new_trouble(&self, download: &Download) -> Option<String> {
        let trouble = match &download.state {
            DownloadState::Running { trouble, .. } => trouble.clone(),
            _ => None,
        };
        let before = self.trouble.replace(trouble.clone());
        trouble.filter(|trouble| before.as_ref() != Some(trouble))
    }

    /// Writes a line that stays above the bar.
    fn write_above(&self, line: &str) -> Result<(), Failure> {
        let line = printable(line);
        self.bar
            .suspend(|| writeln!(io::stderr().lock(), "{line}"))
            .map_err(Failure::from)
    }

    fn end(&self, download: &Download) -> Result<Exit, Failure> {
        let is_done = matches!(download.state, DownloadState::Done { .. });
        if self.json {
            let line = if is_done {
                Line::Finished { download }
            } else {
                Line::Paused { download }
            };
            self.write(&line)?;
        } else if is_done {
            writeln!(io::stdout().lock(), "{}", printable(&words(download)))?;
        } else {
            writeln!(
                io::stderr().lock(),
                "{} The same command goes on.",
                words(download)
            )?;
        }
        Ok(if is_done { Exit::Done } else { Exit::Interrupted })
    }

    fn write(&self, line: &Line<'_>) -> Result<(), Failure> {
        let mut output = io::stdout().lock();
        serde_json::to_writer(&mut output, line).map_err(io::Error::from)?;
        writeln!(output)?;
        Ok(output.flush()?)
    }
}

/// How a download stands, in a line.
fn words(download: &Download) -> String {
    let amount = match download.total {
        Some(total) => format!("{} of {total}", download.done),
        None => "asking the hub".to_owned(),
    };
    match &download.state {
        DownloadState::Queued => "waiting for its turn".to_owned(),
        DownloadState::Running { trouble: Some(_), .. } => format!("{amount}, trying again"),
        DownloadState::Running {
            bytes_per_second,
            seconds_left,
            trouble: None,
        } => {
            let speed = ByteSize(*bytes_per_second as u64);
            let left = seconds_left.map(|seconds| format!(", {} left", duration(seconds)));
            format!("{amount}, {speed}/s{}", left.unwrap_or_default())
        }
        DownloadState::Verifying => format!("{amount}, comparing"),
        DownloadState::Paused { .. } => format!("Paused at {amount}."),
        DownloadState::Failed { error } => error.to_string(),
        DownloadState::Done { verified, .. } => {
            let name = download
                .request
                .file
                .as_deref()
                .unwrap_or(download.request.model.as_str());
            let doubt = if *verified {
                ""
            } else {
                ", unverified: the hub tells no hash of it"
            };
            format!("{name}: {}{doubt}. `hearth-cli ls` lists it.", download.done)
        }
    }
}

/// Seconds as a person says them: `7 s`, `2 min 5 s`, `3 h 10 min`.
fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn download() -> Download {
        Download {
            id: DownloadId(1),
            request: DownloadRequest {
                model: "o/n".into(),
                file: None,
                revision: None,
            },
            state: DownloadState::Running {
                bytes_per_second: 1_500_000.0,
                seconds_left: Some(125),
                trouble: None,
            },
            done: ByteSize(10_000_000),
            total: Some(ByteSize(200_000_000)),
        }
    }

    #[test]
    fn what_is_in_the_way_is_told_once_and_in_full() {
        let view = View::new(false).expect("a view");
        let mut told = Vec::new();
        let long = "x".repeat(300);
        for news in [None, Some(&long), Some(&long), None, Some(&long)] {
            let mut download = download();
            if let DownloadState::Running { trouble, .. } = &mut download.state {
                *trouble = news.cloned();
            }
            assert!(!words(&download).contains(&long));
            told.push(view.new_trouble(&download));
        }
        assert_eq!(told, [None, Some(long.clone()), None, None, Some(long)]);
    }

    #[test]
    fn a_line_says_how_it_stands() {
        let mut download = download();
        assert_eq!(words(&download), "10.0 MB of 200.0 MB, 1.50 MB/s, 2 min 5 s left");
        download.state = DownloadState::Done {
            verified: false,
            file: None,
        };
        assert!(words(&download).contains("unverified"), "{}", words(&download));
    }
}
