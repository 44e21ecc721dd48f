//! The kinds of package, and which of them each system has.

use clap::ValueEnum;

/// A kind of package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Debian, Ubuntu and what comes of them.
    Deb,
    /// One file that starts on any Linux.
    Appimage,
    /// For a person without root on any Linux, with a script that installs it.
    Tar,
    /// The bundle of macOS.
    App,
    /// A disk image with it.
    Dmg,
    /// The installer of Windows.
    Nsis,
}

impl Format {
    /// Those that this system can make, in the order they are made.
    pub(super) fn all_here() -> Vec<Self> {
        Self::all_of(std::env::consts::OS)
    }

    /// Those of the system that Rust calls so.
    pub(super) fn all_of(system: &str) -> Vec<Self> {
        match system {
            "macos" => vec![Self::App, Self::Dmg],
            "windows" => vec![Self::Nsis],
            _ => vec![Self::Deb, Self::Tar, Self::Appimage],
        }
    }

    /// What cargo-packager calls it; `None` for what is made without.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Deb => Some("deb"),
            Self::Appimage => Some("appimage"),
            Self::App => Some("app"),
            Self::Dmg => Some("dmg"),
            Self::Nsis => Some("nsis"),
            Self::Tar => None,
        }
    }
}
