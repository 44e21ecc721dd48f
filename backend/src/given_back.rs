//! Memory that large requests and long chats leave behind, given back to the system.
//!
//! glibc keeps what is freed for each thread that took memory, and gives it back only from the end of a heap: a small thing
//! that lives on there holds hundreds of megabytes of freed texts and values below it, and each flood of large bodies finds
//! other heaps. Other allocators give back by themselves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;

/// Bytes that a body must have taken, with its copies and values, for this to be worth the milliseconds that it takes. What
/// is answered to it can be far more.
pub(crate) const LARGE: usize = 1 << 20;

/// By then a connection has let go of what it still held of a request that is over, and a window of what a chat was read from.
const AFTERWARDS: Duration = Duration::from_secs(1);

/// Whether freed memory is about to be given back: of the whole process, as that memory is.
static IS_DUE: AtomicBool = AtomicBool::new(false);

/// That it is, until it is done or its runtime ends.
struct Due;

impl Drop for Due {
    fn drop(&mut self) {
        IS_DUE.store(false, Ordering::Release);
    }
}

/// Gives back what has been freed, now and a little later, off the runtime's threads. Many requests are one reason.
pub(crate) fn give_back_soon() {
    // There is one wherever requests are answered.
    if let Ok(runtime) = Handle::try_current() {
        if IS_DUE.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut due = Some(Due);
        runtime.spawn(async move {
            for pause in [Duration::ZERO, AFTERWARDS] {
                tokio::time::sleep(pause).await;
                // What is freed from here on is another reason.
                if pause > Duration::ZERO {
                    drop(due.take());
                }
                if let Err(error) = tokio::task::spawn_blocking(give_back).await {
                    tracing::debug!(%error, "freed memory is not given back");
                }
            }
        });
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    // SAFETY: it may be called at any time by any thread, and moves nothing that is in use.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}
