mod found;
mod search;

use hearth_protocol::ByteSize;
use hearth_protocol::catalogue::search::{CataloguePage, CatalogueQuery, CatalogueSort};
use hearth_protocol::catalogue::{Capability, CatalogueFile, FileRole, Fit};
use tempfile::TempDir;

use super::*;
use crate::catalogue::query::Asked;

async fn open(folder: &TempDir) -> Store {
    Store::open(&folder.path().join("hearth.db"))
        .await
        .expect("the store opens")
}

fn file(name: &str, quantisation: &str) -> CatalogueFile {
    CatalogueFile {
        repository: "maker/files-GGUF".into(),
        revision: Some("ab".repeat(20)),
        name: name.into(),
        role: FileRole::Model,
        size: Some(ByteSize(4_000_000_000)),
        sha256: None,
        parts: Vec::new(),
        missing_parts: Vec::new(),
        quantisation: Some(quantisation.into()),
        projector: None,
        draft: None,
        fit: Fit::Unknown,
        estimate: None,
        recommended: None,
        problem: None,
    }
}

fn model(id: &str, name: &str) -> NewModel {
    let (author, _) = id.split_once('/').expect("author/name");
    NewModel {
        model: ModelSummary {
            id: id.into(),
            name: name.into(),
            author: author.into(),
            summary: Some("A calm café of words.".into()),
            parameters: Some(8_000_000_000),
            active_parameters: None,
            context_length: Some(32_768),
            capabilities: vec![Capability::Tools, Capability::Code],
            licence: Some("MIT".into()),
            released_on: Some("2025-04-29".into()),
            download_size: Some(ByteSize(4_000_000_000)),
            downloads: None,
            likes: None,
            updated_at: None,
            fetched_at: None,
            gated: false,
            featured: true,
            favourite: false,
            hidden: false,
        },
        place: Some(0),
        card: ModelCard {
            languages: vec!["en".into(), "de".into()],
            repositories: vec!["maker/files-GGUF".into()],
            ..ModelCard::default()
        },
        usual_file: Some("m-Q4_K_M.gguf".into()),
        least_memory: Some(5_000_000_000),
        trending_score: None,
        files: vec![file("m-Q4_K_M.gguf", "Q4_K_M"), file("m-Q8_0.gguf", "Q8_0")],
        detailed_at: None,
    }
}

/// Three models in this order: Lama 1, Uhu 8B and Qwen Coder.
fn three() -> Vec<NewModel> {
    let mut models = [
        model("alpha/lama", "Lama 1"),
        model("beta/uhu", "Uhu 8B"),
        model("gamma/qwen", "Qwen Coder"),
    ];
    for (place, model) in (0..).zip(&mut models) {
        model.place = Some(place);
    }
    models[1].model.parameters = Some(1_000_000);
    models[1].model.licence = Some("Apache-2.0".into());
    models[1].model.capabilities = vec![Capability::Vision];
    models[1].model.released_on = None;
    models[1].model.gated = true;
    models[1].least_memory = Some(9_000_000_000);
    models[2].model.summary = Some("It reads lama and uhu.".into());
    models[2].model.released_on = Some("2026-01-01".into());
    models[2].card.languages = vec!["zh".into()];
    models.to_vec()
}

async fn with_three(folder: &TempDir) -> Store {
    let store = open(folder).await;
    store
        .load_shipped_models("1", || Ok(three()))
        .await
        .expect("loaded");
    store
}

fn names(page: &CataloguePage) -> Vec<&str> {
    page.models.iter().map(|model| model.name.as_str()).collect()
}

async fn search(store: &Store, query: CatalogueQuery) -> CataloguePage {
    let asked = Asked::new(query, "https://hub.example", Some(6_000_000_000)).expect("it can be asked");
    store
        .search_catalogue(&asked)
        .await
        .expect("the search is answered")
}

async fn found(store: &Store, text: &str) -> String {
    let query = CatalogueQuery {
        text: text.into(),
        ..CatalogueQuery::default()
    };
    names(&search(store, query).await).join(", ")
}

#[tokio::test]
async fn what_was_put_in_comes_back_whole() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let mut new = model("alpha/lama", "Lama");
    new.files[0].missing_parts = vec![2];
    let expected = new.clone();
    store
        .load_shipped_models("1", move || Ok(vec![new]))
        .await
        .expect("loaded");
    let stored = store
        .catalogue_model(&"Alpha/LAMA".into())
        .await
        .expect("it is there");
    assert_eq!(stored.model, expected.model);
    assert_eq!(stored.card, expected.card);
    assert_eq!(stored.files, expected.files);
    assert_eq!(stored.usual_file, expected.usual_file);
    assert_eq!(stored.edits, ModelEdits::default());
    let missing = store.catalogue_model(&"alpha/none".into()).await;
    assert!(matches!(missing, Err(Error::NotFound { .. })));
}

#[tokio::test]
async fn another_version_takes_the_place_and_leaves_what_the_person_wrote() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let edits = ModelEdits {
        display_name: Some("My owl".into()),
        notes: "Good at night.".into(),
        tags: vec!["birds".into()],
        favourite: true,
        hidden: false,
    };
    let row = store
        .edit_catalogue_model(&"beta/uhu".into(), &edits)
        .await
        .expect("stored");
    assert_eq!((row.name.as_str(), row.favourite), ("My owl", true));
    let gone = ModelEdits {
        hidden: true,
        ..ModelEdits::default()
    };
    store
        .edit_catalogue_model(&"alpha/lama".into(), &gone)
        .await
        .expect("stored");

    // The same version is not even read.
    let unread = store
        .load_shipped_models("1", || Err(Error::internal("it was read")))
        .await;
    assert_eq!(unread, Ok(()));

    let mut uhu = model("beta/uhu", "Uhu 9B");
    uhu.files.truncate(1);
    store
        .load_shipped_models("2", || Ok(vec![uhu]))
        .await
        .expect("loaded");
    let stored = store
        .catalogue_model(&"beta/uhu".into())
        .await
        .expect("it is there");
    assert_eq!(stored.edits, edits);
    assert_eq!((stored.model.name.as_str(), stored.files.len()), ("My owl", 1));
    assert_eq!(found(&store, "birds").await, "My owl");
    assert_eq!(found(&store, "uhu 9b").await, "My owl");
    assert_eq!(found(&store, "qwen").await, "");

    // A model that was away for a version is as the person left it when it comes back.
    store
        .load_shipped_models("3", || Ok(three()))
        .await
        .expect("loaded");
    assert_eq!(found(&store, "").await, "My owl, Qwen Coder");
    let reset = ModelEdits::default();
    let row = store
        .edit_catalogue_model(&"beta/uhu".into(), &reset)
        .await
        .expect("stored");
    assert_eq!((row.name.as_str(), row.favourite), ("Uhu 8B", false));
    assert_eq!(found(&store, "birds").await, "");
}

#[tokio::test]
async fn damaged_edits_keep_nobody_from_the_catalogue() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let mut transaction = store.write().await.expect("a transaction");
    sqlx::query(
        "insert into catalogue_edits (model, notes, tags, favourite, hidden) values ('beta/uhu', 'x', 'no JSON', 7, 0)",
    )
    .execute(&mut *transaction)
    .await
    .expect("inserted");
    transaction.commit().await.expect("committed");
    store
        .load_shipped_models("2", || Ok(three()))
        .await
        .expect("loaded");
    let stored = store
        .catalogue_model(&"beta/uhu".into())
        .await
        .expect("it is there");
    assert_eq!(stored.edits.tags, Vec::<String>::new());
    assert_eq!((stored.edits.notes.as_str(), stored.model.favourite), ("x", true));
    assert_eq!(found(&store, "uhu 8b").await, "Uhu 8B");
}

#[tokio::test]
async fn a_catalogue_that_cannot_be_read_leaves_what_there_was() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let failed = store
        .load_shipped_models("2", || Err(Error::internal("no")))
        .await;
    assert!(failed.is_err());
    let twice = vec![
        model("a/b", "x"),
        NewModel {
            files: vec![file("f", "q")],
            ..model("a/b", "x")
        },
    ];
    store
        .load_shipped_models("2", || Ok(twice))
        .await
        .expect("the later one counts");
    assert_eq!(
        store
            .catalogue_model(&"a/b".into())
            .await
            .expect("there")
            .files
            .len(),
        1
    );
}
