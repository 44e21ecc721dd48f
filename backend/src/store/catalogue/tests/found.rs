//! Models that the hub told of, beside those that came with Hearth.

use super::super::found::forget_oldest;
use super::*;

/// A model as a list of the hub tells it.
fn listed(id: &str, downloads: u64) -> NewModel {
    let new = model(id, id.split_once('/').expect("author/name").1);
    NewModel {
        place: None,
        trending_score: Some(1.5),
        card: ModelCard {
            repositories: vec![id.into()],
            ..ModelCard::default()
        },
        model: ModelSummary {
            downloads: Some(downloads),
            likes: Some(downloads / 10),
            updated_at: Some(UnixMillis(7_000)),
            fetched_at: Some(UnixMillis(1_000)),
            featured: false,
            ..new.model
        },
        ..new
    }
}

/// The same as its own page tells it, with one file.
fn told(id: &str, downloads: u64) -> NewModel {
    let own = CatalogueFile {
        repository: id.into(),
        ..file("own-Q5_K_M.gguf", "Q5_K_M")
    };
    NewModel {
        files: vec![own],
        detailed_at: Some(UnixMillis(2_000)),
        ..listed(id, downloads)
    }
}

async fn stored(store: &Store, id: &str) -> StoredModel {
    store.catalogue_model(&id.into()).await.expect("it is there")
}

#[tokio::test]
async fn a_model_of_the_hub_is_found_and_what_the_person_wrote_stays() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let shown = store.keep_found(&[listed("hub/owl", 5)]).await.expect("kept");
    assert_eq!(shown, ["hub/owl".into()]);
    let edits = ModelEdits {
        display_name: Some("Night bird".into()),
        ..ModelEdits::default()
    };
    store
        .edit_catalogue_model(&"hub/owl".into(), &edits)
        .await
        .expect("stored");
    store.keep_found(&[listed("hub/owl", 6)]).await.expect("kept");
    let owl = stored(&store, "hub/owl").await;
    assert_eq!(
        (owl.model.name.as_str(), owl.model.downloads),
        ("Night bird", Some(6))
    );
    assert!(!owl.model.featured);
    assert_eq!(found(&store, "owl").await, "Night bird");
}

#[tokio::test]
async fn a_list_takes_no_sizes_away_that_the_models_own_page_told() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    store.keep_found(&[told("hub/owl", 5)]).await.expect("kept");
    let mut brief = listed("hub/owl", 9);
    brief.model.download_size = None;
    brief.least_memory = None;
    store.keep_found(&[brief]).await.expect("kept");
    let owl = stored(&store, "hub/owl").await;
    assert_eq!(owl.files.len(), 1);
    assert_eq!(
        (owl.model.downloads, owl.detailed_at),
        (Some(9), Some(UnixMillis(2_000)))
    );
    assert!(owl.model.download_size.is_some());
}

#[tokio::test]
async fn a_repository_of_a_model_that_came_with_hearth_gives_it_figures_and_no_text() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let mut lama = model("alpha/lama", "Lama 1");
    lama.card.repositories = vec!["maker/lama-GGUF".into(), "other/lama-GGUF".into()];
    store
        .load_shipped_models("1", || Ok(vec![lama.clone()]))
        .await
        .expect("loaded");
    let mut second = listed("other/lama-gguf", 70);
    second.model.gated = true;
    let told_twice = [listed("Maker/Lama-GGUF", 300), second];
    let shown = store.keep_found(&told_twice).await.expect("kept");
    assert_eq!(shown, ["alpha/lama".into()]);
    let before = stored(&store, "alpha/lama").await;
    assert_eq!(before.model.summary, lama.model.summary);
    assert_eq!(
        (before.model.downloads, before.model.likes),
        (Some(300), Some(30))
    );
    assert_eq!(before.model.updated_at, Some(UnixMillis(7_000)));
    assert!(before.model.featured && !before.model.gated);
    assert_eq!(before.files, lama.files);
    // The figures fall too.
    store
        .keep_found(&[listed("maker/lama-GGUF", 50)])
        .await
        .expect("kept");
    assert_eq!(stored(&store, "alpha/lama").await.model.downloads, Some(70));
    // It is known by its repositories too, and its files there are the hub's from then on.
    store
        .keep_found(&[told("maker/lama-GGUF", 50)])
        .await
        .expect("kept");
    let after = stored(&store, "other/lama-GGUF").await;
    assert_eq!(after.model.id, "alpha/lama".into());
    let names: Vec<_> = after.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["m-Q4_K_M.gguf", "m-Q8_0.gguf", "own-Q5_K_M.gguf"]);
    assert_eq!(found(&store, "").await, "Lama 1");
}

#[tokio::test]
async fn another_version_of_hearth_keeps_figures_and_takes_what_it_brings_now() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let mut lama = model("alpha/lama", "Lama 1");
    lama.card.repositories = vec!["maker/lama-GGUF".into()];
    store
        .load_shipped_models("1", || Ok(vec![lama.clone()]))
        .await
        .expect("loaded");
    let found_there = [listed("maker/lama-GGUF", 300), listed("hub/owl-GGUF", 5)];
    store.keep_found(&found_there).await.expect("kept");
    let edits = ModelEdits {
        notes: "It hoots.".into(),
        ..ModelEdits::default()
    };
    store
        .edit_catalogue_model(&"hub/owl-GGUF".into(), &edits)
        .await
        .expect("stored");

    let mut owl = model("beta/owl", "Owl");
    owl.card.repositories = vec!["hub/owl-GGUF".into()];
    lama.model.summary = Some("New words.".into());
    store
        .load_shipped_models("2", || Ok(vec![lama, owl]))
        .await
        .expect("loaded");
    let lama = stored(&store, "alpha/lama").await;
    assert_eq!(lama.model.summary.as_deref(), Some("New words."));
    assert_eq!(lama.model.downloads, Some(300));
    let owl = stored(&store, "hub/owl-GGUF").await;
    assert_eq!(owl.model.id, "beta/owl".into());
    assert_eq!(owl.edits, edits);
    assert_eq!(found(&store, "owl").await, "Owl");
    // What this version does not bring any more is gone.
    store
        .load_shipped_models("3", || Ok(vec![model("alpha/lama", "Lama 1")]))
        .await
        .expect("loaded");
    assert_eq!(found(&store, "").await, "Lama 1");
}

#[tokio::test]
async fn the_models_that_were_told_of_longest_ago_are_forgotten_unless_the_person_wrote_of_them() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let mut models: Vec<_> = (0..6_i64)
        .map(|number| {
            let mut new = listed(&format!("hub/owl{number}"), 1);
            new.model.fetched_at = Some(UnixMillis(number));
            new
        })
        .collect();
    models.reverse();
    store.keep_found(&models).await.expect("kept");
    let note = ModelEdits {
        notes: "Keep.".into(),
        ..ModelEdits::default()
    };
    store
        .edit_catalogue_model(&"hub/owl0".into(), &note)
        .await
        .expect("stored");
    let mut transaction = store.write().await.expect("a transaction");
    forget_oldest(&mut transaction, 2).await.expect("forgotten");
    transaction.commit().await.expect("committed");
    let mut left = names(&search(&store, CatalogueQuery::default()).await).join(" ");
    assert_eq!(left, "Lama 1 Uhu 8B Qwen Coder owl5 owl4 owl0");
    // Nothing of what is gone is in the index.
    left = found(&store, "owl").await;
    assert_eq!(left.matches("owl").count(), 3, "{left}");
}

#[tokio::test]
async fn trending_and_change_order_what_is_known() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let figures = [("hub/a", 2.0, 10), ("hub/b", 3.0, 5), ("hub/c", 1.0, 20)];
    let models = figures.map(|(id, trending, updated)| NewModel {
        trending_score: Some(trending),
        model: ModelSummary {
            updated_at: Some(UnixMillis(updated)),
            ..listed(id, 1).model
        },
        ..listed(id, 1)
    });
    store.keep_found(&models).await.expect("kept");
    let cases = [
        (CatalogueSort::Trending, "b a c Lama"),
        (CatalogueSort::Updated, "c a b Lama"),
    ];
    for (sort, expected) in cases {
        for text in ["", "maker"] {
            let query = CatalogueQuery {
                text: text.into(),
                sort,
                ..CatalogueQuery::default()
            };
            let told = names(&search(&store, query).await).join(" ");
            let expected = if text.is_empty() { expected } else { "Lama" };
            assert!(told.starts_with(expected), "{sort:?} {text}: {told}");
        }
    }
}

#[tokio::test]
async fn listings_and_headers_come_back_as_they_were_kept() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let listing = Listing {
        pages: vec![ListedPage {
            models: vec!["a/b".into()],
            more: true,
            made_at: UnixMillis(7),
        }],
        waiting: vec!["c/d".into()],
        rest: Rest::At("http://hub.example/next".into()),
        named: Some(Error::TooManyRequests { seconds: 7 }),
    };
    assert_eq!(store.read_listing("q").await, Ok(None));
    store.keep_listing("q", &Listing::default()).await.expect("kept");
    store.keep_listing("q", &listing).await.expect("kept");
    assert_eq!(store.read_listing("q").await, Ok(Some(listing)));

    let (facts, problem) = (Header::Facts("{}".into()), Header::Problem("it is short".into()));
    store.keep_header("one", &problem).await.expect("kept");
    store.keep_header("one", &facts).await.expect("kept");
    store.keep_header("two", &problem).await.expect("kept");
    let wanted = ["one", "two", "three"].map(str::to_owned);
    let read = store.read_headers(&wanted).await.expect("read");
    assert_eq!((read.len(), &read["one"], &read["two"]), (2, &facts, &problem));
    // What came may have been another's fault.
    let mut transaction = store.write().await.expect("a transaction");
    sqlx::query("update catalogue_headers set read_at = 0")
        .execute(&mut *transaction)
        .await
        .expect("updated");
    transaction.commit().await.expect("committed");
    let read = store.read_headers(&wanted).await.expect("read");
    assert_eq!((read.len(), &read["one"]), (1, &facts));
}
