//! The second thread of a file on its way to the disk: it makes what is written safe and tells of it in the side file,
//! while the first goes on writing.

use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

use hearth_protocol::Error;

use super::Failure;
use crate::download::hasher::SavedHash;
use crate::download::ranges::Ranges;
use crate::download::side_file::SideFile;

/// Bytes that are written and not told of, at most, as long as the disk is faster than the network.
pub(super) const UNSAFE_BYTES: u64 = 2 << 20;

/// The same where the network has to wait for the disk: no more than the longest part. It does not follow the part there
/// is, which gets shorter as the disk slows the network down, and would slow it down further.
const MOST_UNSAFE_BYTES: u64 = crate::download::plan::MAX_PART;

/// What is written, to be told of once it is safe.
pub(super) struct News {
    pub(super) have: Ranges,
    pub(super) hashed: Option<SavedHash>,
    pub(super) etag: Option<(String, String)>,
}

/// Tells one thing after the other.
pub(super) struct Teller {
    /// `None` once it is to end.
    news: Option<Sender<News>>,
    told: Receiver<Result<(), Failure>>,
    is_busy: bool,
    thread: Option<JoinHandle<()>>,
}

/// How much may be untold. Pure.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Margin(u64);

impl Teller {
    /// A thread that syncs this file, which is the how-manieth of the side file.
    pub(super) fn start(file: File, side: Arc<SideFile>, index: usize) -> std::io::Result<Self> {
        let (news, heard) = channel::<News>();
        let (telling, told) = channel();
        let work = move || {
            for news in heard {
                if telling.send(tell(&file, &side, index, news)).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("hearth-sync".into());
        Ok(Self {
            news: Some(news),
            told,
            is_busy: false,
            thread: Some(thread.spawn(work)?),
        })
    }

    /// Whether something is being told.
    ///
    /// # Errors
    /// Where that went wrong.
    pub(super) fn is_busy(&mut self) -> Result<bool, Failure> {
        if self.is_busy {
            match self.told.try_recv() {
                Ok(outcome) => {
                    self.is_busy = false;
                    outcome?;
                }
                Err(TryRecvError::Empty) => (),
                Err(TryRecvError::Disconnected) => return Err(ended()),
            }
        }
        Ok(self.is_busy)
    }

    /// Begins to tell, once what is being told is told.
    ///
    /// # Errors
    /// Where the earlier went wrong.
    pub(super) fn tell(&mut self, news: News) -> Result<(), Failure> {
        self.wait()?;
        let sent = self.news.as_ref().and_then(|sender| sender.send(news).ok());
        sent.ok_or_else(ended)?;
        self.is_busy = true;
        Ok(())
    }

    /// Waits until all is told.
    ///
    /// # Errors
    /// Where that went wrong.
    pub(super) fn wait(&mut self) -> Result<(), Failure> {
        if !self.is_busy {
            return Ok(());
        }
        self.is_busy = false;
        self.told.recv().map_err(|_| ended())?
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        drop(self.news.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that syncs a download panicked");
        }
    }
}

fn ended() -> Failure {
    Failure::Side(Error::internal("the thread that syncs a download has ended"))
}

/// Makes what is written safe, then tells of it.
fn tell(file: &File, side: &SideFile, index: usize, news: News) -> Result<(), Failure> {
    file.sync_data()?;
    let told = side.update(|record| {
        let files = record.set.as_mut().map(|set| &mut set.files);
        if let Some(file) = files.and_then(|files| files.get_mut(index)) {
            (file.have, file.hashed, file.etag) = (news.have, news.hashed, news.etag);
        }
    });
    told.map_err(Failure::Side)
}

impl Default for Margin {
    fn default() -> Self {
        Self(UNSAFE_BYTES)
    }
}

impl Margin {
    /// Whether it is time to tell of so many bytes, so that the disk works while further ones come.
    pub(super) fn is_half(&self, untold: u64) -> bool {
        untold >= self.0 / 2
    }

    /// Whether no more may be written before something is told.
    pub(super) fn is_full(&self, untold: u64) -> bool {
        untold >= self.0
    }

    /// Writing had to wait: a disk takes about as long for much as for little.
    pub(super) fn widen(&mut self) {
        self.0 = (self.0 * 2).min(MOST_UNSAFE_BYTES);
    }

    /// Only so many bytes came in the time after which they are told of anyway.
    pub(super) fn fit(&mut self, came: u64) {
        if came < self.0 / 4 {
            self.0 = (self.0 / 2).max(UNSAFE_BYTES);
        }
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::DownloadId;
    use hearth_protocol::download::DownloadRequest;
    use hearth_protocol::settings::DownloadPlace;

    use super::*;
    use crate::download::side_file::{FileRecord, FileSet, Record, Stage};

    fn news(end: u64) -> News {
        News {
            have: vec![(0, end)].into(),
            hashed: None,
            etag: None,
        }
    }

    #[test]
    fn what_is_told_stands_in_the_side_file_in_its_order_and_a_failure_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let request = DownloadRequest {
            model: "o/n".into(),
            file: None,
            revision: None,
        };
        let file = FileRecord {
            path: "m.gguf".into(),
            size: 100,
            blob: "b".into(),
            sha256: None,
            have: Ranges::default(),
            hashed: None,
            etag: None,
            mark: None,
            stage: Stage::Fetching,
        };
        let mut record = Record::new(DownloadId(1), 1, request, DownloadPlace::Folder);
        record.set = Some(FileSet {
            commit: "0".repeat(40),
            files: vec![file],
        });
        let side = SideFile::create(folder.path(), record).expect("written");
        let written = tempfile::tempfile().expect("a file");
        let mut teller = Teller::start(written, Arc::clone(&side), 0).expect("starts");
        for end in 1..=3 {
            assert!(teller.tell(news(end)).is_ok());
        }
        assert!(teller.wait().is_ok());
        assert_eq!(side.read(|record| record.progress()), (3, Some(100)));
        assert!(matches!(teller.is_busy(), Ok(false)));

        folder.close().expect("removed");
        assert!(teller.tell(news(4)).is_ok());
        assert!(matches!(teller.wait(), Err(Failure::Side(Error::File { .. }))));
        assert_eq!(side.read(|record| record.progress()), (3, Some(100)));
    }

    #[test]
    fn the_margin_widens_for_a_slow_disk_to_a_part_and_narrows_for_a_slow_network() {
        let mut margin = Margin::default();
        assert!(!margin.is_half(UNSAFE_BYTES / 2 - 1) && margin.is_half(UNSAFE_BYTES / 2));
        assert!(!margin.is_full(UNSAFE_BYTES - 1) && margin.is_full(UNSAFE_BYTES));
        for _ in 0..20 {
            margin.widen();
        }
        assert_eq!(margin, Margin(MOST_UNSAFE_BYTES));
        margin.fit(MOST_UNSAFE_BYTES / 4);
        assert_eq!(margin, Margin(MOST_UNSAFE_BYTES));
        for _ in 0..20 {
            margin.fit(1);
        }
        assert_eq!(margin, Margin::default());
    }
}
