//! Commands about the hub's account.

use std::path::PathBuf;

use hearth_protocol::Result;
use hearth_protocol::command::HubCommand;
use tokio::runtime::Runtime;

use super::{Services, answer};
use crate::hub::Hub;
use crate::wipe;

impl Services {
    pub(super) fn hub(&self, runtime: &Runtime, command: HubCommand) {
        let hub = self.heeding.hub.clone();
        match command {
            HubCommand::Status { reply } => answer(runtime, reply, async move { hub.status().await }),
            HubCommand::WhoAmI { reply } => answer(runtime, reply, async move { hub.who_am_i().await }),
            HubCommand::SetToken { token, reply } => {
                answer(runtime, reply, async move { hub.set_token(token).await })
            }
            HubCommand::ForgetToken { reply } => {
                answer(runtime, reply, async move { hub.forget_token().await })
            }
        }
    }
}

/// Has all deleted when the backend ends. The token may lie in the system's keyring, which only a running service reaches.
pub(super) async fn delete_all(home: PathBuf, hub: Hub) -> Result<()> {
    wipe::want(home).await?;
    hub.forget_token().await
}
