//! Which files of a repository a request means. Pure.

use std::collections::HashMap;

use hearth_protocol::catalogue::FileRole;
use hearth_protocol::{Error, Result};

use crate::hub::shapes::RepoFile;
use crate::library::role::role;
use crate::library::{parts, quant};

/// Quantisations in the order in which one is taken where none is named: small enough for most machines, and not so
/// small that answers suffer.
const PREFERRED: [&str; 8] = [
    "Q4_K_M", "Q4_K_S", "Q4_0", "Q4_1", "IQ4_XS", "Q5_K_M", "MXFP4", "Q8_0",
];

/// Names offered where the one asked for is not there.
const MAX_SUGGESTIONS: usize = 12;

/// The files that a request means, in the order in which they are fetched: all parts of a model in several files, else
/// one file. `wanted` is a path, a file name or a quantisation; `None` takes what suits most machines.
///
/// # Errors
/// [`Error::NotFound`] with the names there are; also where a part of a set is missing.
pub(super) fn choose(files: &[RepoFile], wanted: Option<&str>, model: &str) -> Result<Vec<RepoFile>> {
    let first = match wanted {
        Some(wanted) => find(files, wanted),
        None => preferred(files),
    };
    let first = first.ok_or_else(|| Error::NotFound {
        what: "file".into(),
        name: wanted.map_or_else(|| format!("{model}/*.gguf"), str::to_owned),
        known: models(files)
            .take(MAX_SUGGESTIONS)
            .map(|file| file.path.clone())
            .collect(),
    })?;
    let Some((prefix, count)) = set_of(&first.path) else {
        return Ok(vec![first.clone()]);
    };
    // A hub may list a hundred thousand parts.
    let by_path: HashMap<&str, &RepoFile> = files
        .iter()
        .rev()
        .map(|file| (file.path.as_str(), file))
        .collect();
    let part = |number: u32| {
        let path = format!("{prefix}-{number:05}-of-{count:05}.gguf");
        let found = by_path.get(path.as_str()).map(|file| (*file).clone());
        found.ok_or_else(|| Error::NotFound {
            what: "file".into(),
            name: path,
            known: Vec::new(),
        })
    };
    (1..=count).map(part).collect()
}

fn find<'a>(files: &'a [RepoFile], wanted: &str) -> Option<&'a RepoFile> {
    let name = |file: &RepoFile| file.path.rsplit('/').next().unwrap_or_default().to_owned();
    let same = |text: &str| text.eq_ignore_ascii_case(wanted);
    files
        .iter()
        .find(|file| file.path == wanted)
        .or_else(|| files.iter().find(|file| same(&file.path) || same(&name(file))))
        .or_else(|| models(files).find(|file| quantisation(file).is_some_and(|label| same(&label))))
}

fn preferred(files: &[RepoFile]) -> Option<&RepoFile> {
    let with = |label: &&str| models(files).find(|file| quantisation(file).as_deref() == Some(*label));
    PREFERRED.iter().find_map(with).or_else(|| models(files).next())
}

/// The files that are models: no projectors or drafts, and of sets the first part.
fn models(files: &[RepoFile]) -> impl Iterator<Item = &RepoFile> {
    files.iter().filter(|file| {
        let name = file.path.rsplit('/').next().unwrap_or_default().to_lowercase();
        let is_first = parts::split(quant::stem(&name)).is_none_or(|(_, number, _)| number == 1);
        name.ends_with(".gguf") && role(&name) == FileRole::Model && is_first
    })
}

fn quantisation(file: &RepoFile) -> Option<String> {
    quant::quantisation(file.path.rsplit('/').next()?, None)
}

/// What stands before the number, and the count, of a file that is one of several.
fn set_of(path: &str) -> Option<(&str, u32)> {
    let stem = path.strip_suffix(".gguf")?;
    let (prefix, _, count) = parts::split(stem)?;
    (count > 1).then_some((prefix, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(paths: &[&str], wanted: Option<&str>) -> std::result::Result<Vec<String>, Error> {
        let files = paths.iter().map(|path| RepoFile {
            path: (*path).to_owned(),
            size: None,
            sha256: None,
            blob_id: None,
        });
        let files: Vec<_> = files.collect();
        choose(&files, wanted, "o/n").map(|files| files.into_iter().map(|file| file.path).collect())
    }

    #[test]
    fn a_file_is_meant_by_path_name_quantisation_or_not_at_all() {
        let files = [
            "README.md",
            "MTP-m-Q8_0.gguf",
            "UD/m-Q8_0.gguf",
            "m-Q4_K_M.gguf",
            "m-Q8_0.gguf",
            "m-draft-Q4_K_M.gguf",
            "mmproj-m-f16.gguf",
        ];
        let cases = [
            (None, "m-Q4_K_M.gguf"),
            (Some("m-Q8_0.gguf"), "m-Q8_0.gguf"),
            (Some("UD/m-Q8_0.gguf"), "UD/m-Q8_0.gguf"),
            (Some("M-q4_k_m.GGUF"), "m-Q4_K_M.gguf"),
            (Some("q4_k_m"), "m-Q4_K_M.gguf"),
            (Some("Q8_0"), "UD/m-Q8_0.gguf"),
            (Some("mtp-m-Q8_0.gguf"), "MTP-m-Q8_0.gguf"),
            (Some("mmproj-m-f16.gguf"), "mmproj-m-f16.gguf"),
            (Some("README.md"), "README.md"),
        ];
        for (wanted, path) in cases {
            assert_eq!(chosen(&files, wanted), Ok(vec![path.to_owned()]), "{wanted:?}");
        }
        let Err(Error::NotFound { known, .. }) = chosen(&files, Some("m-Q2_K.gguf")) else {
            panic!("found");
        };
        assert_eq!(known, ["UD/m-Q8_0.gguf", "m-Q4_K_M.gguf", "m-Q8_0.gguf"]);
        assert!(chosen(&["README.md", "mmproj.gguf"], None).is_err());
    }

    #[test]
    fn any_part_stands_for_its_set_and_a_missing_one_is_named() {
        let files = [
            "q/a-00001-of-00003.gguf",
            "q/a-00002-of-00003.gguf",
            "q/a-00003-of-00003.gguf",
            "q/b-00001-of-00002.gguf",
            "best-of-breed.gguf",
        ];
        for wanted in [
            None,
            Some("q/a-00002-of-00003.gguf"),
            Some("a-00003-of-00003.gguf"),
        ] {
            assert_eq!(chosen(&files, wanted).expect("a set"), files[..3], "{wanted:?}");
        }
        let Err(Error::NotFound { name, .. }) = chosen(&files, Some("q/b-00001-of-00002.gguf")) else {
            panic!("found");
        };
        assert_eq!(name, "q/b-00002-of-00002.gguf");
        assert_eq!(
            chosen(&files, Some("best-of-breed.gguf")),
            Ok(vec!["best-of-breed.gguf".into()])
        );
    }
}
