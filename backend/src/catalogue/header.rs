//! The header of a file on the hub, read over HTTP before anything is downloaded: a small range first, more where that is
//! not enough, and no more than a header can need.

use std::io::{self, Read};

use hearth_protocol::catalogue::CatalogueFile;
use hearth_protocol::{ByteSize, Error, Result};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::files::blocking;
use crate::hub::{Hub, Location, MAIN, refusal};
use crate::library::estimate::Facts;
use crate::library::gguf::{Gguf, GgufError};
use crate::net::{HttpError, Response, offline};

/// Bytes from the file's beginning that are read, one after the other, until the header is complete. Of small
/// vocabularies it has under a megabyte, of the largest known 16 MB.
const STEPS: [u64; 4] = [512 << 10, 4 << 20, 16 << 20, 64 << 20];

/// What a header says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Header {
    /// What decides how much memory the model takes.
    Facts(Box<Facts>),
    /// What is wrong with it, in words.
    Damaged(String),
}

/// Reads the header of a file, of several parts the first one's.
///
/// # Errors
/// As the hub refuses; [`Error::HubDown`] where what comes is not the file.
pub(super) async fn read(hub: &Hub, file: &CatalogueFile) -> Result<Header> {
    let (name, size) = match file.parts.first() {
        Some(part) => (&part.name, part.size),
        None => (&file.name, file.size),
    };
    let revision = file.revision.as_deref().unwrap_or(MAIN);
    let location = hub.locate(&file.repository, revision, name).await?;
    let length = location.size.or(size.map(|size| size.0));
    let length = length.ok_or_else(|| down("it does not tell how long the file is"))?;
    let mut beginning = Beginning {
        hub,
        location,
        bytes: Vec::new(),
        whole: None,
    };
    for step in STEPS {
        beginning.grow_to(step.min(length)).await?;
        let (parsed, bytes) = parse(beginning.bytes, length).await?;
        beginning.bytes = bytes;
        match parsed {
            Parsed::Header(header) => return Ok(header),
            Parsed::Short => (),
        }
    }
    let [.., most] = STEPS;
    Ok(Header::Damaged(format!(
        "its header is longer than {}",
        ByteSize(most)
    )))
}

/// What the beginning of a file gives.
enum Parsed {
    Header(Header),
    /// It ends before the header does.
    Short,
}

/// Reads the beginning of a file of `length` bytes, on a thread that may take its time, and gives the bytes back.
async fn parse(bytes: Vec<u8>, length: u64) -> Result<(Parsed, Vec<u8>)> {
    let parsing = blocking(move || {
        let mut reader = Counted {
            rest: &bytes,
            ran_dry: false,
        };
        let read = Gguf::read_metadata(&mut reader, length);
        let is_all = bytes.len() as u64 >= length;
        let parsed = match read {
            // Whatever was said of what is not there yet does not count.
            _ if reader.ran_dry && !is_all => Parsed::Short,
            Ok(gguf) => Parsed::Header(Header::Facts(Box::new(Facts::new(&gguf, Some(length))))),
            Err(error) => Parsed::Header(Header::Damaged(problem(&error))),
        };
        Ok((parsed, bytes))
    });
    parsing.await
}

/// What is wrong, without the advice for a file on the disk.
fn problem(error: &GgufError) -> String {
    let words = error.to_string();
    words.split(';').next().unwrap_or_default().to_owned()
}

/// Tells whether more was wanted than there is.
struct Counted<'a> {
    rest: &'a [u8],
    ran_dry: bool,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.rest.read(buffer)?;
        self.ran_dry |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

/// The beginning of a file, as far as it was fetched.
struct Beginning<'a> {
    hub: &'a Hub,
    location: Location,
    bytes: Vec<u8>,
    /// An answer that brings the whole file, of a server that knows no ranges; it is dropped with the rest of its bytes.
    whole: Option<Response>,
}

impl Beginning<'_> {
    /// Fetches what is missing of the first `end` bytes.
    async fn grow_to(&mut self, end: u64) -> Result<()> {
        let have = self.bytes.len() as u64;
        if have >= end {
            return Ok(());
        }
        let mut response = match self.whole.take() {
            Some(whole) => whole,
            None => self.ask(have, end).await?,
        };
        // What comes of the whole file stands behind what is there already, and else begins with the file.
        let ranged = response.header(header::CONTENT_RANGE.as_str()).is_some();
        let end = usize::try_from(end).map_err(Error::internal)?;
        while self.bytes.len() < end {
            let chunk = response.chunk().await.map_err(broken)?;
            let chunk = chunk.ok_or_else(|| down("the file ends before it should"))?;
            // A chunk beyond the end stays too: the next step begins behind it.
            self.bytes.extend_from_slice(&chunk);
        }
        if !ranged {
            self.whole = Some(response);
        }
        Ok(())
    }

    /// Asks for these bytes. The answer brings them, or the whole file where nothing was fetched before.
    async fn ask(&self, start: u64, end: u64) -> Result<Response> {
        let range = HeaderValue::from_str(&format!("bytes={start}-{}", end - 1)).map_err(Error::internal)?;
        let headers = HeaderMap::from_iter([(header::RANGE, range)]);
        let response = self.hub.open(&self.location, headers).await.map_err(broken)?;
        let is_page = response
            .header(header::CONTENT_TYPE.as_str())
            .is_some_and(|kind| kind.trim_start().starts_with("text/html"));
        let told_start = response.header(header::CONTENT_RANGE.as_str()).map(|range| {
            range
                .strip_prefix("bytes ")?
                .split_once('-')?
                .0
                .parse::<u64>()
                .ok()
        });
        match (response.status(), told_start) {
            (StatusCode::TOO_MANY_REQUESTS, _) => Err(Error::TooManyRequests {
                seconds: refusal::wait(response.headers()).as_secs(),
            }),
            (status, _) if !status.is_success() => Err(down(format!("the file's server answers {status}"))),
            _ if is_page => Err(down(
                "a web page came in place of the file, as from a network that wants you to sign in",
            )),
            (_, Some(told)) if told == Some(start) => Ok(response),
            (StatusCode::OK, None) if start == 0 => Ok(response),
            _ => Err(down("other bytes of the file came than were asked for")),
        }
    }
}

fn down(reason: impl Into<String>) -> Error {
    Error::HubDown {
        reason: reason.into(),
    }
}

fn broken(error: HttpError) -> Error {
    match error {
        HttpError::Offline => offline("The file's header"),
        HttpError::Broken(reason) => down(reason),
    }
}
