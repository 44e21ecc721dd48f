//! Wire types of Anthropic's HTTP interface: `POST /v1/messages`, `POST /v1/messages/count_tokens` and the
//! models.
//!
//! They mirror the wire and nothing else. Turning them into what runs is the server's work.

pub mod answer;
pub mod event;
pub mod model;
pub mod request;

#[cfg(test)]
mod tests;
