use std::collections::HashSet;

use hearth_protocol::engine::BUILT_IN_TEMPLATES;

use super::*;
use crate::library::quant;

/// Licences that entries may name: SPDX ids, and the names of those that have none.
const LICENCES: [&str; 8] = [
    "Apache-2.0",
    "MIT",
    "Gemma Terms of Use",
    "LFM Open License v1.0",
    "Llama 3.1 Community License",
    "Llama 3.2 Community License",
    "Llama 3.3 Community License",
    "NVIDIA Nemotron Open Model License",
];

/// Bits per weight of the smallest and of the largest sensible file: 1-bit quantisations, and F32 with a little more.
const PLAUSIBLE_BITS: std::ops::Range<f64> = 1.0..36.0;

#[test]
fn there_are_at_least_40_models_and_the_starter_comes_first() {
    let models = models().expect("every entry can be read");
    assert!(models.len() >= 40, "{}", models.len());
    let starter = &models[0];
    assert_eq!(starter.model.id, "HuggingFaceTB/SmolLM2-135M-Instruct".into());
    assert_eq!(
        starter.usual_file.as_deref(),
        Some("SmolLM2-135M-Instruct.Q4_1.gguf")
    );
    assert_eq!(starter.model.download_size, Some(ByteSize(98_362_432)));
}

#[test]
fn every_entry_is_whole() {
    for entry in entries().expect("every entry can be read") {
        let id = &entry.id;
        let (author, name) = id.as_str().split_once('/').expect("author/name");
        assert!(
            !author.is_empty() && !name.is_empty() && !name.contains('/'),
            "{id}"
        );
        if let Some(template) = &entry.prompt_template {
            assert!(
                BUILT_IN_TEMPLATES.contains(&template.as_str()),
                "{id}: {template}"
            );
        }
        let length = entry.summary.chars().count();
        assert!(
            (40..=320).contains(&length) && entry.summary.ends_with('.'),
            "{id}: summary of {length}"
        );
        assert!((1..=5).contains(&entry.good_for.len()), "{id}: good_for");
        for phrase in &entry.good_for {
            assert!(
                !phrase.ends_with('.') && (3..=60).contains(&phrase.chars().count()),
                "{id}: {phrase}"
            );
        }
        assert!(
            LICENCES.contains(&entry.licence.name.as_str()),
            "{id}: {}",
            entry.licence.name
        );
        for url in [&entry.licence.url, &entry.author.url] {
            assert!(
                url.as_ref().is_some_and(|url| url.starts_with("https://")),
                "{id}: {url:?}"
            );
        }
        assert!(!entry.repositories.is_empty(), "{id}: repositories");
        assert!(
            entry
                .context_length
                .is_none_or(|tokens| (512..=2_000_000).contains(&tokens)),
            "{id}: context"
        );
        assert!(
            entry.languages.iter().all(|code| code.len() == 2),
            "{id}: {:?}",
            entry.languages
        );
        assert!(
            entry.languages.is_empty() || entry.language_count.is_none(),
            "{id}: languages twice"
        );
        if let Some(day) = &entry.released_on {
            let day: jiff::civil::Date = day.parse().expect("a day");
            assert!((2022..2027).contains(&day.year()), "{id}: {day}");
        }
        let fewer = entry
            .active_parameters
            .zip(entry.parameters)
            .is_none_or(|(active, all)| active < all);
        assert!(fewer, "{id}: active_parameters");
        for sampling in [&entry.sampling, &entry.sampling_thinking].into_iter().flatten() {
            assert!(sampling.source.is_some(), "{id}: sampling without its source");
            assert!(
                sampling
                    .temperature
                    .is_none_or(|value| (0.0..=2.0).contains(&value)),
                "{id}: temperature"
            );
            let shares = [sampling.top_p, sampling.min_p].into_iter().flatten();
            assert!(
                shares.into_iter().all(|value| (0.0..=1.0).contains(&value)),
                "{id}: top_p or min_p"
            );
            assert!(sampling.top_k.is_none_or(|value| value <= 1000), "{id}: top_k");
        }
    }
}

#[test]
fn every_file_is_plausible() {
    for entry in entries().expect("every entry can be read") {
        let id = &entry.id;
        assert!(!entry.files.is_empty(), "{id}: files");
        if let Some(recommended) = &entry.recommended {
            assert!(
                entry.files.iter().any(|file| &file.name == recommended),
                "{id}: {recommended}"
            );
        }
        let mut names = HashSet::new();
        for file in &entry.files {
            let repository = file.repository.as_ref().unwrap_or(&entry.repositories[0]);
            assert!(entry.repositories.contains(repository), "{id}: {repository}");
            assert!(
                names.insert((repository, &file.name)),
                "{id}: {} twice",
                file.name
            );
            assert!(
                quant::stem(&file.name) != file.name,
                "{id}: {} is no GGUF",
                file.name
            );
            if let Some(sha256) = &file.sha256 {
                let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
                assert!(sha256.len() == 64 && sha256.bytes().all(is_hex), "{id}: {sha256}");
            }
            if let Some(revision) = &file.revision {
                assert!(revision.len() == 40, "{id}: {revision}");
            }
        }
        let parameters = entry.parameters;
        for file in entry.into_model().files {
            assert_eq!(file.missing_parts, Vec::<u32>::new(), "{}", file.name);
            if file.role != FileRole::Model {
                continue;
            }
            assert!(
                file.quantisation.is_some(),
                "{}: its quantisation is unknown",
                file.name
            );
            if let (Some(size), Some(parameters)) = (file.size, parameters) {
                let bits = size.0 as f64 * 8.0 / parameters as f64;
                assert!(
                    PLAUSIBLE_BITS.contains(&bits),
                    "{}: {bits:.1} bits per weight",
                    file.name
                );
            }
        }
    }
}

#[test]
fn nothing_is_there_twice() {
    let entries = entries().expect("every entry can be read");
    let mut seen = HashSet::new();
    for entry in &entries {
        for key in [
            entry.id.to_string().to_lowercase(),
            entry.name.to_lowercase(),
            entry.summary.clone(),
        ] {
            assert!(seen.insert(key.clone()), "{key}");
        }
        let hashes: HashSet<_> = entry
            .files
            .iter()
            .filter_map(|file| file.sha256.clone())
            .collect();
        for hash in hashes {
            assert!(seen.insert(hash.clone()), "{}: {hash}", entry.id);
        }
    }
    let mut picks: Vec<u32> = entries.iter().filter_map(|entry| entry.pick).collect();
    picks.sort_unstable();
    assert_eq!(picks, (1..=picks.len() as u32).collect::<Vec<_>>());
}

#[test]
fn the_version_follows_every_change() {
    let entries = [("a", "x = 1"), ("b", "y = 2")];
    let changes: [&[(&str, &str)]; 5] = [
        &[("a", "x = 1")],
        &[("a", "x = 1"), ("b", "y = 3")],
        &[("a", "x = 1"), ("c", "y = 2")],
        &[("b", "y = 2"), ("a", "x = 1")],
        &[("a", "x = 1b"), ("", "y = 2")],
    ];
    assert_eq!(version_of(&entries), version_of(&entries.map(|entry| entry)));
    for changed in changes {
        assert_ne!(version_of(&entries), version_of(changed), "{changed:?}");
    }
}

#[test]
fn what_an_entry_does_not_know_is_an_error() {
    let entry = ENTRIES[0].1;
    assert!(toml::from_str::<Entry>(entry).is_ok());
    let misspelt = format!("contextlength = 1\n{entry}");
    let error = toml::from_str::<Entry>(&misspelt)
        .expect_err("an error")
        .to_string();
    assert!(error.contains("contextlength"), "{error}");
}
