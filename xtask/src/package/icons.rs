//! The icon: one drawing, one for the smallest sizes, and the pictures that systems want. These are committed, since not
//! every system that makes packages can draw them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;

use super::staging;
use crate::workspace::Workspace;

/// The drawing.
pub(super) const DRAWING: &str = "resources/icon/hearth.svg";
/// The one with less in it, for sizes where the other blurs.
const SMALL_DRAWING: &str = "resources/icon/hearth-small.svg";
/// The largest size that is made of it.
const LARGEST_SMALL: u32 = 24;
/// All sizes, in pixels.
pub(super) const SIZES: [u32; 9] = [16, 22, 24, 32, 48, 64, 128, 256, 512];
/// Those in Windows' file.
const ICO_SIZES: [u32; 6] = [16, 24, 32, 48, 64, 256];
/// Windows' file.
const ICO: &str = "resources/icon/hearth.ico";

/// The picture of a size.
pub(super) fn picture(workspace: &Workspace, size: u32) -> PathBuf {
    workspace.root.join(format!("resources/icon/hearth-{size}.png"))
}

/// Windows' file.
pub(super) fn ico(workspace: &Workspace) -> PathBuf {
    workspace.root.join(ICO)
}

/// Makes all pictures of the drawings.
///
/// # Errors
/// Where rsvg-convert is missing or a file cannot be written.
pub(crate) fn draw(workspace: &Workspace) -> anyhow::Result<()> {
    for size in SIZES {
        let drawing = match size <= LARGEST_SMALL {
            true => SMALL_DRAWING,
            false => DRAWING,
        };
        let mut command = Command::new("rsvg-convert");
        let pixels = size.to_string();
        command
            .args(["--width", &pixels, "--height", &pixels])
            .arg(workspace.root.join(drawing))
            .arg("--output")
            .arg(picture(workspace, size));
        staging::tool(command)?;
    }
    let mut pictures = Vec::new();
    for size in ICO_SIZES {
        let path = picture(workspace, size);
        pictures.push((size, fs::read(&path).with_context(|| path.display().to_string())?));
    }
    Ok(fs::write(ico(workspace), ico_of(&pictures))?)
}

/// A file of Windows' icon format: a head, sixteen bytes for each picture, then the pictures as PNG.
fn ico_of(pictures: &[(u32, Vec<u8>)]) -> Vec<u8> {
    const HEAD: usize = 6;
    const ENTRY: usize = 16;
    let count = u16::try_from(pictures.len()).unwrap_or_default();
    let mut file = [[0, 0], 1_u16.to_le_bytes(), count.to_le_bytes()].concat();
    let mut place = HEAD + ENTRY * pictures.len();
    for (size, picture) in pictures {
        // 0 stands for 256.
        let side = u8::try_from(*size).unwrap_or(0);
        file.extend([side, side, 0, 0, 1, 0, 32, 0]);
        file.extend(u32::try_from(picture.len()).unwrap_or(u32::MAX).to_le_bytes());
        file.extend(u32::try_from(place).unwrap_or(u32::MAX).to_le_bytes());
        place += picture.len();
    }
    for (_, picture) in pictures {
        file.extend(picture);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Width and height as a PNG says them.
    fn size_of(picture: &[u8]) -> [u32; 2] {
        let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().expect("four bytes"));
        assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
        [number(16), number(20)]
    }

    #[test]
    fn each_size_is_there_and_windows_file_holds_its_own() {
        let workspace = Workspace::locate().expect("a workspace");
        for size in SIZES {
            let picture = fs::read(picture(&workspace, size)).expect("committed");
            assert_eq!(size_of(&picture), [size, size]);
        }
        let pictures = ICO_SIZES.map(|size| (size, fs::read(picture(&workspace, size)).expect("committed")));
        // `cargo xtask icons` makes it anew.
        assert_eq!(fs::read(ico(&workspace)).expect("committed"), ico_of(&pictures));
    }
}
