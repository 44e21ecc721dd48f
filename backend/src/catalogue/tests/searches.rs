//! What is found: here and on the hub, by words, names, links, conditions and orders, now and later.

use hearth_protocol::catalogue::search::CatalogueSort;
use hearth_protocol::catalogue::{Capability, HubPart};
use hearth_protocol::{ErrorKind, UnixMillis};
use hearth_testhub::Gate;

use super::super::query::Asked;
use super::*;
use crate::store::catalogue::{ListedPage, Listing, Rest};

#[tokio::test]
async fn the_hubs_models_come_after_a_page_of_what_is_known() {
    let both = Both::start().await;
    both.add("o/owl-small", downloads(10));
    both.add("o/owl-large", downloads(20));
    both.add("o/lark", downloads(30));
    let pages = both.search(query("owl")).await;
    let told: Vec<_> = pages.iter().map(|page| (&page.hub, names(page))).collect();
    assert_eq!(
        told,
        [
            (&HubPart::Asking, vec![]),
            (&HubPart::Answered, vec!["o/owl-large", "o/owl-small"])
        ]
    );
    let row = &pages[1].models[0];
    assert_eq!(
        (row.downloads, row.likes, row.author.as_str()),
        (Some(20), Some(10), "o")
    );
    assert!(!row.featured && !pages[1].more);
}

#[tokio::test]
async fn a_repository_of_a_model_that_came_with_hearth_is_no_second_row() {
    let both = Both::start().await;
    both.add("bartowski/gemma-2-2b-it-GGUF", downloads(900));
    both.add("second-state/gemma-2-2b-it-GGUF", downloads(30));
    both.add("o/gemma-2-2b-owl", downloads(7));
    for sort in [
        CatalogueSort::BestMatch,
        CatalogueSort::Downloads,
        CatalogueSort::Name,
    ] {
        let found = both
            .found(CatalogueQuery {
                sort,
                ..query("gemma-2-2b")
            })
            .await;
        assert_eq!(
            names(&found),
            ["google/gemma-2-2b-it", "o/gemma-2-2b-owl"],
            "{sort:?}"
        );
        let row = &found.models[0];
        assert_eq!((row.name.as_str(), row.downloads), ("Gemma 2 2B", Some(900)));
        assert!(row.featured && row.summary.is_some());
    }
}

#[tokio::test]
async fn names_and_links_find_the_very_model() {
    let both = Both::start().await;
    both.add("zq/owl", downloads(1));
    both.add("zq/owl-much-loved", downloads(900));
    both.theirs.add(
        Repo::new("zq/gated-bird")
            .with("m-Q8_0.gguf", "GGUF")
            .behind(Gate::Manual),
    );
    for text in [
        "zq/owl".to_owned(),
        "https://huggingface.co/zq/owl/blob/main/README.md".to_owned(),
        format!("{}/zq/owl?x=1", both.theirs.url()),
        "hf.co/zq/owl:Q4_K_M".to_owned(),
    ] {
        let found = both.found(query(&text)).await;
        assert_eq!(names(&found), ["zq/owl", "zq/owl-much-loved"], "{text}");
        assert_eq!(
            (found.models[0].download_size, found.named),
            (Some(ByteSize(4)), None)
        );
    }
    let gated = both.found(query("zq/gated-bird")).await;
    assert!(gated.models[0].gated && gated.named.is_none(), "{gated:?}");
    let of_author = both.found(query("https://huggingface.co/zq")).await;
    assert_eq!(of_author.models.len(), 3);
    let other = both
        .begin(query("https://huggingface.co/datasets/zq/owl"))
        .next()
        .await;
    assert!(
        matches!(&other, SearchEvent::Failed(error) if error.kind() == ErrorKind::Invalid),
        "{other:?}"
    );
}

#[tokio::test]
async fn a_named_model_that_cannot_be_had_says_why_beside_what_is_found() {
    let both = Both::start().await;
    both.add("zq/owl", downloads(1));
    let mut old = Repo::new("zq/old").with("m.gguf", "GGUF");
    old.renamed_to = Some("zq/owl".into());
    both.theirs.add(old);
    both.theirs
        .add(Repo::new("zq/weights").with("model.safetensors", "no GGUF"));
    let cases = [
        ("zq/old", vec!["zq/owl"], "zq/old is called zq/owl now"),
        ("zq/none", vec![], "cannot be had without a Hugging Face token"),
        ("zq/weights", vec![], "There is no GGUF file in “zq/weights”"),
    ];
    for (text, expected, words) in cases {
        let found = both.found(query(text)).await;
        assert_eq!(
            (names(&found), &found.hub),
            (expected, &HubPart::Answered),
            "{text}"
        );
        let said = found.named.expect("it says why").to_string();
        assert!(said.contains(words), "{said}");
    }
    // Who types has not come to the end of the name yet.
    assert_eq!(both.found(query("zq/ow")).await.named, None);
}

#[tokio::test]
async fn each_condition_holds_for_the_hubs_models_too() {
    let both = Both::start().await;
    let gguf = |billions: u64| json!({ "total": billions * 1_000_000_000 });
    both.add(
        "o/owl-a",
        json!({ "downloads": 4, "tags": ["license:mit", "de"], "gguf": gguf(1), "pipeline_tag": "image-text-to-text" }),
    );
    let mut second = Repo::new("o/owl-b")
        .with("m-Q4_K_M.gguf", "GGUF")
        .behind(Gate::Auto);
    second.about = json!({ "downloads": 3, "tags": ["license:apache-2.0", "en"], "gguf": gguf(8) });
    both.theirs.add(second);
    both.add("o/owl-c", json!({ "downloads": 2, "tags": ["code"] }));
    both.add("o/owl-d", json!({ "downloads": 1, "gguf": gguf(400) }));
    let all = || query("owl");
    let cases = [
        (all(), "a b c d"),
        (
            CatalogueQuery {
                capabilities: vec![Capability::Vision],
                ..all()
            },
            "a",
        ),
        (
            CatalogueQuery {
                licences: vec!["MIT".into()],
                ..all()
            },
            "a",
        ),
        (
            CatalogueQuery {
                licences: vec!["MIT".into(), "apache-2.0".into()],
                ..all()
            },
            "a b",
        ),
        (
            CatalogueQuery {
                language: Some("DE".into()),
                ..all()
            },
            "a",
        ),
        (
            CatalogueQuery {
                min_parameters: Some(2_000_000_000),
                max_parameters: Some(9_000_000_000),
                ..all()
            },
            "b",
        ),
        (
            CatalogueQuery {
                gated: Some(true),
                ..all()
            },
            "b",
        ),
        (
            CatalogueQuery {
                gated: Some(false),
                ..all()
            },
            "a c d",
        ),
        // What takes as much as 400 billion weights, or nobody knows how much, is not promised to fit.
        (
            CatalogueQuery {
                fits_only: true,
                ..all()
            },
            "a b",
        ),
    ];
    for (query, expected) in cases {
        let found = both.found(query.clone()).await;
        let told: Vec<_> = names(&found)
            .iter()
            .map(|name| name.trim_start_matches("o/owl-"))
            .collect();
        assert_eq!(told.join(" "), expected, "{query:?}");
    }
}

#[tokio::test]
async fn the_hubs_orders_hold_without_it_too() {
    let both = Both::start().await;
    for (name, trending, updated, created, likes) in [("a", 5, 3, 1, 2), ("b", 9, 1, 2, 3), ("c", 7, 2, 3, 1)]
    {
        both.add(
            &format!("o/owl-{name}"),
            json!({ "downloads": 1, "likes": likes, "trendingScore": trending,
                "lastModified": format!("2026-0{updated}-01T00:00:00.000Z"),
                "createdAt": format!("2025-0{created}-01T00:00:00.000Z") }),
        );
    }
    let cases = [
        (CatalogueSort::Trending, ["o/owl-b", "o/owl-c", "o/owl-a"]),
        (CatalogueSort::Updated, ["o/owl-a", "o/owl-c", "o/owl-b"]),
        (CatalogueSort::Created, ["o/owl-c", "o/owl-b", "o/owl-a"]),
        (CatalogueSort::Likes, ["o/owl-b", "o/owl-a", "o/owl-c"]),
    ];
    for (sort, expected) in cases {
        let sorted = CatalogueQuery { sort, ..query("owl") };
        assert_eq!(names(&both.found(sorted.clone()).await), expected, "{sort:?}");
        let local = CatalogueQuery {
            ask_hub: AskHub::Never,
            ..sorted
        };
        assert_eq!(names(&both.found(local).await), expected, "{sort:?} without it");
    }
}

#[tokio::test]
async fn a_quantisation_is_looked_for_among_the_files() {
    let both = Both::start().await;
    both.add("o/owl", downloads(1));
    let other = Repo::new("o/owl-precise").with("m-Q8_0.gguf", "GGUF");
    both.theirs.add(other);
    assert_eq!(names(&both.found(query("owl q4_k_m")).await), ["o/owl"]);
    assert_eq!(names(&both.found(query("q8_0 owl")).await), ["o/owl-precise"]);
    assert_eq!(both.found(query("owl")).await.models.len(), 2);
}

#[tokio::test]
async fn an_equal_search_takes_the_answer_of_before_and_offline_tells_its_age() {
    let both = Both::start().await;
    both.add("zq/owl", downloads(1));
    let first = both.found(query("owl")).await;
    let again = both.search(query(" owl ")).await;
    assert_eq!((again.len(), both.lists()), (1, 1));
    assert_eq!(
        (&again[0].hub, names(&again[0])),
        (&HubPart::Answered, names(&first))
    );
    assert!(again[0].cached_at.is_some() && first.cached_at.is_none());

    both.net.set_offline(true);
    let offline = both.search(query("owl")).await;
    assert_eq!((offline.len(), both.lists()), (1, 1));
    assert_eq!(
        (&offline[0].hub, names(&offline[0])),
        (&HubPart::Offline, names(&first))
    );
    assert_eq!(offline[0].cached_at, again[0].cached_at);
    // What was seen is found by other words too.
    let other = both.found(query("zq ow")).await;
    assert_eq!(
        (names(&other), other.cached_at),
        (vec!["zq/owl"], other.models[0].fetched_at)
    );
    assert!(other.cached_at.is_some());
    let behind = CatalogueQuery {
        page: 7,
        ..query("owl")
    };
    assert_eq!(names(&both.found(behind).await), [""; 0]);
}

#[tokio::test]
async fn an_old_answer_is_shown_and_asked_for_anew() {
    let both = Both::start().await;
    both.add("o/owl", downloads(1));
    both.add("o/owl-new", downloads(2));
    let hub = both.theirs.url();
    let asked = Asked::new(query("owl"), &hub, None).expect("it can be asked");
    both.found(query("owl")).await;
    let old = UnixMillis(1_000);
    let listing = Listing {
        pages: vec![ListedPage {
            models: vec!["o/owl".into(), "o/gone".into()],
            more: false,
            made_at: old,
        }],
        rest: Rest::None,
        ..Listing::default()
    };
    let question = asked.question(&hub).expect("a question");
    both.catalogue
        .store
        .keep_listing(&question, &listing)
        .await
        .expect("kept");
    let pages = both.search(query("owl")).await;
    assert_eq!((names(&pages[0]), pages[0].cached_at), (vec!["o/owl"], Some(old)));
    assert_eq!(
        (names(&pages[1]), pages[1].cached_at),
        (vec!["o/owl-new", "o/owl"], None)
    );
}

#[tokio::test]
async fn the_hub_is_not_asked_where_it_is_not_wanted_or_cannot_know() {
    let both = Both::start().await;
    let cases = [
        CatalogueQuery {
            ask_hub: AskHub::Never,
            ..query("owl")
        },
        CatalogueQuery {
            favourites_only: true,
            ..query("")
        },
        query("🦙"),
    ];
    for query in cases {
        let pages = both.search(query.clone()).await;
        assert_eq!((pages.len(), &pages[0].hub), (1, &HubPart::NotAsked), "{query:?}");
    }
    assert_eq!(both.theirs.seen(), []);
}
