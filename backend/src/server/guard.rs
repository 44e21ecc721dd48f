//! What every request meets before its handler: whom it may be from, its key, its body; and the line in the log.

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hearth_protocol::server::ServerConfig;

use super::body;
use super::connection::Peer;
use super::format::Format;
use super::refusal::Refusal;
use super::site::Site;
use super::ticket::{Sent, Ticket};

mod host;
mod origin;

use origin::Origin;

/// Lets a request through to its handler, with its body read whole and a [`Ticket`] among its extensions; or answers it
/// with why not, in the shape of its wire format.
pub(super) async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let format = Format::of(request.uri().path());
    if let Some(peer) = request.extensions().get::<Peer>() {
        peer.asks();
    }
    let ticket = Ticket::new(&site, request.method().clone(), request.uri().path());
    // It may change meanwhile.
    let config = site.config();
    let origin = Origin::of(request.headers(), &config.cors_origins);
    let is_preflight = request.method() == Method::OPTIONS;
    let response = match admit(&site, &config, &origin, &request) {
        Ok(()) if is_preflight => Ok(origin::preflight(request.headers())),
        Ok(()) => carry_out(&site, &ticket, request, next).await,
        Err(refusal) => Err(refusal),
    };
    let mut response = response.unwrap_or_else(Refusal::into_response);
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        ticket.refused(refusal.message.clone());
        let asked = response.extensions_mut().remove::<Format>();
        response = asked.unwrap_or(format).refuse(&refusal);
    }
    origin.allow(response.headers_mut());
    ticket.status(response.status());
    response.map(|body| Body::new(Sent::new(body, ticket)))
}

/// Whether the request may come in at all.
fn admit(site: &Site, config: &ServerConfig, origin: &Origin, request: &Request) -> Result<(), Refusal> {
    host::check(request.headers(), request.uri(), config)?;
    if let Origin::Foreign(origin) = origin {
        let message = format!(
            "Web pages of {origin} may not use this server. Add the address to the server's allowed origins if you trust it."
        );
        return Err(Refusal::coded(
            StatusCode::FORBIDDEN,
            "origin_not_allowed",
            message,
        ));
    }
    // A browser asks first and without a key whether it may send one.
    let is_open = request.method() == Method::OPTIONS || Format::is_open(request.uri().path());
    if config.needs_key() && !is_open {
        check_key(site, request.headers())?;
    }
    Ok(())
}

fn check_key(site: &Site, headers: &HeaderMap) -> Result<(), Refusal> {
    let refused = |message| {
        Err(Refusal::coded(
            StatusCode::UNAUTHORIZED,
            "invalid_api_key",
            message,
        ))
    };
    let mut keys = keys(headers).peekable();
    if keys.peek().is_none() {
        return refused(
            "This server needs an API key: send it as “Authorization: Bearer KEY” or “x-api-key: KEY”.",
        );
    }
    if keys.any(|key| site.keys().accepts(key)) {
        return Ok(());
    }
    refused("This API key is not known here, or it was revoked.")
}

/// The keys that a request brings: one that is for others, such as a proxy, does not hide one that is for us.
fn keys(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    fn texts<'headers>(headers: &'headers HeaderMap, name: &str) -> impl Iterator<Item = &'headers str> {
        let values = headers.get_all(name).iter();
        values.filter_map(|value: &HeaderValue| value.to_str().ok())
    }
    let bearers = texts(headers, header::AUTHORIZATION.as_str()).filter_map(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearers.chain(texts(headers, "x-api-key").map(str::trim))
}

/// Reads the body and hands the request to its handler.
async fn carry_out(site: &Site, ticket: &Ticket, request: Request, next: Next) -> Result<Response, Refusal> {
    let (mut parts, body) = request.into_parts();
    let (body, room): (Bytes, _) = body::read(body, site.limits(), site.bodies()).await?;
    if let Some(peer) = parts.extensions.get::<Peer>() {
        peer.is_heard();
    }
    ticket.hold(room);
    let body = body::plain(body, &parts.headers)?;
    ticket.log_prompt(&body);
    parts.extensions.insert(ticket.clone());
    Ok(next.run(Request::from_parts(parts, Body::from(body))).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys_of(written: &[(&'static str, &'static str)]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for (name, value) in written {
            headers.append(*name, HeaderValue::from_static(value));
        }
        keys(&headers).map(str::to_owned).collect()
    }

    #[test]
    fn keys_come_in_either_header() {
        assert_eq!(keys_of(&[("authorization", "Bearer abc")]), ["abc"]);
        assert_eq!(keys_of(&[("authorization", "bearer  abc")]), ["abc"]);
        assert_eq!(keys_of(&[("x-api-key", "abc")]), ["abc"]);
        assert_eq!(
            keys_of(&[("x-api-key", "d"), ("authorization", "Bearer abc")]),
            ["abc", "d"]
        );
    }

    #[test]
    fn only_a_bearer_is_a_key() {
        assert!(keys_of(&[]).is_empty());
        assert!(keys_of(&[("authorization", "Basic abc")]).is_empty());
        assert_eq!(
            keys_of(&[("authorization", "Basic abc"), ("x-api-key", "d")]),
            ["d"]
        );
    }
}
