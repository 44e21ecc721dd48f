//! Moments as a person at this computer reads them.

use hearth_protocol::UnixMillis;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// This moment.
pub(crate) fn now() -> UnixMillis {
    UnixMillis(Timestamp::now().as_millisecond())
}

/// A day with its time to the minute: `2026-03-04 05:06`.
pub(crate) fn minute(at: UnixMillis) -> String {
    shown(at, "%Y-%m-%d %H:%M")
}

/// A day with its time to the millisecond: `2026-03-04 05:06:07.089`.
pub(crate) fn millisecond(at: UnixMillis) -> String {
    shown(at, "%Y-%m-%d %H:%M:%S%.3f")
}

fn shown(at: UnixMillis, format: &str) -> String {
    match Timestamp::from_millisecond(at.0) {
        Ok(time) => time.to_zoned(TimeZone::system()).strftime(format).to_string(),
        // No moment that a calendar knows.
        Err(_) => "-".to_owned(),
    }
}
