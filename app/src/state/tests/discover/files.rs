//! The model that is shown: what leads to it, its memory, what can be done with its files, and the way to a chat.

use super::*;

#[test]
fn the_context_goes_by_doubling_up_to_what_the_model_was_trained_for() {
    let mut desk = Desk::with_owl();
    let view = desk.state.details_view().expect("details");
    let memory = view.memory.expect("its memory");
    assert_eq!(memory.context, "8\u{a0}192\u{a0}tokens");
    assert_eq!(
        memory.needs.replace('\u{a0}', " "),
        "Q4_K_M needs 6.03 GB: 5.03 GB for the weights and 1.00 GB for the context."
    );
    let cases = [
        (DiscoverMsg::SlideContext(0.0), Some(1024)),
        (DiscoverMsg::SlideContext(0.01), None),
        (DiscoverMsg::StepContext(1.0), Some(2048)),
        (DiscoverMsg::StepContext(10.0), Some(40_960)),
        (DiscoverMsg::StepContext(1.0), None),
        (DiscoverMsg::StepContext(-1.0), Some(32_768)),
        (DiscoverMsg::SlideContext(1.0), Some(40_960)),
    ];
    for (msg, tokens) in cases {
        let asked = request(&desk.discover(msg.clone()));
        assert_eq!(asked.and_then(|asked| asked.context_length), tokens, "{msg:?}");
    }
    // Another file is told of from then on, and its memory is asked for exactly.
    let asked = request(&desk.discover(DiscoverMsg::LookAt(named("Q8_0")))).expect("a request");
    assert_eq!(asked.file.as_deref(), Some("owl-Q8_0.gguf"));
    let memory = desk.state.details_view().and_then(|view| view.memory);
    assert!(memory.is_some_and(|memory| memory.needs.starts_with("Q8_0 needs")));
}

#[test]
fn a_file_says_what_can_be_done_with_it() {
    let offline = Error::Offline {
        what: "This".into(),
        reason: "it is off".into(),
    };
    let cases: [(DownloadState, &str); 7] = [
        (DownloadState::Queued, "Coming Waits true"),
        (
            DownloadState::Running {
                bytes_per_second: 48_000_000.0,
                seconds_left: None,
                trouble: None,
            },
            "Coming 48.0 MB/s true",
        ),
        (DownloadState::Verifying, "Coming Checking false"),
        (DownloadState::Paused { reason: None }, "Paused Paused"),
        (
            DownloadState::Paused {
                reason: Some(offline),
            },
            "Paused This needs the network: it is off.",
        ),
        (
            DownloadState::Failed {
                error: Error::WrongHash { file: "owl".into() },
            },
            "Failed",
        ),
        (
            DownloadState::Done {
                verified: true,
                file: Some("hearth/owl.gguf".into()),
            },
            "Absent",
        ),
    ];
    for (state, expected) in cases {
        let mut desk = Desk::with_owl();
        desk.all([state_of(7, "Q4_K_M", state.clone())]);
        let row = desk.state.file_rows().remove(0);
        let told = match row.state {
            FileDoing::Absent => "Absent".into(),
            FileDoing::Coming {
                percent,
                speed,
                can_pause,
                ..
            } => {
                assert_eq!(percent, "62\u{a0}%");
                format!("Coming {speed} {can_pause}")
            }
            FileDoing::Paused { why, .. } => format!("Paused {why}"),
            FileDoing::Failed { .. } => "Failed".into(),
            other => format!("{other:?}"),
        };
        assert_eq!(told.replace('\u{a0}', " "), expected, "{state:?}");
    }
    let mut desk = Desk::with_owl();
    desk.all([Msg::Backend(News::Files(Ok(vec![owl_in_library()])))]);
    let rows = desk.state.file_rows();
    assert_eq!(rows[0].state, FileDoing::Here("hearth/owl.gguf".into()));
    assert_eq!(rows[1].state, FileDoing::Absent);
    match &rows[2].state {
        FileDoing::Useless(why) => assert_eq!(why.replace('\u{a0}', " "), "6.80 GB of memory are missing."),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_download_that_is_waited_for_opens_a_chat_once_the_library_has_it() {
    let done = || DownloadState::Done {
        verified: true,
        file: Some("hearth/owl.gguf".into()),
    };
    for stays in [true, false] {
        let mut desk = Desk::with_owl();
        let effects = desk.discover(DiscoverMsg::DownloadAndChat(named("Q4_K_M")));
        assert_eq!(
            downloads(&effects),
            [DownloadsEffect::Start(named("Q4_K_M").request())]
        );
        desk.all([state_of(7, "Q4_K_M", DownloadState::Queued)]);
        let main = desk
            .state
            .details_view()
            .and_then(|view| view.main)
            .expect("a button");
        assert_eq!(
            (main.label.as_str(), main.act),
            ("The chat opens when it is here", None)
        );
        if !stays {
            desk.all([Msg::ShowPage(Page::Server)]);
        }
        desk.all([state_of(7, "Q4_K_M", done())]);
        assert_eq!(desk.state.page(), if stays { Page::Chat } else { Page::Server });
        assert!(
            desk.state.models.load.is_none(),
            "the library does not have it yet"
        );
        desk.all([Msg::Backend(News::Files(Ok(vec![owl_in_library()])))]);
        let loading = desk.state.models.load.as_ref().map(|load| load.name.as_str());
        assert_eq!(loading, stays.then_some("owl"));
    }
}

#[test]
fn a_download_that_failed_is_tried_again_and_one_taken_away_is_forgotten() {
    let mut desk = Desk::with_owl();
    let failed = DownloadState::Failed {
        error: Error::WrongHash { file: "owl".into() },
    };
    desk.all([state_of(7, "Q4_K_M", failed)]);
    let effects = desk.discover(DiscoverMsg::DownloadAndChat(named("Q4_K_M")));
    assert_eq!(downloads(&effects), [DownloadsEffect::Retry(DownloadId(7))]);
    desk.all([state_of(7, "Q4_K_M", DownloadState::Queued)]);
    let removed = DownloadEvent::Removed(DownloadId(7));
    desk.all([Msg::Backend(News::Downloads(DownloadsNews::Event(removed)))]);
    let main = desk
        .state
        .details_view()
        .and_then(|view| view.main)
        .expect("a button");
    assert_eq!(
        main.act,
        Some(DiscoverMsg::DownloadAndChat(named("Q4_K_M"))),
        "nothing is waited for"
    );
    // One that is here needs no download.
    desk.all([Msg::Backend(News::Files(Ok(vec![owl_in_library()])))]);
    let effects = desk.discover(DiscoverMsg::DownloadAndChat(named("Q4_K_M")));
    assert_eq!(downloads(&effects), []);
    assert_eq!(desk.state.page(), Page::Chat);
}

#[test]
fn a_gated_model_leads_to_its_page_after_asking() {
    let gated = ModelDetails {
        access: Some(Error::TokenNeeded {
            model: "o/owl".into(),
        }),
        ..details()
    };
    let refused = ModelDetails {
        access: Some(Error::NoAccess {
            model: "o/owl".into(),
            page: "https://hub.example/o/owl".into(),
        }),
        ..details()
    };
    let cases = [
        (gated, "This model is gated.", "https://huggingface.co/o/owl-GGUF"),
        (
            refused,
            "Your Hugging Face token has no access",
            "https://hub.example/o/owl",
        ),
    ];
    for (details, words, address) in cases {
        let mut desk = Desk::with_owl();
        desk.all([told(2, details)]);
        let view = desk.state.details_view().expect("details");
        let notice = view.notice.expect("a notice");
        assert!(notice.text.starts_with(words), "{}", notice.text);
        assert_eq!(notice.act.map(|act| act.1), Some(Act::Settings));
        desk.discover(DiscoverMsg::AskLicencePage);
        match &desk.state.overlay {
            Some(Overlay::Link(link)) => assert_eq!((link.address.as_str(), link.can_open), (address, true)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_card_and_the_facts_say_what_is_known() {
    let desk = Desk::with_owl();
    let card = desk.state.card(&desk.state.discover.list.models[0]);
    assert_eq!(card.facts.replace('\u{a0}', " "), "Ada · 8.2 B · 2.1 M downloads");
    // As the details said of the recommended file.
    assert_eq!((card.fit, card.is_chosen), (Some(Fit::Gpu), true));
    let view = desk.state.details_view().expect("details");
    let facts = view.facts.map(|fact| fact.replace('\u{a0}', " "));
    assert_eq!(
        facts,
        [
            "Ada",
            "MIT",
            "8.2 B",
            "40 960 tokens",
            "1 204",
            "2.1 M",
            "25 Sep",
            "–"
        ]
        .map(str::to_owned)
    );
    assert!(view.age.starts_with("Told by Hugging Face: "), "{}", view.age);
    assert_eq!(view.files.replace('\u{a0}', " "), "3 files");
}

#[test]
fn a_pasted_link_shows_the_model_and_the_file_it_leads_to() {
    let hub = HubStatus {
        endpoint: "http://mirror:1".into(),
        offline: false,
        token: None,
    };
    let cases = [
        ("https://huggingface.co/o/owl", Some(("o/owl", None))),
        ("hf.co/o/owl-GGUF:Q8_0", Some(("o/owl-GGUF", Some("Q8_0")))),
        (
            "http://mirror:1/o/owl-GGUF/blob/main/owl-Q8_0.gguf",
            Some(("o/owl-GGUF", Some("owl-Q8_0.gguf"))),
        ),
        ("https://huggingface.co/o", None),
        ("o/owl", None),
    ];
    for (text, expected) in cases {
        let mut desk = Desk::with_models();
        desk.all([
            Msg::ShowPage(Page::Discover),
            tell(DiscoverNews::Hub(Ok(hub.clone()))),
        ]);
        let effects = desk.discover(DiscoverMsg::TextChanged(text.into()));
        let asked = request(&effects).map(|request| (request.model, request.file));
        let expected = expected
            .map(|(model, file): (&str, Option<&str>)| (ModelId::from(model), file.map(str::to_owned)));
        assert_eq!(asked, expected, "{text}");
        assert!(query(&effects).is_some(), "it is searched for, too");
        // One that is typed letter by letter waits for Enter.
        let mut desk = Desk::with_models();
        desk.all([
            Msg::ShowPage(Page::Discover),
            tell(DiscoverNews::Hub(Ok(hub.clone()))),
        ]);
        for (end, letter) in text.char_indices() {
            let typed = text[..end + letter.len_utf8()].to_owned();
            let effects = desk.discover(DiscoverMsg::TextChanged(typed));
            assert_eq!(request(&effects), None, "{text}");
        }
        let entered = request(&desk.discover(DiscoverMsg::TextEntered));
        assert_eq!(
            entered.map(|entered| (entered.model, entered.file)),
            expected,
            "{text}"
        );
    }
}
