//! `./x package`: what is installed on a computer that has no compiler, for the system that this runs on.
//!
//! The programs are built for any processor of the kind, in a target folder of their own; llama.cpp brings its code for the
//! newer ones as libraries, of which it takes one at its start. All that belongs to an installed Hearth is then put into one
//! folder (`staging`), from which cargo-packager and tar make packages. `packaging/README.md` says what is where.

mod build;
mod deb;
mod formats;
pub(crate) mod icons;
mod notices;
mod packager;
mod proof;
mod sizes;
mod staging;
mod tarball;

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use crate::models;
use crate::workspace::Workspace;
use build::Built;
use formats::Format;
use staging::Stage;

/// What to make.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// What to make, such as `deb,tar`; without it all that this system has
    #[arg(long, value_enum, value_delimiter = ',')]
    formats: Vec<Format>,
    /// Leave the starter model out (98 MB)
    #[arg(long)]
    without_model: bool,
    /// Leave llama.cpp's backend for graphics cards out, whose shaders take minutes to build
    #[arg(long)]
    without_gpu: bool,
    /// Test the packages as a person meets them: in a fresh Debian, and as a person without root
    #[arg(long)]
    test: bool,
    /// Test the packages that are there and build nothing
    #[arg(long, conflicts_with = "test")]
    only_test: bool,
}

/// Where what this makes lies.
struct Places {
    /// The target folder of the build.
    target: PathBuf,
    /// The finished packages.
    packages: PathBuf,
    /// The version that they are of.
    version: String,
}

/// Builds and packs, and tests it where that is asked for.
///
/// # Errors
/// Where something to build with is missing, and where a step fails.
pub(crate) fn package(workspace: &Workspace, arguments: &Arguments) -> anyhow::Result<()> {
    let places = Places {
        target: workspace.package(),
        packages: workspace.package().join("packages"),
        version: workspace.version()?,
    };
    if arguments.only_test {
        return proof::prove(workspace, &places);
    }
    let formats = match arguments.formats.is_empty() {
        true => Format::all_here(),
        false => arguments.formats.clone(),
    };
    let model = match arguments.without_model {
        true => None,
        false => Some(models::fetch_starter(workspace)?),
    };
    let built = Built::new(workspace, &places, !arguments.without_gpu)?;
    let stage = Stage::make(workspace, &places, &built, model.as_deref())?;
    fs::create_dir_all(&places.packages)
        .with_context(|| format!("{} cannot be made", places.packages.display()))?;
    let mut made = Vec::new();
    for format in formats {
        match format {
            Format::Tar => made.push(tarball::make(workspace, &places, &stage)?),
            format => made.extend(packager::make(workspace, &places, &stage, format)?),
        }
    }
    sizes::print(&stage, &made)?;
    sizes::write_checksums(&places.packages, &made)?;
    if arguments.test {
        proof::prove(workspace, &places)?;
    }
    Ok(())
}
