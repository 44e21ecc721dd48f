//! Which file of a model to take on this machine, and why. Pure.

use hearth_protocol::catalogue::{CatalogueFile, FileRole, Fit};

use crate::library::quant;

/// Bits per weight from which on little of a model's quality is lost.
const GOOD_BITS: u32 = 4;

/// Bits per weight that are best taken, those of Q4_K_M and a little more: twice as many cost twice the memory and make
/// answers hardly better.
const BEST_BITS: f64 = 5.2;

/// How well a file can be used here, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    OnGpu,
    PartlyOnGpu,
    OnCpu,
    /// It fits, with so few bits per weight that one notices.
    Coarse,
    Unknown,
    TooLarge,
}

impl Standing {
    fn of(file: &CatalogueFile) -> Self {
        let bits = file.quantisation.as_deref().and_then(quant::bits);
        match file.fit {
            Fit::Unknown => Self::Unknown,
            Fit::TooLarge => Self::TooLarge,
            _ if bits.is_some_and(|bits| bits < GOOD_BITS) => Self::Coarse,
            Fit::Gpu => Self::OnGpu,
            Fit::Partly => Self::PartlyOnGpu,
            Fit::Cpu => Self::OnCpu,
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::OnGpu => "all of it fits on the GPU, and little of the quality is lost",
            Self::PartlyOnGpu => {
                "it fits into GPU and main memory together, and little of the quality is lost"
            }
            Self::OnCpu => "it fits in main memory, and little of the quality is lost",
            Self::Coarse => "it fits; so few bits per weight cost some quality, but no finer file fits",
            Self::Unknown => "it is the usual choice; whether it fits cannot be known",
            Self::TooLarge => "no file fits this machine; it is the smallest",
        }
    }
}

/// The model file that is usually taken where nobody has chosen one: the nearest to five bits for each of so many
/// parameters, else one of four bits, else the smallest.
pub(super) fn usual(files: &[CatalogueFile], parameters: Option<u64>) -> Option<&CatalogueFile> {
    let whole = files
        .iter()
        .filter(|file| file.role == FileRole::Model && file.missing_parts.is_empty());
    whole.min_by_key(|file| {
        let bits = file.quantisation.as_deref().and_then(quant::bits);
        let size = file.size.map_or(u64::MAX, |size| size.0);
        (distance(file, parameters), bits != Some(GOOD_BITS), size)
    })
}

/// How far a file is from the bits per weight that are best taken, in hundredths of a bit; 0 where that is unknown.
fn distance(file: &CatalogueFile, parameters: Option<u64>) -> u64 {
    match (file.size, parameters.filter(|count| *count > 0)) {
        (Some(size), Some(count)) => ((size.0 as f64 * 8.0 / count as f64 - BEST_BITS).abs() * 100.0) as u64,
        (None, Some(_)) => u64::MAX,
        (_, None) => 0,
    }
}

/// Marks the one file to take and says why: the best that can be used here. Of equals it is the catalogue's own choice,
/// `usual`; else one that a projector belongs to, since it sees; else the one nearest to five bits for each of so many
/// `parameters`; else the smallest.
pub(super) fn recommend(files: &mut [CatalogueFile], usual: Option<&str>, parameters: Option<u64>) {
    let rank = |file: &CatalogueFile| {
        let standing = Standing::of(file);
        let size = file.size.map_or(u64::MAX, |size| size.0);
        if standing == Standing::TooLarge {
            return (standing, false, false, 0, size);
        }
        let is_other = usual != Some(file.name.as_str());
        let distance = distance(file, parameters);
        (standing, is_other, file.projector.is_none(), distance, size)
    };
    let usable = files.iter_mut().filter(|file| {
        file.role == FileRole::Model && file.missing_parts.is_empty() && file.problem.is_none()
    });
    if let Some(file) = usable.min_by_key(|file| rank(file)) {
        file.recommended = Some(Standing::of(file).reason().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::ByteSize;

    use super::super::files::tests::raw;
    use super::super::files::{RepositoryFile, fold, pair};
    use super::*;

    const SIZES: [(&str, u64); 5] = [
        ("m-Q2_K.gguf", 3_100),
        ("m-Q4_K_M.gguf", 4_900),
        ("m-Q5_K_M.gguf", 5_700),
        ("m-Q8_0.gguf", 8_500),
        ("mmproj-F16.gguf", 900),
    ];

    /// The file that is chosen of an 8,000-parameter model where those up to these sizes fit on the GPU, with its help,
    /// and on the processor.
    fn chosen(
        gpu: u64,
        partly: u64,
        cpu: u64,
        usual: Option<&str>,
        sizes: &[(&str, u64)],
    ) -> (String, String) {
        let mut files = fold(sizes.iter().map(|(name, size)| raw(name, *size)).collect());
        for file in &mut files {
            let size = file.size.map_or(0, |size| size.0);
            let fits = [(gpu, Fit::Gpu), (partly, Fit::Partly), (cpu, Fit::Cpu)];
            let fit = fits.into_iter().find(|(limit, _)| size <= *limit);
            file.fit = fit.map_or(Fit::TooLarge, |(_, fit)| fit);
        }
        recommend(&mut files, usual, Some(8_000));
        let mut chosen = files.into_iter().filter(|file| file.recommended.is_some());
        let file = chosen.next().expect("one is chosen");
        assert!(chosen.next().is_none(), "and no other");
        (file.name, file.recommended.unwrap_or_default())
    }

    #[test]
    fn one_file_is_recommended_and_says_why() {
        let q8 = Some("m-Q8_0.gguf");
        let cases = [
            // Room for everything: five bits are enough.
            ((9_000, 0, 0), None, "m-Q4_K_M.gguf", "fits on the GPU"),
            // The catalogue's own choice counts where it fits as well as another.
            ((9_000, 0, 0), q8, "m-Q8_0.gguf", "fits on the GPU"),
            ((5_000, 9_000, 0), q8, "m-Q4_K_M.gguf", "fits on the GPU"),
            ((0, 0, 6_000), q8, "m-Q4_K_M.gguf", "main memory"),
            // Two bits on the card are worse than four beside it.
            ((4_000, 9_000, 0), None, "m-Q4_K_M.gguf", "together"),
            ((0, 0, 4_000), None, "m-Q2_K.gguf", "no finer file fits"),
            ((0, 0, 0), q8, "m-Q2_K.gguf", "it is the smallest"),
        ];
        for ((gpu, partly, cpu), usual, name, reason) in cases {
            let (chosen, said) = chosen(gpu, partly, cpu, usual, &SIZES);
            assert_eq!(chosen, name, "{gpu} {partly} {cpu}");
            assert!(said.contains(reason), "{said}");
        }
    }

    #[test]
    fn a_set_with_a_missing_part_is_not_recommended() {
        let sizes = [("m-Q4_K_M-00001-of-00002.gguf", 2_000), ("m-Q8_0.gguf", 8_000)];
        assert_eq!(chosen(9_000, 0, 0, None, &sizes).0, "m-Q8_0.gguf");
    }

    #[test]
    fn of_two_files_with_one_name_the_one_that_sees_is_recommended() {
        let file = |repository: &str, name: &str, size| RepositoryFile {
            repository: repository.into(),
            revision: None,
            name: name.into(),
            size: Some(ByteSize(size)),
            sha256: None,
        };
        let mut files = fold(vec![
            file("blind/m", "m-Q4_K_M.gguf", 4_899),
            file("seeing/m", "m-Q4_K_M.gguf", 4_900),
            file("seeing/m", "mmproj-F16.gguf", 900),
        ]);
        pair(&mut files);
        recommend(&mut files, Some("m-Q4_K_M.gguf"), Some(8_000));
        assert!(files[1].recommended.is_some() && files[0].recommended.is_none());
    }

    #[test]
    fn where_nothing_is_known_the_usual_file_is_recommended() {
        let files = ["m-Q4_K_M.gguf", "m-Q8_0.gguf"].map(|name| RepositoryFile {
            repository: "a/b".into(),
            revision: None,
            name: name.into(),
            size: None,
            sha256: None,
        });
        let mut files = fold(files.to_vec());
        recommend(&mut files, Some("m-Q8_0.gguf"), None);
        let said = files[1].recommended.as_deref().expect("it is recommended");
        assert!(said.contains("cannot be known"), "{said}");
        assert_eq!(files[0].recommended, None);
    }
}
