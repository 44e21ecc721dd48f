//! How soon the worker is idle after the client of the local server has left.

use std::thread::sleep;
use std::time::{Duration, Instant};

use hearth_protocol::engine::LoadOptions;

use super::{Line, Series, Target, Unit, milliseconds};
use crate::figures::Summary;
use crate::hearth::Hearth;
use crate::peers::{Client, Message, Request, Server};
use crate::stage::{Both, Stage};

/// Tokens of the prompt.
const PROMPT: u32 = 4000;

/// Tokens of an answer that nobody waits for: more than are written until its client leaves.
const WRITTEN: u32 = 4000;

/// Pieces of an answer that are heard before its client leaves.
const HEARD: usize = 10;

/// From the client's leaving to an idle worker, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Left {
    /// In the middle of a stream.
    streaming: f64,
    /// While the prompt is read.
    reading: f64,
    /// While the prompt is read for an answer that comes whole.
    whole: f64,
}

pub(super) fn leave(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let ours = hearth.serve()?;
    let server = stage.server(&[])?;
    let long = || stage.words(hearth.words_for(PROMPT));
    let half = ours.ask(request(&message(long()), 1))?.first_token()? / 2;
    let rounds = stage.in_turn(
        |_| {
            leave_thrice(ours, [stage.words(1), long(), long()], half, |stop| {
                idle_after(&hearth, stop)
            })
        },
        |_| {
            let theirs = server.as_ref().map(|server| {
                let texts = [stage.words(1), long(), long()];
                leave_thrice(server.client(), texts, half, |stop| {
                    server_idle_after(server, stop)
                })
            });
            theirs.transpose()
        },
    )?;
    let line = |what, of: fn(&Left) -> f64| {
        let figures = rounds.iter().map(|both| Both {
            ours: of(&both.ours),
            theirs: both.theirs.as_ref().map(of),
        });
        let line = Line {
            summary: Summary::P95,
            ..Line::new(
                what,
                Unit::Milliseconds,
                "llama-server",
                Some(Target::AtMost(50.0)),
            )
        };
        line.measured(figures)
    };
    Ok(vec![
        line(
            "from a client's leaving in mid-stream to an idle worker",
            |left| left.streaming,
        ),
        line("the same while its prompt of 4,000 tokens is read", |left| {
            left.reading
        }),
        line("the same for an answer that comes whole", |left| left.whole),
    ])
}

/// Leaves three requests; `idle_after` carries the leaving out, and waits until no work is done.
fn leave_thrice(
    client: Client,
    [short, long, whole]: [String; 3],
    half: Duration,
    idle_after: impl Fn(&mut dyn FnMut()) -> anyhow::Result<Duration>,
) -> anyhow::Result<Left> {
    let took = |stop: &mut dyn FnMut()| anyhow::Ok(milliseconds(idle_after(stop)?));
    let mut stream = client.send(request(&message(short), WRITTEN))?;
    stream.wait_for_pieces(HEARD)?;
    let mut stream = Some(stream);
    let streaming = took(&mut || drop(stream.take()))?;
    let mut stream = Some(client.send(request(&message(long), 1))?);
    sleep(half);
    let reading = took(&mut || drop(stream.take()))?;
    let mut answer = Some(client.send_whole(request(&message(whole), 1))?);
    sleep(half);
    let whole = took(&mut || drop(answer.take()))?;
    Ok(Left {
        streaming,
        reading,
        whole,
    })
}

fn idle_after(hearth: &Hearth, leave: &mut dyn FnMut()) -> anyhow::Result<Duration> {
    hearth.idle_after(|| {
        leave();
        Ok(())
    })
}

fn server_idle_after(server: &Server, leave: &mut dyn FnMut()) -> anyhow::Result<Duration> {
    let left_at = Instant::now();
    leave();
    server.wait_until_idle()?;
    Ok(left_at.elapsed())
}

fn message(text: String) -> [Message; 1] {
    [Message::new("user", text)]
}

fn request(messages: &[Message], tokens: u32) -> Request<'_> {
    Request { messages, tokens }
}
