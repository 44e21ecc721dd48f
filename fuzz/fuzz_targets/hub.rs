//! Any bytes as an answer of the hub: JSON, the header that names the next page, the headers of a refusal. The readers
//! neither panic nor take more memory than some times the bytes there are, and what they let through is safe.
//!
//! The readers are compiled from their own source, without the rest of the backend.

#![no_main]

mod allocator;

/// What names no file may have, for the readers of lists.
#[path = "../../backend/src/files"]
mod files {
    mod devices;

    pub(crate) use devices::is_device;
}

/// The modules as they lie in the backend, whose paths they need.
#[path = "../../backend/src/hub"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "only what reads bytes is called; the backend uses the rest"
)]
mod hub {
    pub mod endpoint;
    pub mod refusal;
    pub mod shapes;

    use endpoint::Endpoint;
    use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
    use shapes::{ModelInfo, RepoFile, TreeEntry, WhoAmI};

    /// Reads the bytes as each answer with JSON, and gives the files that it lists.
    pub fn files(bytes: &[u8]) -> Vec<RepoFile> {
        drop(serde_json::from_slice::<WhoAmI>(bytes));
        let model = serde_json::from_slice::<ModelInfo>(bytes).map(|model| model.siblings);
        let page = serde_json::from_slice::<Vec<ModelInfo>>(bytes);
        let page = page.map(|models| models.into_iter().flat_map(|model| model.siblings).collect());
        let tree = serde_json::from_slice::<Vec<TreeEntry>>(bytes);
        let tree = tree.map(|tree| tree.into_iter().filter_map(TreeEntry::into_file).collect());
        let files = [model, page, tree].into_iter().flatten();
        files.flat_map(|files: Vec<RepoFile>| files).collect()
    }

    /// Reads the text as the header that names the next page.
    pub fn next_page(link: &str) -> Option<&str> {
        shapes::next_page(link)
    }

    /// Reads the bytes as a refusal: a status, and a header in each line.
    pub fn refusal(bytes: &[u8]) {
        let (status, lines) = bytes.split_at_checked(2).unwrap_or_default();
        let status = status
            .iter()
            .fold(0, |status, byte| status * 256 + u16::from(*byte));
        let Ok(status) = StatusCode::from_u16(status % 1000) else {
            return;
        };
        let mut headers = HeaderMap::new();
        for line in lines.split(|byte| *byte == b'\n') {
            let at = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
            let name = HeaderName::from_bytes(&line[..at]);
            let value = HeaderValue::from_bytes(line.get(at + 1..).unwrap_or_default());
            if let (Ok(name), Ok(value)) = (name, value) {
                headers.append(name, value);
            }
        }
        let endpoint = Endpoint::parse(None, "address").expect("the hub's own address");
        for model in [None, Some("o/n")] {
            for with_token in [false, true] {
                let asked = refusal::Asked {
                    endpoint: &endpoint,
                    model,
                    file: model,
                    with_token,
                };
                drop(refusal::error(status, &headers, asked).to_string());
            }
        }
        assert!(refusal::wait(&headers).as_secs() <= 3600);
    }
}

use std::path::{Component, Path};

use libfuzzer_sys::fuzz_target;
// Named by the readers only.
use {hearth_protocol as _, serde as _, tracing as _, url as _};

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

/// Bytes held at once per byte of the answer. The costliest are values of two bytes, each of which becomes one of 72 in
/// a list that doubles when it grows.
const PER_BYTE: usize = 128;
/// Bytes that may be held for the shortest answer.
const CONSTANT: usize = 16 << 10;

fuzz_target!(|bytes: &[u8]| {
    let held = allocator::peak_of(|| read(bytes));
    let limit = PER_BYTE * bytes.len() + CONSTANT;
    assert!(
        held <= limit,
        "{held} bytes held for an answer of {}",
        bytes.len()
    );
});

fn read(bytes: &[u8]) {
    for file in hub::files(bytes) {
        let mut parts = Path::new(&file.path).components();
        assert!(parts.all(|part| matches!(part, Component::Normal(_))), "{file:?}");
        assert!(file.size.is_none_or(|size| size <= 1 << 44), "{file:?}");
        assert!(file.sha256.is_none_or(|hash| is_hexadecimal(&hash, 64)));
        assert!(file.blob_id.is_none_or(|id| is_hexadecimal(&id, 40)));
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Some(next) = hub::next_page(text)
    {
        assert!(text.contains(next));
    }
    hub::refusal(bytes);
}

fn is_hexadecimal(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
