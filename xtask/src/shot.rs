//! `./x shot`: pictures of every page and state of the window, in both themes.

use crate::models::{self, STARTER};
use crate::process;
use crate::workspace::Workspace;

/// The test that goes through the window and takes the pictures.
const PICTURES: &str = "pictures_of_every_page";

/// Takes the pictures and says where they are.
///
/// # Errors
/// Where the model does not come, the build fails or the window does not do as its test says.
pub(crate) fn shot(workspace: &Workspace) -> anyhow::Result<()> {
    models::fetch(workspace, &[STARTER])?;
    process::run(workspace.cargo(["test", "--workspace", "--all-features", "--test", "ui", PICTURES]))?;
    println!("The pictures are in {}", workspace.shots().display());
    Ok(())
}
