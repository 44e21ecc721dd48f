//! What files say of themselves, in full.

use hearth_protocol::ByteSize;
use hearth_testhub::tiny_gguf::Tiny;

use super::*;

#[tokio::test]
async fn all_that_a_file_says_is_shown() {
    let fixture = Fixture::new();
    let path = fixture.write("models/tiny.gguf", &Tiny::default().bytes());
    let inspection = fixture
        .library
        .inspect("hearth/tiny.gguf".into())
        .await
        .expect("inspected");
    assert_eq!(inspection.file.path, path);
    let value = |key: &str| {
        let pair = inspection.metadata.iter().find(|(name, _)| name == key);
        pair.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    assert_eq!(inspection.metadata[0].0, "general.architecture");
    for (key, expected) in [
        ("general.architecture", "llama"),
        ("llama.context_length", "8192"),
        ("llama.attention.layer_norm_rms_epsilon", "0.00001"),
        ("tokenizer.ggml.add_space_prefix", "false"),
    ] {
        assert_eq!(value(key), expected, "{key}");
    }
    let tokens = value("tokenizer.ggml.tokens");
    assert!(
        tokens.starts_with(r#"["<unk>", "<s>", "</s>", "<0x00>""#) && tokens.ends_with("values)"),
        "{tokens}"
    );
    assert_eq!(
        inspection.chat_template.as_deref(),
        Some(hearth_testhub::tiny_gguf::CHATML)
    );
    let first = &inspection.tensors[0];
    assert_eq!(
        (first.name.as_str(), first.kind.as_str()),
        ("token_embd.weight", "F32")
    );
    let weights: u64 = inspection
        .tensors
        .iter()
        .map(|tensor| tensor.shape.iter().product::<u64>())
        .sum();
    assert_eq!(Some(weights), inspection.file.parameters);
    let bytes = inspection.tensors.iter().filter_map(|tensor| tensor.size);
    assert_eq!(bytes.map(|size| size.0).sum::<u64>(), 4 * weights);
}

#[tokio::test]
async fn a_file_is_inspected_under_its_id_its_path_or_its_name() {
    let fixture = Fixture::new();
    let path = fixture.write("elsewhere/m.gguf", &tiny_gguf());
    fixture.write("models/Named-Q4_0.gguf", &tiny_gguf());
    for name in [
        path.display().to_string().as_str(),
        "hearth/Named-Q4_0.gguf",
        "named-q4_0",
        "Named",
    ] {
        let inspection = fixture.library.inspect(name.into()).await;
        assert!(inspection.is_ok(), "{name}: {inspection:?}");
    }
    let error = fixture.library.inspect("nope".into()).await.expect_err("unknown");
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    fixture.write("models/half.gguf", &tiny_gguf()[..100]);
    let error = fixture.library.inspect("hearth/half.gguf".into()).await;
    assert!(
        matches!(&error, Err(Error::BadModelFile { reason, .. }) if reason.contains("it ends after")),
        "{error:?}"
    );
}

#[tokio::test]
async fn of_a_model_in_several_files_all_tensors_are_shown() {
    let fixture = Fixture::new();
    for part in 0..3 {
        fixture.write(
            &format!("models/m-{:05}-of-00003.gguf", part + 1),
            &tiny_part(part, 3),
        );
    }
    let inspection = fixture.library.inspect("m".into()).await.expect("inspected");
    let tensors: Vec<_> = inspection
        .tensors
        .iter()
        .map(|tensor| (tensor.name.as_str(), tensor.shape.as_slice(), tensor.size))
        .collect();
    assert_eq!(tensors, [("t", [8].as_slice(), Some(ByteSize(32))); 3]);
}
