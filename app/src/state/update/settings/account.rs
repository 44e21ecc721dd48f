//! The account at the hub: its token, and whose it is.

use hearth_protocol::Result;
use hearth_protocol::hub::{HubAccount, HubStatus};

use crate::effect::settings::SettingsEffect;
use crate::state::AppState;
use crate::text::say;

impl AppState {
    pub(super) fn keep_token(&mut self) {
        if let Some(token) = self.settings.account.begin_keeping() {
            self.ask_settings(SettingsEffect::KeepToken(token));
        }
    }

    pub(super) fn forget_token(&mut self) {
        if self.settings.account.begin_forgetting() {
            self.ask_settings(SettingsEffect::ForgetToken);
        }
    }

    pub(super) fn take_hub(&mut self, result: Result<HubStatus>) {
        match result {
            Ok(status) => {
                if self.settings.account.take_status(status) {
                    self.ask_settings(SettingsEffect::ReadOwner);
                }
            }
            Err(error) => self.complain(&say!(self.texts(), "failed-read-hub"), &error),
        }
    }

    pub(super) fn take_kept_token(&mut self, result: Result<HubAccount>) {
        let is_kept = result.is_ok();
        self.settings.account.end_keeping(result);
        if is_kept {
            self.ask_settings(SettingsEffect::ReadHub);
        }
    }

    pub(super) fn take_forgotten_token(&mut self, result: Result<()>) {
        match self.settings.account.end_forgetting(result) {
            Ok(()) => self.ask_settings(SettingsEffect::ReadHub),
            Err(error) => self.complain(&say!(self.texts(), "failed-forget-token"), &error),
        }
    }
}
