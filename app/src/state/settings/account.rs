//! The hub as the settings show it: which token is in use, and whose it is.

use hearth_protocol::hub::{HubAccount, HubStatus, TokenSource};
use hearth_protocol::{Error, Result, Secret};

use crate::state::{AppState, failure};
use crate::text::{Key, key, say};

/// What is known of the hub, and what was asked of it.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// The token that is being typed.
    pub(in crate::state) typed: Option<Secret>,
    status: Option<HubStatus>,
    /// Whose token is in use; `None` until the hub has said it.
    owner: Option<Result<HubAccount>>,
    doing: Option<Doing>,
    /// Why the last token was not taken.
    refused: Option<Error>,
}

/// What was asked of the hub and is not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Keeping,
    Forgetting,
    Asking,
}

/// What is shown of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AccountView {
    /// Where the token in use is from, or that there is none.
    pub(crate) source: String,
    /// Whose it is; empty where there is none.
    pub(crate) owner: String,
    /// Whether the hub has said so.
    pub(crate) is_known: bool,
    /// The token that is being typed.
    pub(crate) typed: String,
    /// Whether there is one that Hearth keeps, and can forget.
    pub(crate) can_forget: bool,
    /// Whether what is typed can be kept now.
    pub(crate) can_keep: bool,
    /// Why the last token was not taken; empty where nothing is wrong.
    pub(crate) problem: String,
}

impl Account {
    /// Takes how the hub is reached; whether its account is to be asked for.
    pub(in crate::state) fn take_status(&mut self, status: HubStatus) -> bool {
        let asks = status.token.is_some() && !status.offline;
        if self.status.as_ref() != Some(&status) || !asks {
            self.owner = None;
        }
        self.status = Some(status);
        let asks = asks && self.doing.is_none() && self.owner.is_none();
        if asks {
            self.doing = Some(Doing::Asking);
        }
        asks
    }

    /// Takes whose token is in use.
    pub(in crate::state) fn take_owner(&mut self, owner: Result<HubAccount>) {
        if self.doing == Some(Doing::Asking) {
            self.doing = None;
        }
        self.owner = Some(owner);
    }

    /// Takes a text as it is typed.
    pub(in crate::state) fn put(&mut self, typed: Secret) {
        self.refused = None;
        self.typed = Some(typed).filter(|typed| !typed.expose().is_empty());
    }

    /// Begins to keep the token that was typed.
    pub(in crate::state) fn begin_keeping(&mut self) -> Option<Secret> {
        if self.is_changing() {
            return None;
        }
        let typed = self.typed.clone()?;
        (self.doing, self.refused) = (Some(Doing::Keeping), None);
        Some(typed)
    }

    /// Begins to forget the token; whether there is one to forget.
    pub(in crate::state) fn begin_forgetting(&mut self) -> bool {
        let begins = self.can_forget() && !self.is_changing();
        if begins {
            (self.doing, self.refused) = (Some(Doing::Forgetting), None);
        }
        begins
    }

    /// Takes the answer to a token that was to be kept.
    pub(in crate::state) fn end_keeping(&mut self, result: Result<HubAccount>) {
        self.doing = None;
        match result {
            Ok(owner) => (self.owner, self.typed) = (Some(Ok(owner)), None),
            Err(error) => self.refused = Some(error),
        }
    }

    /// Takes the answer to a token that was to be forgotten.
    pub(in crate::state) fn end_forgetting(&mut self, result: Result<()>) -> Result<()> {
        self.doing = None;
        if result.is_ok() {
            self.owner = None;
        }
        result
    }

    /// Forgets what was wrong.
    pub(in crate::state) fn forgive(&mut self) {
        self.refused = None;
    }

    fn is_changing(&self) -> bool {
        matches!(self.doing, Some(Doing::Keeping | Doing::Forgetting))
    }

    fn can_forget(&self) -> bool {
        let source = self.status.as_ref().and_then(|status| status.token);
        matches!(source, Some(TokenSource::Keyring | TokenSource::File))
    }
}

impl AppState {
    /// What is shown of the account.
    pub(crate) fn account_view(&self) -> AccountView {
        let (account, texts) = (&self.settings.account, self.texts());
        let source = account.status.as_ref().and_then(|status| status.token);
        let offline = account.status.as_ref().is_some_and(|status| status.offline);
        let owner = match (&account.owner, account.doing, source) {
            (_, Some(Doing::Keeping), _) => say!(texts, "account-checking"),
            (_, _, None) => String::new(),
            (Some(Ok(owner)), ..) => owner.name.clone(),
            (Some(Err(error)), ..) => failure::reason(texts, error),
            (None, ..) if offline => say!(texts, "account-offline"),
            (None, ..) => say!(texts, "account-checking"),
        };
        AccountView {
            source: texts.say(source_words(source), &[]),
            owner,
            is_known: matches!(account.owner, Some(Ok(_))) && source.is_some(),
            typed: account
                .typed
                .as_ref()
                .map_or_else(String::new, |typed| typed.expose().to_owned()),
            can_forget: account.can_forget() && !account.is_changing(),
            can_keep: account.typed.is_some() && !account.is_changing(),
            problem: account
                .refused
                .as_ref()
                .map_or_else(String::new, |error| failure::reason(texts, error)),
        }
    }
}

fn source_words(source: Option<TokenSource>) -> Key {
    match source {
        None => key!("account-no-token"),
        Some(TokenSource::Environment) => key!("account-token-environment"),
        Some(TokenSource::Keyring) => key!("account-token-keyring"),
        Some(TokenSource::File) => key!("account-token-file"),
        Some(TokenSource::HuggingFace) => key!("account-token-hugging-face"),
    }
}
