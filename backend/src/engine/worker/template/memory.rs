//! How much memory the process has to itself.

/// Bytes of memory that are no file's, as far as the system tells: on Linux, from `/proc`. Elsewhere a template's
/// use of memory is bounded by its time alone.
pub(super) fn private_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    read(&status)
}

/// The anonymous part of what is in memory, out of the text of `/proc/self/status`.
fn read(status: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_anonymous_part_is_read() {
        let status = "Name:\thearth\nVmRSS:\t  300000 kB\nRssAnon:\t  123456 kB\nRssFile:\t 1 kB\n";
        assert_eq!(read(status), Some(123_456 * 1024));
        assert_eq!(read("Name:\thearth\n"), None);
        assert_eq!(read("RssAnon:\t many kB\n"), None);
    }
}
