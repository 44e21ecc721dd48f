//! `import`, `rm`, `rename` and `clean`: to the end, interrupted, killed, refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hearth_testhub::tiny_gguf::Tiny;
use serde_json::Value;

use crate::hearth::{Finished, Hearth, Running, STARTER};

/// A data folder, and a model beside it.
struct Setup {
    hearth: Hearth,
    source: PathBuf,
}

impl Setup {
    fn new() -> Self {
        let hearth = Hearth::new();
        let source = hearth.folder().join("elsewhere").join("m-Q8_0.gguf");
        fs::create_dir_all(source.with_file_name("")).expect("a folder");
        Tiny::default().write(&source);
        Self { hearth, source }
    }

    /// Makes the model as large as this, of which all but the beginning are holes.
    fn grow(&self, length: u64) {
        let file = fs::File::options().write(true).open(&self.source).expect("open");
        file.set_len(length).expect("longer");
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        self.hearth.run(arguments)
    }

    fn source(&self) -> &str {
        self.source.to_str().expect("text")
    }

    fn models(&self) -> PathBuf {
        self.hearth.folder().join("home").join("models")
    }

    /// Puts a model into the Hugging Face cache.
    fn cache(&self) -> PathBuf {
        let folder = "hub/hub/models--owner--name/snapshots/0123456789abcdef0123456789abcdef01234567";
        let path = self.hearth.folder().join(folder).join("cached.gguf");
        fs::create_dir_all(path.with_file_name("")).expect("a folder");
        fs::copy(&self.source, &path).expect("copied");
        path
    }
}

/// The names of all files below a folder.
fn files_below(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().expect("a kind").is_dir() {
                true => folders.push(entry.path()),
                false => names.push(entry.file_name().into_string().expect("text")),
            }
        }
    }
    names.sort();
    names
}

#[test]
fn a_model_is_imported_listed_renamed_run_and_deleted() {
    let setup = Setup::new();
    let done = setup.run(&["import", setup.source()]).expect_code(0);
    assert!(
        done.stdout.contains("hearth/imported/m-Q8_0/m-Q8_0.gguf"),
        "{done:?}"
    );
    let again = setup.run(&["import", setup.source(), "--symlink"]).expect_code(0);
    assert!(
        again.stdout.contains("hearth/imported/m-Q8_0-2/m-Q8_0.gguf"),
        "{again:?}"
    );

    // Two are called so: which is meant is asked, and nothing is deleted.
    let several = setup.run(&["rm", "m-Q8_0"]).expect_code(2);
    assert!(several.stderr.contains("means several files"), "{several:?}");
    setup
        .run(&["rm", "hearth/imported/m-Q8_0-2/m-Q8_0.gguf"])
        .expect_code(0);
    assert!(setup.source.exists(), "of a link only the link goes");

    setup.run(&["rename", "m-Q8_0", " My pet "]).expect_code(0);
    let listed = setup.run(&["ls"]).expect_code(0);
    assert!(listed.stdout.contains("My pet"), "{listed:?}");
    let answer = setup
        .run(&["run", "my pet", "hi", "--max-tokens", "3"])
        .expect_code(0);
    assert!(!answer.stdout.trim().is_empty(), "{answer:?}");
    setup.run(&["rename", "my pet", "--reset"]).expect_code(0);
    let listed = setup.run(&["ls"]).expect_code(0);
    assert!(!listed.stdout.contains("My pet"), "{listed:?}");

    setup.run(&["rm", "m-q8_0"]).expect_code(0);
    assert_eq!(files_below(&setup.models()), Vec::<String>::new());
    setup.run(&["rm", "m-q8_0"]).expect_code(3);
    let moved = setup
        .run(&["import", setup.source(), "--move", "--json"])
        .expect_code(0)
        .lines();
    assert_eq!(moved.last().expect("a line")["event"], "finished");
    assert!(!setup.source.exists());
}

#[test]
fn what_cannot_be_imported_is_refused_with_its_code() {
    let setup = Setup::new();
    let page = setup.source.with_file_name("page.gguf");
    fs::write(&page, "<html>").expect("written");
    let refused = setup
        .run(&["import", page.to_str().expect("text")])
        .expect_code(4);
    assert!(refused.stderr.contains("web page"), "{refused:?}");
    setup.run(&["import", "none.gguf"]).expect_code(3);
    let cached = setup.cache();
    let known = setup
        .run(&["import", cached.to_str().expect("text"), "--json"])
        .expect_code(2);
    assert!(
        known.lines()[0]["message"]
            .as_str()
            .expect("text")
            .contains("already"),
        "{known:?}"
    );
    assert_eq!(files_below(&setup.models()), Vec::<String>::new());
}

#[test]
fn another_programs_file_is_deleted_only_where_its_name_is_given() {
    let setup = Setup::new();
    let cached = setup.cache();
    for program in [&[][..], &["--yes-delete-from", "ollama"]] {
        let refused = setup.run(&[&["rm", "cached"], program].concat()).expect_code(2);
        assert!(
            refused.stderr.contains("the Hugging Face cache")
                && refused.stderr.contains("--yes-delete-from hugging-face"),
            "{refused:?}"
        );
        assert!(cached.exists());
    }
    let starter = setup.run(&["rm", STARTER]).expect_code(2);
    assert!(starter.stderr.contains("came with Hearth"), "{starter:?}");
    setup
        .run(&["rm", "cached", "--yes-delete-from", "hugging-face"])
        .expect_code(0);
    assert!(!cached.exists());
}

#[test]
fn leftovers_are_listed_and_removed_after_a_yes() {
    let setup = Setup::new();
    setup.run(&["clean", "--dry-run"]).expect_code(0);
    let partial = setup.models().join("imported/m/m.gguf.part");
    fs::create_dir_all(partial.with_file_name("")).expect("a folder");
    fs::write(&partial, "12345").expect("written");
    let orphan = setup.cache().with_file_name("../../blobs/0123");
    fs::create_dir_all(orphan.with_file_name("")).expect("a folder");
    fs::write(&orphan, "1234567").expect("written");

    let listed = setup.run(&["clean", "--dry-run"]).expect_code(0);
    for words in [
        "m.gguf.part",
        "unfinished",
        "0123",
        "without a name",
        "the Hugging Face cache",
    ] {
        assert!(listed.stdout.contains(words), "{words}: {listed:?}");
    }
    let refused = setup.run(&["clean"]).expect_code(2);
    assert!(refused.stderr.contains("--yes"), "{refused:?}");
    assert!(partial.exists() && orphan.exists());

    let cleaned = setup.run(&["clean", "--yes"]).expect_code(0);
    assert!(
        cleaned.stdout.contains("Removed 1; 5 B are free again."),
        "{cleaned:?}"
    );
    assert!(
        cleaned.stderr.contains("--yes-delete-from hugging-face"),
        "{cleaned:?}"
    );
    assert!(!partial.exists() && orphan.exists());
    let cleaned = setup
        .run(&["clean", "--yes", "--yes-delete-from", "hugging-face"])
        .expect_code(0);
    assert!(
        cleaned.stdout.contains("Removed 1; 7 B are free again."),
        "{cleaned:?}"
    );
    let nothing = setup.run(&["clean"]).expect_code(0);
    assert!(nothing.stderr.contains("nothing to clean up"), "{nothing:?}");
}

/// More than is copied between two looks of this test.
#[cfg(unix)]
const LARGE: u64 = 4 << 30;

/// Whether some bytes have been copied.
#[cfg(unix)]
fn has_begun(output: &str) -> bool {
    let lines = output
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut done = lines.filter_map(|line| line["done"].as_u64());
    done.any(|done| done > 0)
}

#[test]
#[cfg(unix)]
fn a_kill_in_mid_import_leaves_the_source_whole_and_a_leftover() {
    let setup = Setup::new();
    setup.grow(LARGE);
    for how in [&["--json"][..], &["--json", "--move"]] {
        let arguments = [&["import", setup.source()], how].concat();
        let mut running = Running::start(&mut setup.hearth.command(&arguments));
        if how.contains(&"--move") {
            // On one disk that is one step: either it is done, or nothing is.
            running.child.kill().expect("kill -9");
            running.finish();
            let moved = setup.models().join("imported/m-Q8_0/m-Q8_0.gguf");
            assert!(setup.source.exists() != moved.exists());
            continue;
        }
        running.wait_until("bytes", has_begun);
        running.child.kill().expect("kill -9");
        let finished = running.finish();
        assert_eq!(finished.code, None, "it ended by itself: {finished:?}");
        assert_eq!(setup.source.metadata().expect("whole").len(), LARGE);
        assert_eq!(files_below(&setup.models()), ["m-Q8_0.gguf.part"]);
        let cleaned = setup.run(&["clean", "--yes"]).expect_code(0);
        assert!(cleaned.stdout.contains("m-Q8_0.gguf.part"), "{cleaned:?}");
        assert!(!setup.models().join("imported").exists());
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_in_mid_import_leaves_nothing() {
    let setup = Setup::new();
    setup.grow(LARGE);
    let mut running = Running::start(&mut setup.hearth.command(&["import", setup.source(), "--json"]));
    running.wait_until("bytes", has_begun);
    // Meanwhile it is no leftover to anybody.
    let found = setup.run(&["clean", "--dry-run"]).expect_code(0);
    assert!(found.stderr.contains("nothing to clean up"), "{found:?}");
    let interrupt = Command::new("sh")
        .args(["-c", &format!("kill -s INT {}", running.child.id())])
        .status();
    assert!(interrupt.expect("kill runs").success());
    let finished = running.finish().expect_code(130);
    assert_eq!(finished.lines().last().expect("a line")["event"], "failed");
    assert_eq!(files_below(&setup.models()), Vec::<String>::new());
    assert_eq!(setup.source.metadata().expect("whole").len(), LARGE);
}

/// At a terminal, which util-linux's `script` provides.
#[test]
#[cfg(target_os = "linux")]
fn a_person_is_asked_by_the_name_of_the_other_program() {
    let setup = Setup::new();
    let cached = setup.cache();
    for (answer, code) in [("\r", 1), ("n\r", 1), ("\u{3}", 130), ("yes\r", 0)] {
        assert!(cached.exists());
        let mut running = Running::start(&mut setup.hearth.command_in_terminal("rm cached"));
        running.wait_until("the question", |seen| {
            seen.contains("the Hugging Face cache") && seen.contains("[y/N]")
        });
        running.press(answer);
        running.finish().expect_code(code);
    }
    assert!(!cached.exists());
}
