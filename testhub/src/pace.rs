//! Connections that give only so many bytes a second each, as those of a real file host do.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep_until};

/// How much goes at once, as a time at the pace: long beside the ticks of a timer, short beside a download.
const STEP: Duration = Duration::from_millis(20);

/// A listener whose connections keep a pace.
pub(crate) struct PacedListener {
    pub(crate) listener: TcpListener,
    /// Bytes a second of each; `None` sends as fast as it goes.
    pub(crate) bytes_per_second: Option<u32>,
}

/// A connection that sends no faster than its pace.
pub(crate) struct Paced {
    stream: TcpStream,
    pace: Option<Pace>,
}

struct Pace {
    meter: Meter,
    sleep: Pin<Box<Sleep>>,
}

/// What a pace allows. Pure, with the time passed in.
struct Meter {
    bytes_per_second: f64,
    /// When all that was sent is paid for.
    paid_at: Instant,
}

impl Listener for PacedListener {
    type Io = Paced;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Paced, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let pace = self.bytes_per_second.map(Pace::new);
        (Paced { stream, pace }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Pace {
    fn new(bytes_per_second: u32) -> Self {
        let now = Instant::now();
        Self {
            meter: Meter::new(bytes_per_second, now),
            sleep: Box::pin(sleep_until(now)),
        }
    }

    /// How many bytes may go now; waits where none may.
    fn poll_allowed(&mut self, context: &mut Context<'_>) -> Poll<usize> {
        if self.meter.paid_at > Instant::now() {
            self.sleep.as_mut().reset(self.meter.paid_at);
            ready!(self.sleep.as_mut().poll(context));
        }
        Poll::Ready(self.meter.step())
    }
}

impl Meter {
    fn new(bytes_per_second: u32, now: Instant) -> Self {
        Self {
            bytes_per_second: f64::from(bytes_per_second.max(1)),
            paid_at: now,
        }
    }

    /// The most bytes that go at once.
    fn step(&self) -> usize {
        ((self.bytes_per_second * STEP.as_secs_f64()) as usize).max(1)
    }

    /// Counts bytes that went. A connection that had nothing to send for a while saves up no more than a step.
    fn pay(&mut self, now: Instant, bytes: usize) {
        let earliest = now.checked_sub(STEP).unwrap_or(self.paid_at);
        let took = Duration::from_secs_f64(bytes as f64 / self.bytes_per_second);
        self.paid_at = self.paid_at.max(earliest) + took;
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let Some(pace) = &mut this.pace else {
            return Pin::new(&mut this.stream).poll_write(context, bytes);
        };
        let allowed = ready!(pace.poll_allowed(context)).min(bytes.len());
        let written = ready!(Pin::new(&mut this.stream).poll_write(context, &bytes[..allowed]))?;
        pace.meter.pay(Instant::now(), written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.pace.is_none() {
            return Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        }
        let piece = pieces.iter().find(|piece| !piece.is_empty());
        self.poll_write(context, piece.map_or(&[][..], |piece| &**piece))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_the_time_of_the_pace_and_a_rest_saves_up_a_step() {
        let start = Instant::now();
        let mut meter = Meter::new(1_000_000, start);
        assert_eq!(meter.step(), 20_000);
        let mut now = start;
        for _ in 0..50 {
            meter.pay(now, meter.step());
            // The timer wakes late; what that lost is made up for.
            now = meter.paid_at + Duration::from_millis(1);
        }
        assert_eq!(meter.paid_at, start + Duration::from_secs(1));
        now += Duration::from_secs(3600);
        meter.pay(now, 3 * meter.step());
        assert_eq!(meter.paid_at, now + 2 * STEP);
    }
}
