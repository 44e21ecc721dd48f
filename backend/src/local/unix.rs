//! The door as a Unix socket that only its owner may use.
//!
//! The socket lies in the data folder, or, where that path is too long for a socket, in a folder of the person's own for
//! such things. A small file in the data folder says where, and is locked for as long as somebody listens there; so what a
//! dead Hearth left is told from a living one's.

use std::ffi::OsString;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tokio::net::{UnixListener, UnixSocket, UnixStream};

use crate::files::{make_private_folder, read_small};

/// Says where the socket is.
const PLACE_FILE: &str = "listening";

/// The socket's name in the data folder.
const SOCKET: &str = "hearth.sock";

/// Most bytes of a socket's path: the least that a system takes (macOS, `sun_path`), without the zero at its end.
const LONGEST_PATH: usize = 103;

/// Most bytes of any path.
const MOST_PLACE: u64 = 4096;

/// Connections that may wait to be taken.
const BACKLOG: u32 = 64;

/// A socket that listens. Dropping it removes it.
pub(super) struct Door {
    listener: UnixListener,
    path: PathBuf,
    owner: u32,
    /// Held for as long as the socket is there.
    _lock: File,
}

impl Door {
    /// Listens for the commands of a data folder; `None` where another process does.
    pub(super) fn open(home: &Path) -> io::Result<Option<Self>> {
        make_private_folder(home)?;
        let home = home.canonicalize()?;
        let mut place = OpenOptions::new();
        let mut place = place
            .create(true)
            .truncate(false)
            .write(true)
            .open(home.join(PLACE_FILE))?;
        match place.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let owner = own_user()?;
        let path = match home.join(SOCKET) {
            path if path.as_os_str().len() <= LONGEST_PATH => path,
            _ => short_folder(owner)?.join(short_name(&home)),
        };
        remove_dead(&path)?;
        let socket = UnixSocket::new_stream()?;
        socket.bind(&path)?;
        // Before it listens nobody can connect.
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        let listener = socket.listen(BACKLOG)?;
        place.set_len(0)?;
        place.write_all(path.as_os_str().as_bytes())?;
        Ok(Some(Self {
            listener,
            path,
            owner,
            _lock: place,
        }))
    }

    /// The next who connects. Others than the owner are turned away.
    pub(super) async fn next(&mut self) -> io::Result<UnixStream> {
        loop {
            let (stream, _) = self.listener.accept().await?;
            match stream.peer_cred()?.uid() {
                user if user == self.owner => return Ok(stream),
                user => tracing::warn!(user, "another user was turned away"),
            }
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::debug!(%error, "the socket stays behind");
        }
    }
}

/// Connects to who listens for the commands of a data folder; `None` where nobody does.
pub(super) async fn knock(home: &Path) -> io::Result<Option<UnixStream>> {
    use io::ErrorKind::{ConnectionRefused, NotFound, PermissionDenied};

    let place = match read_small(&home.join(PLACE_FILE), MOST_PLACE) {
        Ok(place) if !place.is_empty() => PathBuf::from(OsString::from_vec(place)),
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let stream = match UnixStream::connect(place).await {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), NotFound | ConnectionRefused) => return Ok(None),
        Err(error) => return Err(error),
    };
    match stream.peer_cred()?.uid() == own_user()? {
        true => Ok(Some(stream)),
        false => Err(io::Error::new(
            PermissionDenied,
            "the Hearth that runs here is another user's",
        )),
    }
}

/// The user this process acts for, as others see it at the other end of a socket.
fn own_user() -> io::Result<u32> {
    let (end, _other) = UnixStream::pair()?;
    Ok(end.peer_cred()?.uid())
}

/// A folder with a short path that only its owner can look into.
fn short_folder(owner: u32) -> io::Result<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.filter(|folder| folder.is_absolute());
    let folder = runtime
        .unwrap_or_else(std::env::temp_dir)
        .join(format!("hearth-{owner}"));
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => (),
    }
    let data = folder.symlink_metadata()?;
    if !data.is_dir() || data.uid() != owner || data.mode() & 0o077 != 0 {
        let reason = format!("{} is not a folder of this user alone", folder.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    Ok(folder)
}

/// The socket's name outside of the data folder.
fn short_name(home: &Path) -> String {
    let hash = Sha256::digest(home.as_os_str().as_bytes());
    let digits: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}.sock")
}

/// Removes the socket of one who is dead: the lock says that nobody listens there.
fn remove_dead(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(data) if data.file_type().is_socket() => std::fs::remove_file(path),
        Ok(_) => {
            let reason = format!("{} is in the way, and is no socket", path.display());
            Err(io::Error::new(io::ErrorKind::AlreadyExists, reason))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
