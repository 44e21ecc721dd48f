//! The backend from outside: through `start` and `Client`, with real workers and scripted ones.
//!
//! Processes are looked for and killed as Unix does it.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute and would refuse their helpers"
)]

mod alone;
mod answers;
mod app;
mod catalogue;
mod chats;
mod complete;
mod crash;
mod damaged;
mod data;
mod embed;
mod ending;
mod engine;
mod estimate;
mod files;
mod formats;
mod gpu;
mod images;
mod llama_cpp;
mod local;
mod memory;
mod options;
mod places;
mod plays;
mod poisoned;
mod prompts;
mod real_worker;
mod released;
mod scripted;
mod served;
mod server;
mod slots;
mod smollm;
mod stop;
mod tiny_bert;
mod tiny_lora;
mod tokens;
mod walk;
mod worker;

use hearth_testhub::tiny_gguf;
