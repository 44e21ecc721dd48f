//! `hearth-cli login`, `logout` and `whoami`: the person's account at the hub.

use std::io::{self, IsTerminal, Write};

use hearth_protocol::hub::{HubAccount, HubStatus, TokenSource};
use hearth_protocol::{Client, Secret};

use crate::arguments::OutputArguments;
use crate::exit::{Exit, Failure};
use crate::list::json;
use crate::text::printable;

/// Asks for a token, lets the hub say whose it is, and keeps it.
pub(crate) fn login(client: &Client) -> Result<Exit, Failure> {
    let token = read_token(client)?;
    if token.expose().is_empty() {
        return Err(Failure::Usage("There was no token."));
    }
    let account = client.set_hub_token(token).wait()?;
    let status = client.hub_status().wait()?;
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "Signed in at {} as {}.",
        printable(&status.endpoint),
        name(&account)
    )?;
    match status.token {
        Some(source @ TokenSource::Environment) => {
            writeln!(output, "As long as it is set, {} goes first.", place(source))?;
        }
        Some(source) => writeln!(output, "The token is in {}.", place(source))?,
        None => (),
    }
    Ok(Exit::Done)
}

/// A token typed unseen, or the text on standard input.
fn read_token(client: &Client) -> Result<Secret, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(Secret::new(&io::read_to_string(io::stdin().lock())?));
    }
    let status = client.hub_status().wait()?;
    let page = printable(&status.endpoint);
    writeln!(
        io::stderr().lock(),
        "Make a token that may read at {page}/settings/tokens and paste it here; it is not shown."
    )?;
    Ok(Secret::new(&rpassword::prompt_password("Token: ")?))
}

/// Forgets the token that was kept.
pub(crate) fn logout(client: &Client) -> Result<Exit, Failure> {
    client.forget_hub_token().wait()?;
    let mut output = io::stdout().lock();
    match client.hub_status().wait()?.token {
        Some(source) => writeln!(
            output,
            "Hearth has forgotten its token. The one in {} stays and is in use.",
            place(source)
        )?,
        None => writeln!(output, "Hearth has forgotten its token.")?,
    }
    Ok(Exit::Done)
}

/// Says whose token is in use.
pub(crate) fn who_am_i(client: &Client, arguments: OutputArguments) -> Result<Exit, Failure> {
    let account = client.hub_account().wait()?;
    if arguments.json {
        return json(&account);
    }
    let HubStatus { endpoint, token, .. } = client.hub_status().wait()?;
    let mut output = io::stdout().lock();
    write!(output, "{} at {}", name(&account), printable(&endpoint))?;
    match token {
        Some(source) => writeln!(output, ", by the token in {}", place(source))?,
        None => writeln!(output)?,
    }
    Ok(Exit::Done)
}

fn name(account: &HubAccount) -> String {
    let text = match &account.full_name {
        Some(full_name) => format!("{} ({full_name})", account.name),
        None => account.name.clone(),
    };
    printable(&text)
}

fn place(source: TokenSource) -> &'static str {
    match source {
        TokenSource::Environment => "the variable HF_TOKEN",
        TokenSource::Keyring => "the system's keyring",
        TokenSource::File => "a file that only you may read, since no keyring took it",
        TokenSource::HuggingFace => "the file of `hf auth login`",
    }
}
