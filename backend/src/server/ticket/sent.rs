//! A body that knows when its last byte has been handed over.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

use super::Ticket;

/// The body of an answer, with the ticket of its request in it.
pub(in crate::server) struct Sent {
    body: Body,
    ticket: Ticket,
}

impl Sent {
    pub(in crate::server) fn new(body: Body, ticket: Ticket) -> Self {
        if body.is_end_stream() {
            ticket.whole();
        }
        Self { body, ticket }
    }
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.ticket.log_answer(data);
        }
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.ticket.whole();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
