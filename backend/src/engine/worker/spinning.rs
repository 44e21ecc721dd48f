//! Whether the threads that compute together wait for each other awake.
//!
//! Between any two operations of a model its threads wait for the slowest of them, hundreds of times a token. On cores
//! that nobody else wants it pays to look again and again until it has come (to spin): to sleep and be woken takes longer
//! than the wait. Where something else wants the same cores it is ruinous: a thread that spins holds the core that the
//! awaited one needs. Two models on two cores then write 3 tokens a second each instead of 61 (SmolLM2 135M).
//!
//! So the threads spin while the cores are theirs and sleep while they are not. The kernel tells which: how long they
//! were ready to run and had no core. libgomp, GCC's OpenMP, is told by its own rule: as long as it manages more threads
//! than there are cores it spins next to never (`gomp_throttled_spin_count_var`), else for milliseconds. The threads it
//! is given for that do nothing and sleep.

use std::time::{Duration, Instant};

use self::crowd::Crowd;
use super::log::Log;

/// Computing between two looks at the cores.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Share of its time that a thread may wait for a core, for all to begin to spin.
const FREE: f64 = 0.03;

/// And for them to go on.
const CONTENDED: f64 = 0.08;

/// What a thread that is woken waits for its core although nobody else wants that.
const WAKING: Duration = Duration::from_micros(10);

/// Decides for all threads of this process.
pub(super) struct Spinning {
    /// Keeps the threads from spinning; `None` while they may.
    crowd: Option<Crowd>,
    /// Threads that compute together.
    threads: u32,
    /// Computed since the last look.
    computed: Duration,
    looked: Look,
}

/// What the kernel said, and when.
struct Look {
    at: Instant,
    /// `None` where it does not say.
    waits: Option<Waits>,
}

/// How often and how long all threads of this process together were ready to run and had no core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Waits {
    time: Duration,
    count: u32,
}

impl Spinning {
    /// So many threads will compute together; until the cores are known to be free, none spins.
    pub(super) fn new(threads: u32, log: &Log) -> Self {
        let looked = Look::now();
        if looked.waits.is_none() && cfg!(target_os = "linux") {
            log.write("the kernel does not say whether cores are free; threads sleep while they wait for each other");
        }
        Self {
            crowd: Crowd::gather(threads),
            threads,
            computed: Duration::ZERO,
            looked,
        }
    }

    /// They have computed for so long, until now.
    pub(super) fn computed(&mut self, took: Duration) {
        if self.threads < 2 || self.looked.waits.is_none() {
            return;
        }
        // What was while nothing was computed says nothing.
        if self.looked.at.elapsed() > self.computed + took + LOOK_EVERY {
            return self.look();
        }
        self.computed += took;
        if self.computed < LOOK_EVERY {
            return;
        }
        let now = Look::now();
        if let (Some(before), Some(now)) = (self.looked.waits, now.waits) {
            let share = before.until(now).div_duration_f64(self.computed) / f64::from(self.threads);
            if may_spin(self.crowd.is_none(), share) {
                self.crowd = None;
            } else if self.crowd.is_none() {
                self.crowd = Crowd::gather(self.threads);
            }
        }
        // Again, since threads that come or go change the sum.
        self.look();
    }

    fn look(&mut self) {
        self.computed = Duration::ZERO;
        self.looked = Look::now();
    }
}

impl Look {
    fn now() -> Self {
        Self {
            at: Instant::now(),
            waits: waits(),
        }
    }
}

impl Waits {
    /// Time that was waited since, less what waking takes in any case.
    fn until(self, now: Self) -> Duration {
        let waking = WAKING * now.count.saturating_sub(self.count);
        now.time.saturating_sub(self.time).saturating_sub(waking)
    }
}

/// Whether to spin where each thread waited for this share of its time.
fn may_spin(spins: bool, waited: f64) -> bool {
    waited <= if spins { CONTENDED } else { FREE }
}

/// The kernel's `run_delay` and `pcount` of all threads.
#[cfg(target_os = "linux")]
fn waits() -> Option<Waits> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let mut sum = Waits {
        time: Duration::ZERO,
        count: 0,
    };
    for task in tasks.flatten() {
        // One that has ended meanwhile has nothing to say.
        if let Ok(text) = std::fs::read_to_string(task.path().join("schedstat")) {
            let waits = read(&text)?;
            sum.time += waits.time;
            sum.count = sum.count.wrapping_add(waits.count);
        }
    }
    // A kernel without these figures gives none, and a thread that runs has waited at least once.
    (sum.count > 0).then_some(sum)
}

#[cfg(not(target_os = "linux"))]
fn waits() -> Option<Waits> {
    None
}

/// The second and the third of a thread's figures: nanoseconds of waiting, and how often it got a core.
#[cfg(target_os = "linux")]
fn read(schedstat: &str) -> Option<Waits> {
    let mut figures = schedstat.split_ascii_whitespace().skip(1);
    let nanoseconds = figures.next()?.parse().ok()?;
    let count: u64 = figures.next()?.parse().ok()?;
    Some(Waits {
        time: Duration::from_nanos(nanoseconds),
        count: count as u32,
    })
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod crowd {
    //! Threads of OpenMP that do nothing.

    use std::ffi::{c_int, c_uint, c_void};
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Arc, Mutex};
    use std::thread::{Builder, JoinHandle};

    // libgomp's interface for compiled code, which llama.cpp is linked with (`libgomp_g.h`, `omp.h`).
    unsafe extern "C" {
        fn GOMP_parallel(
            work: unsafe extern "C" fn(*mut c_void),
            data: *mut c_void,
            threads: c_uint,
            flags: c_uint,
        );
        fn omp_get_num_procs() -> c_int;
    }

    unsafe extern "C" fn nothing(_: *mut c_void) {}

    /// They go when it is dropped.
    pub(super) struct Crowd {
        /// Its end is what their owner waits for.
        stay: Option<Sender<()>>,
        owner: Option<JoinHandle<()>>,
    }

    impl Crowd {
        /// Gathers as many as make more than there are cores, together with the `threads` that compute. `None` where
        /// there is only one of these, which waits for nobody, or where the system does not give so many.
        pub(super) fn gather(threads: u32) -> Option<Self> {
            if threads < 2 {
                return None;
            }
            // SAFETY: it only reads a number.
            let cores = unsafe { omp_get_num_procs() };
            let cores = u32::try_from(cores).unwrap_or(1);
            // The owner is not counted.
            let count = (cores + 2).saturating_sub(threads).max(2);
            if !are_to_be_had(count) {
                return None;
            }
            let (stay, left) = channel::<()>();
            let (gathered, wait) = channel::<()>();
            let owner = Builder::new().name("hearth-crowd".into()).spawn(move || {
                // SAFETY: the work takes no data and does nothing. The threads belong to this one and end with it.
                unsafe { GOMP_parallel(nothing, std::ptr::null_mut(), count, 0) };
                drop(gathered);
                // Nothing is ever sent: this waits for the other end to be dropped.
                while left.recv().is_ok() {}
            });
            let owner = owner.ok()?;
            while wait.recv().is_ok() {}
            Some(Self {
                stay: Some(stay),
                owner: Some(owner),
            })
        }
    }

    /// Whether the system gives so many threads: libgomp ends the process where it does not.
    fn are_to_be_had(count: u32) -> bool {
        let gate = Arc::new(Mutex::new(()));
        // All are there at once, until it opens.
        let _closed = gate.lock();
        let threads = (0..count).map(|_| {
            let gate = Arc::clone(&gate);
            Builder::new().spawn(move || drop(gate.lock()))
        });
        threads.collect::<std::io::Result<Vec<_>>>().is_ok()
    }

    impl Drop for Crowd {
        fn drop(&mut self) {
            self.stay = None;
            if let Some(owner) = self.owner.take() {
                drop(owner.join());
            }
        }
    }
}

/// Other systems' threads wait as their own OpenMP, or ggml, has it.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod crowd {
    pub(super) struct Crowd;

    impl Crowd {
        pub(super) fn gather(_: u32) -> Option<Self> {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_spin_while_the_cores_are_theirs() {
        let cases = [
            (false, 0.0, true),
            (false, 0.05, false),
            (true, 0.05, true),
            (true, 0.1, false),
            (false, 1.0, false),
        ];
        for (spins, waited, expected) in cases {
            assert_eq!(may_spin(spins, waited), expected, "{spins} {waited}");
        }
    }

    #[test]
    fn what_waking_takes_is_no_waiting() {
        let waits = |milliseconds, count| Waits {
            time: Duration::from_millis(milliseconds),
            count,
        };
        let cases = [
            (waits(10, 100), waits(10, 100), 0),
            (waits(10, 100), waits(14, 600), 0),
            (waits(10, 100), waits(40, 110), 29_900),
            // Threads that ended have taken theirs with them.
            (waits(10, 100), waits(5, 50), 0),
        ];
        for (before, now, expected) in cases {
            assert_eq!(before.until(now), Duration::from_micros(expected));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_kernel_s_figures_are_read() {
        let waits = Waits {
            time: Duration::from_nanos(456),
            count: 7,
        };
        assert_eq!(read("123 456 7\n"), Some(waits));
        assert_eq!(read("\n"), None);
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn a_crowd_comes_and_goes() {
        // Its threads have their owner's name.
        let count = || {
            let tasks = std::fs::read_dir("/proc/self/task").expect("/proc");
            let names = tasks.flatten().map(|task| task.path().join("comm"));
            let names = names.filter_map(|name| std::fs::read_to_string(name).ok());
            names.filter(|name| name.trim() == "hearth-crowd").count()
        };
        let crowd = Crowd::gather(2);
        assert!(count() >= 2, "the owner, and one at least beside it");
        drop(crowd);
        // libgomp does not wait for the ends of its threads.
        let begun = Instant::now();
        while count() > 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "they stay");
            std::thread::yield_now();
        }
        assert!(Crowd::gather(1).is_none(), "one thread waits for nobody");
    }
}
