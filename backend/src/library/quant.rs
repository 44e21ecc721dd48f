//! The quantisation of a model: what its file name says, else what its metadata says.

use super::parts;

/// Names as they stand in file names, in capitals.
const NAMES: [&str; 58] = [
    "Q4_0_4_4",
    "Q4_0_4_8",
    "Q4_0_8_8",
    "MXFP4_MOE",
    "IQ2_XXS",
    "IQ3_XXS",
    "Q2_K_XL",
    "Q3_K_XL",
    "Q4_K_XL",
    "Q5_K_XL",
    "Q6_K_XL",
    "Q8_K_XL",
    "Q2_K_L",
    "Q3_K_L",
    "Q4_K_L",
    "Q5_K_L",
    "Q6_K_L",
    "Q2_K_S",
    "Q3_K_XS",
    "Q3_K_S",
    "Q3_K_M",
    "Q4_K_S",
    "Q4_K_M",
    "Q5_K_S",
    "Q5_K_M",
    "IQ1_S",
    "IQ1_M",
    "IQ2_XS",
    "IQ2_S",
    "IQ2_M",
    "IQ3_XS",
    "IQ3_S",
    "IQ3_M",
    "IQ4_XS",
    "IQ4_NL",
    "TQ1_0",
    "TQ2_0",
    "MXFP4",
    "NVFP4",
    "Q1_0",
    "Q2_0",
    "Q2_K",
    "Q3_K",
    "Q4_K",
    "Q5_K",
    "Q6_K",
    "Q8_K",
    "Q4_0",
    "Q4_1",
    "Q5_0",
    "Q5_1",
    "Q8_0",
    "Q8_1",
    "BF16",
    "FP16",
    "FP32",
    "F16",
    "F32",
];

/// The quantisation a file's name or its `general.file_type` tells; `None` where neither does.
pub(crate) fn quantisation(file_name: &str, file_type: Option<u32>) -> Option<String> {
    in_name(file_name)
        .map(|found| found.label)
        .or_else(|| file_type.and_then(of_file_type).map(str::to_owned))
}

/// Bits per weight as a quantisation's name has them, without what its scales take: 4 of `Q4_K_M`, 16 of `BF16`.
pub(crate) fn bits(quantisation: &str) -> Option<u32> {
    let digits = quantisation.trim_start_matches(|char: char| !char.is_ascii_digit());
    let end = digits
        .find(|char: char| !char.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// The file's name without its ending, its number among the parts and its quantisation, with spaces: what a person
/// calls the model.
pub(crate) fn display_name(file_name: &str) -> String {
    let stem = stem(file_name);
    let whole = parts::without_number(stem);
    let name = match in_name(whole) {
        Some(found) => format!("{}{}", &whole[..found.start], &whole[found.end..]),
        None => whole.to_owned(),
    };
    let words: Vec<&str> = name
        .split(['-', '_', ' '])
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        stem.to_owned()
    } else {
        words.join(" ")
    }
}

/// The name without `.gguf`, in whatever case.
pub(crate) fn stem(file_name: &str) -> &str {
    let cut = file_name.len().saturating_sub(5);
    match file_name.get(cut..) {
        Some(ending) if ending.eq_ignore_ascii_case(".gguf") => &file_name[..cut],
        _ => file_name,
    }
}

struct Found {
    label: String,
    start: usize,
    end: usize,
}

/// The last place in the name where a quantisation stands as a word of its own; the longest of those that end there,
/// so that `Q4_K_M` is not taken for `Q4_K`.
fn in_name(file_name: &str) -> Option<Found> {
    // Byte for byte as long as the name, so that places found here are places there.
    let upper = stem(file_name).to_ascii_uppercase();
    let boundary = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b'-' | b'.' | b'_' | b' '));
    let bytes = upper.as_bytes();
    let (name, start) = NAMES
        .iter()
        .filter_map(|name| {
            let places = upper.match_indices(name).map(|(place, _)| place);
            let words = places.filter(|place| {
                let before = place.checked_sub(1).and_then(|before| bytes.get(before));
                boundary(before) && boundary(bytes.get(place + name.len()))
            });
            words.last().map(|place| (*name, place))
        })
        .max_by_key(|(name, place)| (*place + name.len(), name.len()))?;
    let end = start + name.len();
    let name = match name {
        "FP16" => "F16",
        "FP32" => "F32",
        name => name,
    };
    // Unsloth's dynamic quantisations are files of their own.
    let prefix = "UD-";
    if upper[..start].ends_with(prefix) {
        Some(Found {
            label: format!("{prefix}{name}"),
            start: start - prefix.len(),
            end,
        })
    } else {
        Some(Found {
            label: name.to_owned(),
            start,
            end,
        })
    }
}

/// Names of llama.cpp's `llama_ftype` numbers.
fn of_file_type(number: u32) -> Option<&'static str> {
    Some(match number {
        0 => "F32",
        1 => "F16",
        2 => "Q4_0",
        3 => "Q4_1",
        7 => "Q8_0",
        8 => "Q5_0",
        9 => "Q5_1",
        10 => "Q2_K",
        11 => "Q3_K_S",
        12 => "Q3_K_M",
        13 => "Q3_K_L",
        14 => "Q4_K_S",
        15 => "Q4_K_M",
        16 => "Q5_K_S",
        17 => "Q5_K_M",
        18 => "Q6_K",
        19 => "IQ2_XXS",
        20 => "IQ2_XS",
        21 => "Q2_K_S",
        22 => "IQ3_XS",
        23 => "IQ3_XXS",
        24 => "IQ1_S",
        25 => "IQ4_NL",
        26 => "IQ3_S",
        27 => "IQ3_M",
        28 => "IQ2_S",
        29 => "IQ2_M",
        30 => "IQ4_XS",
        31 => "IQ1_M",
        32 => "BF16",
        36 => "TQ1_0",
        37 => "TQ2_0",
        38 => "MXFP4_MOE",
        39 => "NVFP4",
        40 => "Q1_0",
        41 => "Q2_0",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_wins_over_the_metadata() {
        let cases = [
            (
                "SmolLM2-135M-Instruct-Q4_1.gguf",
                Some("Q4_1"),
                "SmolLM2 135M Instruct",
            ),
            ("Qwen3-8B-UD-Q4_K_XL.gguf", Some("UD-Q4_K_XL"), "Qwen3 8B"),
            ("phi-4.Q5_K_M.gguf", Some("Q5_K_M"), "phi 4"),
            ("model-IQ4_XS.GGUF", Some("IQ4_XS"), "model"),
            ("gpt-oss-20b-MXFP4_MOE.gguf", Some("MXFP4_MOE"), "gpt oss 20b"),
            ("gemma-3-270m-f16.gguf", Some("F16"), "gemma 3 270m"),
            ("a.b.v1.0.Q4_K_M.gguf", Some("Q4_K_M"), "a.b.v1.0"),
            ("llama_q4_k_m.gguf", Some("Q4_K_M"), "llama"),
            ("Q8_0.gguf", Some("Q8_0"), "Q8_0"),
            ("bge-small-en-v1.5_fp16.gguf", Some("F16"), "bge small en v1.5"),
            ("Qwen3-8B.i1-IQ2_XXS.gguf", Some("IQ2_XXS"), "Qwen3 8B.i1"),
            ("Mistral-7B-Q4_K_M-imat.gguf", Some("Q4_K_M"), "Mistral 7B imat"),
            ("Kimi-K2-UD-TQ1_0.gguf", Some("UD-TQ1_0"), "Kimi K2"),
            ("phi-4-Q4_0_4_8.gguf", Some("Q4_0_4_8"), "phi 4"),
            ("no-quant.gguf", Some("Q8_0"), "no quant"),
            ("SEQ4_0X.gguf", Some("Q8_0"), "SEQ4 0X"),
            ("模型-Q4_K_M.gguf", Some("Q4_K_M"), "模型"),
            ("m-Q4_K_M-00001-of-00003.gguf", Some("Q4_K_M"), "m"),
            ("m-UD-Q2_K_XL-00002-of-00003.gguf", Some("UD-Q2_K_XL"), "m"),
            ("m-00001-of-00001.gguf", Some("Q8_0"), "m"),
            // Variants stay apart.
            ("Qwen3-30B-I-Compact.gguf", Some("Q8_0"), "Qwen3 30B I Compact"),
            ("Qwen3-30B-Compact.gguf", Some("Q8_0"), "Qwen3 30B Compact"),
            (
                "Qwen3-30B-Q4_K_M-I-Compact.gguf",
                Some("Q4_K_M"),
                "Qwen3 30B I Compact",
            ),
            // A name decides nothing but itself.
            ("codellama-Q5_0.gguf", Some("Q5_0"), "codellama"),
        ];
        for (file, quant, name) in cases {
            assert_eq!(quantisation(file, Some(7)).as_deref(), quant, "{file}");
            assert_eq!(display_name(file), name, "{file}");
        }
    }

    #[test]
    fn each_name_has_its_bits() {
        let cases = [
            ("Q4_K_M", Some(4)),
            ("UD-IQ2_XXS", Some(2)),
            ("MXFP4_MOE", Some(4)),
            ("TQ1_0", Some(1)),
            ("BF16", Some(16)),
            ("F32", Some(32)),
            ("none", None),
        ];
        for (name, expected) in cases {
            assert_eq!(bits(name), expected, "{name}");
        }
        assert!(
            NAMES
                .iter()
                .all(|name| bits(name).is_some_and(|bits| (1..=32).contains(&bits)))
        );
    }

    #[test]
    fn unknown_is_a_value() {
        assert_eq!(quantisation("model.gguf", None), None);
        assert_eq!(quantisation("model.gguf", Some(999)), None);
    }

    #[test]
    fn only_the_last_ending_is_taken_off() {
        for (file, expected) in [
            (".gguf", ""),
            ("x.GGUF", "x"),
            ("x.gguf.part", "x.gguf.part"),
            ("é", "é"),
        ] {
            assert_eq!(stem(file), expected);
        }
    }

    proptest::proptest! {
        /// Whatever a file is called, it has a name that can be shown.
        #[test]
        fn any_name_is_survived(name in "(\\PC|[-._ ]|Q4_K|UD-|-00001-of-00002|\\.gguf){0,12}") {
            let shown = display_name(&name);
            proptest::prop_assert!(shown.len() <= name.len());
            quantisation(&name, None);
        }
    }
}
