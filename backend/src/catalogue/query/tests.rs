use hearth_protocol::ErrorKind;
use hearth_protocol::catalogue::Capability;

use super::*;

const HUB: &str = "https://mirror.example:8443/hf";

fn asked(text: &str) -> Result<Asked> {
    let query = CatalogueQuery {
        text: text.to_owned(),
        ..CatalogueQuery::default()
    };
    Asked::new(query, HUB, None)
}

fn phrases(text: &str) -> Option<Vec<String>> {
    match asked(text).expect("it can be asked").wanted {
        Wanted::All => Some(Vec::new()),
        Wanted::Words(words) => Some(words.iter().map(Word::phrase).collect()),
        Wanted::Nothing => None,
    }
}

#[test]
fn what_is_typed_is_read_as_words() {
    let cases: [(&str, Option<&[&str]>); 13] = [
        ("", Some(&[])),
        (" \t ", Some(&[])),
        ("Qwen 8b", Some(&["\"Qwen\"*", "\"8b\"*"])),
        ("Q4_K_M", Some(&["\"Q4_K_M\"*"])),
        ("a OR b", Some(&["\"a\"*", "\"OR\"*", "\"b\"*"])),
        (
            "say \"hi\" * NEAR(",
            Some(&["\"say\"*", "\"\"\"hi\"\"\"*", "\"NEAR(\"*"]),
        ),
        ("name:x -y ^z", Some(&["\"name:x\"*", "\"-y\"*", "\"^z\"*"])),
        ("a\0b", Some(&["\"a\"*", "\"b\"*"])),
        ("🦙", None),
        ("\"*\" ()", None),
        ("Qwen/Qwen3-8B", Some(&["\"Qwen\"*", "\"Qwen3-8B\"*"])),
        (
            "https://huggingface.co/Qwen/Qwen3-8B-GGUF/blob/main/README.md?x=1",
            Some(&["\"Qwen\"*", "\"Qwen3-8B-GGUF\"*"]),
        ),
        ("huggingface.co", Some(&[])),
    ];
    for (text, expected) in cases {
        let expected = expected.map(|words| words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(phrases(text), expected, "{text:?}");
    }
}

#[test]
fn links_and_names_lead_to_their_model() {
    let model = |name: &str| (Some(name.into()), None);
    let author = |name: &str| (None, Some(name.to_owned()));
    let cases = [
        ("Qwen/Qwen3-8B", model("Qwen/Qwen3-8B")),
        (" Qwen/Qwen3-8B:Q4_K_M ", model("Qwen/Qwen3-8B")),
        ("hf.co/Qwen/Qwen3-8B-GGUF:Q8_0", model("Qwen/Qwen3-8B-GGUF")),
        ("HTTPS://HuggingFace.co/a/b", model("a/b")),
        ("https://www.huggingface.co/a/b/", model("a/b")),
        ("https://huggingface.co/a/b/tree/main", model("a/b")),
        (
            "https://huggingface.co/a/b/resolve/main/x.gguf?download=true",
            model("a/b"),
        ),
        ("https://huggingface.co/a/b/discussions/7#c", model("a/b")),
        ("https://huggingface.co/a/b?show_file_info=x.gguf", model("a/b")),
        ("https://huggingface.co/api/models/a/b", model("a/b")),
        ("https://mirror.example:8443/hf/a/b", model("a/b")),
        ("mirror.example:8443/hf/a/b", model("a/b")),
        ("https://huggingface.co/Qwen", author("Qwen")),
        ("Qwen/", author("Qwen")),
        // Words, all of these.
        ("https://mirror.example/a/b", (None, None)),
        ("https://huggingface.co.evil.example/a/b", (None, None)),
        ("a/b c", (None, None)),
        ("a/b/c", (None, None)),
        ("../b", (None, None)),
        ("a/", author("a")),
        ("/", (None, None)),
        ("über/modell", (None, None)),
    ];
    for (text, expected) in cases {
        let asked = asked(text).expect("it can be asked");
        assert_eq!((asked.named, asked.author), expected, "{text}");
    }
    let words = phrases("https://huggingface.co/models?library=gguf&search=qwen+8b");
    assert_eq!(words, Some(vec!["\"qwen\"*".to_owned(), "\"8b\"*".to_owned()]));
}

#[test]
fn a_link_to_something_else_says_so() {
    for text in [
        "https://huggingface.co/datasets/a/b",
        "huggingface.co/spaces/a/b",
        "https://huggingface.co/docs",
        "https://huggingface.co/a/%2e%2e",
    ] {
        let error = asked(text).expect_err("no model");
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("a model's page"), "{error}");
    }
}

#[test]
fn a_long_text_is_cut() {
    let Wanted::Words(words) = asked(&"word ".repeat(1000)).expect("it can be asked").wanted else {
        panic!("words");
    };
    assert_eq!(words.len(), MAX_WORDS);
}

#[test]
fn the_hub_is_told_the_conditions_that_it_understands() {
    let query = CatalogueQuery {
        text: "Qwen/Qwen3 8b".into(),
        capabilities: vec![Capability::Vision],
        licences: vec!["apache-2.0".into()],
        language: Some("DE".into()),
        min_parameters: Some(1_500_500_000),
        max_parameters: Some(9_000_000_001),
        gated: Some(false),
        sort: CatalogueSort::Updated,
        ..CatalogueQuery::default()
    };
    let told = Asked::new(query.clone(), HUB, None)
        .expect("it can be asked")
        .for_hub();
    assert_eq!(told.words, "Qwen Qwen3 8b");
    assert_eq!(told.tags, ["license:apache-2.0", "de"]);
    assert_eq!(told.gated, Some(false));
    assert_eq!(told.parameters.as_deref(), Some("min:1500M,max:9001M"));
    assert_eq!(told.sort, Some("lastModified"));
    // Of several licences one is enough, and the hub would want all.
    let several = CatalogueQuery {
        text: "Qwen/".into(),
        licences: vec!["MIT".into(), "Apache-2.0".into()],
        ..CatalogueQuery::default()
    };
    let told = Asked::new(several, HUB, None).expect("it can be asked").for_hub();
    assert_eq!(
        (told.tags, told.words.as_str(), told.parameters),
        (Vec::new(), "", None)
    );
    assert_eq!(
        (told.author.as_deref(), told.sort),
        (Some("Qwen"), Some("downloads"))
    );
}

#[test]
fn the_hub_is_not_told_of_quantisations() {
    let cases = [
        ("qwen 8b q4_k_m", "qwen 8b", 1),
        ("Q8_0 ud-q4_k_xl", "", 2),
        ("q4 gemma", "q4 gemma", 0),
        ("o/n-Q4_0", "o n-Q4_0", 0),
    ];
    for (text, words, count) in cases {
        let asked = asked(text).expect("it can be asked");
        assert_eq!(
            (asked.for_hub().words.as_str(), asked.unknown_to_hub.len()),
            (words, count),
            "{text}"
        );
    }
}

#[test]
fn equal_questions_are_known_again() {
    let question = |change: fn(&mut CatalogueQuery), hub: &str, memory| {
        let mut query = CatalogueQuery {
            text: "qwen 8b".into(),
            ..CatalogueQuery::default()
        };
        change(&mut query);
        let asked = Asked::new(query, hub, memory).expect("it can be asked");
        asked.question(hub).expect("a question")
    };
    let one = question(|_| (), HUB, None);
    let same: [fn(&mut CatalogueQuery); 3] = [
        |query| query.text = " qwen  8b ".into(),
        |query| query.page = 7,
        |query| query.ask_hub = AskHub::AfterPause,
    ];
    for change in same {
        assert_eq!(question(change, HUB, None), one);
    }
    let others: [fn(&mut CatalogueQuery); 3] = [
        |query| query.text = "qwen".into(),
        |query| query.gated = Some(false),
        |query| query.sort = CatalogueSort::Likes,
    ];
    for change in others {
        assert_ne!(question(change, HUB, None), one);
    }
    assert_ne!(question(|_| (), "https://other.example", None), one);
    assert_ne!(question(|_| (), HUB, Some(1)), one);
}
