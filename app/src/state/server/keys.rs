//! The API keys: the list, the form of a new one, the new one while it is shown, and the one that is asked about.

use hearth_protocol::Secret;
use hearth_protocol::server::{ApiKey, ApiKeyId, NewApiKey, ServerConfig};

use crate::text::{Texts, say};

/// The API keys.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// All of them, oldest first; `None` until they are read.
    pub(crate) all: Option<Vec<ApiKey>>,
    /// What stands above the list.
    pub(crate) form: Form,
    /// The key that is asked about before it is taken back.
    pub(crate) asked: Option<ApiKeyId>,
}

/// What stands above the list of keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Form {
    /// Nothing.
    #[default]
    Closed,
    /// The field that names a new key.
    Naming {
        /// The name so far.
        name: String,
        /// Why it cannot be made.
        problem: Option<String>,
        /// Whether it is being made.
        making: bool,
        /// What needs the key and is done once there is one.
        then: Option<Box<ServerConfig>>,
    },
    /// The new key. It is shown this once.
    Made {
        /// What it is for.
        name: String,
        /// The key itself.
        secret: Secret,
    },
}

impl Keys {
    /// Whether there is a key, as far as is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.as_ref().is_none_or(Vec::is_empty)
    }

    /// The keys, oldest first.
    pub(crate) fn list(&self) -> &[ApiKey] {
        self.all.as_deref().unwrap_or_default()
    }

    /// Opens the form; `then` is what needs the key.
    pub(in crate::state) fn begin(&mut self, then: Option<ServerConfig>) {
        self.form = Form::Naming {
            name: String::new(),
            problem: None,
            making: false,
            then: then.map(Box::new),
        };
    }

    /// The name to make a key of, where the form holds one.
    pub(in crate::state) fn begin_making(&mut self, texts: &Texts) -> Option<String> {
        let Form::Naming {
            name,
            problem,
            making,
            ..
        } = &mut self.form
        else {
            return None;
        };
        if *making {
            return None;
        }
        if name.trim().is_empty() {
            *problem = Some(say!(texts, "server-key-no-name"));
            return None;
        }
        (*making, *problem) = (true, None);
        Some(name.trim().to_owned())
    }

    /// Shows a key that was made; gives what waited for it.
    pub(in crate::state) fn show(&mut self, made: NewApiKey) -> Option<Box<ServerConfig>> {
        let all = self.all.get_or_insert_default();
        // Whoever watches may hear of it first.
        if all.iter().all(|known| known.id != made.key.id) {
            all.push(made.key.clone());
        }
        let form = Form::Made {
            name: made.key.name,
            secret: made.secret,
        };
        match std::mem::replace(&mut self.form, form) {
            Form::Naming { then, .. } => then,
            Form::Closed | Form::Made { .. } => None,
        }
    }

    /// Says in the form why the key was not made; whether the form was there to say it.
    pub(in crate::state) fn refuse(&mut self, reason: &str) -> bool {
        let Form::Naming { problem, making, .. } = &mut self.form else {
            return false;
        };
        *making = false;
        *problem = Some(reason.into());
        true
    }

    /// Takes the keys as they are now, by whomever.
    pub(in crate::state) fn take(&mut self, keys: Vec<ApiKey>) {
        self.asked = self.asked.filter(|asked| keys.iter().any(|key| key.id == *asked));
        self.all = Some(keys);
    }

    /// Takes a key that is gone out of the list, where it still is there; whether none is left.
    pub(in crate::state) fn remove(&mut self, key: ApiKeyId) -> bool {
        let all = self.all.get_or_insert_default();
        all.retain(|known| known.id != key);
        all.is_empty()
    }
}
