//! Answers of the hub, whole and damaged: what is read from each. `./x fuzz hub` begins with them.

use std::path::Path;

use expect_test::expect_file;

use super::*;

/// What the bytes are as each of the answers.
fn outcomes(name: &str, bytes: &[u8]) -> String {
    let files = |files: Vec<RepoFile>| format!("{files:?}");
    let readings = [
        (
            "model",
            serde_json::from_slice(bytes).map(|model: ModelInfo| {
                format!("{} at {:?}: {}", model.id, model.sha, files(model.siblings))
            }),
        ),
        (
            "page",
            serde_json::from_slice(bytes).map(|page: Vec<ModelInfo>| {
                let ids: Vec<_> = page.into_iter().map(|model| model.id).collect();
                format!("{ids:?}")
            }),
        ),
        (
            "tree",
            serde_json::from_slice(bytes).map(|tree: Vec<TreeEntry>| {
                files(tree.into_iter().filter_map(TreeEntry::into_file).collect())
            }),
        ),
        (
            "account",
            serde_json::from_slice(bytes)
                .map(|account: WhoAmI| format!("{:?}, {:?}", account.name, account.fullname)),
        ),
    ];
    let next = std::str::from_utf8(bytes)
        .ok()
        .and_then(next_page)
        .map(str::to_owned);
    let read = readings
        .into_iter()
        .filter_map(|(kind, reading)| Some((kind, reading.ok()?)))
        .chain(next.map(|next| ("next page", next)));
    let lines: String = read.map(|(kind, read)| format!("    {kind}: {read}\n")).collect();
    format!("{name}\n{lines}")
}

/// `UPDATE_EXPECT=1` writes what is read from files that are added.
#[test]
fn each_answer_is_read_as_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/hub/shapes/tests/answers");
    let mut answers = Vec::new();
    for entry in folder.read_dir().expect("they are there") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        answers.push((name, std::fs::read(&path).expect("it is read")));
    }
    answers.sort();
    let read: String = answers
        .iter()
        .map(|(name, bytes)| outcomes(name, bytes))
        .collect();
    expect_file!["answers.txt"].assert_eq(&read);
}
