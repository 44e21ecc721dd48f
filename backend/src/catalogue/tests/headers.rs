//! Headers of files on the hub: how much is fetched, and what odd servers and odd files make of it.

use hearth_protocol::catalogue::{CatalogueFile, HubPart};
use hearth_testhub::tiny_gguf::Tiny;
use hearth_testhub::{Fault, Place, Seen};

use super::*;

/// A header that says how large a llama is, with an array of so many bytes in it.
fn header_with(filler: usize) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let number = |key: &str, value: u32| {
        [
            text(key),
            4_u32.to_le_bytes().to_vec(),
            value.to_le_bytes().to_vec(),
        ]
        .concat()
    };
    let bytes = [
        b"GGUF\x03\0\0\0".to_vec(),
        0_u64.to_le_bytes().to_vec(),
        8_u64.to_le_bytes().to_vec(),
        [
            text("general.architecture"),
            8_u32.to_le_bytes().to_vec(),
            text("llama"),
        ]
        .concat(),
        [
            text("filler"),
            9_u32.to_le_bytes().to_vec(),
            0_u32.to_le_bytes().to_vec(),
        ]
        .concat(),
        (filler as u64).to_le_bytes().to_vec(),
        vec![7; filler],
        number("llama.block_count", 4),
        number("llama.embedding_length", 64),
        number("llama.feed_forward_length", 192),
        number("llama.attention.head_count", 4),
        number("llama.context_length", 8192),
        number("llama.vocab_size", 500),
    ];
    bytes.concat()
}

/// The last that is told of a model with this one file, with the requests for the file.
async fn told(both: &Both, name: &str, bytes: Vec<u8>) -> (ModelDetails, Vec<Seen>) {
    let before = both.theirs.file_requests().len();
    let id = format!("o/{name}");
    both.theirs.add(Repo::new(&id).with("m-Q4_0.gguf", bytes));
    let (mut told, error) = both.told(DetailsRequest::of(id.as_str().into())).await;
    assert_eq!(error, None);
    let requests = both.theirs.file_requests().split_off(before);
    (told.pop().expect("details"), requests)
}

fn is_exact(file: &CatalogueFile) -> bool {
    file.estimate.is_some_and(|estimate| !estimate.is_rough)
}

#[tokio::test]
async fn no_more_of_a_file_is_fetched_than_its_header_needs() {
    let both = Both::start().await;
    let steps = [(0, 512 << 10), (512 << 10, 4 << 20), (4 << 20, 16 << 20)];
    let cases = [(1_000, 1), (600 << 10, 2), (5 << 20, 3)];
    for (filler, count) in cases {
        let file = [header_with(filler), vec![0; 20 << 20]].concat();
        let (details, requests) = told(&both, &format!("owl-{filler}"), file).await;
        assert!(is_exact(&details.files[0]), "{filler}");
        let ranges: Vec<_> = requests.iter().map(|seen| seen.range).collect();
        let expected: Vec<_> = steps[..count]
            .iter()
            .map(|(start, end)| Some((*start, Some(end - 1))))
            .collect();
        assert_eq!(ranges, expected, "{filler}");
    }
}

#[tokio::test]
async fn a_server_without_ranges_is_read_from_the_beginning_and_left_in_the_middle() {
    for fault in [Fault::IgnoreRange, Fault::Chunked] {
        let both = Both::start().await;
        both.theirs.fault(Place::File, "", None, fault.clone());
        // As much as the header, and no more than what is on its way.
        let (header, rest) = (header_with(600 << 10), 60 << 20);
        let file = [header, vec![0; rest]].concat();
        let (details, requests) = told(&both, "owl", file).await;
        assert!(is_exact(&details.files[0]), "{fault:?}");
        assert_eq!(requests.len(), 1, "{fault:?}");
        assert!(
            both.theirs.sent() < rest as u64,
            "{fault:?}: {}",
            both.theirs.sent()
        );
    }
}

#[tokio::test]
async fn what_is_not_the_file_is_not_taken_for_it() {
    let cases = [
        (Fault::OtherStart(3), "other bytes of the file"),
        (Fault::Html, "a web page came in place of the file"),
        (Fault::NotSatisfiable, "answers 416"),
        (Fault::Status(403, Vec::new(), "expired"), "answers 403"),
        (
            Fault::Status(429, vec![("retry-after", "9".into())], ""),
            "wait for 9 s",
        ),
    ];
    for (fault, words) in cases {
        let both = Both::start().await;
        both.theirs.fault(Place::File, "", None, fault.clone());
        let (details, _) = told(&both, "owl", Tiny::default().bytes()).await;
        let HubPart::Failed { error } = &details.hub else {
            panic!("{fault:?} gives no header");
        };
        assert!(error.to_string().contains(words), "{error}");
        let file = &details.files[0];
        assert!(!is_exact(file) && file.problem.is_none() && file.estimate.is_some());
        // Once the server is well, the header is read.
        both.theirs.mend();
        let (told, _) = both.told(DetailsRequest::of("o/owl".into())).await;
        assert!(is_exact(&told.last().expect("details").files[0]), "{fault:?}");
    }
    let both = Both::start().await;
    both.theirs.fault(Place::File, "", None, Fault::CloseAfter(100));
    let (details, _) = told(&both, "owl", Tiny::default().bytes()).await;
    assert!(matches!(
        details.hub,
        HubPart::Failed {
            error: Error::HubDown { .. }
        }
    ));
    let both = Both::start().await;
    both.theirs
        .fault(Place::File, "", None, Fault::OkWithContentRange);
    let (details, _) = told(&both, "owl", Tiny::default().bytes()).await;
    assert!(is_exact(&details.files[0]), "it is the right range all the same");
}

#[tokio::test]
async fn a_damaged_header_is_told_and_its_file_is_not_recommended() {
    let whole = Tiny::default().bytes();
    let mut endless = b"GGUF\x03\0\0\0".to_vec();
    endless.extend(0_u64.to_le_bytes());
    endless.extend(u64::MAX.to_le_bytes());
    let mut long_key = endless.clone();
    long_key.extend(u64::MAX.to_le_bytes());
    // Of the longest header nothing is an error but its length.
    let huge = header_with(65 << 20);
    let cases = [
        ("cut", whole[..300].to_vec(), "it ends after"),
        ("page", b"<!doctype html><title>x".to_vec(), "it is a web page"),
        (
            "pointer",
            b"version https://git-lfs.github.com/spec/v1\n".to_vec(),
            "Git LFS pointer",
        ),
        ("endless", endless, "it ends after"),
        ("long-key", long_key, "its header is damaged"),
        (
            "empty-key",
            [
                b"GGUF\x03\0\0\0".as_slice(),
                &[0; 8],
                &[1, 0, 0, 0, 0, 0, 0, 0],
                &[0; 40],
            ]
            .concat(),
            "a key is empty",
        ),
        ("huge", huge, "its header is longer than"),
    ];
    let both = Both::start().await;
    for (name, bytes, words) in cases {
        let (details, requests) = told(&both, name, bytes).await;
        assert_eq!(details.hub, HubPart::Answered, "{name}");
        let file = &details.files[0];
        let problem = file.problem.as_deref().unwrap_or_default();
        assert!(
            problem.contains(words) && !problem.contains("again"),
            "{name}: {problem}"
        );
        assert!(!is_exact(file) && file.recommended.is_none(), "{name}");
        let last = requests.iter().filter_map(|seen| seen.range?.1).max();
        assert!(last.is_some_and(|last| last < 64 << 20), "{name}: {last:?}");
        // It is not read again for a while.
        let asked = both.theirs.seen().len();
        let (told, _) = both
            .told(DetailsRequest::of(format!("o/{name}").as_str().into()))
            .await;
        assert_eq!(told[0].files[0].problem, file.problem);
        assert_eq!(both.theirs.seen().len(), asked, "{name}");
    }
}

#[tokio::test]
async fn of_a_set_the_first_part_is_read_and_of_several_models_one_file_each() {
    let both = Both::start().await;
    let (small, large) = (header_with(10), header_with(20));
    both.theirs.add(
        Repo::new("o/owls")
            .with("large-Q4_K_M-00001-of-00002.gguf", large.clone())
            .with("large-Q4_K_M-00002-of-00002.gguf", vec![1; 9_000])
            .with("large-Q8_0.gguf", [large.as_slice(), &[0; 99_000]].concat())
            .with("small-Q4_K_M.gguf", small.clone())
            .with("tiny-Q4_K_M.gguf", header_with(30))
            .with("other-Q4_K_M.gguf", header_with(40)),
    );
    let request = DetailsRequest {
        file: Some("large-Q4_K_M-00001-of-00002.gguf".into()),
        ..DetailsRequest::of("o/owls".into())
    };
    let (told, _) = both.told(request.clone()).await;
    let last = told.last().expect("details");
    let exact: Vec<_> = last
        .files
        .iter()
        .filter(|file| is_exact(file))
        .map(|file| file.name.as_str())
        .collect();
    // Three headers for one answer, of which the one that was asked for serves two files.
    assert_eq!(exact.len(), 4, "{exact:?}");
    assert!(exact.contains(&"large-Q4_K_M-00001-of-00002.gguf") && exact.contains(&"large-Q8_0.gguf"));
    let set = last
        .files
        .iter()
        .find(|file| !file.parts.is_empty())
        .expect("the set");
    assert_eq!(
        set.estimate.expect("an estimate").weights,
        ByteSize(large.len() as u64 + 9_000)
    );
    // The next answer reads what is left.
    let (told, _) = both.told(request).await;
    assert!(told.last().expect("details").files.iter().all(is_exact));
    let paths: std::collections::BTreeSet<_> = both
        .theirs
        .file_requests()
        .into_iter()
        .map(|seen| seen.path)
        .collect();
    assert_eq!(paths.len(), 4);
}

#[tokio::test]
async fn who_wants_no_headers_costs_no_bytes_of_a_file() {
    let both = Both::start().await;
    both.theirs
        .add(Repo::new("o/owl").with("m-Q4_0.gguf", header_with(10)));
    let request = DetailsRequest {
        read_headers: false,
        ..DetailsRequest::of("o/owl".into())
    };
    let (told, error) = both.told(request).await;
    assert_eq!(error, None);
    let last = told.last().expect("details");
    assert_eq!(last.hub, HubPart::Answered);
    assert!(last.files[0].recommended.is_some() && !is_exact(&last.files[0]));
    assert_eq!(both.theirs.file_requests().len(), 0);
}
