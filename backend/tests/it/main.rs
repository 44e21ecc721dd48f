//! The backend from outside: through `start` and `Client`, with real workers and scripted ones.

mod app;
mod crash;
mod damaged;
mod engine;
mod scripted;
mod smollm;
mod stop;
mod tiny_gguf;
