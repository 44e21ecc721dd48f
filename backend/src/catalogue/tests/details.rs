//! Everything of one model: stored, asked for, exact.

use hearth_protocol::catalogue::{Fit, HubPart};
use hearth_protocol::engine::{ContextLength, LoadOptions};
use hearth_testhub::tiny_gguf::Tiny;
use hearth_testhub::{Fault, Gate, Place, sha256};

use super::*;
use crate::library::estimate::{Facts, quick_estimate};

/// What a context of so many tokens takes of a file on the disk.
fn on_disk(both: &Both, bytes: &[u8], tokens: u32) -> ByteSize {
    let path = both.folder.path().join("same.gguf");
    std::fs::write(&path, bytes).expect("written");
    let options = LoadOptions {
        context_length: ContextLength::Tokens(tokens),
        ..LoadOptions::default()
    };
    let estimate = quick_estimate(&Facts::open(&path).expect("a model"), &options, None);
    ByteSize(estimate.kv.expect("known") + estimate.compute.expect("known"))
}

#[tokio::test]
async fn a_model_of_the_hub_is_told_whole_and_its_fit_becomes_exact() {
    let both = Both::start().await;
    let (model, other) = (
        Tiny::default().bytes(),
        Tiny {
            seed: 2,
            ..Tiny::default()
        }
        .bytes(),
    );
    let mut repo = Repo::new("o/owl-GGUF")
        .with("owl-Q4_K_M.gguf", model.clone())
        .with("owl-Q8_0.gguf", [other.as_slice(), &[0; 4096]].concat())
        .with("mmproj-owl-F16.gguf", "GGUF");
    repo.about =
        json!({ "downloads": 3, "tags": ["license:mit", "base_model:o/owl"], "gguf": { "total": 400_000 } });
    both.theirs.add(repo);
    let request = DetailsRequest {
        context_length: Some(2048),
        ..DetailsRequest::of("o/owl-GGUF".into())
    };
    let (told, error) = both.told(request.clone()).await;
    assert_eq!((told.len(), error), (2, None));
    let rough: Vec<_> = told[0].files[..2]
        .iter()
        .map(|file| file.estimate.expect("an estimate").is_rough)
        .collect();
    assert_eq!((told[0].hub.clone(), rough), (HubPart::Asking, vec![true, true]));

    let last = &told[1];
    assert_eq!((&last.hub, &last.access), (&HubPart::Answered, &None));
    assert_eq!(last.model.licence.as_deref(), Some("MIT"));
    assert_eq!(last.card.base_models, ["o/owl".into()]);
    assert!(last.fetched_at.is_some());
    let file = &last.files[0];
    assert_eq!(
        (file.name.as_str(), file.size),
        ("owl-Q4_K_M.gguf", Some(ByteSize(model.len() as u64)))
    );
    assert_eq!(file.sha256, Some(sha256(&model)));
    assert_eq!(file.projector.as_deref(), Some("mmproj-owl-F16.gguf"));
    // Both are exact by one header, and as they would be on the disk.
    for file in &last.files[..2] {
        let estimate = file.estimate.expect("an estimate");
        assert!(!estimate.is_rough, "{}", file.name);
        assert_eq!(estimate.context, on_disk(&both, &model, 2048), "{}", file.name);
        assert_eq!((Some(estimate.weights), file.fit), (file.size, Fit::Cpu));
    }
    assert_eq!(both.theirs.file_requests().len(), 1);

    // An hour long nobody asks again, and another context is reckoned from what is known.
    let asked = both.theirs.seen().len();
    let longer = DetailsRequest {
        context_length: Some(4096),
        ..request
    };
    let (told, _) = both.told(longer.clone()).await;
    assert_eq!((told.len(), &told[0].hub), (1, &HubPart::NotAsked));
    let estimate = told[0].files[0].estimate.expect("an estimate");
    assert_eq!(
        (estimate.is_rough, estimate.context),
        (false, on_disk(&both, &model, 4096))
    );
    both.net.set_offline(true);
    let (offline, _) = both.told(longer).await;
    assert_eq!(
        (&offline[0].hub, &offline[0].files),
        (&HubPart::Offline, &told[0].files)
    );
    assert_eq!(both.theirs.seen().len(), asked);
}

// The test blocks its thread while it waits for the hub.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_search_told_is_shown_while_the_hub_is_asked() {
    let both = Both::start().await;
    both.add("o/owl", downloads(1));
    both.found(query("owl")).await;
    both.theirs.fault(Place::Api, "", None, Fault::Hold);
    let run = both.ask(DetailsRequest::of("o/owl".into()));
    let DetailsEvent::Details(known) = run.next().await else {
        panic!("what is known comes first");
    };
    assert_eq!((known.hub.clone(), known.files[0].size), (HubPart::Asking, None));
    both.theirs.wait_until_held(1);
    both.theirs.mend();
    both.theirs.release();
    let DetailsEvent::Details(fresh) = run.next().await else {
        panic!("then what the hub says");
    };
    assert_eq!(fresh.files[0].size, Some(ByteSize(4)));
}

#[tokio::test]
async fn a_model_that_came_with_hearth_gets_the_hubs_files_and_keeps_its_text() {
    let both = Both::start().await;
    let model = Tiny::default().bytes();
    both.theirs.add(
        Repo::new("bartowski/gemma-2-2b-it-GGUF")
            .with("gemma-2-2b-it-Q4_K_M.gguf", model.clone())
            .with("gemma-2-2b-it-Q6_K.gguf", "GGUF"),
    );
    let request = || DetailsRequest::of("bartowski/gemma-2-2b-it-GGUF".into());
    let (told, error) = both.told(request()).await;
    assert_eq!(error, None);
    let (first, last) = (&told[0], told.last().expect("details"));
    assert_eq!((first.hub.clone(), first.files.len()), (HubPart::Asking, 1));
    // Its other repository is not there.
    assert!(
        matches!(
            &last.hub,
            HubPart::Failed {
                error: Error::TokenNeeded { .. }
            }
        ),
        "{:?}",
        last.hub
    );
    assert_eq!(last.model.id, "google/gemma-2-2b-it".into());
    assert_eq!(
        (&last.model.summary, &last.card),
        (&first.model.summary, &first.card)
    );
    let names: Vec<_> = last.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["gemma-2-2b-it-Q6_K.gguf", "gemma-2-2b-it-Q4_K_M.gguf"]);
    assert_eq!(last.files[1].sha256, Some(sha256(&model)));
    assert!(!last.files[1].estimate.expect("an estimate").is_rough);
}

#[tokio::test]
async fn a_hub_that_asks_to_wait_is_not_asked_for_the_next_repository() {
    let both = Both::start().await;
    let wait = vec![("retry-after", "77".to_owned())];
    both.theirs
        .fault(Place::Api, "", None, Fault::Status(429, wait, ""));
    let asked = both.theirs.seen().len();
    let (told, error) = both.told(DetailsRequest::of("google/gemma-2-2b-it".into())).await;
    assert_eq!(error, None);
    let error = Error::TooManyRequests { seconds: 77 };
    assert_eq!(told.last().expect("details").hub, HubPart::Failed { error });
    assert_eq!(both.theirs.seen().len(), asked + 1);
}

#[tokio::test]
async fn a_model_that_cannot_be_had_says_why() {
    let both = Both::start().await;
    let mut old = Repo::new("o/old").with("m.gguf", "GGUF");
    old.renamed_to = Some("o/owl".into());
    both.theirs.add(old);
    both.add("o/owl", downloads(1));
    both.theirs
        .add(Repo::new("o/weights").with("model.safetensors", "no GGUF"));
    let cases = [
        ("o/old", "is called o/owl now"),
        ("o/none", "without a Hugging Face token"),
        ("o/weights", "There is no GGUF file in “o/weights”"),
        ("owl", "There is no model “owl”"),
    ];
    for (name, words) in cases {
        let (told, error) = both.told(DetailsRequest::of(name.into())).await;
        assert_eq!(told, [], "{name}");
        let said = error.expect("it says why").to_string();
        assert!(said.contains(words), "{said}");
    }
}

#[tokio::test]
async fn a_gated_model_shows_its_files_and_says_where_access_is_asked_for() {
    let both = Both::start().await;
    both.theirs.add(
        Repo::new("o/owl")
            .with("owl-Q4_K_M.gguf", Tiny::default().bytes())
            .behind(Gate::Manual),
    );
    let (told, error) = both.told(DetailsRequest::of("o/owl".into())).await;
    assert_eq!(error, None);
    let last = told.last().expect("details");
    assert!(
        matches!(&last.access, Some(Error::TokenNeeded { .. })),
        "{:?}",
        last.access
    );
    assert_eq!(last.hub, HubPart::Answered);
    assert!(last.model.gated && last.files[0].size.is_some());
    assert!(last.files[0].estimate.expect("an estimate").is_rough);
}
