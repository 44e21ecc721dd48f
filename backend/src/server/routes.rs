//! Every route there is, in one table: what is not here is 404.

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodFilter, MethodRouter, on};

use super::field_names::{self, FieldNames};
use super::guard::guard;
use super::refusal::Refusal;
use super::site::Site;
use super::{anthropic, hearth, llama_cpp, openai, openapi};

/// A route.
pub(super) struct Route {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests hold the table against what is described")
    )]
    pub(super) method: Method,
    pub(super) path: &'static str,
    handler: MethodRouter<Site>,
}

impl Route {
    fn new<T: 'static>(
        filter: MethodFilter,
        method: Method,
        path: &'static str,
        handler: impl Handler<T, Site>,
    ) -> Self {
        Self {
            method,
            path,
            handler: on(filter, handler),
        }
    }

    pub(super) fn get<T: 'static>(path: &'static str, handler: impl Handler<T, Site>) -> Self {
        Self::new(MethodFilter::GET, Method::GET, path, handler)
    }

    pub(super) fn post<T: 'static>(path: &'static str, handler: impl Handler<T, Site>) -> Self {
        Self::new(MethodFilter::POST, Method::POST, path, handler)
    }

    /// Names the fields of its refusals as its interface does.
    pub(super) fn named(mut self, names: &'static FieldNames) -> Self {
        let put_right = move |request, next| field_names::put_right(names, request, next);
        self.handler = self.handler.layer(axum::middleware::from_fn(put_right));
        self
    }

    pub(super) fn delete<T: 'static>(path: &'static str, handler: impl Handler<T, Site>) -> Self {
        Self::new(MethodFilter::DELETE, Method::DELETE, path, handler)
    }
}

/// All routes, by interface.
pub(super) fn routes() -> Vec<Route> {
    let mut routes = openai::routes();
    routes.extend(anthropic::routes());
    routes.extend(llama_cpp::routes());
    routes.extend(hearth::routes());
    routes.extend(openapi::routes());
    routes
}

/// What answers requests.
pub(super) fn router(site: Site) -> Router {
    let router = routes().into_iter().fold(Router::new(), |router, route| {
        router.route(route.path, route.handler)
    });
    router
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(site.clone(), guard))
        // The guard has read the body, and set its limits.
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(site)
}

async fn unknown(request: Request) -> Refusal {
    let path = request.uri().path();
    let message = format!("There is nothing at {path}. What there is stands in /openapi.json.");
    Refusal::new(StatusCode::NOT_FOUND, message)
}

async fn wrong_method(request: Request) -> Refusal {
    let message = format!("{} does not take {}.", request.uri().path(), request.method());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
}
