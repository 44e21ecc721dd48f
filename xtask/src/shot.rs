//! `./x shot`: pictures of every page and state of the window, in both themes.

use crate::models::{self, STARTER};
use crate::process;
use crate::workspace::Workspace;

/// How the tests are called that go through the window and take the pictures.
const PICTURES: &str = "pictures_";

/// Takes the pictures and says where they are.
///
/// # Errors
/// Where the model does not come, the build fails or the window does not do as its test says.
pub(crate) fn shot(workspace: &Workspace) -> anyhow::Result<()> {
    models::fetch(workspace, &[STARTER])?;
    let tests = ["test", "--workspace", "--all-features", "--test", "ui"];
    let which = ["--", PICTURES, "--include-ignored"];
    process::run(workspace.cargo(tests.into_iter().chain(which)))?;
    println!("The pictures are in {}", workspace.shots().display());
    Ok(())
}
