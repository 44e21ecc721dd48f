//! API keys: made once, kept as hashes, compared in constant time.
//!
//! A key holds 256 random bits, so that a plain SHA-256 is as safe as a slow hash.

use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hearth_protocol::server::{ApiKey, ApiKeyId, NewApiKey};
use hearth_protocol::{Error, Result, Secret, UnixMillis};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::sync::{Mutex, watch};

use crate::store::{Store, now};

/// What every key begins with, so that people and scanners know one when they see it.
const PREFIX: &str = "hearth-";

/// Random bytes of a key.
const LENGTH: usize = 32;

/// How much of a key is kept as it is, to tell it by.
const SHOWN: usize = PREFIX.len() + 4;

/// How often the use of a key is noted, at most.
const NOTED_EVERY: i64 = 60_000;

/// Longest name of a key, in characters.
const LONGEST_NAME: usize = 80;

/// A key's hash.
type Hash = [u8; 32];

/// The API keys. Cheap to clone.
#[derive(Clone)]
pub(super) struct Keys {
    store: Result<Store>,
    known: Arc<RwLock<Vec<Known>>>,
    /// Counts changes, and uses that are noted, for those who watch.
    changes: Arc<watch::Sender<u64>>,
    /// Held while they are read, so that an older list never takes the place of a newer one.
    reading: Arc<Mutex<()>>,
}

/// A key as it is compared.
struct Known {
    id: ApiKeyId,
    hash: Hash,
    used_at: Option<i64>,
}

impl Keys {
    /// The keys of a database; none where there is no database.
    pub(super) async fn open(store: Result<Store>) -> Self {
        let keys = Self {
            store,
            known: Arc::default(),
            changes: Arc::new(watch::Sender::new(0)),
            reading: Arc::default(),
        };
        if let Err(error) = keys.read().await {
            tracing::warn!(%error, "the API keys cannot be read; none is accepted");
        }
        keys
    }

    /// Reads the keys anew: another Hearth on the same data may have made or revoked some.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(super) async fn read(&self) -> Result<()> {
        let _reading = self.reading.lock().await;
        let stored = self.store()?.api_keys().await?;
        let known = stored.into_iter().map(|(key, hash)| Known {
            id: key.id,
            hash,
            used_at: key.used_at.map(|at| at.0),
        });
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known.collect();
        self.changes.send_modify(|count| *count += 1);
        Ok(())
    }

    /// Changes whenever [`Self::list`] may.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Makes a key.
    ///
    /// # Errors
    /// [`Error::Invalid`] where the name is blank or long; [`Error::Storage`].
    pub(super) async fn make(&self, name: &str) -> Result<NewApiKey> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            let problem = format!("must be 1 to {LONGEST_NAME} characters that say what the key is for");
            return Err(Error::invalid("name", problem));
        }
        let mut random = [0; LENGTH];
        getrandom::fill(&mut random).map_err(Error::internal)?;
        let text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
        let begins = text.get(..SHOWN).unwrap_or(PREFIX);
        let key = self
            .store()?
            .add_api_key(name, begins, &hash(&text), now())
            .await?;
        self.read().await?;
        Ok(NewApiKey {
            key,
            secret: Secret::new(&text),
        })
    }

    /// All keys, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(super) async fn list(&self) -> Result<Vec<ApiKey>> {
        let stored = self.store()?.api_keys().await?;
        Ok(stored.into_iter().map(|(key, _)| key).collect())
    }

    /// Takes a key back.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such key; [`Error::Storage`].
    pub(super) async fn revoke(&self, key: ApiKeyId) -> Result<()> {
        if !self.store()?.remove_api_key(key).await? {
            return Err(Error::NotFound {
                what: "API key".into(),
                name: key.to_string(),
                known: Vec::new(),
            });
        }
        self.read().await
    }

    /// Whether there is any.
    pub(super) fn is_empty(&self) -> bool {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }

    /// Whether a text is one of the keys. Takes as long for a text that nearly is one as for any other.
    pub(super) fn accepts(&self, text: &str) -> bool {
        let hash = hash(text);
        let mut found = None;
        {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            for key in known.iter_mut() {
                // Every key is looked at, whichever it is.
                if bool::from(key.hash.ct_eq(&hash)) {
                    let now = now();
                    let is_due = key.used_at.is_none_or(|at| now - at >= NOTED_EVERY);
                    found = Some(is_due.then_some((key.id, now)));
                    if is_due {
                        key.used_at = Some(now);
                    }
                }
            }
        }
        if let Some(Some((key, at))) = found {
            self.note_use(key, at);
        }
        found.is_some()
    }

    fn note_use(&self, key: ApiKeyId, at: i64) {
        let Ok(store) = self.store.clone() else {
            return;
        };
        let changes = Arc::clone(&self.changes);
        tokio::spawn(async move {
            if let Err(error) = store.note_api_key_use(key, UnixMillis(at)).await {
                tracing::warn!(%error, "the use of an API key is not noted");
            }
            changes.send_modify(|count| *count += 1);
        });
    }

    fn store(&self) -> Result<&Store> {
        self.store.as_ref().map_err(Clone::clone)
    }
}

fn hash(key: &str) -> Hash {
    Sha256::digest(key).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_key_is_shown_once_and_can_be_taken_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hearth.db");
        let store = Store::open(&path).await.expect("a database");
        let keys = Keys::open(Ok(store.clone())).await;
        assert!(keys.is_empty() && !keys.accepts(""));

        let made = keys.make(" Editor ").await.expect("a key");
        let text = made.secret.expose();
        assert!(
            text.starts_with(&made.key.begins) && text.len() == PREFIX.len() + 43,
            "{text}"
        );
        assert!(keys.accepts(text) && !keys.accepts(&text[..text.len() - 1]) && !keys.accepts(PREFIX));
        let listed = keys.list().await.expect("a list");
        assert_eq!((listed.len(), listed[0].name.as_str()), (1, "Editor"));

        // Nothing on the disk holds the key itself, and it is known after a restart.
        store.close().await;
        let bytes = std::fs::read(&path).expect("the database");
        let holds = |needle: &[u8]| bytes.windows(needle.len()).any(|part| part == needle);
        assert!(holds(made.key.begins.as_bytes()) && !holds(text.as_bytes()));
        let store = Store::open(&path).await.expect("a database");
        let keys = Keys::open(Ok(store)).await;
        assert!(keys.accepts(text));

        keys.revoke(made.key.id).await.expect("revoked");
        assert!(!keys.accepts(text) && keys.is_empty());
        assert!(matches!(
            keys.revoke(made.key.id).await,
            Err(Error::NotFound { .. })
        ));
        assert!(matches!(keys.make("  ").await, Err(Error::Invalid { .. })));
    }
}
