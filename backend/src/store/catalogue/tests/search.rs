//! Searching: words, odd input, conditions, orders, pages.

use super::*;

#[tokio::test]
async fn words_are_found_as_they_are_typed() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let cases = [
        ("l", "Lama 1, Qwen Coder"),
        // The name weighs more than the summary.
        ("lama", "Lama 1, Qwen Coder"),
        ("UHU", "Uhu 8B, Qwen Coder"),
        ("uhu 8", "Uhu 8B"),
        ("coder qw", "Qwen Coder"),
        // Of equals the one with fewer words.
        ("cafe", "Uhu 8B, Lama 1"),
        ("CAFÉ", "Uhu 8B, Lama 1"),
        ("gamma", "Qwen Coder"),
        ("vision", "Uhu 8B"),
        ("maker/files", "Uhu 8B, Lama 1, Qwen Coder"),
        ("https://huggingface.co/beta/uhu/tree/main", "Uhu 8B"),
        ("q4_k_m qwen", "Qwen Coder"),
        ("q4_k qwen", "Qwen Coder"),
        ("q5_k_m", ""),
        ("zebra", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(found(&store, text).await, expected, "{text}");
    }
}

#[tokio::test]
async fn nothing_that_is_typed_is_an_error() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let odd = [
        "\"",
        "'",
        "*",
        "OR",
        "AND NOT",
        "NEAR(a b, 2)",
        "name:lama",
        "{name author}: x",
        "-lama",
        "^lama",
        "a\0b",
        "🦙",
        "🦙 lama",
        "lama*",
        "(",
        ";drop table chats",
        "\u{301}",
        "ﷺ",
        "\u{200b}",
        "x\"y",
    ];
    for text in odd {
        for sort in [CatalogueSort::BestMatch, CatalogueSort::Name] {
            let query = CatalogueQuery {
                text: text.into(),
                sort,
                ..CatalogueQuery::default()
            };
            search(&store, query).await;
        }
    }
    assert_eq!(found(&store, "🦙").await, "");
    assert_eq!(found(&store, "🦙 lama").await, "Lama 1, Qwen Coder");
    assert_eq!(found(&store, "lama*").await, "Lama 1, Qwen Coder");
}

#[tokio::test]
async fn each_condition_holds() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let favourite = ModelEdits {
        favourite: true,
        ..ModelEdits::default()
    };
    store
        .edit_catalogue_model(&"gamma/qwen".into(), &favourite)
        .await
        .expect("stored");
    let all = CatalogueQuery::default;
    let cases = [
        (
            CatalogueQuery {
                capabilities: vec![Capability::Vision],
                ..all()
            },
            "Uhu 8B",
        ),
        (
            CatalogueQuery {
                capabilities: vec![Capability::Code, Capability::Tools],
                ..all()
            },
            "Lama 1, Qwen Coder",
        ),
        (
            CatalogueQuery {
                capabilities: vec![Capability::Code, Capability::Vision],
                ..all()
            },
            "",
        ),
        (
            CatalogueQuery {
                licences: vec!["mit".into()],
                ..all()
            },
            "Lama 1, Qwen Coder",
        ),
        (
            CatalogueQuery {
                licences: vec!["MIT".into(), "Apache-2.0".into()],
                ..all()
            },
            "Lama 1, Uhu 8B, Qwen Coder",
        ),
        (
            CatalogueQuery {
                language: Some("DE".into()),
                ..all()
            },
            "Lama 1, Uhu 8B",
        ),
        (
            CatalogueQuery {
                language: Some("d".into()),
                ..all()
            },
            "",
        ),
        (
            CatalogueQuery {
                min_parameters: Some(2_000_000),
                ..all()
            },
            "Lama 1, Qwen Coder",
        ),
        (
            CatalogueQuery {
                max_parameters: Some(2_000_000),
                ..all()
            },
            "Uhu 8B",
        ),
        (
            CatalogueQuery {
                fits_only: true,
                ..all()
            },
            "Lama 1, Qwen Coder",
        ),
        (
            CatalogueQuery {
                gated: Some(true),
                ..all()
            },
            "Uhu 8B",
        ),
        (
            CatalogueQuery {
                gated: Some(false),
                ..all()
            },
            "Lama 1, Qwen Coder",
        ),
        (
            CatalogueQuery {
                favourites_only: true,
                ..all()
            },
            "Qwen Coder",
        ),
        (
            CatalogueQuery {
                text: "l".into(),
                favourites_only: true,
                ..all()
            },
            "Qwen Coder",
        ),
        (
            CatalogueQuery {
                text: "l".into(),
                favourites_only: true,
                sort: CatalogueSort::Name,
                ..all()
            },
            "Qwen Coder",
        ),
    ];
    for (query, expected) in cases {
        assert_eq!(
            names(&search(&store, query.clone()).await).join(", "),
            expected,
            "{query:?}"
        );
    }
}

#[tokio::test]
async fn each_order_is_kept() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let edits = ModelEdits {
        display_name: Some("aal".into()),
        favourite: true,
        ..ModelEdits::default()
    };
    store
        .edit_catalogue_model(&"gamma/qwen".into(), &edits)
        .await
        .expect("stored");
    let cases = [
        (CatalogueSort::BestMatch, "Lama 1, Uhu 8B, aal"),
        (CatalogueSort::Name, "aal, Lama 1, Uhu 8B"),
        (CatalogueSort::Parameters, "Lama 1, aal, Uhu 8B"),
        (CatalogueSort::Favourites, "aal, Lama 1, Uhu 8B"),
        (CatalogueSort::Created, "aal, Lama 1, Uhu 8B"),
        (CatalogueSort::Updated, "Lama 1, Uhu 8B, aal"),
    ];
    for (sort, expected) in cases {
        let page = search(
            &store,
            CatalogueQuery {
                sort,
                ..CatalogueQuery::default()
            },
        )
        .await;
        assert_eq!(names(&page).join(", "), expected, "{sort:?}");
    }
}

#[tokio::test]
async fn pages_follow_each_other() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let models = (0..120_u32).map(|place| NewModel {
        place: Some(place),
        ..model(&format!("many/m{place:03}"), &format!("M {place:03}"))
    });
    let models: Vec<_> = models.collect();
    store
        .load_shipped_models("1", || Ok(models))
        .await
        .expect("loaded");
    for text in ["", "m"] {
        let mut seen = Vec::new();
        for page in 0..3 {
            let query = CatalogueQuery {
                text: text.into(),
                page,
                sort: CatalogueSort::Name,
                ..CatalogueQuery::default()
            };
            let found = search(&store, query).await;
            assert_eq!(found.more, page < 2, "page {page}");
            seen.extend(found.models.into_iter().map(|model| model.name));
        }
        assert_eq!(seen.len(), 120);
        assert!(seen.is_sorted());
    }
}

/// Where thousands of models have every word, those that Hearth picked come first; a rarer word beside them chooses.
#[tokio::test]
async fn words_that_all_models_have_only_filter() {
    let folder = tempfile::tempdir().expect("folder");
    let store = with_three(&folder).await;
    let mut transaction = store.write().await.expect("a transaction");
    sqlx::query(
        "with recursive n(i) as (select 10 union all select i + 1 from n where i < 6000)
        insert into catalogue_models (id, model, place, curated, name, shown_name, author, capabilities, languages,
            card, downloads)
        select i, 'x/llm-' || i, 1000000, 0, 'llm ' || i, 'llm ' || i, 'x', 0, '', '{}', i from n",
    )
    .execute(&mut *transaction)
    .await
    .expect("inserted");
    sqlx::query(
        "insert into catalogue_search (rowid, name, author, summary, tags, repositories, quantisations)
        select id, name, author, 'lama', '', model, '' from catalogue_models where curated = 0",
    )
    .execute(&mut *transaction)
    .await
    .expect("inserted");
    transaction.commit().await.expect("committed");
    let query = |text: &str| CatalogueQuery {
        text: text.into(),
        ..CatalogueQuery::default()
    };
    let page = search(&store, query("lama")).await;
    assert_eq!(names(&page)[..2], ["Lama 1", "Qwen Coder"]);
    assert!(page.more);
    assert_eq!(found(&store, "lama 5432").await, "llm 5432");
    assert_eq!(found(&store, "lama coder").await, "Qwen Coder");
    let downloads = CatalogueQuery {
        sort: CatalogueSort::Downloads,
        ..query("lama")
    };
    assert_eq!(names(&search(&store, downloads).await)[0], "llm 6000");
}
