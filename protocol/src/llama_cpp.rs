//! Wire types of llama.cpp's server, as in its `tools/server/README.md`.
//!
//! They mirror the wire and nothing else. Turning them into what runs is the server's work.

pub mod completion;
pub mod embedding;
pub mod options;
pub mod slot;
pub mod token;
