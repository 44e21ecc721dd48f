//! Hearth as other programs meet it: its local server, and the engine behind that.

use anyhow::{Context, anyhow, bail};
use hearth_protocol::chat::Role;
use hearth_protocol::completion::{CompletionEvent, CompletionRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::prompt::{Prompt, PromptMessage};
use hearth_protocol::server::{ServerConfig, ServerStatus};

use super::{Hearth, LIMIT};
use crate::peers;

impl Hearth {
    /// Starts the local server, and gives a client of it.
    ///
    /// # Errors
    /// Where it does not start.
    pub(crate) fn serve(&self) -> anyhow::Result<peers::Client> {
        let config = ServerConfig {
            port: 0,
            ..ServerConfig::default()
        };
        match self.client.start_server(config).wait()? {
            ServerStatus::Running { address, .. } => Ok(peers::Client::new(address.port())),
            ServerStatus::Stopped => bail!("the server does not run"),
        }
    }

    /// Asks the engine itself for an answer that belongs to no chat, and waits for its end.
    ///
    /// # Errors
    /// Where it breaks off.
    pub(crate) fn complete(&self, text: String, sampling: SamplingParams) -> anyhow::Result<()> {
        let chat = Prompt::chat(vec![PromptMessage::text(Role::User, text)]);
        let request = CompletionRequest {
            sampling,
            ..CompletionRequest::new(Some(ModelRef::Path(self.path.clone())), chat)
        };
        let events = self.client.complete(request);
        loop {
            match events
                .next_timeout(LIMIT)?
                .context("the answer has no last event")?
            {
                CompletionEvent::Finished { .. } => return Ok(()),
                CompletionEvent::Failed(error) => return Err(anyhow!(error)),
                _ => (),
            }
        }
    }
}
