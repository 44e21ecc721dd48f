//! The files of a model as one finds them in repositories: parts folded into one, and what belongs together paired. Pure,
//! by names alone.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hearth_protocol::catalogue::{CatalogueFile, FilePart, FileRole, Fit};
use hearth_protocol::{ByteSize, ModelId};

use crate::library::{parts, quant, role};

/// A file of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RepositoryFile {
    /// The repository.
    pub(crate) repository: ModelId,
    /// Commit that size and sha256 are of.
    pub(crate) revision: Option<String>,
    /// Path in the repository.
    pub(crate) name: String,
    /// Bytes.
    pub(crate) size: Option<ByteSize>,
    /// In hexadecimal.
    pub(crate) sha256: Option<String>,
}

/// The GGUF files among these, those that are parts of one model folded into one, in the order of their first parts.
/// Their fit is not known yet.
pub(crate) fn fold(files: Vec<RepositoryFile>) -> Vec<CatalogueFile> {
    let mut folded: Vec<CatalogueFile> = Vec::new();
    let mut sets: BTreeMap<(ModelId, String), Set> = BTreeMap::new();
    for file in files {
        let stem = quant::stem(&file.name);
        if stem.len() == file.name.len() {
            continue;
        }
        match parts::split(stem) {
            Some((prefix, number, count)) if count > 1 => {
                let first = format!("{prefix}-{:05}-of-{count:05}.gguf", 1);
                let set = sets
                    .entry((file.repository.clone(), first.clone()))
                    .or_insert_with(|| {
                        folded.push(single(&file, first));
                        Set {
                            place: folded.len() - 1,
                            count,
                            parts: BTreeMap::new(),
                        }
                    });
                let part = FilePart {
                    name: file.name,
                    size: file.size,
                    sha256: file.sha256,
                };
                set.parts.entry(number).or_insert(part);
            }
            _ => folded.push(single(&file, file.name.clone())),
        }
    }
    for set in sets.into_values() {
        set.describe(&mut folded);
    }
    folded
}

/// Parts of one model that were met.
struct Set {
    /// Where the file that stands for them is in the list.
    place: usize,
    /// How many there should be.
    count: u32,
    /// By their numbers, from 1.
    parts: BTreeMap<u32, FilePart>,
}

impl Set {
    fn describe(self, folded: &mut [CatalogueFile]) {
        let Some(file) = folded.get_mut(self.place) else {
            return;
        };
        let sizes = self.parts.values().map(|part| part.size.map(|size| size.0));
        file.size = sizes.sum::<Option<u64>>().map(ByteSize);
        file.sha256 = None;
        file.missing_parts = (1..=self.count)
            .filter(|number| !self.parts.contains_key(number))
            .collect();
        file.parts = self.parts.into_values().collect();
    }
}

fn single(file: &RepositoryFile, name: String) -> CatalogueFile {
    CatalogueFile {
        repository: file.repository.clone(),
        revision: file.revision.clone(),
        role: role::role(&name),
        size: file.size,
        sha256: file.sha256.clone(),
        parts: Vec::new(),
        missing_parts: Vec::new(),
        quantisation: quant::quantisation(file_name(&name), None),
        projector: None,
        draft: None,
        fit: Fit::Unknown,
        estimate: None,
        recommended: None,
        problem: None,
        name,
    }
}

/// Gives each model the projector and the draft of its repository that are called most like it; of equals the one
/// whose precision llama.cpp's own tools take.
pub(crate) fn pair(files: &mut [CatalogueFile]) {
    let best = |model: &CatalogueFile, role: FileRole| {
        let companions = files
            .iter()
            .filter(|file| file.role == role && file.repository == model.repository);
        companions
            .max_by_key(|file| {
                (
                    likeness(&model.name, &file.name),
                    precision(file),
                    Reverse(&file.name),
                )
            })
            .map(|file| file.name.clone())
    };
    let pairs: Vec<_> = files
        .iter()
        .map(|file| match file.role {
            FileRole::Model => (best(file, FileRole::Projector), best(file, FileRole::Draft)),
            FileRole::Projector | FileRole::Draft => (None, None),
        })
        .collect();
    for (file, (projector, draft)) in files.iter_mut().zip(pairs) {
        (file.projector, file.draft) = (projector, draft);
    }
}

/// How many words of a companion's name the model's has too, less those it has not.
fn likeness(model: &str, companion: &str) -> isize {
    let model = model.to_lowercase();
    let companion = quant::display_name(file_name(companion)).to_lowercase();
    let is_own = |word: &&str| !matches!(*word, "mmproj" | "mtp" | "draft" | "model");
    role::words(&companion)
        .filter(is_own)
        .map(|word| {
            if role::words(&model).any(|own| own == word) {
                1
            } else {
                -1
            }
        })
        .sum()
}

/// F16 before BF16, which some backends compute slowly, before Q8_0 and all others.
fn precision(file: &CatalogueFile) -> u8 {
    match file.quantisation.as_deref() {
        Some("F16") => 3,
        Some("BF16") => 2,
        Some("Q8_0") => 1,
        _ => 0,
    }
}

/// Whether two files are the same model in other quantisations, as their names tell. The shapes of such are alike.
pub(super) fn are_alike(one: &CatalogueFile, other: &CatalogueFile) -> bool {
    let name = |file: &CatalogueFile| quant::display_name(file_name(&file.name)).to_lowercase();
    one.repository == other.repository && one.role == other.role && name(one) == name(other)
}

/// The name without its folders.
fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(in crate::catalogue) fn raw(name: &str, size: u64) -> RepositoryFile {
        RepositoryFile {
            repository: "a/b".into(),
            revision: None,
            name: name.to_owned(),
            size: Some(ByteSize(size)),
            sha256: Some("00".repeat(32)),
        }
    }

    #[test]
    fn parts_are_one_file_with_the_sum_of_their_sizes() {
        let files = fold(vec![
            raw("UD-Q4_K_M/m-UD-Q4_K_M-00002-of-00003.gguf", 20),
            raw("README.md", 1),
            raw("UD-Q4_K_M/m-UD-Q4_K_M-00001-of-00003.gguf", 10),
            raw("UD-Q4_K_M/m-UD-Q4_K_M-00003-of-00003.gguf", 30),
            raw("m-Q8_0-00002-of-00002.GGUF", 7),
            raw("best-of-breed.gguf", 5),
            raw("x-00001-of-00001.gguf", 6),
            raw("x-00003-of-00002.gguf", 8),
        ]);
        let told: Vec<_> = files
            .iter()
            .map(|file| {
                (
                    file.name.as_str(),
                    file.size.map(|size| size.0),
                    file.parts.len(),
                    file.missing_parts.clone(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("UD-Q4_K_M/m-UD-Q4_K_M-00001-of-00003.gguf", Some(60), 3, vec![]),
                ("m-Q8_0-00001-of-00002.gguf", Some(7), 1, vec![1]),
                ("best-of-breed.gguf", Some(5), 0, vec![]),
                ("x-00001-of-00001.gguf", Some(6), 0, vec![]),
                ("x-00003-of-00002.gguf", Some(8), 0, vec![]),
            ]
        );
        assert_eq!(files[0].quantisation.as_deref(), Some("UD-Q4_K_M"));
        assert_eq!(
            files[0].parts[0].name,
            "UD-Q4_K_M/m-UD-Q4_K_M-00001-of-00003.gguf"
        );
        assert_eq!(files[0].sha256, None);
    }

    #[test]
    fn a_part_of_unknown_size_makes_the_sum_unknown() {
        let unknown = RepositoryFile {
            size: None,
            ..raw("m-00002-of-00002.gguf", 0)
        };
        let files = fold(vec![raw("m-00001-of-00002.gguf", 1), unknown]);
        assert_eq!(files[0].size, None);
    }

    #[test]
    fn companions_go_to_the_model_that_is_called_like_them() {
        let mut files = fold(
            [
                "gemma-4-E2B_q4_0-it.gguf",
                "gemma-4-12b-it-Q4_K_M.gguf",
                "mmproj-gemma-4-E2B-it-BF16.gguf",
                "mmproj-gemma-4-E2B-it-F16.gguf",
                "mmproj-gemma-4-12b-it-F32.gguf",
                "mtp-gemma-4-12b-it.gguf",
            ]
            .map(|name| raw(name, 1))
            .to_vec(),
        );
        pair(&mut files);
        let roles: Vec<_> = files.iter().map(|file| file.role).collect();
        use FileRole::{Draft, Model, Projector};
        assert_eq!(roles, [Model, Model, Projector, Projector, Projector, Draft]);
        assert_eq!(
            files[0].projector.as_deref(),
            Some("mmproj-gemma-4-E2B-it-F16.gguf")
        );
        assert_eq!(
            files[1].projector.as_deref(),
            Some("mmproj-gemma-4-12b-it-F32.gguf")
        );
        assert_eq!(files[1].draft.as_deref(), Some("mtp-gemma-4-12b-it.gguf"));
        assert_eq!((&files[2].projector, &files[2].draft), (&None, &None));
    }

    #[test]
    fn a_companion_of_another_repository_is_none() {
        let other = RepositoryFile {
            repository: "c/d".into(),
            ..raw("mmproj-F16.gguf", 1)
        };
        let mut files = fold(vec![raw("m-Q4_0.gguf", 1), other]);
        pair(&mut files);
        assert_eq!(files[0].projector, None);
    }

    proptest! {
        /// However a set is ordered and whatever of it is missing, it is one file, and no part is lost or made up.
        #[test]
        fn a_set_is_one_file(
            count in 2_u32..12,
            chosen in proptest::sample::subsequence((0_usize..12).collect::<Vec<_>>(), 1..12),
            rotation in 0_usize..12,
        ) {
            let count_size = count as usize;
            let mut present: Vec<usize> = chosen.into_iter().filter(|number| *number < count_size).collect();
            prop_assume!(!present.is_empty());
            let middle = rotation % present.len();
            present.rotate_left(middle);
            let files = present.iter().map(|number| {
                raw(&format!("m-Q4_K_M-{:05}-of-{count:05}.gguf", number + 1), 1 << number)
            });
            let folded = fold(files.collect());
            prop_assert_eq!(folded.len(), 1);
            let sum: u64 = present.iter().map(|number| 1_u64 << number).sum();
            prop_assert_eq!(folded[0].size, Some(ByteSize(sum)));
            prop_assert_eq!(folded[0].parts.len() + folded[0].missing_parts.len(), count_size);
            let names: Vec<_> = folded[0].parts.iter().map(|part| &part.name).collect();
            prop_assert!(names.is_sorted());
        }

        /// Any names are survived, and each GGUF file is told once, as a file or as a part.
        #[test]
        fn any_names_are_survived(
            names in proptest::collection::hash_set("([a-z/]|-0000[123]-of-0000[23]|mmproj|-Q4_0|\\.gguf|é){1,6}", 0..8),
        ) {
            let models = names.iter().filter(|name| quant::stem(name) != name.as_str()).count();
            let mut folded = fold(names.iter().map(|name| raw(name, 1)).collect());
            pair(&mut folded);
            let told: usize = folded.iter().map(|file| file.parts.len().max(1)).sum();
            prop_assert_eq!(told, models);
        }
    }
}
