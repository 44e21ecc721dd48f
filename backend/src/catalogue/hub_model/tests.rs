use serde_json::json;

use super::*;

const NOW: UnixMillis = UnixMillis(1_790_000_000_000);

fn told(entry: Value, told: Told) -> Option<NewModel> {
    read(serde_json::from_value(entry).expect("an entry"), told, NOW)
}

fn entry() -> Value {
    json!({
        "_id": "6a1f",
        "id": "google/gemma-4-12B-it-GGUF",
        "author": "google",
        "sha": "ab".repeat(20),
        "gated": "manual",
        "downloads": 812_345,
        "likes": 640,
        "trendingScore": 3.5,
        "createdAt": "2026-04-02T10:00:00.000Z",
        "lastModified": "2026-07-17T15:02:11.000Z",
        "pipeline_tag": "image-text-to-text",
        "tags": ["gguf", "en", "de", "tf", "license:gemma", "base_model:google/gemma-4-12B-it",
            "base_model:quantized:google/gemma-4-12B-it", "region:us"],
        "cardData": { "license_link": "https://ai.google.dev/gemma/terms" },
        "gguf": { "total": 12_000_000_000_u64, "architecture": "gemma4", "context_length": 262_144,
            "chat_template": "{% if tools %}{% endif %}<think>" },
        "siblings": [
            { "rfilename": "README.md" },
            { "rfilename": "gemma-4-12b-it-Q4_K_M.gguf" },
            { "rfilename": "gemma-4-12b-it-Q8_0.gguf" },
            { "rfilename": "mmproj-gemma-4-12b-it-F16.gguf" }
        ]
    })
}

#[test]
fn an_entry_of_a_list_becomes_a_model() {
    let new = told(entry(), Told::Briefly).expect("a model");
    let model = &new.model;
    assert_eq!(
        (model.name.as_str(), model.author.as_str()),
        ("gemma-4-12B-it", "google")
    );
    assert_eq!(model.licence.as_deref(), Some("Gemma Terms of Use"));
    assert_eq!(model.parameters, Some(12_000_000_000));
    assert_eq!(model.context_length, Some(262_144));
    assert_eq!(
        model.capabilities,
        [Capability::Tools, Capability::Vision, Capability::Reasoning]
    );
    assert_eq!(model.released_on.as_deref(), Some("2026-04-02"));
    assert_eq!(model.updated_at, Some(UnixMillis(1_784_300_531_000)));
    assert!(model.gated && !model.featured);
    assert_eq!(
        (new.card.languages.as_slice(), new.trending_score),
        (["en".to_owned(), "de".to_owned()].as_slice(), Some(3.5))
    );
    assert_eq!(new.card.base_models, ["google/gemma-4-12B-it".into()]);
    assert_eq!(new.card.architecture.as_deref(), Some("gemma4"));
    assert_eq!((new.files.len(), model.download_size), (3, None));
    // Four bits and what their scales take: 7 GB, and about a gigabyte and a half for the context.
    let least = new.least_memory.expect("it is reckoned");
    assert!((7_000_000_000..10_000_000_000).contains(&least), "{least}");
    assert_eq!(
        (model.fetched_at, new.detailed_at, new.place),
        (Some(NOW), None, None)
    );
}

#[test]
fn a_model_that_is_told_whole_has_sizes() {
    let mut entry = entry();
    for sibling in entry["siblings"].as_array_mut().expect("a list") {
        sibling["size"] = json!(7_300_000_000_u64);
    }
    let new = told(entry, Told::Whole).expect("a model");
    assert_eq!(new.model.download_size, Some(ByteSize(7_300_000_000)));
    assert_eq!(new.detailed_at, Some(NOW));
    assert_eq!(new.files[0].revision, Some("ab".repeat(20)));
}

#[test]
fn nothing_that_the_hub_says_is_relied_on() {
    let bare = told(json!({ "id": "o/n" }), Told::Briefly).expect("a model");
    assert_eq!(
        (bare.model.gated, bare.model.downloads, bare.least_memory),
        (false, None, None)
    );
    let odd = json!({
        "id": "o/n_GGUF", "gated": true, "downloads": -1, "likes": "many", "trendingScore": "high", "createdAt": 7,
        "lastModified": "yesterday", "tags": "gguf", "cardData": { "license": ["mit", "x"], "language": ["DE", 4, "a b"],
        "base_model": {} }, "gguf": { "total": -5, "context_length": 1e30, "architecture": 1, "chat_template": [] },
        "siblings": null, "pipeline_tag": false, "new": [[]]
    });
    let odd = told(odd, Told::Briefly).expect("a model");
    assert_eq!(odd.model.name, "n");
    assert_eq!(odd.model.licence.as_deref(), Some("MIT"));
    assert_eq!(odd.card.languages, ["de"]);
    assert!(odd.model.gated && odd.model.downloads.is_none() && odd.model.parameters.is_none());
    assert!(odd.model.released_on.is_none() && odd.model.updated_at.is_none());

    let own = json!({ "id": "o/n", "tags": ["license:other"], "cardData": { "license_name": "falcon-llm" } });
    let own = told(own, Told::Briefly).expect("a model");
    assert_eq!(own.model.licence.as_deref(), Some("falcon-llm"));
}

#[test]
fn what_is_no_model_is_left_out() {
    let cases = [
        json!({ "id": "gpt2" }),
        json!({ "id": "o/../x" }),
        json!({ "id": "o/n/m" }),
        json!({ "id": "o/\u{7}" }),
        json!({ "id": "/" }),
        json!({ "id": "o/n", "disabled": true }),
        json!({ "id": "o/n", "siblings": [{ "rfilename": "model.safetensors" }] }),
    ];
    for entry in cases {
        assert_eq!(told(entry.clone(), Told::Briefly), None, "{entry}");
    }
}
