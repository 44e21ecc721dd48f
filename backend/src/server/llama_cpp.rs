//! llama.cpp's interface, as its server has it (`tools/server/README.md`), and what other interfaces take over from it.

mod completion;
mod embedding;
mod health;
mod metrics;
mod props;
pub(super) mod slots;
pub(super) mod template;
pub(super) mod timings;
mod tokens;

use super::field_names::{CHAT, NATIVE, NATIVE_EMBEDDINGS, RESPONSES};
use super::openai;
use super::routes::Route;

/// The routes of this interface: its own, and those under which it has OpenAI's too.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/health", health::health),
        Route::get("/v1/health", health::health),
        Route::get("/metrics", metrics::metrics),
        Route::get("/props", props::read),
        Route::post("/props", props::change),
        Route::get("/slots", slots::list),
        Route::post("/slots/{id}", slots::change).named(&NATIVE),
        Route::post("/completion", completion::create).named(&NATIVE),
        Route::post("/completions", completion::create).named(&NATIVE),
        Route::post("/infill", completion::infill).named(&NATIVE),
        Route::post("/tokenize", tokens::tokenize),
        Route::post("/detokenize", tokens::detokenize),
        Route::post("/apply-template", template::apply).named(&CHAT),
        Route::post("/embedding", embedding::create).named(&NATIVE_EMBEDDINGS),
        Route::post("/embeddings", embedding::create).named(&NATIVE_EMBEDDINGS),
        Route::get("/models", openai::models::list),
        Route::post("/chat/completions", openai::chat::create).named(&CHAT),
        Route::post("/responses", openai::responses::create).named(&RESPONSES),
        Route::post("/chat/completions/input_tokens", template::count).named(&CHAT),
        Route::post("/v1/chat/completions/input_tokens", template::count).named(&CHAT),
    ]
}
