//! The hub itself: lists, models, trees, accounts, and where files are.

use std::sync::Arc;

use axum::body::Body;
use axum::extract;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri, header};
use serde_json::{Value, json};

use crate::fault::{Fault, Place};
use crate::files;
use crate::held;
use crate::query::parameters;
use crate::repo::{File, Gate, Repo, is_large};
use crate::search::search;
use crate::state::{State, World};

/// Answers a request to the hub.
pub(crate) async fn answer(
    extract::State(state): extract::State<Arc<State>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let path = uri.path().trim_start_matches('/');
    let place = if path.starts_with("api/") {
        Place::Api
    } else {
        Place::Resolve
    };
    let fault = state.lock().meet(place, &method, &uri, &headers);
    if fault == Some(Fault::Hold) {
        held::hold(&state).await;
    }
    if let Some(answer) = fault.as_ref().and_then(played) {
        return answer;
    }
    let world = state.lock();
    if world.account(&headers).is_err() {
        return refusal(
            StatusCode::UNAUTHORIZED,
            None,
            "Invalid credentials in Authorization header",
        );
    }
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["api", "whoami-v2"] => match world.account(&headers) {
            Ok(Some((name, _))) => object(&json!({ "type": "user", "name": name, "fullname": name })),
            _ => refusal(StatusCode::UNAUTHORIZED, None, "Invalid username or password."),
        },
        ["api", "models"] => search(&state, &world, &uri),
        ["api", "models", owner, name, rest @ ..] => {
            let id = format!("{owner}/{name}");
            match find(&world, &id, &headers, &uri) {
                Ok(repo) => about(&state, &world, repo, rest, &uri),
                Err(answer) => *answer,
            }
        }
        [owner, name, "resolve", revision, file @ ..] => {
            let id = format!("{owner}/{name}");
            match find(&world, &id, &headers, &uri) {
                Ok(repo) => resolve(&state, &world, repo, revision, &file.join("/"), &headers),
                Err(answer) => *answer,
            }
        }
        _ => plain(StatusCode::NOT_FOUND, "Not Found"),
    }
}

/// The repository, or why it is not shown.
fn find<'a>(
    world: &'a World,
    id: &str,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<&'a Repo, Box<Response<Body>>> {
    let account = world.account(headers).ok().flatten();
    let repo = world.repos.get(id);
    if let Some(name) = repo.and_then(|repo| repo.renamed_to.as_deref()) {
        let to = uri.to_string().replace(id, name);
        let answer = Response::builder()
            .status(StatusCode::TEMPORARY_REDIRECT)
            .header(header::LOCATION, to);
        return Err(Box::new(answer.body(Body::empty()).expect("a response")));
    }
    let is_hidden = |repo: &&Repo| {
        repo.gate == Gate::Private && !account.is_some_and(|(_, granted)| granted.contains(&repo.name))
    };
    match repo.filter(|repo| !is_hidden(repo)) {
        Some(repo) => Ok(repo),
        // To strangers the hub does not tell whether a repository is missing or hidden.
        None if account.is_none() => Err(Box::new(refusal(
            StatusCode::UNAUTHORIZED,
            Some("RepoNotFound"),
            "Invalid username or password.",
        ))),
        None => Err(Box::new(refusal(
            StatusCode::NOT_FOUND,
            Some("RepoNotFound"),
            "Repository not found",
        ))),
    }
}

/// Of a list the page that the cursor names, with the address of the next.
pub(crate) fn page(state: &State, uri: &Uri, entries: Vec<Value>, length: usize) -> Response<Body> {
    let start: usize = parameters(uri, "cursor")
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let end = (start + length).min(entries.len());
    let mut response = Response::builder().header(header::CONTENT_TYPE, "application/json");
    if end < entries.len() {
        let query: Vec<&str> = uri.query().unwrap_or("").split('&').collect();
        let kept = query
            .iter()
            .filter(|pair| !pair.is_empty() && !pair.starts_with("cursor="));
        let query: String = kept.map(|pair| format!("{pair}&")).collect();
        let next = format!(
            "<http://{}{}?{query}cursor={end}>; rel=\"next\"",
            state.hub,
            uri.path()
        );
        response = response.header(header::LINK, next);
    }
    let body = Value::from(entries.get(start..end).unwrap_or_default()).to_string();
    response.body(Body::from(body)).expect("a response")
}

/// `[]`, `[revision, R]` or `[tree, R, …]` below a repository.
fn about(state: &State, world: &World, repo: &Repo, rest: &[&str], uri: &Uri) -> Response<Body> {
    let blobs = match parameters(uri, "blobs").next().as_deref() {
        Some("true" | "1") => Blobs::Told,
        _ => Blobs::Left,
    };
    match rest {
        [] => object(&entry(repo, blobs)),
        ["revision", revision] if knows(repo, revision) => object(&entry(repo, blobs)),
        ["tree", revision, ..] if knows(repo, revision) => {
            let entries = repo.files.iter().map(|(path, file)| {
                let size = file.body.len();
                let mut entry = json!({ "type": "file", "path": path, "size": size, "oid": file.blob_id() });
                if is_large(path) && repo.tells_hashes {
                    entry["lfs"] = json!({ "oid": told_hash(repo, file), "size": size, "pointerSize": 134 });
                }
                entry
            });
            page(state, uri, entries.collect(), world.page_length)
        }
        ["revision" | "tree", ..] => {
            refusal(StatusCode::NOT_FOUND, Some("RevisionNotFound"), "Invalid rev id")
        }
        _ => plain(StatusCode::NOT_FOUND, "Not Found"),
    }
}

fn resolve(
    state: &Arc<State>,
    world: &World,
    repo: &Repo,
    revision: &str,
    file: &str,
    headers: &HeaderMap,
) -> Response<Body> {
    if !knows(repo, revision) {
        return refusal(StatusCode::NOT_FOUND, Some("RevisionNotFound"), "Invalid rev id");
    }
    let account = world.account(headers).ok().flatten();
    let granted = account.is_some_and(|(_, granted)| granted.contains(&repo.name));
    if matches!(repo.gate, Gate::Auto | Gate::Manual) && !granted {
        let status = if account.is_some() {
            StatusCode::FORBIDDEN
        } else {
            StatusCode::UNAUTHORIZED
        };
        return refusal(status, Some("GatedRepo"), "Access to this model is restricted.");
    }
    let Some(found) = repo.files.get(file) else {
        return refusal(StatusCode::NOT_FOUND, Some("EntryNotFound"), "Entry not found");
    };
    if !is_large(file) {
        let mut response = files::send(state, found, headers, None);
        let told = response.headers_mut();
        told.insert("x-repo-commit", repo.commit.parse().expect("digits"));
        told.insert(
            header::ETAG,
            format!("\"{}\"", found.blob_id()).parse().expect("digits"),
        );
        return response;
    }
    let signature = world.first_valid_signature;
    let to = format!(
        "http://{}/lfs/{}?signature={signature}",
        state.files, found.sha256
    );
    let mut response = Response::builder()
        .status(StatusCode::FOUND)
        .header(header::LOCATION, to)
        .header("x-repo-commit", &repo.commit)
        .header("x-linked-size", found.body.len())
        .header(header::ACCEPT_RANGES, "bytes");
    if repo.tells_hashes {
        response = response.header("x-linked-etag", format!("\"{}\"", told_hash(repo, found)));
    }
    response.body(Body::empty()).expect("a response")
}

fn knows(repo: &Repo, revision: &str) -> bool {
    revision == "main" || revision == "HEAD" || revision == repo.commit
}

/// Whether sizes and hashes of files are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blobs {
    Told,
    Left,
}

/// A model as lists and its own page have it.
pub(crate) fn entry(repo: &Repo, blobs: Blobs) -> Value {
    let gated = match repo.gate {
        Gate::Auto => json!("auto"),
        Gate::Manual => json!("manual"),
        Gate::Open | Gate::Private => json!(false),
    };
    let siblings = repo.files.iter().map(|(path, file)| {
        let mut entry = json!({ "rfilename": path });
        if blobs == Blobs::Told {
            let size = file.body.len();
            entry["size"] = json!(size);
            entry["blobId"] = json!(file.blob_id());
            if is_large(path) && repo.tells_hashes {
                let hash = told_hash(repo, file);
                entry["lfs"] = json!({ "sha256": hash, "size": size, "pointerSize": 134 });
            }
        }
        entry
    });
    let mut entry = json!({
        "id": repo.name,
        "modelId": repo.name,
        "author": repo.name.split('/').next(),
        "sha": repo.commit,
        "private": repo.gate == Gate::Private,
        "gated": gated,
        "tags": ["gguf"],
        "siblings": siblings.collect::<Vec<_>>(),
    });
    if let (Some(entry), Some(about)) = (entry.as_object_mut(), repo.about.as_object()) {
        entry.extend(about.clone());
    }
    entry
}

fn told_hash(repo: &Repo, file: &File) -> String {
    if repo.tells_wrong_hashes {
        file.sha256.chars().rev().collect()
    } else {
        file.sha256.clone()
    }
}

/// The answer of a fault that is a whole answer.
pub(crate) fn played(fault: &Fault) -> Option<Response<Body>> {
    match fault {
        Fault::Status(status, headers, body) => {
            let response = Response::builder().status(*status);
            let response = headers
                .iter()
                .fold(response, |response, (name, value)| response.header(*name, value));
            Some(response.body(Body::from(*body)).expect("a response"))
        }
        Fault::Html => {
            let page = "<!doctype html><title>Sign in</title><p>Please sign in to this network.";
            let response = Response::builder().header(header::CONTENT_TYPE, "text/html; charset=utf-8");
            Some(response.body(Body::from(page)).expect("a response"))
        }
        _ => None,
    }
}

/// A refusal as the hub words it.
fn refusal(status: StatusCode, code: Option<&str>, message: &str) -> Response<Body> {
    let mut response = Response::builder()
        .status(status)
        .header("x-error-message", message);
    if let Some(code) = code {
        response = response.header("x-error-code", code);
    }
    let body = json!({ "error": message }).to_string();
    response.body(Body::from(body)).expect("a response")
}

fn object(value: &Value) -> Response<Body> {
    let response = Response::builder().header(header::CONTENT_TYPE, "application/json");
    response.body(Body::from(value.to_string())).expect("a response")
}

pub(crate) fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    Response::builder()
        .status(status)
        .body(Body::from(text))
        .expect("a response")
}
