//! Answers that are kept in the database: stored, found again, listed and deleted.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use hearth_protocol::Error;
use hearth_protocol::openai::responses::item::InputItem;
use hearth_protocol::openai::responses::request::CreateResponse;
use hearth_protocol::openai::responses::{DeletedResponse, InputItemList, Response as Wire};
use hearth_protocol::server::LogLevel;
use serde::Deserialize;
use serde_json::Value;

use super::items;
use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::limits::Room;
use crate::server::log::Log;
use crate::server::part::Part;
use crate::server::refusal::Refusal;
use crate::server::site::Site;
use crate::server::ticket::Ticket;
use crate::store::Store;
use crate::store::responses::KeptResponse;

/// Items of a page where nothing is said, and the most (OpenAI's).
const PAGE: usize = 20;
const LONGEST_PAGE: usize = 100;

/// An answer that shall be kept once it is whole.
pub(super) struct Keeping {
    store: Store,
    log: Log,
    /// A list of items, as JSON.
    input: String,
    /// The memory that it takes until it is stored.
    _room: Option<Room>,
}

/// The input, as it came.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    input: Option<Value>,
}

impl Keeping {
    /// Whether and where the answer to a request is kept. Where there is no database it is not, unless that was asked
    /// for in so many words.
    ///
    /// # Errors
    /// Why there is no database.
    pub(super) async fn of(
        site: &Site,
        ticket: &Ticket,
        wire: &CreateResponse,
        body: &Bytes,
    ) -> Result<Option<Self>, Refusal> {
        if wire.store == Some(false) {
            return Ok(None);
        }
        let store = site
            .store()
            .and_then(|store| store.check_writable().map(|()| store.clone()));
        let store = match store {
            Ok(store) => store,
            Err(_) if wire.store.is_none() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let input = taken_apart(body, |body| {
            let asked: Asked = parse(body)?;
            serde_json::to_string(&items::kept(asked.input)).map_err(|error| Error::internal(error).into())
        });
        let input = input.await?;
        Ok(Some(Self {
            store,
            log: site.log().clone(),
            _room: ticket.keep_back(input.len()),
            input,
        }))
    }

    /// Keeps an answer; whether it is kept. A full disk takes nothing from the answer itself; the log says that it is not
    /// kept.
    pub(super) async fn keep(self, response: &Wire) -> bool {
        let kept = serde_json::to_string(response).map(|output| KeptResponse {
            id: response.id.clone(),
            previous: response.previous_response_id.clone(),
            input: self.input,
            output,
        });
        let kept = match kept {
            Ok(kept) => self.store.keep_response(&kept).await,
            Err(error) => {
                tracing::error!(%error, "an answer has no JSON form");
                return false;
            }
        };
        if let Err(error) = &kept {
            let line = format!("the answer {} is not kept: {error}", response.id);
            self.log.write(LogLevel::Error, &line);
        }
        kept.is_ok()
    }

    /// Keeps there, with nothing asked.
    #[cfg(test)]
    pub(super) fn to(store: Store, log: Log) -> Self {
        Self {
            store,
            log,
            input: "[]".into(),
            _room: None,
        }
    }
}

/// The chat that a request goes on from; none where it begins one.
///
/// # Errors
/// Where an answer of it is not kept, or it is too long.
pub(super) async fn before(site: &Site, wire: &CreateResponse) -> Result<Vec<InputItem>, Refusal> {
    match &wire.previous_response_id {
        Some(previous) => chain(site, previous).await,
        None => Ok(Vec::new()),
    }
}

/// The chat that ends with a kept answer.
async fn chain(site: &Site, id: &str) -> Result<Vec<InputItem>, Refusal> {
    #[derive(Deserialize)]
    struct Answered {
        output: Vec<InputItem>,
    }
    let kept = site.store()?.response_chain(id).await?;
    let gone = || Refusal {
        param: Some("previous_response_id".into()),
        ..Refusal::coded(
            StatusCode::BAD_REQUEST,
            "previous_response_not_found",
            format!(
                "The answer {id} or one before it is not kept, or not any more. Send the whole chat as input."
            ),
        )
    };
    if kept.first().is_none_or(|first| first.previous.is_some()) {
        return Err(gone());
    }
    let mut chat = Vec::new();
    for kept in kept {
        let input: Result<Vec<InputItem>, _> = serde_json::from_str(&kept.input);
        let output: Result<Answered, _> = serde_json::from_str(&kept.output);
        let (Ok(input), Ok(output)) = (input, output) else {
            tracing::warn!(id = kept.id, "a kept answer cannot be read");
            return Err(gone());
        };
        chat.extend(input);
        chat.extend(output.output);
    }
    Ok(chat)
}

/// `GET /v1/responses/{id}`: a kept answer as it was.
pub(in super::super) async fn one(
    State(site): State<Site>,
    Part(id): Part,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    if fields(query.as_deref()).any(|(name, value)| name == "stream" && value == "true") {
        let reason = "is not there: a kept answer is whole";
        return Err(Refusal::unsupported("stream", reason));
    }
    let kept = find(&site, &id).await?;
    let mut response = Response::new(kept.output.into());
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// `DELETE /v1/responses/{id}`.
pub(in super::super) async fn delete(State(site): State<Site>, Part(id): Part) -> Result<Response, Refusal> {
    if !site.store()?.delete_response(&id).await? {
        return Err(unknown(&id));
    }
    Ok(ok(&DeletedResponse {
        id,
        object: "response",
        deleted: true,
    }))
}

/// `GET /v1/responses/{id}/input_items`: what was asked, the newest first.
pub(in super::super) async fn input_items(
    State(site): State<Site>,
    Part(id): Part,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let page = Page::of(query.as_deref())?;
    let kept = find(&site, &id).await?;
    let items: Vec<Value> = serde_json::from_str(&kept.input).map_err(|error| {
        tracing::warn!(%error, "a kept answer cannot be read");
        unknown(&id)
    })?;
    Ok(ok(&page.of_items(items)?))
}

async fn find(site: &Site, id: &str) -> Result<KeptResponse, Refusal> {
    let kept = site.store()?.response(id).await?;
    kept.ok_or_else(|| unknown(id))
}

fn unknown(id: &str) -> Refusal {
    let message = format!(
        "There is no answer “{id}”. Answers are kept for 30 days, the newest 1,000 and 256 MiB of them, unless store is false."
    );
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// Which items are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Page {
    limit: usize,
    is_oldest_first: bool,
    after: Option<String>,
}

impl Page {
    fn of(query: Option<&str>) -> Result<Self, Refusal> {
        let mut page = Self {
            limit: PAGE,
            is_oldest_first: false,
            after: None,
        };
        for (name, value) in fields(query) {
            match &*name {
                "limit" => {
                    let limit = value
                        .parse()
                        .ok()
                        .filter(|limit| (1..=LONGEST_PAGE).contains(limit));
                    page.limit = limit.ok_or_else(|| {
                        let problem = format!("is {value:?} and must be from 1 to {LONGEST_PAGE}");
                        Refusal::field("limit", problem)
                    })?;
                }
                "order" => match &*value {
                    "asc" => page.is_oldest_first = true,
                    "desc" => page.is_oldest_first = false,
                    _ => {
                        let problem = format!("is {value:?} and must be asc or desc");
                        return Err(Refusal::field("order", problem));
                    }
                },
                "after" => page.after = Some(value.into_owned()),
                _ => (),
            }
        }
        Ok(page)
    }

    fn of_items(&self, mut items: Vec<Value>) -> Result<InputItemList, Refusal> {
        if !self.is_oldest_first {
            items.reverse();
        }
        let id = |item: &Value| item.get("id").and_then(Value::as_str).map(str::to_owned);
        if let Some(after) = &self.after {
            let place = items.iter().position(|item| id(item).as_ref() == Some(after));
            let place = place.ok_or_else(|| Refusal::field("after", "names no item of this answer"))?;
            items.drain(..=place);
        }
        let has_more = items.len() > self.limit;
        items.truncate(self.limit);
        Ok(InputItemList {
            object: "list",
            first_id: items.first().and_then(id),
            last_id: items.last().and_then(id),
            data: items,
            has_more,
        })
    }
}

/// The fields of a query.
fn fields(query: Option<&str>) -> url::form_urlencoded::Parse<'_> {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_are_listed_page_by_page() {
        let items = || {
            (1..=3)
                .map(|place| json!({"id": format!("i{place}")}))
                .collect::<Vec<_>>()
        };
        let list = |query: &str| {
            let list = Page::of(Some(query)).and_then(|page| page.of_items(items()));
            list.map(|list| {
                let ids: Vec<_> = list.data.iter().filter_map(|item| item["id"].as_str()).collect();
                assert_eq!(list.first_id.as_deref(), ids.first().copied());
                assert_eq!(list.last_id.as_deref(), ids.last().copied());
                (ids.join(" "), list.has_more)
            })
            .map_err(|refusal| refusal.param)
        };
        let cases = [
            ("", Ok(("i3 i2 i1", false))),
            ("order=asc&limit=2", Ok(("i1 i2", true))),
            ("order=asc&after=i2", Ok(("i3", false))),
            ("after=i1", Ok(("", false))),
            ("after=i9", Err("after")),
            ("limit=0", Err("limit")),
            ("limit=x", Err("limit")),
            ("order=up", Err("order")),
        ];
        for (query, expected) in cases {
            let expected = expected
                .map(|(ids, more): (&str, bool)| (ids.to_owned(), more))
                .map_err(|field| Some(field.to_owned()));
            assert_eq!(list(query), expected, "{query}");
        }
    }
}
