#[cfg(target_os = "linux")]
mod keyring;

use hearth_protocol::Error;

use super::*;

fn tokens(folder: &Path, config: HubConfig) -> Tokens {
    Tokens::new(&config, folder.join("home").join("token"))
}

#[tokio::test]
async fn a_kept_token_lies_in_a_file_of_its_owner_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let tokens = tokens(folder.path(), HubConfig::default());
    assert_eq!(tokens.find().await, None);
    for text in ["hf_one", "hf_two"] {
        tokens.keep(Secret::new(text)).await.expect("kept");
        assert_eq!(tokens.find().await, Some((Secret::new(text), TokenSource::File)));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let about = std::fs::metadata(&tokens.file).expect("the file");
        assert_eq!(about.permissions().mode() & 0o777, 0o600);
    }
    tokens.forget().await.expect("forgotten");
    assert_eq!(tokens.find().await, None);
    tokens.forget().await.expect("twice is no fault");
}

#[tokio::test]
async fn where_a_new_token_cannot_be_written_the_old_one_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let tokens = tokens(folder.path(), HubConfig::default());
    tokens.keep(Secret::new("hf_one")).await.expect("kept");
    // A folder in its way, as a disk that cannot be written.
    std::fs::create_dir(tokens.file.with_extension("new")).expect("made");
    let refused = tokens.keep(Secret::new("hf_two")).await;
    assert!(matches!(&refused, Err(Error::File { .. })), "{refused:?}");
    assert_eq!(
        tokens.find().await,
        Some((Secret::new("hf_one"), TokenSource::File))
    );
}

#[tokio::test]
async fn the_environment_goes_first_and_the_file_of_hugging_face_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let theirs = folder.path().join("token");
    std::fs::write(&theirs, "hf_theirs\n").expect("written");
    let mut config = HubConfig {
        token_file: Some(theirs),
        ..HubConfig::default()
    };
    let found = |config: &HubConfig| {
        let tokens = tokens(folder.path(), config.clone());
        async move {
            tokens
                .find()
                .await
                .map(|(token, source)| (token.expose().to_owned(), source))
        }
    };
    assert_eq!(
        found(&config).await,
        Some(("hf_theirs".into(), TokenSource::HuggingFace))
    );
    let own = tokens(folder.path(), config.clone());
    own.keep(Secret::new("hf_own")).await.expect("kept");
    assert_eq!(found(&config).await, Some(("hf_own".into(), TokenSource::File)));
    config.token = Some(Secret::new("hf_env"));
    assert_eq!(
        found(&config).await,
        Some(("hf_env".into(), TokenSource::Environment))
    );
}
