//! Models in several files, as llama.cpp splits them: `NAME-00001-of-00003.gguf` and so on, side by side, each a GGUF
//! of its own that says in its metadata which part it is. llama.cpp is given the first and finds the others by these
//! names (`llama_split_path`), so they must be exactly so.

use std::path::{Path, PathBuf};

use super::gguf::GgufError;
use super::headers::{Header, Headers};
use super::quant;

/// What the name of a part says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// What stands before the number, the same for all parts.
    prefix: String,
    /// Which part, from 1.
    number: u32,
    /// How many there are, 2 or more.
    count: u32,
}

/// Where a file belongs.
pub(super) enum Belongs {
    /// It is a whole model.
    Alone,
    /// It stands for the parts it is the first of.
    First(Set),
    /// It stands behind this one.
    Behind(PathBuf),
}

/// The parts of one model together.
pub(super) struct Set {
    /// Those that are there, the first first.
    pub(super) files: Vec<PathBuf>,
    /// Bytes of those that are there.
    pub(super) size: u64,
    /// Weights of those that are there.
    pub(super) parameters: u64,
    /// What is wrong with one of them.
    pub(super) problem: Option<String>,
}

/// The name without `-00001-of-00003`, and the two numbers; `None` where it does not end so.
pub(crate) fn split(stem: &str) -> Option<(&str, u32, u32)> {
    let (rest, count) = stem.rsplit_once("-of-")?;
    let (prefix, number) = rest.rsplit_once('-')?;
    let digits = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(number) || !digits(count) {
        return None;
    }
    let (number, count) = (number.parse().ok()?, count.parse().ok()?);
    (1..=count).contains(&number).then_some((prefix, number, count))
}

/// The name without its number among the parts, if it has one.
pub(crate) fn without_number(stem: &str) -> &str {
    split(stem).map_or(stem, |(prefix, ..)| prefix)
}

impl Part {
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (prefix, number, count) = split(quant::stem(name))?;
        (count > 1).then(|| Self {
            prefix: prefix.to_owned(),
            number,
            count,
        })
    }

    /// The file of another part of the same model.
    fn path(&self, beside: &Path, number: u32) -> PathBuf {
        let (prefix, count) = (&self.prefix, self.count);
        beside.with_file_name(format!("{prefix}-{number:05}-of-{count:05}.gguf"))
    }
}

/// Finds out whether a file is part of a set. A damaged one is taken for what its name says.
pub(super) fn belongs(path: &Path, header: &Result<Header, GgufError>, headers: &mut Headers) -> Belongs {
    let said = header
        .as_ref()
        .ok()
        .map(|header| (header.part.saturating_add(1), header.parts));
    let named = Part::of(path);
    match (named, said) {
        (Some(part), None) => place(path, &part, headers),
        (Some(part), Some((number, count))) if (part.number, part.count) == (number, count) => {
            place(path, &part, headers)
        }
        (_, Some((number, count))) if count > 1 => Belongs::First(Set {
            files: vec![path.to_owned()],
            size: path.metadata().map_or(0, |about| about.len()),
            parameters: 0,
            problem: Some(format!(
                "it is part {number} of {count} of a model, and its name does not end in \
                 -{number:05}-of-{count:05}.gguf; rename it"
            )),
        }),
        _ => Belongs::Alone,
    }
}

/// Looks at the other parts.
fn place(path: &Path, part: &Part, headers: &mut Headers) -> Belongs {
    let before = (1..part.number).map(|number| part.path(path, number));
    if let Some(first) = before.into_iter().find(|path| path.is_file()) {
        return Belongs::Behind(first);
    }
    let mut set = Set {
        files: Vec::new(),
        size: 0,
        parameters: 0,
        problem: None,
    };
    let (mut missing, mut first_missing) = (0, 0);
    for number in 1..=part.count {
        let path = part.path(path, number);
        let Ok(about) = path.metadata() else {
            missing += 1;
            if missing == 1 {
                first_missing = number;
            }
            continue;
        };
        set.size += about.len();
        match headers.read(&path) {
            Ok(header) if (header.part.saturating_add(1), header.parts) == (number, part.count) => {
                set.parameters = set.parameters.saturating_add(header.parameters);
            }
            Ok(_) => set.complain(format!("part {number} of {} is of another model", part.count)),
            Err(error) => set.complain(format!("part {number} of {}: {error}", part.count)),
        }
        set.files.push(path);
    }
    match missing {
        0 => (),
        1 => {
            set.problem = Some(format!(
                "it is incomplete: part {first_missing} of {} is missing",
                part.count
            ))
        }
        _ => {
            set.problem = Some(format!(
                "it is incomplete: {missing} of {} parts are missing, part {first_missing} is the first of them",
                part.count
            ));
        }
    }
    Belongs::First(set)
}

impl Set {
    /// Notes what is wrong with a part; the first counts.
    fn complain(&mut self, problem: String) {
        self.problem.get_or_insert(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_names_that_llama_cpp_gives_are_those_of_parts() {
        let cases = [
            ("m-Q4_0-00001-of-00002", Some(("m-Q4_0", 1, 2))),
            ("m-00002-of-00002", Some(("m", 2, 2))),
            ("m-00001-of-00001", Some(("m", 1, 1))),
            (
                "a-00001-of-00002-00001-of-00003",
                Some(("a-00001-of-00002", 1, 3)),
            ),
            ("-00001-of-00002", Some(("", 1, 2))),
            ("best-of-breed", None),
            ("m-00000-of-00002", None),
            ("m-00003-of-00002", None),
            ("m-1-of-2", None),
            ("m-00001-OF-00002", None),
            ("m-+0001-of-00002", None),
            ("00001-of-00002", None),
            ("m-00001-of-00002-Q4_0", None),
        ];
        for (stem, expected) in cases {
            assert_eq!(split(stem), expected, "{stem}");
            assert_eq!(without_number(stem), expected.map_or(stem, |(prefix, ..)| prefix));
        }
    }
}
