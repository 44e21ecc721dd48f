//! What can happen to the server's page, and what the backend says of the server.

use hearth_protocol::Result;
use hearth_protocol::server::{
    ApiKey, ApiKeyId, LogLevel, NewApiKey, ServerConfig, ServerEvent, ServerStatus,
};

use crate::state::server::example::{Endpoint, Language};

/// Something the person did on the server's page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ServerMsg {
    /// Starts the server, or stops it.
    Toggle,
    /// Copies the address that programs are given.
    CopyAddress,
    /// The text in the field of the port.
    PortChanged(String),
    /// Takes the port in the field.
    CommitPort,
    /// Takes the free port that is offered.
    UseFreePort,
    /// Whether it starts with Hearth.
    SetStartWithHearth(bool),
    /// Whether other machines may connect.
    SetNetwork(bool),
    /// Whether programs of this machine need a key too.
    SetKeysRequired(bool),

    /// Opens or closes the list of origins.
    ToggleOrigins,
    /// The text in the field of a new origin.
    OriginChanged(String),
    /// Lets pages of the origin in the field call.
    AddOrigin,
    /// Lets pages of this origin call no longer.
    RemoveOrigin(String),

    /// Opens the form of a new key.
    BeginKey,
    /// The name in that form.
    KeyNameChanged(String),
    /// Makes the key.
    MakeKey,
    /// Closes the form, or the new key that is shown.
    CloseKey,
    /// Copies the new key.
    CopyKey,
    /// Asks whether to take a key back.
    AskRevoke(ApiKeyId),
    /// Takes back the key that was asked about.
    Revoke,
    /// Keeps it.
    KeepKey,

    /// The text that lines of the log must hold.
    FilterChanged(String),
    /// The least grave lines that are shown.
    SetLevel(LogLevel),
    /// Whether the log goes on to its newest line.
    SetFollow(bool),
    /// Copies the lines that pass the filter.
    CopyLog,
    /// Forgets the lines so far.
    ClearLog,

    /// Shows the example of an endpoint.
    PickEndpoint(Endpoint),
    /// Shows examples in a language.
    PickLanguage(Language),
    /// Copies the example.
    CopyExample,
}

/// What the backend answered or told of the server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ServerNews {
    /// Its status changed, or lines were logged.
    Event(ServerEvent),
    /// It started, or did not.
    Started {
        /// As it was asked to.
        config: Box<ServerConfig>,
        /// Where it listens.
        result: Result<ServerStatus>,
    },
    /// It stopped, or did not.
    Stopped(Result<()>),
    /// All keys.
    Keys(Result<Vec<ApiKey>>),
    /// A key was made, or was not.
    KeyMade(Result<NewApiKey>),
    /// A key was taken back, or was not.
    KeyRevoked {
        /// Which.
        key: ApiKeyId,
        /// Whether it is gone.
        result: Result<()>,
    },
}
