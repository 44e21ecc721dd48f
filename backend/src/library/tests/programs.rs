//! Models of other programs, in folders laid out as theirs.

use hearth_protocol::ModelId;
use serde_json::json;

use super::ollama_store::{blob, digest, manifest, manifest_of, manifest_path};
use super::*;

/// Id, name and model of each file, in the order of the list.
async fn rows(fixture: &Fixture) -> Vec<(String, String, Option<ModelId>)> {
    let files = fixture.list().await.into_iter();
    files.map(|file| (file.id.0, file.name, file.model)).collect()
}

fn row(id: &str, name: &str, model: &str) -> (String, String, Option<ModelId>) {
    let model = Some(model).filter(|model| !model.is_empty());
    (id.to_owned(), name.to_owned(), model.map(ModelId::from))
}

#[tokio::test]
async fn a_place_may_tell_the_model_on_the_hub() {
    let fixture = Fixture::new();
    for path in [
        "lm-studio/org/repo-GGUF/m1-Q4_K_M.gguf",
        "lm-studio/org/repo-GGUF/deeper/m2.gguf",
        "lm-studio/alone.gguf",
        "models/org/repo-GGUF/m3.gguf",
        "jan/models/huggingface.co/org/repo-GGUF/m4.gguf",
        "gpt4all/m5.Q4_0.gguf",
        "llama-cpp/ggml-org_gemma_3-GGUF_m6-Q8_0.gguf",
        "llama-cpp/other_repo_m7.gguf",
    ] {
        fixture.write(path, &tiny_gguf());
    }
    fixture.write("llama-cpp/manifest=ggml-org=gemma_3-GGUF=latest.json", b"{}");
    fixture.write("lm-studio/org/repo-GGUF/mmproj-m1.gguf", &tiny_projector());
    assert_eq!(
        rows(&fixture).await,
        [
            row("lm-studio/alone.gguf", "alone", ""),
            row("lm-studio/org/repo-GGUF/m1-Q4_K_M.gguf", "m1", "org/repo-GGUF"),
            row("lm-studio/org/repo-GGUF/deeper/m2.gguf", "m2", "org/repo-GGUF"),
            row("hearth/org/repo-GGUF/m3.gguf", "m3", "org/repo-GGUF"),
            row(
                "jan/models/huggingface.co/org/repo-GGUF/m4.gguf",
                "m4",
                "org/repo-GGUF"
            ),
            row("gpt4all/m5.Q4_0.gguf", "m5", ""),
            row(
                "llama-cpp/ggml-org_gemma_3-GGUF_m6-Q8_0.gguf",
                "m6",
                "ggml-org/gemma_3-GGUF"
            ),
            row("llama-cpp/other_repo_m7.gguf", "other repo m7", ""),
        ]
    );
    let quantisations: Vec<_> = fixture
        .list()
        .await
        .into_iter()
        .filter_map(|file| file.quantisation)
        .collect();
    assert_eq!(quantisations, ["Q4_K_M", "Q4_0", "Q8_0"]);
    // The one that has its model beside it is no fault.
    let projector = fixture.write("lm-studio/org/none-GGUF/mmproj-m1.gguf", &tiny_projector());
    assert_eq!(
        fixture.reasons().await,
        [(
            projector,
            "it is an image projector, not a model of its own".to_owned()
        )]
    );
}

#[tokio::test]
async fn models_of_ollama_have_the_names_that_ollama_gives_them() {
    let fixture = Fixture::new();
    for number in [1, 2, 3] {
        fixture.write(&blob(number), &tiny_gguf());
    }
    fixture.write(&blob(4), &tiny_projector());
    // Windows allows no colon in a name.
    #[cfg(unix)]
    {
        fs::rename(
            fixture.path(&blob(3)),
            fixture.path("ollama/blobs").join(digest(3)),
        )
        .expect("renamed");
    }
    let put = |path: &str, layers: &[(&str, &str)]| {
        fixture.write(&format!("ollama/manifests/{path}"), &manifest(layers));
    };
    let params = digest(10);
    put(
        "registry.ollama.ai/library/llama3.2/3b",
        &[("params", &params), ("model", &digest(1))],
    );
    put(
        "registry.ollama.ai/someone/vision/7b",
        &[("model", &digest(2)), ("projector", &digest(4))],
    );
    put("hf.co/org/repo-GGUF/Q4_K_M", &[("model", &digest(3))]);
    fixture.write(&manifest_path("llama3.2/.DS_Store"), b"x");
    assert_eq!(
        rows(&fixture).await,
        [
            row(
                "ollama/hf.co/org/repo-GGUF:Q4_K_M",
                "hf.co/org/repo-GGUF:Q4_K_M",
                "org/repo-GGUF"
            ),
            row("ollama/llama3.2:3b", "llama3.2:3b", ""),
            row("ollama/someone/vision:7b", "someone/vision:7b", ""),
        ]
    );
    assert_eq!(fixture.skipped().await, Vec::<PathBuf>::new());
    let name = ModelRef::Name("llama3.2:3b".into());
    let file = fixture.library.resolve(&name).await.expect("found by its name");
    assert_eq!((file.path, file.source), (fixture.path(&blob(1)), Source::Ollama));
}

#[tokio::test]
async fn what_is_wrong_with_a_manifest_of_ollama_hides_no_other() {
    let fixture = Fixture::new();
    fixture.write(&blob(1), &tiny_gguf());
    // A file beside the blobs, to which no digest may lead.
    fixture.write("ollama/secret.gguf", &tiny_gguf());
    let at = |tag: &str| fixture.path(&manifest_path(&format!("m/{tag}")));
    let put = |tag: &str, bytes: &[u8]| {
        fixture.write(&manifest_path(&format!("m/{tag}")), bytes);
    };
    put("cut", &manifest_of(&[1])[..30]);
    put("good", &manifest_of(&[1]));
    put("gone", &manifest_of(&[2]));
    put("hostile", &manifest(&[("model", "sha256:../secret.gguf")]));
    put("other", &manifest(&[("tensor", &digest(1))]));
    // The same model under another name.
    put("latest", &manifest_of(&[1]));
    assert_eq!(fixture.ids().await, ["ollama/m:good"]);
    let reasons = fixture.reasons().await;
    let find = |path: &Path| {
        let reason = reasons.iter().find(|(skipped, _)| skipped == path);
        reason.map(|(_, reason)| reason.as_str()).expect("it is told")
    };
    assert!(find(&at("cut")).starts_with("it is not a manifest of Ollama"));
    let gone = format!("its file {} is missing in Ollama's store", digest(2));
    assert_eq!(find(&at("gone")), gone);
    assert_eq!(
        find(&at("hostile")),
        "its file sha256:../secret.gguf is missing in Ollama's store"
    );
    assert_eq!(find(&at("other")), "the model in Ollama is not a GGUF file");
    assert_eq!(find(&at("latest")), "it is the same file as m:good");
    assert_eq!(reasons.len(), 5, "{reasons:#?}");
}

#[tokio::test]
async fn models_of_jan_have_the_names_of_their_folders_wherever_they_lie() {
    let fixture = Fixture::new();
    let models = "jan/llamacpp/models";
    fixture.write(&format!("{models}/org/Qwen3_8B-IQ4_XS/model.gguf"), &tiny_gguf());
    fixture.write(
        &format!("{models}/org/Qwen3_8B-IQ4_XS/model.yml"),
        b"embedding: false\nmodel_path: llamacpp/models/org/Qwen3_8B-IQ4_XS/model.gguf\nname: x\n",
    );
    let elsewhere = fixture.write("elsewhere/\u{6a21} mine.gguf", &tiny_gguf());
    let note = json!({ "model_path": elsewhere, "size_bytes": 5 }).to_string();
    fixture.write(&format!("{models}/Imported-Q8_0/model.yml"), note.as_bytes());
    let gone = fixture.write(
        &format!("{models}/gone/model.yml"),
        b"model_path: llamacpp/models/gone/model.gguf\n",
    );
    let damaged = fixture.write(&format!("{models}/damaged/model.yml"), b"&a [*a, *a\n");
    assert_eq!(
        rows(&fixture).await,
        [
            row("jan/llamacpp/models/Imported-Q8_0", "Imported", ""),
            row(
                "jan/llamacpp/models/org/Qwen3_8B-IQ4_XS/model.gguf",
                "Qwen3 8B",
                ""
            ),
        ]
    );
    let reasons = fixture.reasons().await;
    assert_eq!(reasons.len(), 2, "{reasons:#?}");
    assert_eq!(
        reasons[0],
        (damaged, "it does not say where the model's file is".to_owned())
    );
    assert_eq!(reasons[1].0, gone);
    assert!(reasons[1].1.ends_with("model.gguf is missing"), "{reasons:#?}");
}

#[tokio::test]
async fn folders_are_added_and_programs_left_out_as_the_settings_say() {
    let fixture = Fixture::new();
    fixture.write("lm-studio/p/r/theirs.gguf", &tiny_gguf());
    let mine = fixture.write("my models/a/b/mine.gguf", &tiny_gguf());
    let mine = mine.display().to_string();
    fixture.write("no-folder", b"x");
    assert_eq!(fixture.ids().await, ["lm-studio/p/r/theirs.gguf"]);

    fixture.choose(&["my models", "no-folder", "not-there"], &[Source::LmStudio]);
    assert_eq!(fixture.ids().await, [mine.as_str()]);
    let reasons = fixture.reasons().await;
    assert_eq!(
        reasons,
        [
            (fixture.path("no-folder"), "it is not a folder".to_owned()),
            (
                fixture.path("not-there"),
                "the folder is not there; it may be on a disk that is not connected".to_owned()
            )
        ]
    );
    let file = fixture
        .library
        .resolve(&ModelRef::File(mine.as_str().into()))
        .await;
    assert_eq!(file.map(|file| file.source), Ok(Source::Folder));
    // The Hugging Face cache can be left out like a program.
    let cached = format!("{REPO}/snapshots/{COMMIT}/m.gguf");
    fixture.write(&cached, &tiny_gguf());
    fixture.choose(&[""], &[Source::LmStudio]);
    assert_eq!(fixture.ids().await, ["hub/owner/name/m.gguf", mine.as_str()]);
    fixture.choose(&[""], &[Source::LmStudio, Source::HuggingFace]);
    assert_eq!(fixture.ids().await, [mine.as_str()]);
    fs::remove_dir_all(fixture.path("hub")).expect("removed");
    // Its id is its path, so that what is remembered for it outlives the setting.
    fixture.choose(&[], &[]);
    assert_eq!(fixture.ids().await, ["lm-studio/p/r/theirs.gguf"]);
    assert!(
        fixture
            .library
            .resolve(&ModelRef::File(mine.as_str().into()))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn folders_within_folders_list_each_file_once() {
    let fixture = Fixture::new();
    fixture.write("lm-studio/p/r/theirs.gguf", &tiny_gguf());
    let inner = fixture.write("disk/inner/a.gguf", &tiny_gguf());
    let outer = fixture.write("disk/b.gguf", &tiny_gguf());
    let check = async |folders: &[&str], ignored: &[Source], expected: &[&str]| {
        fixture.choose(folders, ignored);
        assert_eq!(fixture.ids().await, expected, "{folders:?}");
        assert_eq!(fixture.reasons().await, [], "{folders:?}");
    };
    let (inner, outer) = (inner.display().to_string(), outer.display().to_string());
    let theirs = "lm-studio/p/r/theirs.gguf";
    check(&["disk/inner", "disk"], &[], &[&inner, &outer, theirs]).await;
    check(&["disk", "disk/inner", "disk"], &[], &[&inner, &outer, theirs]).await;
    // What lies in another program's folder is that program's, also for who names a folder in or around it.
    check(&["", "lm-studio", "lm-studio/p"], &[], &[&inner, &outer, theirs]).await;
    // Left out, it is not found through a folder around it, but by its own name.
    check(&["", "disk"], &[Source::LmStudio], &[&inner, &outer]).await;
    let named = fixture.path(theirs).display().to_string();
    check(&["lm-studio/p"], &[Source::LmStudio], &[&named]).await;
}

/// Looking again must cost no reading of headers, whatever the source: nothing tells that these bytes were written.
#[tokio::test]
async fn nothing_is_read_twice_whatever_the_source() {
    let fixture = Fixture::new();
    fixture.choose(&["mine"], &[]);
    let at = |seconds| std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    let blob = blob(1);
    let paths = [
        "models/a.gguf",
        "mine/b.gguf",
        "jan/models/c/c.gguf",
        blob.as_str(),
    ];
    let write = |bytes: &[u8], seconds| {
        for path in paths {
            let path = fixture.write(path, bytes);
            let file = fs::File::options().write(true).open(path).expect("open");
            file.set_modified(at(seconds)).expect("the time is set");
        }
    };
    fixture.write(&manifest_path("m/1b"), &manifest_of(&[1]));
    let architectures = async || -> Vec<_> {
        let files = fixture.list().await.into_iter();
        files.map(|file| file.architecture.unwrap_or_default()).collect()
    };
    write(&tiny_gguf_with("llama", &[]), 1);
    assert_eq!(architectures().await, ["llama"; 4]);
    write(&tiny_gguf_with("gemma", &[]), 1);
    assert_eq!(architectures().await, ["llama"; 4]);
    write(&tiny_gguf_with("gemma", &[]), 2);
    assert_eq!(architectures().await, ["gemma"; 4]);
}
