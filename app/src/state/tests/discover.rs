//! The page that finds models: what is asked, and what is listed.

mod files;

use hearth_protocol::catalogue::search::{AskHub, CataloguePage, CatalogueQuery, CatalogueSort, SearchEvent};
use hearth_protocol::catalogue::{
    Capability, CatalogueFile, DetailsEvent, DetailsRequest, FileRole, Fit, FitEstimate, HubPart, ModelCard,
    ModelDetails, ModelEdits, ModelSummary,
};
use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState};
use hearth_protocol::hub::HubStatus;
use hearth_protocol::{DownloadId, ModelId};

use super::*;
use crate::effect::BackendEffect;
use crate::effect::discover::DiscoverEffect;
use crate::effect::downloads::DownloadsEffect;
use crate::msg::discover::{DiscoverMsg, DiscoverNews};
use crate::msg::downloads::DownloadsNews;
use crate::state::discover::file_row::FileDoing;
use crate::state::discover::filters::SizeRange;
use crate::state::discover::found::{Act, Empty, EmptyKind};
use crate::state::discover::shown::FileName;
use crate::state::overlay::Overlay;
use crate::text::key;

fn model(id: &str) -> ModelSummary {
    ModelSummary {
        id: id.into(),
        name: id.rsplit('/').next().unwrap_or(id).to_owned(),
        author: "Ada".into(),
        summary: Some("An owl.".into()),
        parameters: Some(8_190_000_000),
        active_parameters: None,
        context_length: Some(40_960),
        capabilities: vec![Capability::Tools],
        licence: Some("MIT".into()),
        released_on: None,
        download_size: Some(ByteSize(5_030_000_000)),
        downloads: Some(2_100_000),
        likes: Some(1204),
        updated_at: Some(UnixMillis(NOW - 20 * DAY)),
        fetched_at: None,
        gated: false,
        featured: false,
        favourite: false,
        hidden: false,
    }
}

fn file_of(name: &str, size: u64, fit: Fit, recommended: bool) -> CatalogueFile {
    CatalogueFile {
        repository: "o/owl-GGUF".into(),
        revision: None,
        name: format!("owl-{name}.gguf"),
        role: FileRole::Model,
        size: Some(ByteSize(size)),
        sha256: None,
        parts: Vec::new(),
        missing_parts: Vec::new(),
        quantisation: Some(name.into()),
        projector: None,
        draft: None,
        fit,
        estimate: Some(FitEstimate {
            weights: ByteSize(size),
            context: ByteSize(1_000_000_000),
            is_rough: false,
            gpu_room: ByteSize(7_000_000_000),
            memory_room: ByteSize(20_000_000_000),
        }),
        recommended: recommended.then(|| "It fits.".into()),
        problem: None,
    }
}

fn details() -> ModelDetails {
    ModelDetails {
        model: model("o/owl"),
        card: ModelCard::default(),
        edits: ModelEdits::default(),
        files: vec![
            file_of("Q4_K_M", 5_030_000_000, Fit::Gpu, true),
            file_of("Q8_0", 8_710_000_000, Fit::Partly, false),
            file_of("F32", 32_800_000_000, Fit::TooLarge, false),
        ],
        fit_context_length: 8192,
        fetched_at: Some(UnixMillis(NOW - 3 * DAY)),
        hub: HubPart::Answered,
        access: None,
    }
}

fn tell(news: DiscoverNews) -> Msg {
    Msg::Backend(News::Discover(news))
}

fn page(run: u64, models: &[&str], more: bool, hub: HubPart) -> Msg {
    let page = CataloguePage {
        models: models.iter().map(|id| model(id)).collect(),
        more,
        hub,
        ..CataloguePage::default()
    };
    found(run, SearchEvent::Page(page))
}

fn found(run: u64, event: SearchEvent) -> Msg {
    tell(DiscoverNews::Search { run: Run(run), event })
}

fn told(run: u64, details: ModelDetails) -> Msg {
    let event = DetailsEvent::Details(Box::new(details));
    tell(DiscoverNews::Details { run: Run(run), event })
}

fn state_of(id: i64, name: &str, state: DownloadState) -> Msg {
    let download = Download {
        id: DownloadId(id),
        request: DownloadRequest {
            model: "o/owl-GGUF".into(),
            file: Some(format!("owl-{name}.gguf")),
            revision: None,
        },
        state,
        done: ByteSize(620_000_000),
        total: Some(ByteSize(1_000_000_000)),
    };
    Msg::Backend(News::Downloads(DownloadsNews::Event(DownloadEvent::Changed(
        download,
    ))))
}

fn named(name: &str) -> FileName {
    FileName {
        repository: "o/owl-GGUF".into(),
        name: format!("owl-{name}.gguf"),
    }
}

fn owl_in_library() -> LibraryFile {
    LibraryFile {
        model: Some("o/owl-GGUF".into()),
        path: "/m/o/owl-GGUF/owl-Q4_K_M.gguf".into(),
        ..file("hearth/owl.gguf", Source::Hearth)
    }
}

impl Desk {
    fn discover(&mut self, msg: DiscoverMsg) -> Vec<Effect> {
        self.now += 1_000;
        self.state.update(Msg::Discover(msg), UnixMillis(self.now))
    }

    /// A desk on the page, where the first list has come as run 1 and the owl's details as run 2.
    fn with_owl() -> Self {
        let mut desk = Self::with_models();
        desk.all([
            Msg::ShowPage(Page::Discover),
            page(1, &["o/owl", "o/lark"], false, HubPart::NotAsked),
            found(1, SearchEvent::Finished),
            Msg::Discover(DiscoverMsg::Choose("o/owl".into())),
            told(2, details()),
        ]);
        desk.log.clear();
        desk
    }

    fn names(&self) -> Vec<&str> {
        let models = &self.state.discover.list.models;
        models.iter().map(|model| model.name.as_str()).collect()
    }
}

/// The one question to the catalogue among these effects.
fn query(effects: &[Effect]) -> Option<(Run, CatalogueQuery)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Backend(BackendEffect::Discover(DiscoverEffect::Search { run, query })) => {
            Some((*run, (**query).clone()))
        }
        _ => None,
    })
}

fn request(effects: &[Effect]) -> Option<DetailsRequest> {
    effects.iter().find_map(|effect| match effect {
        Effect::Backend(BackendEffect::Discover(DiscoverEffect::Details { request, .. })) => {
            Some(request.clone())
        }
        _ => None,
    })
}

fn downloads(effects: &[Effect]) -> Vec<DownloadsEffect> {
    let effects = effects.iter().filter_map(|effect| match effect {
        Effect::Backend(BackendEffect::Downloads(effect)) => Some(effect.clone()),
        _ => None,
    });
    effects.collect()
}

#[test]
fn nobody_is_asked_on_the_hub_before_something_is_typed_or_sorted() {
    let mut desk = Desk::with_models();
    let effects = desk.state.update(Msg::ShowPage(Page::Discover), UnixMillis(NOW));
    let (run, first) = query(&effects).expect("a search");
    assert_eq!(
        (run, first.ask_hub, first.fits_only),
        (Run(1), AskHub::Never, true)
    );
    desk.all([page(1, &["o/owl"], false, HubPart::NotAsked)]);

    let cases: [(DiscoverMsg, &str, AskHub); 3] = [
        (
            DiscoverMsg::TextChanged(" owl ".into()),
            "owl",
            AskHub::AfterPause,
        ),
        (DiscoverMsg::TextChanged(String::new()), "", AskHub::Never),
        (DiscoverMsg::SetSort(CatalogueSort::Likes), "", AskHub::AfterPause),
    ];
    for (msg, text, ask_hub) in cases {
        let effects = desk.discover(msg.clone());
        let (_, query) = query(&effects).expect("a search");
        assert_eq!((query.text.as_str(), query.ask_hub), (text, ask_hub), "{msg:?}");
    }
    // What is there already is not asked for again.
    assert_eq!(desk.discover(DiscoverMsg::SetSort(CatalogueSort::Likes)), []);
    let again = desk.state.update(Msg::ShowPage(Page::Discover), UnixMillis(NOW));
    assert_eq!(query(&again), None);
}

#[test]
fn filters_hold_together_and_are_cleared_before_the_text() {
    let mut desk = Desk::with_models();
    desk.all([Msg::ShowPage(Page::Discover)]);
    for msg in [
        DiscoverMsg::TextChanged("owl".into()),
        DiscoverMsg::ToggleCapability(Capability::Tools),
        DiscoverMsg::ToggleCapability(Capability::Vision),
        DiscoverMsg::ToggleCapability(Capability::Tools),
    ] {
        desk.discover(msg);
    }
    let effects = desk.discover(DiscoverMsg::SetSize(SizeRange::Small));
    let (_, all) = query(&effects).expect("a search");
    assert_eq!(
        (all.text.as_str(), all.capabilities, all.fits_only),
        ("owl", vec![Capability::Vision], true)
    );
    assert_eq!(
        (all.min_parameters, all.max_parameters),
        (Some(3_000_000_000), Some(9_000_000_000))
    );
    for (text, fits) in [("owl", false), ("", false)] {
        let effects = desk.discover(DiscoverMsg::ClearFilters);
        let (_, all) = query(&effects).expect("a search");
        assert_eq!((all.text.as_str(), all.fits_only), (text, fits));
        assert_eq!((all.capabilities, all.max_parameters), (Vec::new(), None));
    }
}

#[test]
fn a_page_takes_the_place_of_the_same_page_and_follows_the_one_before() {
    let mut desk = Desk::with_models();
    desk.all([
        Msg::ShowPage(Page::Discover),
        page(1, &["o/owl", "o/lark"], true, HubPart::Asking),
        page(1, &["o/lark", "o/hawk"], true, HubPart::Answered),
        found(1, SearchEvent::Finished),
    ]);
    assert_eq!(desk.names(), ["lark", "hawk"]);
    let effects = desk.discover(DiscoverMsg::MoreWanted);
    let (run, next) = query(&effects).expect("the next page");
    assert_eq!((run, next.page), (Run(2), 1));
    // Once, whoever asks for it again meanwhile.
    assert_eq!(desk.discover(DiscoverMsg::MoreWanted), []);
    desk.all([
        page(3, &["o/other"], false, HubPart::Answered),
        page(2, &["o/dove"], true, HubPart::Asking),
        page(2, &["o/hawk", "o/wren"], false, HubPart::Answered),
        found(2, SearchEvent::Finished),
    ]);
    assert_eq!(desk.names(), ["lark", "hawk", "wren"]);
    assert_eq!(desk.discover(DiscoverMsg::MoreWanted), []);
    // What is known of another text stays until something of it has come.
    desk.discover(DiscoverMsg::TextChanged("gull".into()));
    assert_eq!(desk.names(), ["lark", "hawk", "wren"]);
    let run = 5;
    desk.all([page(run, &["o/gull"], false, HubPart::Answered)]);
    assert_eq!(desk.names(), ["gull"]);
}

#[test]
fn an_empty_list_says_why_and_what_to_do() {
    let offline = || Error::Offline {
        what: "This".into(),
        reason: "it is off".into(),
    };
    let down = || Error::HubDown {
        reason: "no route".into(),
    };
    let link = || Error::invalid("text", "is a link to something else");
    let failed = |error| HubPart::Failed { error };
    let cases: [(Msg, EmptyKind, &str, Act); 6] = [
        (
            page(1, &[], false, HubPart::NotAsked),
            EmptyKind::Search,
            "discover-nothing-title",
            Act::ClearFilters,
        ),
        (
            page(1, &[], false, HubPart::Offline),
            EmptyKind::Offline,
            "discover-offline-title",
            Act::Settings,
        ),
        (
            page(1, &[], false, failed(down())),
            EmptyKind::Offline,
            "discover-down-title",
            Act::Retry,
        ),
        (
            found(1, SearchEvent::Failed(offline())),
            EmptyKind::Offline,
            "discover-offline-title",
            Act::Settings,
        ),
        (
            found(1, SearchEvent::Failed(link())),
            EmptyKind::Search,
            "discover-no-link-title",
            Act::ClearFilters,
        ),
        (
            found(1, SearchEvent::Failed(Error::BackendGone)),
            EmptyKind::Offline,
            "discover-down-title",
            Act::Retry,
        ),
    ];
    for (msg, expected, words, wanted) in cases {
        let mut desk = Desk::with_models();
        desk.all([Msg::ShowPage(Page::Discover)]);
        assert_eq!(desk.state.found_view().empty, Some(Empty::Loading));
        desk.all([msg.clone()]);
        match desk.state.found_view().empty {
            Some(Empty::Nothing { kind, title, act, .. }) => {
                assert_eq!((kind, title.0, act.1), (expected, words, wanted), "{msg:?}");
            }
            other => panic!("{other:?} for {msg:?}"),
        }
    }
    // Where something is known it is shown, and the trouble beside it.
    let mut desk = Desk::with_models();
    desk.all([
        Msg::ShowPage(Page::Discover),
        page(1, &["o/owl"], true, failed(down())),
        found(1, SearchEvent::Finished),
    ]);
    let view = desk.state.found_view();
    let notice = view.notice.expect("a notice");
    assert_eq!(
        (view.empty, notice.is_bad, notice.act),
        (None, true, Some((key!("action-try-again"), Act::Retry)))
    );
    assert!(
        !desk.state.discover.list.wants_more(),
        "nobody asks by himself then"
    );
    let effects = desk.discover(DiscoverMsg::Retry);
    assert!(query(&effects).is_some());
}

#[test]
fn escape_empties_the_field_then_closes_the_model() {
    let mut desk = Desk::with_owl();
    desk.discover(DiscoverMsg::TextChanged("owl".into()));
    desk.all([Msg::Escape]);
    assert!(desk.state.discover.filters.text.is_empty());
    assert!(desk.state.discover.shown.is_some());
    desk.all([Msg::Escape]);
    assert!(desk.state.discover.shown.is_none());
}
