//! The thread that writes and removes files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use llama_cpp_2::token::LlamaToken;

use super::file::write;
use super::{ENDING, Fingerprint, Text, has_ending, remove};

/// The thread that writes and removes files, in the order it is told to.
pub(super) struct Writer {
    orders: Option<Sender<Order>>,
    /// Files that were to be written, and whether they are.
    done: Receiver<(PathBuf, bool)>,
    thread: Option<JoinHandle<()>>,
}

enum Order {
    Write {
        path: PathBuf,
        fingerprint: Fingerprint,
        tokens: Arc<[LlamaToken]>,
        state: Arc<Vec<u8>>,
    },
    Remove(PathBuf),
}

impl Writer {
    pub(super) fn start(folder: &Path, limit: u64) -> Self {
        let (orders, inbox) = channel();
        let (tell, done) = channel();
        let folder = folder.to_owned();
        let work = move || {
            keep_within_limit(&folder, limit);
            for order in inbox {
                match order {
                    Order::Write {
                        path,
                        fingerprint,
                        tokens,
                        state,
                    } => {
                        let is_written = write(&path, &fingerprint, &tokens, &state).is_ok();
                        // Nobody listens once the store is dropped, which ends the orders too.
                        drop(tell.send((path, is_written)));
                        keep_within_limit(&folder, limit);
                    }
                    Order::Remove(path) => remove(&path),
                }
            }
        };
        let thread = std::thread::Builder::new().name("hearth-kv".into()).spawn(work);
        Self {
            orders: Some(orders),
            done,
            thread: thread.ok(),
        }
    }

    pub(super) fn write(&self, text: &Text, fingerprint: Fingerprint) {
        if let Some(state) = &text.unwritten {
            self.order(Order::Write {
                path: text.path.clone(),
                fingerprint,
                tokens: Arc::clone(&text.tokens),
                state: Arc::clone(state),
            });
        }
    }

    pub(super) fn remove(&self, text: Text) {
        self.order(Order::Remove(text.path));
    }

    fn order(&self, order: Order) {
        // A thread that did not start takes none; what is in memory can be used from there.
        if let Some(orders) = &self.orders {
            drop(orders.send(order));
        }
    }

    pub(super) fn next_done(&self) -> Option<(PathBuf, bool)> {
        self.done.try_recv().ok()
    }

    pub(super) fn close(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has been told on standard error; the files are whole or not there.
            drop(thread.join());
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

/// Removes the files used longest ago until the others have few enough bytes.
fn keep_within_limit(folder: &Path, limit: u64) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let file = |entry: fs::DirEntry| {
        let about = entry.metadata().ok()?;
        Some((about.modified().ok()?, about.len(), entry.path()))
    };
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| has_ending(&entry.path(), ENDING))
        .filter_map(file)
        .collect();
    files.sort();
    let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, length, path) in files {
        if bytes <= limit {
            break;
        }
        remove(&path);
        bytes -= length;
    }
}
