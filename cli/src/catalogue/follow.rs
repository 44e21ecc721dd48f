//! Waits for what is known in the end, the hub's answer included, and tells on standard error what is odd about it.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use hearth_protocol::catalogue::search::{CataloguePage, CatalogueQuery, SearchEvent};
use hearth_protocol::catalogue::{CatalogueFile, DetailsEvent, DetailsRequest, HubPart, ModelDetails};
use hearth_protocol::{Client, Error, ModelId, UnixMillis};

use crate::interrupts::{Interrupts, Next};
use crate::text::printable;

/// The last page of a search.
pub(super) fn page(
    client: &Client,
    interrupts: &Interrupts,
    query: CatalogueQuery,
) -> Result<CataloguePage, Error> {
    let _run = interrupts.run();
    let events = client.search_catalogue(query);
    let mut last = CataloguePage::default();
    loop {
        match interrupts.next(&events) {
            Next::Event(SearchEvent::Page(page)) => last = page,
            Next::Event(SearchEvent::Finished) => return Ok(last),
            Next::Event(SearchEvent::Failed(error)) => return Err(error),
            // Leaving ends the question to the hub.
            Next::Interrupt => return Err(Error::Cancelled),
        }
    }
}

/// The last details of a model.
pub(super) fn details(
    client: &Client,
    interrupts: &Interrupts,
    request: DetailsRequest,
) -> Result<ModelDetails, Error> {
    let _run = interrupts.run();
    let events = client.model_details(request);
    let mut last = None;
    loop {
        match interrupts.next(&events) {
            Next::Event(DetailsEvent::Details(details)) => last = Some(*details),
            Next::Event(DetailsEvent::Finished) => return last.ok_or(Error::BackendGone),
            Next::Event(DetailsEvent::Failed(error)) => return Err(error),
            Next::Interrupt => return Err(Error::Cancelled),
        }
    }
}

/// The files of a model as soon as one of them is recommended; none where none ever is. Headers on the hub are not read,
/// which would only make the figures exact.
pub(crate) fn files(
    client: &Client,
    interrupts: &Interrupts,
    model: ModelId,
) -> Result<Vec<CatalogueFile>, Error> {
    let _run = interrupts.run();
    let events = client.model_details(DetailsRequest {
        read_headers: false,
        ..DetailsRequest::of(model)
    });
    loop {
        match interrupts.next(&events) {
            Next::Event(DetailsEvent::Details(details)) => {
                if details.files.iter().any(|file| file.recommended.is_some()) {
                    return Ok(details.files);
                }
            }
            Next::Event(DetailsEvent::Finished) => return Ok(Vec::new()),
            Next::Event(DetailsEvent::Failed(error)) => return Err(error),
            Next::Interrupt => return Err(Error::Cancelled),
        }
    }
}

/// Why the hub was not asked.
const OFFLINE: &str = "The hub was not asked: offline mode is on.";

/// Tells why the hub has no part in what is shown, how old its last answer is, and what else it refuses.
pub(super) fn tell(hub: &HubPart, told_at: Option<UnixMillis>, refusal: Option<&Error>) -> io::Result<()> {
    let failure = match hub {
        HubPart::Failed { error } => Some(error),
        _ => None,
    };
    let mut output = io::stderr().lock();
    if *hub == HubPart::Offline {
        writeln!(output, "{OFFLINE}")?;
    }
    for error in failure.into_iter().chain(refusal) {
        writeln!(output, "{}", printable(&error.to_string()))?;
    }
    if let Some(age) = told_at.and_then(age) {
        writeln!(output, "This is what the hub said {} ago.", words(age))?;
    }
    Ok(())
}

/// Seconds since then; `None` where it is still to come, as after the clock was set back.
fn age(moment: UnixMillis) -> Option<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_millis();
    let then = u128::try_from(moment.0).ok()?;
    u64::try_from(now.checked_sub(then)? / 1000).ok()
}

/// Seconds as one says how old something is.
fn words(seconds: u64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    match seconds {
        0..MINUTE => "less than a minute".to_owned(),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h", seconds / HOUR),
        _ if seconds < 2 * DAY => "a day".to_owned(),
        _ => format!("{} days", seconds / DAY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_one_unit() {
        let cases = [
            (0, "less than a minute"),
            (59, "less than a minute"),
            (60, "1 min"),
            (3_599, "59 min"),
            (7_300, "2 h"),
            (90_000, "a day"),
            (200_000, "2 days"),
        ];
        for (seconds, text) in cases {
            assert_eq!(words(seconds), text);
        }
    }
}
