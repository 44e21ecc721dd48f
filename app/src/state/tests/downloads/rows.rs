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
    expect![[r#"
        5 active, 96.4_MB/s
        Active 0.60 Qwen3 8B | Q5_K_M | 3.00 of 5.00_GB | 48.2_MB/s · 46_s left
        Active 0.00 Qwen3 8B | Q5_K_M | Asking the hub | 48.2_MB/s · 46_s left
        Active 0.40 Qwen3 8B | Q5_K_M | 2.00 of 5.00_GB | 0_B/s | The connection closed; it is tried again.
        Active 0.00 Qwen3 8B | Q5_K_M | 0 of 5.00_GB | Waiting
        Active 0.40 Qwen3 8B | Q5_K_M | 2.00 of 5.00_GB | Checking the file
        Paused 0.40 Qwen3 8B | Q5_K_M | Paused at 2.00 of 5.00_GB | 40_%
        Hindered 0.40 Qwen3 8B | Q5_K_M | 2.00 of 5.00_GB is kept | The disk is full: /m needs 12.1_GB, some of it to spare, and has 9.80_GB. Free some space, then try again; a download goes on by itself.
        Hindered 0.40 Qwen3 8B | Q5_K_M | 5.00_GB | a.gguf arrived with other bytes than the hub promises, so nothing of it was kept. Try again; if it happens twice, the hub or the network changes the file.
        Done 1.00 Qwen3 8B | Q5_K_M | 5.00_GB · SHA-256 matches
        Done 0.40 Qwen3 8B | Q5_K_M | 5.00_GB · not verified, the hub told no SHA-256
    "#]].assert_eq(&lines(one_of_each(), Language::English));
}

#[test]
fn each_state_has_its_words_in_german() {
    expect![[r#"
        5 aktiv, 96,4_MB/s
        Active 0.60 Qwen3 8B | Q5_K_M | 3,00 von 5,00_GB | 48,2_MB/s · noch 46_s
        Active 0.00 Qwen3 8B | Q5_K_M | Fragt den Hub | 48,2_MB/s · noch 46_s
        Active 0.40 Qwen3 8B | Q5_K_M | 2,00 von 5,00_GB | 0_B/s | The connection closed; it is tried again.
        Active 0.00 Qwen3 8B | Q5_K_M | 0 von 5,00_GB | Wartet
        Active 0.40 Qwen3 8B | Q5_K_M | 2,00 von 5,00_GB | Prüft die Datei
        Paused 0.40 Qwen3 8B | Q5_K_M | Pausiert bei 2,00 von 5,00_GB | 40_%
        Hindered 0.40 Qwen3 8B | Q5_K_M | 2,00 von 5,00_GB bleiben erhalten | Die Festplatte ist voll: /m braucht 12,1_GB mit etwas Reserve und hat 9,80_GB. Schaff Platz, dann versuch es noch einmal; ein Download geht von selbst weiter.
        Hindered 0.40 Qwen3 8B | Q5_K_M | 5,00_GB | a.gguf kam mit anderen Bytes an, als der Hub verspricht; deshalb wurde nichts behalten. Versuch es noch einmal; geschieht es wieder, verändert der Hub oder das Netz die Datei.
        Done 1.00 Qwen3 8B | Q5_K_M | 5,00_GB · SHA-256 stimmt
        Done 0.40 Qwen3 8B | Q5_K_M | 5,00_GB · nicht geprüft, der Hub nannte kein SHA-256
    "#]].assert_eq(&lines(one_of_each(), Language::German));
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
