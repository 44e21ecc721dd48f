//! Small files that reach the corners of the reader: what is said of each.
//!
//! Those with a number for a name were chosen from what `./x fuzz` made, at least one of each kind of outcome; the others
//! reach what it did not come to by itself.

use expect_test::expect_file;

use super::*;

/// A length that nothing in these files exceeds: 1 TiB.
const LONG: u64 = 1 << 40;

/// The outcome for a file, as it is and as the beginning of a long one.
fn outcomes(name: &str, bytes: &[u8]) -> String {
    let outcome = |length| match Gguf::read(bytes, length) {
        Ok(gguf) => format!(
            "{} tensors of {} weights, {:?}",
            gguf.tensors, gguf.parameters, gguf.metadata
        ),
        // What the standard library says where a file ends before its length.
        Err(GgufError::Io(_)) => "cannot be read on".to_owned(),
        Err(error) => format!("{error:?}"),
    };
    let (whole, long) = (outcome(bytes.len() as u64), outcome(LONG));
    format!("{name}\n    {whole}\n    long: {long}\n")
}

/// `UPDATE_EXPECT=1` writes what is said of files that are added.
#[test]
fn each_has_exactly_this_outcome() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library/gguf/tests/damaged");
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("they are there") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        files.push((name, std::fs::read(&path).expect("it is read")));
    }
    files.sort();
    let said: String = files.iter().map(|(name, bytes)| outcomes(name, bytes)).collect();
    expect_file!["damaged.txt"].assert_eq(&said);
}
