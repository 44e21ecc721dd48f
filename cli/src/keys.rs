//! `hearth-cli keys`: the API keys of the local server.

use std::io::{self, Write};

use hearth_protocol::Client;
use hearth_protocol::server::{ApiKey, ApiKeyId};
use serde_json::json;

use crate::arguments::{KeysArguments, KeysCommand};
use crate::exit::{Exit, Failure};
use crate::list::{json as print_json, table};
use crate::text::or_dash;
use crate::time::minute;

const NO_KEYS: &str = "There is no API key. `hearth-cli keys make NAME` makes one.";

/// Lists, makes or revokes keys.
pub(crate) fn keys(client: &Client, arguments: KeysArguments) -> Result<Exit, Failure> {
    match arguments.command {
        None => list(client, arguments.json),
        Some(KeysCommand::List { json }) => list(client, json),
        Some(KeysCommand::Make { name, json }) => make(client, name, json),
        Some(KeysCommand::Revoke { id }) => {
            client.revoke_api_key(ApiKeyId(id)).wait()?;
            writeln!(io::stdout().lock(), "Key {id} is revoked.")?;
            Ok(Exit::Done)
        }
    }
}

fn list(client: &Client, as_json: bool) -> Result<Exit, Failure> {
    let keys = client.list_api_keys().wait()?;
    if as_json {
        return print_json(&keys);
    }
    let rows: Vec<_> = keys.iter().map(row).collect();
    table(["ID", "NAME", "BEGINS", "MADE", "LAST USED"], &rows, NO_KEYS)
}

/// The key alone goes to standard output, so that a script can take it from there.
fn make(client: &Client, name: String, as_json: bool) -> Result<Exit, Failure> {
    let made = client.make_api_key(name).wait()?;
    if as_json {
        return print_json(&json!({ "key": made.key, "secret": made.secret.expose() }));
    }
    writeln!(io::stdout().lock(), "{}", made.secret.expose())?;
    let line = "Keep it now: only its hash is stored, and it is not shown again.";
    writeln!(io::stderr().lock(), "{line}")?;
    Ok(Exit::Done)
}

fn row(key: &ApiKey) -> [String; 5] {
    [
        key.id.to_string(),
        key.name.clone(),
        format!("{}…", key.begins),
        minute(key.made_at),
        or_dash(key.used_at.map(minute)),
    ]
}
