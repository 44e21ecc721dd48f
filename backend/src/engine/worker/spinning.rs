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

use std::time::Duration;

use self::crowd::Crowd;

/// Computing between two looks at the cores.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Share of its time that all threads together may wait for a core, for them to begin to spin.
const FREE: f64 = 0.05;

/// And for them to go on.
const CONTENDED: f64 = 0.15;

/// Decides for all threads of this process.
pub(super) struct Spinning {
    /// Keeps the threads from spinning; `None` while they may.
    crowd: Option<Crowd>,
    /// Threads that compute together.
    threads: u32,
    /// Computed since the last look.
    computed: Duration,
    /// What the threads have waited for a core until the last look; `None` where the system does not say.
    waited: Option<Duration>,
}

impl Spinning {
    /// So many threads will compute together; until the cores are known to be free, none spins.
    pub(super) fn new(threads: u32) -> Self {
        Self {
            crowd: Crowd::gather(threads),
            threads,
            computed: Duration::ZERO,
            waited: waited(),
        }
    }

    /// They have computed for so long.
    pub(super) fn computed(&mut self, took: Duration) {
        self.computed += took;
        if self.computed < LOOK_EVERY {
            return;
        }
        let now = waited();
        if let (Some(before), Some(now)) = (self.waited, now) {
            let share = now.saturating_sub(before).div_duration_f64(self.computed);
            if may_spin(self.crowd.is_none(), share) {
                self.crowd = None;
            } else if self.crowd.is_none() {
                self.crowd = Crowd::gather(self.threads);
            }
        }
        self.computed = Duration::ZERO;
        self.waited = now;
    }
}

/// Whether to spin where the threads waited for this share of the time, together.
fn may_spin(spins: bool, waited: f64) -> bool {
    waited <= if spins { CONTENDED } else { FREE }
}

/// How long the threads of this process were ready to run and had no core: `run_delay` of the kernel's `schedstat`.
#[cfg(target_os = "linux")]
fn waited() -> Option<Duration> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let mut sum = 0;
    for task in tasks.flatten() {
        // One that has ended meanwhile has nothing to say.
        if let Ok(text) = std::fs::read_to_string(task.path().join("schedstat")) {
            sum += run_delay(&text)?;
        }
    }
    // A kernel without these figures lists none, and a thread that runs has had to wait at least once.
    (sum > 0).then(|| Duration::from_nanos(sum))
}

#[cfg(not(target_os = "linux"))]
fn waited() -> Option<Duration> {
    None
}

/// The second of a thread's three figures, in nanoseconds.
#[cfg(target_os = "linux")]
fn run_delay(schedstat: &str) -> Option<u64> {
    schedstat.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod crowd {
    //! Threads of OpenMP that do nothing.

    use std::ffi::{c_int, c_uint, c_void};
    use std::sync::mpsc::{Sender, channel};
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
        /// there is only one of these, which waits for nobody, or where the system gives no thread.
        pub(super) fn gather(threads: u32) -> Option<Self> {
            if threads < 2 {
                return None;
            }
            // SAFETY: it only reads a number.
            let cores = unsafe { omp_get_num_procs() };
            let cores = u32::try_from(cores).unwrap_or(1);
            // The owner is not counted.
            let count = (cores + 2).saturating_sub(threads).max(2);
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
            (false, 0.1, false),
            (true, 0.1, true),
            (true, 0.2, false),
            (false, 2.0, false),
        ];
        for (spins, waited, expected) in cases {
            assert_eq!(may_spin(spins, waited), expected, "{spins} {waited}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_kernel_s_figures_are_read() {
        assert_eq!(run_delay("123 456 7\n"), Some(456));
        assert_eq!(run_delay("\n"), None);
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
        assert_eq!(count(), 0);
        assert!(Crowd::gather(1).is_none(), "one thread waits for nobody");
    }
}
