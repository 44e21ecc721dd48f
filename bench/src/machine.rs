//! What the system says of this machine and of a process (Linux's `/proc`; elsewhere these figures are missing).

use std::time::Duration;

use anyhow::Context;

/// Clock ticks a second in `/proc/PID/stat`: Linux tells user space 100 on every processor (`USER_HZ`).
const TICKS_PER_SECOND: f64 = 100.0;

/// Processor and cores, for the foot of the table.
pub(crate) fn describe() -> String {
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        line.split_once(": ").map(|(_, name)| name.trim().to_owned())
    });
    let processor = processor.as_deref().unwrap_or("an unknown processor");
    let (cores, system) = (num_cpus::get_physical(), std::env::consts::OS);
    format!("{processor}, {cores} cores, {system}")
}

/// Processes that ran or waited to run, as a mean of the last minute.
pub(crate) fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// Processor time that a process has used so far, all its threads together, in steps of 10 ms.
///
/// # Errors
/// Where the system does not tell.
pub(crate) fn processor_time(process: u32) -> anyhow::Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))?;
    ticks(&text)
        .map(|ticks| Duration::from_secs_f64(ticks / TICKS_PER_SECOND))
        .with_context(|| format!("{path} has another form"))
}

/// `utime` and `stime`, the fields 14 and 15. The name before them may hold spaces and ends with a bracket.
fn ticks(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

/// Bytes of a process that are in memory, the mapped model file included.
///
/// # Errors
/// Where the system does not tell.
pub(crate) fn resident_bytes(process: u32) -> anyhow::Result<u64> {
    let path = format!("/proc/{process}/status");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))?;
    resident(&text).with_context(|| format!("{path} has another form"))
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_proc_are_found() {
        let stat = "42 (a name) b) S 1 42 42 0 -1 4194560 500 0 0 0 120 30 0 0 20 0 3 0 1000 0 0";
        assert_eq!(ticks(stat), Some(150.0));
        assert_eq!(ticks("42 (cut"), None);
        let status = "Name:\tx\nVmHWM:\t  900 kB\nVmRSS:\t  512 kB\nThreads:\t3\n";
        assert_eq!(resident(status), Some(512 * 1024));
        assert_eq!(resident("Name:\tx\n"), None);
    }
}
