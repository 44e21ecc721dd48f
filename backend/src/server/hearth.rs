//! Hearth's own interface, `/api/v1`: the library, what is in memory, downloads. Fields may be added, none is renamed.

mod downloads;
mod eject;
mod load;
mod models;
mod status;
mod stream;

use super::routes::Route;

/// The routes of this interface.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/models", models::list),
        Route::post("/api/v1/models/load", load::load),
        Route::post("/api/v1/models/eject", eject::eject),
        Route::post("/api/v1/models/download", downloads::start),
        Route::get("/api/v1/downloads", downloads::list),
        Route::post("/api/v1/downloads/{id}/pause", downloads::pause),
        Route::post("/api/v1/downloads/{id}/resume", downloads::resume),
        Route::post("/api/v1/downloads/{id}/cancel", downloads::cancel),
        Route::get("/api/v1/status", status::status),
    ]
}
