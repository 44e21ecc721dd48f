//! What a load will take, as the engine tells it: by the formula, or as a worker counts it.

use std::path::PathBuf;

use hearth_protocol::engine::{Device, DeviceKind, LoadOptions, MemoryEstimate};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{ByteSize, Error, Result};
use tokio::sync::oneshot;

use super::memory::Memory;
use super::pool::Message;
use super::{Engine, rough, tell};
use crate::library::estimate::Facts;

impl Engine {
    /// The same as it was when it was first asked for, its free memory too.
    ///
    /// # Errors
    /// Those of [`Self::devices`].
    pub(crate) async fn known_devices(&self) -> Result<&[Device]> {
        let known = self.known_devices.get_or_try_init(|| self.devices()).await;
        known.map(Vec::as_slice)
    }

    /// What a load would take, by the file's header; `None` where that does not tell it.
    pub(crate) async fn rough_estimate(
        &self,
        file: &LibraryFile,
        options: &LoadOptions,
    ) -> Option<MemoryEstimate> {
        let mut devices = self.known_devices().await.ok()?.to_vec();
        let (path, size, options) = (file.path.clone(), file.size.0, options.clone());
        let reckoned = tokio::task::spawn_blocking(move || {
            for processor in devices.iter_mut().filter(|it| it.kind == DeviceKind::Cpu) {
                processor.memory_free = Memory::now().free.map(ByteSize);
            }
            let facts = Facts::open(&path).ok()?;
            rough::rough(&facts, size, &options, &devices)
        });
        reckoned.await.ok().flatten()
    }

    /// What a load would take, device by device.
    ///
    /// # Errors
    /// Those of a load, as far as the file's header tells; `WorkerDied` where the worker that reckons ended.
    pub(crate) async fn estimate(&self, path: PathBuf, options: LoadOptions) -> Result<MemoryEstimate> {
        let (done, answer) = oneshot::channel();
        let options = Box::new(options);
        tell(&self.pool, Message::Estimate { path, options, done });
        answer.await.unwrap_or(Err(Error::BackendGone))
    }
}
