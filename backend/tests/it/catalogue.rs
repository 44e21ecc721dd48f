//! The catalogue through `Client`: what Hearth brings, and what the person writes of it.

use hearth_protocol::catalogue::search::{CataloguePage, CatalogueQuery, SearchEvent};
use hearth_protocol::catalogue::{
    DetailsEvent, DetailsRequest, FileRole, Fit, HubPart, ModelDetails, ModelEdits,
};
use hearth_protocol::{Error, ModelId, Result};

use crate::app::{App, next};

/// The one page that is known without the hub.
fn page(app: &App, query: CatalogueQuery) -> CataloguePage {
    let events = app.client.search_catalogue(query);
    let Some(SearchEvent::Page(page)) = next(&events) else {
        panic!("a page comes first");
    };
    assert_eq!(page.hub, HubPart::Offline);
    assert_eq!(next(&events), Some(SearchEvent::Finished));
    assert_eq!(next(&events), None);
    page
}

/// What is known of a model without the hub.
fn told(app: &App, model: ModelId, context_length: Option<u32>) -> Result<ModelDetails> {
    let events = app.client.model_details(DetailsRequest {
        context_length,
        ..DetailsRequest::of(model)
    });
    let details = match next(&events).expect("an event") {
        DetailsEvent::Details(details) => details,
        DetailsEvent::Failed(error) => return Err(error),
        DetailsEvent::Finished => panic!("the details come first"),
    };
    assert_eq!(details.hub, HubPart::Offline);
    assert_eq!(next(&events), Some(DetailsEvent::Finished));
    Ok(*details)
}

fn starter() -> ModelId {
    "HuggingFaceTB/SmolLM2-135M-Instruct".into()
}

fn query(text: &str) -> CatalogueQuery {
    CatalogueQuery {
        text: text.to_owned(),
        ..CatalogueQuery::default()
    }
}

#[test]
fn hearths_own_models_are_there_on_the_first_start() {
    let app = App::real();
    let featured = app.client.featured_models().wait().expect("the models");
    assert_eq!(featured[0].id, starter());
    let all = page(&app, query(""));
    assert_eq!(all.models[0], featured[0]);
    let found = page(&app, query("smol 135"));
    assert_eq!(found.models.len(), 1);
    assert_eq!(found.models[0], featured[0]);
}

#[test]
fn each_file_says_how_it_fits_and_one_is_recommended() {
    let app = App::real();
    let details = told(&app, starter(), None).expect("details");
    assert_eq!(details.fit_context_length, 8192);
    let file = &details.files[0];
    // Whatever this machine is, it holds the smallest model.
    assert!(
        matches!(file.fit, Fit::Gpu | Fit::Partly | Fit::Cpu),
        "{:?}",
        file.fit
    );
    let estimate = file.estimate.expect("an estimate");
    assert!(estimate.is_rough, "the file is not on the disk of this test");
    assert!(estimate.memory_room > estimate.total());
    assert!(file.recommended.is_some());

    // A context as long as any number cannot fit.
    let endless = told(&app, starter(), Some(u32::MAX)).expect("details");
    assert_eq!(endless.files[0].fit, Fit::TooLarge);
    let none = told(&app, starter(), Some(0));
    assert!(matches!(none, Err(Error::Invalid { .. })), "{none:?}");
    let unknown = told(&app, "nobody/nothing".into(), None);
    assert!(matches!(unknown, Err(Error::Offline { .. })), "{unknown:?}");
    let no_name = told(&app, "nothing".into(), None);
    assert!(matches!(no_name, Err(Error::NotFound { .. })), "{no_name:?}");
}

#[test]
fn every_model_has_one_recommended_file_and_its_projector_beside_it() {
    let app = App::real();
    let featured = app.client.featured_models().wait().expect("the models");
    for model in featured {
        let details = told(&app, model.id.clone(), None).expect("details");
        let recommended = details
            .files
            .iter()
            .filter(|file| file.recommended.is_some())
            .count();
        assert_eq!(recommended, 1, "{}", model.id);
        let has_projector = |repository: &ModelId| {
            let mut files = details.files.iter();
            files.any(|file| file.role == FileRole::Projector && &file.repository == repository)
        };
        for file in details.files.iter().filter(|file| file.role == FileRole::Model) {
            assert_eq!(
                file.projector.is_some(),
                has_projector(&file.repository),
                "{}",
                file.name
            );
        }
    }
}

#[test]
fn only_what_fits_is_found_where_that_is_asked_for() {
    let app = App::real();
    let fitting = CatalogueQuery {
        fits_only: true,
        ..query("smollm2 135m")
    };
    let found = page(&app, fitting);
    assert_eq!(found.models.len(), 1);
}

#[test]
fn what_a_person_writes_of_a_model_is_there_after_a_restart() {
    let mut app = App::real();
    let edits = ModelEdits {
        display_name: Some(" Tiny one ".into()),
        notes: "Starts at once.".into(),
        tags: vec!["sparrow".into(), "Sparrow".into()],
        favourite: true,
        hidden: false,
    };
    let row = app.client.edit_model(starter(), edits).wait().expect("stored");
    assert_eq!((row.name.as_str(), row.favourite), ("Tiny one", true));
    app.shut_down();
    app.start_again();
    let found = page(&app, query("sparr"));
    assert_eq!(found.models, [row]);
    let details = told(&app, starter(), None).expect("details");
    assert_eq!(details.edits.tags, ["sparrow"]);
    assert_eq!(details.edits.notes, "Starts at once.");

    let long = ModelEdits {
        notes: "x".repeat(200_000),
        ..ModelEdits::default()
    };
    let refused = app.client.edit_model(starter(), long).wait();
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    let unknown = app
        .client
        .edit_model("nobody/nothing".into(), ModelEdits::default())
        .wait();
    assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
}
