//! Counts what is allocated, so that a large allocation is a finding wherever it comes from.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counted. The fuzzer itself is C++ and is not seen.
pub struct Counting;

/// Bytes held now.
static HELD: AtomicUsize = AtomicUsize::new(0);
/// The most of them since [`peak_of`] began.
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The most bytes that `work` held at once, beyond what was held before. One thread at a time.
pub fn peak_of(work: impl FnOnce()) -> usize {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    PEAK.load(Relaxed) - before
}

// SAFETY: every call is passed on as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(held, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}
