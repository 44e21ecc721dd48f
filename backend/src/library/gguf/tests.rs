//! Whole and damaged headers, written byte by byte.

mod damaged;

use super::*;

/// Writes headers, also impossible ones.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn header(tensors: u64, pairs: u64) -> Self {
        let mut writer = Self(b"GGUF".to_vec());
        writer.u32(3);
        writer.u64(tensors);
        writer.u64(pairs);
        writer
    }
    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }
    fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }
    fn text(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.0.extend(text.as_bytes());
    }
    fn pair(&mut self, key: &str, kind: u32, value: &[u8]) {
        self.text(key);
        self.u32(kind);
        self.0.extend(value);
    }
    fn tensor(&mut self, name: &str, dimensions: &[u64], kind: u32, offset: u64) {
        self.text(name);
        self.u32(dimensions.len() as u32);
        for size in dimensions {
            self.u64(*size);
        }
        self.u32(kind);
        self.u64(offset);
    }
    fn data(mut self, bytes: usize) -> Vec<u8> {
        let start = self.0.len().next_multiple_of(32);
        self.0.resize(start + bytes, 0);
        self.0
    }
}

fn read(bytes: &[u8]) -> Result<Gguf, GgufError> {
    Gguf::read(bytes, bytes.len() as u64)
}

/// A whole file: two values, an array of texts, one F32 and one Q8_0 tensor.
fn whole() -> Vec<u8> {
    let mut writer = Writer::header(2, 3);
    writer.pair("general.architecture", 8, &[]);
    writer.text("llama");
    writer.pair("llama.context_length", 4, &2048_u32.to_le_bytes());
    writer.pair("tokenizer.ggml.tokens", 9, &8_u32.to_le_bytes());
    writer.u64(2);
    writer.text("a");
    writer.text("语");
    writer.tensor("norm", &[16], 0, 0);
    writer.tensor("weights", &[32, 4], 8, 64);
    writer.data(64 + 4 * 34)
}

#[test]
fn a_whole_file_is_read() {
    let gguf = read(&whole()).expect("whole");
    assert_eq!(gguf.text("general.architecture"), Some("llama"));
    assert_eq!(gguf.number("llama.context_length"), Some(2048));
    assert_eq!(gguf.get("tokenizer.ggml.tokens"), Some(&Value::Array(2)));
    assert_eq!((gguf.tensors, gguf.parameters), (2, 16 + 128));
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = whole();
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).expect_err("cut");
        match length {
            0 => assert_eq!(error, GgufError::Empty),
            1..4 => assert_eq!(error, GgufError::NotGguf),
            _ => assert!(
                matches!(error, GgufError::Truncated { .. }),
                "{length}: {error:?}"
            ),
        }
    }
}

#[test]
fn the_text_of_a_cut_file_says_how_much_is_there() {
    let bytes = whole();
    let text = read(&bytes[..bytes.len() - 1]).expect_err("cut").to_string();
    assert_eq!(
        text,
        format!(
            "it ends after {} B of {} B; download it again",
            bytes.len() - 1,
            bytes.len()
        )
    );
}

/// A file that lacks a kilobyte of 98 MB was once said to end after 98.4 MB of 98.4 MB.
#[test]
fn what_is_missing_is_never_rounded_away() {
    let text = |has, needs| {
        let (has, needs) = (ByteSize(has), ByteSize(needs));
        GgufError::Truncated { has, needs }.to_string()
    };
    assert_eq!(
        text(98_361_432, 98_362_432),
        "it ends after 98361432 of 98362432 bytes; download it again"
    );
    assert_eq!(
        text(12_000, 98_362_432),
        "it ends after 12.0 kB of 98.4 MB; download it again"
    );
}

#[test]
fn what_is_not_a_model_is_named() {
    let cases: [(&[u8], GgufError); 6] = [
        (b"<!DOCTYPE html><html>", GgufError::WebPage),
        (b"\n  <html>", GgufError::WebPage),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
            GgufError::LfsPointer,
        ),
        (b"PK\x03\x04 a zip file", GgufError::NotGguf),
        (
            b"GGUF\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            GgufError::Version(1),
        ),
        (
            b"GGUF\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            GgufError::BigEndian,
        ),
    ];
    for (bytes, error) in cases {
        assert_eq!(read(bytes), Err(error));
    }
}

/// Reports of llama.cpp ending its process on files of a few dozen bytes.
#[test]
fn impossible_headers_are_refused_and_cost_nothing() {
    let mut cases: Vec<(&str, Vec<u8>)> = Vec::new();
    let mut add = |name, writer: Writer| cases.push((name, writer.0));

    add("2^63 values", Writer::header(0, 1 << 63));
    add("2^63 tensors", Writer::header(1 << 63, 0));
    let mut writer = Writer::header(0, 1);
    writer.pair("", 4, &[0; 4]);
    add("an empty key", writer);
    let mut writer = Writer::header(0, 1);
    writer.u64(u64::MAX);
    add("an endless key", writer);
    let mut writer = Writer::header(0, 1);
    writer.pair("a", 99, &[]);
    add("an unknown type", writer);
    let mut writer = Writer::header(0, 1);
    writer.pair("a", 9, &4_u32.to_le_bytes());
    writer.u64(u64::MAX / 2);
    add("an endless array of numbers", writer);
    let mut writer = Writer::header(0, 1);
    writer.pair("a", 9, &8_u32.to_le_bytes());
    writer.u64(u64::MAX);
    add("an endless array of texts", writer);
    let mut writer = Writer::header(0, 1);
    writer.text("a");
    for _ in 0..1000 {
        writer.u32(9);
        writer.0.extend(1_u64.to_le_bytes());
    }
    add("arrays within arrays", writer);
    let mut writer = Writer::header(1, 1);
    writer.pair("general.alignment", 8, &[]);
    writer.text("x");
    add("an alignment that is a text", writer);
    let mut writer = Writer::header(1, 1);
    writer.pair("general.alignment", 4, &0_u32.to_le_bytes());
    add("an alignment of 0", writer);
    let mut writer = Writer::header(0, 1);
    writer.pair("general.alignment", 10, &32_u64.to_le_bytes());
    add("an alignment of 64 bits, which llama.cpp does not take", writer);
    let mut writer = Writer::header(0, 5);
    for _ in 0..5 {
        writer.pair("a", 8, &[]);
        writer.text(&"x".repeat(4 << 20));
    }
    add("more text than is kept", writer);
    let mut writer = Writer::header(0, 300_000);
    for _ in 0..300_000 {
        writer.pair("a", 7, &[1]);
    }
    add("more values than are kept", writer);
    for (name, dimensions, kind, offset) in [
        ("a dimension of 0", &[0, 4][..], 0, 0),
        ("too many dimensions", &[1; 9], 0, 0),
        ("more weights than numbers", &[u64::MAX, 2], 0, 0),
        ("half a block", &[33, 1], 8, 0),
        ("a crooked offset", &[32], 0, 7),
        ("an offset beyond the end", &[32], 0, u64::MAX - 31),
    ] {
        let mut writer = Writer::header(1, 0);
        writer.tensor("t", dimensions, kind, offset);
        add(name, writer);
    }
    for (name, bytes) in cases {
        assert!(read(&bytes).is_err(), "{name}");
    }
}

#[test]
fn a_tensor_type_of_the_future_is_left_to_llama_cpp() {
    let mut writer = Writer::header(1, 0);
    writer.tensor("t", &[32], 4242, 0);
    assert!(read(&writer.data(0)).is_ok());
}

fn details(bytes: &[u8]) -> Result<Details, GgufError> {
    Details::read(bytes, bytes.len() as u64)
}

#[test]
fn values_are_shown_as_a_person_reads_them() {
    let mut writer = Writer::header(0, 8);
    writer.pair("f32", 6, &0.1_f32.to_le_bytes());
    writer.pair("f64", 12, &0.1_f64.to_le_bytes());
    writer.pair("short", 9, &2_u32.to_le_bytes());
    writer.u64(2);
    writer.0.extend([1, 0, 2, 0]);
    writer.pair("long", 9, &5_u32.to_le_bytes());
    writer.u64(100);
    (0..100_i32).for_each(|number| writer.0.extend(number.to_le_bytes()));
    writer.pair("texts", 9, &8_u32.to_le_bytes());
    writer.u64(3);
    writer.text("a\nb");
    writer.text(&"语".repeat(300));
    writer.text("");
    writer.pair("nested", 9, &9_u32.to_le_bytes());
    writer.u64(1);
    writer.0.extend([0; 12]);
    writer.pair("empty", 9, &0_u32.to_le_bytes());
    writer.u64(0);
    writer.pair("text", 8, &[]);
    writer.text(&"é".repeat(1000));
    let details = details(&writer.0).expect("whole");
    let shown: Vec<_> = details.shown().collect();
    let texts = format!("[\"a\\nb\", \"{}\"…, \"\"]", "语".repeat(40));
    let text = format!("{}… (1000 characters)", "é".repeat(400));
    let expected = [
        ("f32", "0.1"),
        ("f64", "0.1"),
        ("short", "[1, 2]"),
        ("long", "[0, 1, 2, 3, 4, 5, 6, 7, …] (100 values)"),
        ("texts", &texts),
        ("nested", "[…] (1 values)"),
        ("empty", "[]"),
        ("text", &text),
    ];
    assert_eq!(
        shown,
        expected.map(|(key, value)| (key.to_owned(), value.to_owned()))
    );
}

#[test]
fn every_tensor_is_told_with_its_kind_its_shape_and_its_bytes() {
    let mut writer = Writer::header(3, 0);
    writer.tensor("a", &[32, 4], 8, 0);
    writer.tensor("b", &[], 0, 160);
    writer.tensor("c", &[7, 2, 3], 4242, 192);
    let details = details(&writer.data(192)).expect("whole");
    let tensors: Vec<_> = details
        .tensors
        .iter()
        .map(|tensor| (tensor.name.as_str(), tensor.kind(), tensor.shape(), tensor.size))
        .collect();
    assert_eq!(
        tensors,
        [
            ("a", "Q8_0".to_owned(), [32, 4].as_slice(), Some(136)),
            ("b", "F32".to_owned(), [].as_slice(), Some(4)),
            ("c", "4242".to_owned(), [7, 2, 3].as_slice(), None),
        ]
    );
}

#[test]
fn more_tensors_than_any_model_has_are_not_kept() {
    let count = 800_000;
    let mut writer = Writer::header(count, 0);
    (0..count).for_each(|_| writer.tensor("", &[], 0, 0));
    let bytes = writer.data(32);
    assert!(read(&bytes).is_ok());
    let error = details(&bytes).expect_err("too many");
    assert_eq!(error, GgufError::Damaged("it has too many tensors".into()));
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_not_waited_for() {
    assert_eq!(Gguf::open(Path::new("/dev/zero")), Err(GgufError::NoFile));
    let folder = tempfile::tempdir().expect("folder");
    let pipe = folder.path().join("pipe.gguf");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    assert_eq!(Gguf::open(&pipe), Err(GgufError::NoFile));
}

#[test]
fn a_folder_is_refused() {
    let folder = tempfile::tempdir().expect("folder");
    assert_eq!(Gguf::open(folder.path()), Err(GgufError::Folder));
}

/// Whoever reads all of a header finds what others find, or the same fault. Of an array whose values have an unknown
/// type one says so of the value, the other of the array.
fn agree(bytes: &[u8]) {
    let (short, long) = (read(bytes), details(bytes));
    if let Ok(details) = &long {
        assert_eq!(details.tensors.len() as u64, details.header.tensors);
        assert_eq!(details.shown().count(), details.header.metadata.len());
    }
    match (short, long) {
        // As texts, since a number that is none differs from itself.
        (Ok(short), Ok(long)) => assert_eq!(format!("{short:?}"), format!("{:?}", long.header)),
        (Err(GgufError::Damaged(_) | GgufError::Truncated { .. }), Err(_)) => (),
        (short, long) => assert_eq!(short.err(), long.err()),
    }
}

proptest::proptest! {
    /// Whatever the bytes, the answer comes, and never as a panic.
    #[test]
    fn any_bytes_are_survived(mut bytes in proptest::collection::vec(0_u8.., 0..400), valid in 0_usize..24) {
        let header = Writer::header(1, 2).0;
        let valid = valid.min(bytes.len());
        bytes[..valid].copy_from_slice(&header[..valid]);
        agree(&bytes);
    }

    /// A whole file with one byte changed is read or refused, never a panic.
    #[test]
    fn any_flipped_byte_is_survived(at in 0_usize..400, value in 0_u8..) {
        let mut bytes = whole();
        let at = at % bytes.len();
        bytes[at] = value;
        agree(&bytes);
    }
}
