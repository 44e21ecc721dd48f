//! What each row says.

use expect_test::expect;
use hearth_protocol::settings::Language;

use super::*;
use crate::state::downloads::view::{name_of, quantisation_of};

fn lines(downloads: impl IntoIterator<Item = Download>, language: Language) -> String {
    let mut desk = desk(downloads);
    let settings = Settings {
        language: Some(language),
        ..Settings::default()
    };
    desk.all([Msg::Backend(News::SettingsRead(Ok(settings)))]);
    let caption = desk.state.downloads_text().caption;
    let rows = desk.state.downloads.shown().map(|it| desk.state.download_row(it));
    let rows = rows.map(|row| {
        let parts = [&row.name, &row.tag, &row.amount, &row.pace, &row.reason];
        let parts = parts.into_iter().filter(|part| !part.is_empty()).cloned();
        format!(
            "{:?} {:.2} {}\n",
            row.group,
            row.share,
            parts.collect::<Vec<_>>().join(" | ")
        )
    });
    let text = caption + "\n" + &rows.collect::<String>();
    text.replace('\u{a0}', "_")
}

fn one_of_each() -> Vec<Download> {
    let unknown = Download {
        total: None,
        ..running(2, 0)
    };
    let slow = in_state(
        3,
        DownloadState::Running {
            bytes_per_second: 0.0,
            seconds_left: None,
            trouble: Some("the connection closed; it is tried again".into()),
        },
    );
    let full = Error::DiskFull {
        folder: "/m".into(),
        needs: ByteSize(12_100_000_000),
        has: ByteSize(9_800_000_000),
    };
    let unverified = DownloadState::Done {
        verified: false,
        file: None,
    };
    vec![
        running(1, 3),
        unknown,
        slow,
        queued(4),
        in_state(5, DownloadState::Verifying),
        paused(6),
        in_state(7, DownloadState::Paused { reason: Some(full) }),
        failed(8, wrong_hash()),
        done(9),
        in_state(10, unverified),
    ]
}

#[test]
fn each_state_has_its_words() {
    expect![[r#""#]].assert_eq(&lines(one_of_each(), Language::English));
}

#[test]
fn each_state_has_its_words_in_german() {
    expect![[r#""#]].assert_eq(&lines(one_of_each(), Language::German));
}

#[test]
fn a_model_is_called_as_its_repository_and_its_file_tells_the_quantisation() {
    let cases = [
        (
            "unsloth/Qwen3-8B-GGUF",
            "Qwen3-8B-Q5_K_M.gguf",
            "Qwen3 8B",
            Some("Q5_K_M"),
        ),
        (
            "ggml-org/gpt-oss-20b-gguf",
            "gpt-oss-20b-mxfp4.gguf",
            "gpt oss 20b",
            Some("MXFP4"),
        ),
        (
            "o/GGUF",
            "sub/Q4/m.IQ3_XXS-00001-of-00002.gguf",
            "GGUF",
            Some("IQ3_XXS"),
        ),
        ("o/n", "mmproj-model-f16.gguf", "n", Some("F16")),
        ("o/Qwen-Q", "qwen-question.gguf", "Qwen Q", None),
    ];
    for (model, file, name, tag) in cases {
        let request = DownloadRequest {
            model: ModelId::from(model),
            ..request(file)
        };
        assert_eq!(
            (name_of(&request).as_str(), quantisation_of(&request).as_deref()),
            (name, tag)
        );
    }
    let any = DownloadRequest {
        file: None,
        ..request("")
    };
    assert_eq!(quantisation_of(&any), None);
}
