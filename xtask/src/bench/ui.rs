//! `./x bench ui`: what the window costs. The measuring itself is in `app/benches/ui/`.

use crate::models::{self, STARTER};
use crate::process;
use crate::workspace::Workspace;

/// Builds the window and what stands beside it, and measures all or one thing.
pub(super) fn measure(workspace: &Workspace, only: Option<&str>) -> anyhow::Result<()> {
    models::fetch(workspace, &[STARTER])?;
    let mut build = workspace.cargo(["build", "--workspace", "--all-features"]);
    build.args(["--bins", "--example", "empty_window"]);
    process::run(build)?;
    let mut measure = workspace.cargo(["test", "--workspace", "--all-features", "--bench", "ui"]);
    measure.env("HEARTH_BENCH_OUT", workspace.bench());
    if let Some(only) = only {
        measure.env("HEARTH_BENCH_ONLY", only);
    }
    process::run(measure)
}
