//! Files that are no models: each gives a clear typed error, and worker and backend live on.

use std::path::Path;

use hearth_protocol::Error;
use hearth_protocol::engine::LoadOptions;

use crate::app::{App, context, greedy};
use crate::tiny_gguf::Tiny;

/// Refused with words for a person, naming the file.
fn refusal(app: &App, path: &Path) -> String {
    match app.load(path, context(64)) {
        Err(error @ (Error::BadModelFile { .. } | Error::LoadFailed { .. })) => error.to_string(),
        other => panic!("{}: {other:?}", path.display()),
    }
}

/// A good model still loads and answers.
fn lives(app: &App) {
    let answer = app.ask(&app.tiny(), None, "x", greedy(3));
    assert_eq!(answer.stats().generated_tokens, 3);
}

#[test]
fn files_cut_off_at_twenty_places() {
    let app = App::real();
    let whole = Tiny::default().bytes();
    for place in 0..20 {
        let path = app.path(&format!("cut-{place}.gguf"));
        // From the first bytes of the header to the last of the weights.
        let length = whole.len() * place / 20 + place % 2 * 13 + 1;
        std::fs::write(&path, &whole[..length.min(whole.len() - 1)]).expect("written");
        let text = refusal(&app, &path);
        assert!(text.contains(&format!("cut-{place}")), "{text}");
    }
    lives(&app);
}

#[test]
fn files_that_are_something_else() {
    let app = App::real();
    let mut wrong_magic = Tiny::default().bytes();
    wrong_magic[..4].copy_from_slice(b"FUGG");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 98362432\n";
    let cases: [(&str, &[u8]); 4] = [
        ("magic", &wrong_magic),
        ("page", b"<!DOCTYPE html><html><body>Sign in</body></html>"),
        ("pointer", pointer.as_bytes()),
        ("empty", b""),
    ];
    let mut texts = Vec::new();
    for (name, bytes) in cases {
        let path = app.path(&format!("{name}.gguf"));
        std::fs::write(&path, bytes).expect("written");
        texts.push(refusal(&app, &path));
    }
    let folder = app.path("folder.gguf");
    std::fs::create_dir(&folder).expect("made");
    texts.push(refusal(&app, &folder));
    // Each says what it is about.
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 5, "{texts:#?}");
    lives(&app);
}

#[test]
fn a_file_that_is_not_there() {
    let app = App::real();
    let missing = app.load(&app.path("missing.gguf"), LoadOptions::default());
    assert!(missing.is_err(), "{missing:?}");
    lives(&app);
}

#[test]
fn a_file_that_reads_well_but_lacks_what_llama_cpp_needs() {
    let app = App::real();
    let path = app.path("renamed.gguf");
    let mut bytes = Tiny::default().bytes();
    let name = b"blk.2.ffn_up.weight";
    let place = bytes
        .windows(name.len())
        .position(|window| window == name)
        .expect("it has this tensor");
    bytes[place..place + 3].copy_from_slice(b"xyz");
    std::fs::write(&path, bytes).expect("written");
    let Err(Error::LoadFailed { reason, log }) = app.load(&path, context(64)) else {
        panic!("it loaded");
    };
    assert!(reason.contains("blk.2.ffn_up.weight"), "{reason}");
    assert!(!log.is_empty());
    lives(&app);
}
