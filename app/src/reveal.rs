//! The system's file manager with a file in sight.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;

/// Shows a file in its folder, on a thread of its own: a file manager may have to start. Tells why it is not shown, where
/// it is not.
pub(crate) fn in_folder(file: PathBuf, tell: impl FnOnce(PathBuf, String) + Send + 'static) {
    thread::spawn(move || {
        if let Err(error) = show(&file) {
            tracing::warn!(%error, "a file is not shown in its folder");
            tell(file, error.to_string());
        }
    });
}

/// The file manager of the desktop marks the file; where there is none that does, the folder is opened.
#[cfg(target_os = "linux")]
fn show(file: &Path) -> io::Result<()> {
    match ask_file_manager(file) {
        Ok(()) => Ok(()),
        Err(error) => {
            tracing::info!(%error, "no file manager marks a file");
            open::that_detached(folder_of(file)?)
        }
    }
}

#[cfg(target_os = "linux")]
fn ask_file_manager(file: &Path) -> zbus::Result<()> {
    let address = address_of(file);
    zbus::blocking::Connection::session()?
        .call_method(
            Some("org.freedesktop.FileManager1"),
            "/org/freedesktop/FileManager1",
            Some("org.freedesktop.FileManager1"),
            "ShowItems",
            &([address.as_str()].as_slice(), ""),
        )
        .map(drop)
}

/// A path as an address, whatever stands in it.
#[cfg(target_os = "linux")]
fn address_of(file: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut address = "file://".to_owned();
    for byte in file.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                address.push(char::from(*byte));
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

#[cfg(target_os = "macos")]
fn show(file: &Path) -> io::Result<()> {
    std::process::Command::new("open")
        .arg("-R")
        .arg(file)
        .spawn()
        .map(drop)
}

#[cfg(target_os = "windows")]
fn show(file: &Path) -> io::Result<()> {
    let mut select = std::ffi::OsString::from("/select,");
    select.push(file);
    std::process::Command::new("explorer")
        .arg(select)
        .spawn()
        .map(drop)
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
fn show(file: &Path) -> io::Result<()> {
    open::that_detached(folder_of(file)?)
}

#[cfg(not(any(target_os = "macos", target_os = "windows")))]
fn folder_of(file: &Path) -> io::Result<&Path> {
    file.parent()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it lies in no folder"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::Path;

    use super::address_of;

    #[test]
    fn any_path_is_an_address() {
        let cases = [
            ("/a/b-1_2.gguf", "file:///a/b-1_2.gguf"),
            ("/Über uns/50 %", "file:///%C3%9Cber%20uns/50%20%25"),
        ];
        for (path, address) in cases {
            assert_eq!(address_of(Path::new(path)), address);
        }
    }
}
