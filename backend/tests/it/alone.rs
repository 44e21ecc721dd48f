//! A test in a process of its own, whose memory no other test takes, and how much that is.

use std::process::Command;

/// Set in a process that runs one test alone.
const ALONE: &str = "HEARTH_TEST_ALONE";

/// Whether this process is the test's own; where it is not, the test has been run in one.
pub(crate) fn alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    let status = command
        .args([test, "--exact", "--nocapture"])
        .env(ALONE, "1")
        .status();
    assert!(status.expect("it starts").success(), "{test} failed");
    false
}

/// Bytes of main memory that a process takes; none where the system does not tell it in Linux' way.
pub(crate) fn resident(process: u32) -> u64 {
    if !cfg!(target_os = "linux") {
        return 0;
    }
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes
        .and_then(|number| number.parse::<u64>().ok())
        .expect("a number")
        << 10
}
