//! Where a package puts what comes with the programs and is no program: libraries, fonts, the starter model.

use std::path::{Path, PathBuf};

/// From the folder of the programs to that of all else, where they are two.
#[cfg(target_os = "linux")]
const BESIDE: &str = "../lib/hearth";
#[cfg(target_os = "macos")]
const BESIDE: &str = "../Resources";
/// On Windows all lies in one folder.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
const BESIDE: &str = ".";

/// The folder of this name that came with the program: beside it, as in a build of the tree, or where packages put it.
/// Where there is none, the place beside the program.
pub(crate) fn folder(program: &Path, name: &str) -> PathBuf {
    // Started by a link, as a terminal finds it on macOS, the program is elsewhere.
    let whole = program.canonicalize();
    let programs = whole.as_deref().unwrap_or(program).parent();
    let programs = programs.unwrap_or(Path::new(""));
    let packaged = programs.join(BESIDE).join(name);
    let beside = programs.join(name);
    match !beside.is_dir() && packaged.is_dir() {
        // Without the `..`, which a person would read.
        true => packaged.canonicalize().unwrap_or(packaged),
        false => beside,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_came_with_the_program_is_beside_it_or_where_packages_put_it() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path().canonicalize().expect("a whole path");
        let bin = root.join("usr/bin");
        fs::create_dir_all(&bin).expect("made");
        let program = bin.join("hearth");
        fs::write(&program, "").expect("written");
        // None yet: where a person may put it.
        assert_eq!(folder(&program, "starter-models"), bin.join("starter-models"));
        let packaged = bin.join(BESIDE).join("starter-models");
        fs::create_dir_all(&packaged).expect("made");
        let packaged = packaged.canonicalize().expect("is there");
        assert_eq!(folder(&program, "starter-models"), packaged);
        assert_eq!(folder(&program, "backends"), bin.join("backends"));
        // What lies beside the program goes first.
        fs::create_dir_all(bin.join("backends")).expect("made");
        assert_eq!(folder(&program, "backends"), bin.join("backends"));
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_the_program_is_followed() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path().canonicalize().expect("a whole path");
        fs::create_dir_all(root.join("opt/backends")).expect("made");
        fs::write(root.join("opt/hearth"), "").expect("written");
        let link = root.join("hearth");
        std::os::unix::fs::symlink(root.join("opt/hearth"), &link).expect("linked");
        assert_eq!(folder(&link, "backends"), root.join("opt/backends"));
    }
}
