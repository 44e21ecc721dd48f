//! llama.cpp's interface, as its server has it (`tools/server/README.md`), and what other interfaces take over from it.

mod health;
pub(super) mod timings;

use super::routes::Route;

/// The routes of this interface.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/health", health::health),
        Route::get("/v1/health", health::health),
    ]
}
