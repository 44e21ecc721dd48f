//! Pages over what the hub gives: no gap, no model twice, whatever is filtered.

use std::collections::BTreeSet;

use hearth_protocol::catalogue::Capability;
use hearth_protocol::catalogue::search::CatalogueSort;

use super::*;

/// A hub of so many owls, of which one of `each` sees images, and that gives 37 models at once.
async fn with_owls(count: u64, each: u64) -> Both {
    let both = Both::start().await;
    for number in 0..count {
        let task = if number.is_multiple_of(each) {
            "image-text-to-text"
        } else {
            "text-generation"
        };
        let about = json!({ "downloads": number, "likes": number, "pipeline_tag": task,
            "createdAt": format!("2025-01-{:02}T00:00:00.000Z", number % 28 + 1) });
        both.add(&format!("o/owl-{number:03}"), about);
    }
    both.theirs.set_page_length(37);
    both
}

fn seeing(sort: CatalogueSort, page: u32) -> CatalogueQuery {
    CatalogueQuery {
        capabilities: vec![Capability::Vision],
        sort,
        page,
        ..query("owl")
    }
}

/// The names on all pages, page by page.
async fn all_pages(both: &Both, sort: CatalogueSort) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    loop {
        let number = u32::try_from(pages.len()).expect("few pages");
        let page = both.found(seeing(sort, number)).await;
        pages.push(names(&page).into_iter().map(str::to_owned).collect());
        if !page.more {
            return pages;
        }
    }
}

#[tokio::test]
async fn pages_of_filtered_models_follow_each_other() {
    let both = with_owls(230, 3).await;
    let expected: Vec<String> = (0..230)
        .rev()
        .filter(|number| number % 3 == 0)
        .map(|number| format!("o/owl-{number:03}"))
        .collect();
    for sort in [
        CatalogueSort::Downloads,
        CatalogueSort::BestMatch,
        CatalogueSort::Likes,
    ] {
        let pages = all_pages(&both, sort).await;
        assert_eq!(pages.concat(), expected, "{sort:?}");
        assert_eq!(pages[0].len(), 50, "{sort:?}");
    }
    for sort in [
        CatalogueSort::Name,
        CatalogueSort::Created,
        CatalogueSort::Updated,
    ] {
        let told = all_pages(&both, sort).await.concat();
        let once: BTreeSet<_> = told.iter().collect();
        assert_eq!(
            (told.len(), once.len()),
            (expected.len(), expected.len()),
            "{sort:?}"
        );
    }
}

#[tokio::test]
async fn where_few_models_fulfil_all_conditions_pages_hold_few_and_lose_none() {
    let both = with_owls(230, 40).await;
    let pages = all_pages(&both, CatalogueSort::Downloads).await;
    let lengths: Vec<_> = pages.iter().map(Vec::len).collect();
    assert_eq!(lengths, [4, 2]);
    assert_eq!(
        pages.concat(),
        [
            "o/owl-200",
            "o/owl-160",
            "o/owl-120",
            "o/owl-080",
            "o/owl-040",
            "o/owl-000"
        ]
    );
    // 230 models are seven times 37, and no address was asked for twice.
    let seen: BTreeSet<_> = both.theirs.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!((both.lists(), seen.len()), (7, 7));
}

#[tokio::test]
async fn a_later_page_is_the_same_whoever_asks_for_it_first() {
    let both = with_owls(230, 3).await;
    let jumped = both.found(seeing(CatalogueSort::Downloads, 1)).await;
    let other = with_owls(230, 3).await;
    assert_eq!(
        names(&jumped),
        all_pages(&other, CatalogueSort::Downloads).await[1]
    );
    // The first page was made on the way.
    let asked = both.lists();
    let first = both.search(seeing(CatalogueSort::Downloads, 0)).await;
    assert_eq!((first.len(), first[0].models.len(), both.lists()), (1, 50, asked));
}

#[tokio::test]
async fn pages_go_on_without_the_hub() {
    let both = with_owls(120, 1).await;
    let sort = CatalogueSort::Downloads;
    let first = both.found(seeing(sort, 0)).await;
    both.net.set_offline(true);
    let second = both.found(seeing(sort, 1)).await;
    // The hub gave 74 models before it was gone.
    assert_eq!((second.models.len(), second.more), (24, false));
    assert!(names(&first).iter().all(|name| !names(&second).contains(name)));
    both.net.set_offline(false);
    let third = both.found(seeing(sort, 2)).await;
    assert_eq!((third.models.len(), third.more), (20, false));
}

#[tokio::test]
async fn a_model_that_is_hidden_since_is_on_no_page_any_more() {
    let both = with_owls(3, 1).await;
    both.found(seeing(CatalogueSort::Downloads, 0)).await;
    let hidden = ModelEdits {
        hidden: true,
        ..ModelEdits::default()
    };
    let edited = both.catalogue.edit(&"o/owl-001".into(), hidden).await;
    edited.expect("it is hidden");
    let page = both.found(seeing(CatalogueSort::Downloads, 0)).await;
    assert_eq!(names(&page), ["o/owl-002", "o/owl-000"]);
}
