//! What the state wants of the server.

use hearth_protocol::server::{ApiKeyId, ServerConfig};

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ServerEffect {
    /// Tells its status and its log, now and from now on.
    Watch,
    /// Starts it so; one that runs goes on so.
    Start(Box<ServerConfig>),
    /// Stops it.
    Stop,
    /// Lists the keys.
    ListKeys,
    /// Makes a key of this name.
    MakeKey(String),
    /// Takes a key back.
    RevokeKey(ApiKeyId),
}
