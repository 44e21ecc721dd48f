//! What the window needs before its first frame.

use std::path::PathBuf;

use hearth_protocol::Client;
use hearth_protocol::settings::Settings;

use crate::state::Places;
use crate::state::appearance::Desktop;
use crate::state::window_place::Screen;

/// What the window starts with.
#[derive(Debug)]
pub(crate) struct Start {
    /// The backend.
    pub(crate) client: Client,
    /// What the desktop wants.
    pub(crate) desktop: Desktop,
    /// The settings of the first frame.
    pub(crate) settings: Settings,
    /// The screens of the desktop.
    pub(crate) screens: Vec<Screen>,
    /// Where the data lies.
    pub(crate) places: Places,
    /// Where the toolkit's fonts lie in a package; `None` in a build of the tree.
    pub(crate) toolkit: Option<PathBuf>,
}
