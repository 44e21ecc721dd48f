//! `inspect`, `disk`, `folders`, and models of other programs in `ls`.

use std::fs;

use hearth_testhub::tiny_gguf::{CHATML, Tiny};
use serde_json::{Value, json};

use crate::hearth::{Hearth, STARTER};

/// The ids of the listed files with their sources.
fn listed(hearth: &Hearth) -> Vec<(String, String)> {
    let end = hearth.run(&["ls", "--json"]).expect_code(0);
    let files: Vec<Value> = serde_json::from_str(&end.stdout).expect("an array");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    files
        .iter()
        .map(|file| (text(&file["id"]), text(&file["source"])))
        .filter(|(_, source)| source != "starter")
        .collect()
}

#[test]
fn models_of_other_programs_are_listed_with_their_source() {
    let hearth = Hearth::new();
    let tiny = Tiny::default();
    let theirs = hearth.folder().join("user/.lmstudio/models/org/repo");
    let blobs = hearth.folder().join("ollama/blobs");
    let manifests = hearth
        .folder()
        .join("ollama/manifests/registry.ollama.ai/library/tiny");
    for folder in [&theirs, &blobs, &manifests] {
        fs::create_dir_all(folder).expect("a folder");
    }
    tiny.write(&theirs.join("\u{6a21}\u{578b}-Q4_0.gguf"));
    let hex = "1".repeat(64);
    tiny.write(&blobs.join(format!("sha256-{hex}")));
    let layer =
        json!({ "mediaType": "application/vnd.ollama.image.model", "digest": format!("sha256:{hex}") });
    fs::write(manifests.join("1m"), json!({ "layers": [layer] }).to_string()).expect("written");
    fs::write(manifests.join("damaged"), "{").expect("written");
    assert_eq!(
        listed(&hearth),
        [
            ("ollama/tiny:1m".to_owned(), "ollama".to_owned()),
            (
                "lm-studio/org/repo/\u{6a21}\u{578b}-Q4_0.gguf".to_owned(),
                "lm_studio".to_owned()
            ),
        ]
    );
    let end = hearth.run(&["ls"]).expect_code(0);
    let line = |name: &str| {
        let line = end.stdout.lines().find(|line| line.contains(name));
        line.expect("a line").to_owned()
    };
    assert!(line("tiny:1m").contains("  Ollama  "), "{end:#?}");
    assert!(line("lm-studio/org").contains("  LM Studio  "), "{end:#?}");
    assert!(line(STARTER).contains("  starter  "), "{end:#?}");
    assert!(end.stderr.contains("it is not a manifest of Ollama"), "{end:#?}");
}

#[test]
fn inspect_shows_metadata_template_and_tensors() {
    let hearth = Hearth::new();
    Tiny::default().write(&hearth.folder().join("tiny.gguf"));
    let end = hearth.run(&["inspect", "tiny.gguf"]).expect_code(0);
    for expected in ["llama.context_length", "8192", "F32", "tiny.gguf"] {
        assert!(end.stdout.contains(expected), "{expected}: {end:#?}");
    }
    assert!(!end.stdout.contains("blk.0.attn_q.weight"), "{end:#?}");
    let end = hearth
        .run(&["inspect", "./tiny.gguf", "--tensors"])
        .expect_code(0);
    let line = end
        .stdout
        .lines()
        .find(|line| line.starts_with("blk.0.attn_q.weight"));
    assert!(
        line.is_some_and(|line| line.contains("F32") && line.contains("64 x 64")),
        "{end:#?}"
    );
    let end = hearth.run(&["inspect", "tiny.gguf", "--template"]).expect_code(0);
    assert_eq!(end.stdout.trim_end(), CHATML.trim_end());
    let end = hearth.run(&["inspect", "tiny.gguf", "--json"]).expect_code(0);
    let inspection = end.lines().remove(0);
    assert_eq!(inspection["chat_template"], CHATML);
    assert_eq!(
        inspection["metadata"][0],
        json!(["general.architecture", "llama"])
    );

    // By its name, like the models of the list.
    let end = hearth.run(&["inspect", STARTER]).expect_code(0);
    assert!(end.stdout.contains("Q4_1"), "{end:#?}");
}

#[test]
fn what_cannot_be_inspected_is_told() {
    let hearth = Hearth::new();
    fs::write(hearth.folder().join("page.gguf"), "<html>").expect("written");
    let bare = Tiny {
        template: None,
        ..Tiny::default()
    };
    bare.write(&hearth.folder().join("bare.gguf"));
    hearth.run(&["inspect", "nope"]).expect_code(3);
    hearth.run(&["inspect", "./nope.gguf"]).expect_code(3);
    hearth.run(&["inspect", "bare.gguf", "--template"]).expect_code(3);
    hearth
        .run(&["inspect", "bare.gguf", "--template", "--json"])
        .expect_code(2);
    let end = hearth.run(&["inspect", "page.gguf"]).expect_code(4);
    assert!(end.stderr.contains("a web page"), "{end:#?}");
}

#[test]
fn folders_are_added_listed_and_removed() {
    let hearth = Hearth::new();
    let name = "\u{6a21}\u{578b} é #1 100%";
    let folder = hearth.folder().join(name);
    fs::create_dir_all(folder.join("deep/er")).expect("a folder");
    let path = folder.join("deep/er/m.gguf");
    Tiny::default().write(&path);
    let end = hearth.run(&["folders"]).expect_code(0);
    assert!(end.stderr.contains("No folder of yours"), "{end:#?}");

    hearth.run(&["folders", "add", name]).expect_code(0);
    // Once is enough, however it is written.
    hearth
        .run(&["folders", "add", &format!("./{name}/")])
        .expect_code(0);
    let shown = folder.display().to_string();
    let end = hearth.run(&["folders", "--json"]).expect_code(0);
    assert_eq!(end.lines(), [json!([shown])]);
    assert_eq!(
        listed(&hearth),
        [(path.display().to_string(), "folder".to_owned())]
    );

    fs::rename(&folder, hearth.folder().join("unplugged")).expect("renamed");
    let end = hearth.run(&["folders"]).expect_code(0);
    assert!(end.stdout.contains("not there now"), "{end:#?}");
    let end = hearth.run(&["ls"]).expect_code(0);
    assert!(end.stderr.contains("the folder is not there"), "{end:#?}");
    hearth.run(&["folders", "remove", name]).expect_code(0);
    assert_eq!(
        hearth.run(&["folders", "--json"]).expect_code(0).lines(),
        [json!([])]
    );
    let end = hearth.run(&["folders", "remove", name]).expect_code(3);
    assert!(
        end.stderr.contains("There is no folder of the library"),
        "{end:#?}"
    );
}

#[test]
fn only_a_folder_that_is_there_is_added() {
    let hearth = Hearth::new();
    fs::write(hearth.folder().join("file"), "x").expect("written");
    hearth.run(&["folders", "add", "nowhere"]).expect_code(3);
    let end = hearth.run(&["folders", "add", "file"]).expect_code(2);
    assert!(end.stderr.contains("is not a folder"), "{end:#?}");
    assert_eq!(
        hearth.run(&["folders", "--json"]).expect_code(0).lines(),
        [json!([])]
    );
}

#[test]
fn disk_shows_what_each_source_and_each_model_takes() {
    let hearth = Hearth::new();
    let models = hearth.folder().join("home/models");
    fs::create_dir_all(&models).expect("a folder");
    Tiny::default().write(&models.join("tiny.gguf"));
    let size = models.join("tiny.gguf").metadata().expect("it is there").len();
    let end = hearth.run(&["disk", "--json"]).expect_code(0);
    let used = end.lines().remove(0);
    assert_eq!(used["total"], 98_362_432 + size);
    assert_eq!(
        used["sources"][1],
        json!({ "source": "hearth", "models": 1, "size": size })
    );
    assert_eq!(
        used["models"][1],
        json!({ "file": "hearth/tiny.gguf", "size": size })
    );
    let end = hearth.run(&["disk"]).expect_code(0);
    for expected in ["FROM", "Hearth", "hearth/tiny.gguf", "98.4 MB", "free "] {
        assert!(end.stdout.contains(expected), "{expected}: {end:#?}");
    }
}
