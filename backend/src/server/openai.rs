//! OpenAI's interface. Its wire types are the protocol's; here they become what runs, and back.

mod beside;
pub(super) mod chat;
mod completions;
pub(super) mod embeddings;
pub(super) mod logprobs;
pub(super) mod messages;
pub(super) mod models;
pub(super) mod responses;
pub(super) mod sampling;
mod tools;

use std::time::{SystemTime, UNIX_EPOCH};

use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::openai::{CompletionTokensDetails, FinishReason, PromptTokensDetails, Usage};

use super::field_names::{CHAT, COMPLETIONS, EMBEDDINGS, RESPONSES};
use super::routes::Route;

/// The routes of this interface.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/v1/models", models::list),
        Route::get("/v1/models/{*id}", models::one),
        Route::post("/v1/chat/completions", chat::create).named(&CHAT),
        Route::post("/v1/completions", completions::create).named(&COMPLETIONS),
        Route::post("/v1/embeddings", embeddings::create).named(&EMBEDDINGS),
        Route::post("/v1/responses", responses::create).named(&RESPONSES),
        Route::post("/v1/responses/input_tokens", responses::count).named(&RESPONSES),
        Route::get("/v1/responses/{id}", responses::one),
        Route::delete("/v1/responses/{id}", responses::delete),
        Route::get("/v1/responses/{id}/input_items", responses::input_items),
    ]
}

/// The build of llama.cpp that llama-cpp-sys-2 0.1.161 holds.
const LLAMA_CPP: &str = "b11434";

/// What names the engine's build in answers: llama.cpp's in its own words, then ours.
pub(super) fn fingerprint() -> String {
    format!("{LLAMA_CPP}-hearth-{}", env!("CARGO_PKG_VERSION"))
}

/// Seconds since 1970.
pub(in crate::server) fn seconds_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// A new id, such as `chatcmpl-4fzzzxjylrx`; what it begins with has its sign between.
pub(in crate::server) fn new_id(prefix: &str) -> String {
    let letters: String = std::iter::repeat_with(fastrand::alphanumeric).take(24).collect();
    format!("{prefix}{letters}")
}

/// Why an answer ended, in OpenAI's words.
pub(super) fn finish_reason(stop: &StopReason) -> FinishReason {
    match stop {
        StopReason::TokenLimit | StopReason::ContextFull => FinishReason::Length,
        StopReason::ToolCalls => FinishReason::ToolCalls,
        StopReason::EndOfText
        | StopReason::StopString { .. }
        | StopReason::UserStopped
        | StopReason::ModelEjected
        | StopReason::Failed { .. } => FinishReason::Stop,
    }
}

/// What answers to one prompt cost together: the prompt counts once.
pub(super) fn usage<'stats>(answers: impl IntoIterator<Item = &'stats TurnStats>) -> Usage {
    let (mut prompt, mut cached, mut generated, mut reasoning) = (0, 0, 0, 0);
    for stats in answers {
        prompt = stats.prompt_tokens.max(prompt);
        cached = stats.cached_tokens.max(cached);
        generated += stats.generated_tokens;
        reasoning += stats.reasoning_tokens;
    }
    Usage {
        completion_tokens: generated,
        prompt_tokens: prompt,
        total_tokens: prompt + generated,
        prompt_tokens_details: Some(PromptTokensDetails {
            cached_tokens: cached,
        }),
        completion_tokens_details: Some(CompletionTokensDetails {
            reasoning_tokens: reasoning,
        }),
    }
}
