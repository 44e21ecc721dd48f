mod answers;

use std::path::{Component, Path};

use proptest::prelude::*;

use super::*;

#[test]
fn the_hash_is_found_under_both_names_and_a_false_one_is_none() {
    let hash = "AB".repeat(32);
    let model = format!(
        r#"{{"id":"o/n","gated":"auto","new":[1],"siblings":[
            {{"rfilename":"a/b.gguf","size":134,"blobId":"x","lfs":{{"sha256":"{hash}","size":7,"pointerSize":134}}}},
            {{"rfilename":"README.md"}},
            {{"rfilename":"../../.bashrc","size":1}},
            {{"rfilename":"c.gguf","lfs":{{"sha256":"../..","size":1}}}}]}}"#
    );
    let model: ModelInfo = serde_json::from_str(&model).expect("a model");
    let paths: Vec<_> = model.siblings.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a/b.gguf", "README.md", "c.gguf"]);
    assert_eq!(model.siblings[0].sha256, Some(hash.to_lowercase()));
    assert_eq!(
        (model.siblings[0].size, model.siblings[0].blob_id.clone()),
        (Some(7), None)
    );
    assert_eq!(model.siblings[2].sha256, None);
    assert_eq!(model.about["gated"], "auto");

    let entry =
        format!(r#"{{"type":"file","path":"b","size":134,"oid":"1","lfs":{{"oid":"{hash}","size":9}}}}"#);
    let entry: TreeEntry = serde_json::from_str(&entry).expect("an entry");
    let file = entry.into_file().expect("a file");
    assert_eq!((file.size, file.sha256), (Some(9), Some(hash.to_lowercase())));
}

#[test]
fn a_model_may_say_nearly_nothing() {
    for text in [r#"{"id":"o/n"}"#, r#"{"id":"o/n","siblings":null,"sha":null}"#] {
        assert!(serde_json::from_str::<ModelInfo>(text).is_ok(), "{text}");
    }
}

#[test]
fn paths_that_lead_elsewhere_are_none() {
    for path in [
        "a",
        "UD-Q4/a b.gguf",
        "模型.gguf",
        "..a",
        "com.gguf",
        "com10",
        "null/auxiliary",
    ] {
        assert!(is_safe_path(path), "{path}");
    }
    for path in [
        "",
        "/a",
        "a/",
        "a//b",
        "..",
        "a/../b",
        "C:\\x",
        "a\\b",
        "a\nb",
        "./a",
        ".. /a",
        ".../a",
        "a. .",
        "a ",
        "a\u{202e}b",
        "nul",
        "a/Con.gguf",
        "COM1",
        "lpt9.tar.gz",
        "aux .txt",
    ] {
        assert!(!is_safe_path(path), "{path:?}");
    }
}

#[test]
fn the_next_page_is_the_one_that_is_called_so() {
    let link = r#"<https://h/a?x=1,2>; rel="prev", <https://h/b>; rel="next""#;
    assert_eq!(next_page(r#"<https://h/a>; rel="next""#), Some("https://h/a"));
    assert_eq!(next_page(link), Some("https://h/b"));
    assert_eq!(next_page(r#"<https://h/a>; rel="prev""#), None);
    assert_eq!(next_page("nonsense"), None);
    assert_eq!(
        next_page("<https://h/a,b>;title=\"; rel=next, <x>\"; REL=\"last Next\""),
        Some("https://h/a,b")
    );
    assert_eq!(next_page("<https://h/a>;title=\"; rel=next\""), None);
}

#[test]
fn a_size_that_no_file_has_is_none() {
    let entry = |size: &str| {
        let entry = format!(r#"{{"type":"file","path":"a","size":{size}}}"#);
        serde_json::from_str(&entry).map(|entry: TreeEntry| entry.into_file().expect("a file").size)
    };
    assert_eq!(entry("17592186044416").expect("an entry"), Some(1 << 44));
    for size in ["17592186044417", "18446744073709551615"] {
        assert_eq!(entry(size).expect("an entry"), None);
    }
    for size in ["-1", "1e30", "18446744073709551616"] {
        assert!(entry(size).is_err(), "{size}");
    }
}

#[test]
fn a_name_moves_no_cursor_and_turns_no_text() {
    assert_eq!(printable("Zoë \u{1b}[2J\r\n\u{202e}x"), "Zoë [2Jx");
}

/// Any JSON, with the names that the hub's shapes have.
fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof!["[a-f0-9]{40}", "[A-F0-9]{64}", "(\\.\\./|a/|/|\\PC){0,4}", "file"].prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "id",
        "sha",
        "siblings",
        "rfilename",
        "size",
        "blobId",
        "lfs",
        "sha256",
        "oid",
        "type",
        "path",
        "gated",
    ]);
    leaf.prop_recursive(4, 64, 6, move |inner| {
        let object = prop::collection::vec((names.clone(), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            object.prop_map(|pairs| pairs
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

/// A model of which everything else may be wrong.
fn model() -> impl Strategy<Value = serde_json::Value> {
    (json(), prop::collection::vec(json(), 0..4)).prop_map(|(mut model, siblings)| {
        if let Some(model) = model.as_object_mut() {
            model.insert("id".into(), "o/n".into());
            model.entry("siblings").or_insert(siblings.into());
        }
        model
    })
}

proptest! {
    /// Whatever the hub says: each file lies below the folder that it is put into, and hashes are hashes.
    #[test]
    fn whatever_is_read_is_checked(model in model(), tree in prop::collection::vec(json(), 0..4)) {
        let model = serde_json::from_value::<ModelInfo>(model).map(|model| model.siblings);
        let tree = serde_json::from_value::<Vec<TreeEntry>>(tree.into());
        let tree = tree.map(|tree| tree.into_iter().filter_map(TreeEntry::into_file).collect());
        for file in [model, tree].into_iter().flatten().flat_map(|files: Vec<RepoFile>| files) {
            prop_assert!(Path::new(&file.path).components().all(|part| matches!(part, Component::Normal(_))));
            prop_assert!(file.size.is_none_or(|size| size <= MAX_SIZE));
            let is_hash = |text: &String, digits| {
                text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            };
            prop_assert!(file.sha256.is_none_or(|hash| is_hash(&hash, 64)));
            prop_assert!(file.blob_id.is_none_or(|id| is_hash(&id, 40)));
        }
    }

    /// However many links stand there, and whatever they hold, the one that is called next is found.
    #[test]
    fn the_next_page_is_found_among_others(
        before in prop::collection::vec(("https://h/[a-z0-9?=&,;%]{0,12}", "(prev|last|nextt|first)"), 0..4),
        next in "https://h/[a-z0-9?=&,;%]{0,12}",
        is_quoted in any::<bool>(),
    ) {
        let relation = if is_quoted { "\"next\"" } else { "next" };
        let links: String = before.iter().map(|(url, name)| format!("<{url}>; rel=\"{name}\", ")).collect();
        let link = format!("{links}<{next}>; title=x; rel={relation}");
        prop_assert_eq!(next_page(&link), Some(next.as_str()));
        prop_assert_eq!(next_page(links.trim_end_matches(", ")), None);
    }

    #[test]
    fn a_link_header_of_any_kind_breaks_nothing(link in "[<>;,=\"a-z ]{0,40}|\\PC{0,40}") {
        if let Some(next) = next_page(&link) {
            prop_assert!(link.contains(next));
        }
    }
}
