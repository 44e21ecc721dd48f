//! Moments in a person's day: the labels and the groups of the list of chats.
//!
//! Knows no clock. The present and the time zone are handed in.

use hearth_protocol::UnixMillis;
use jiff::Zoned;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The present, where the person is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Present {
    /// The moment.
    pub(crate) now: UnixMillis,
    /// The time zone.
    pub(crate) zone: TimeZone,
}

impl Present {
    /// `14:32`.
    pub(crate) fn clock(&self, at: UnixMillis) -> String {
        self.local(at)
            .map_or_else(String::new, |at| at.strftime("%H:%M").to_string())
    }

    /// `14:32:05`.
    pub(crate) fn clock_to_the_second(&self, at: UnixMillis) -> String {
        self.local(at)
            .map_or_else(String::new, |at| at.strftime("%H:%M:%S").to_string())
    }

    /// `14:32` today and yesterday, `Tue` within a week, `12 Oct` within the year, then `12 Oct 2025`.
    pub(crate) fn label(&self, at: UnixMillis) -> String {
        let (Some(at), Some(today)) = (self.local(at), self.today()) else {
            return String::new();
        };
        let format = match days_before(today, at.date()) {
            ..=1 => "%H:%M",
            2..=6 => "%a",
            _ if at.year() == today.year() => "%-d %b",
            _ => "%-d %b %Y",
        };
        at.strftime(format).to_string()
    }

    /// The title of the group it belongs to: `Today`, `Yesterday`, `Last week` up to seven days ago, then `October`
    /// within the year and `October 2025` before it. What lies ahead, as after a clock was set back, counts as today.
    pub(crate) fn group(&self, at: UnixMillis) -> String {
        let (Some(at), Some(today)) = (self.local(at), self.today()) else {
            return "Earlier".into();
        };
        match days_before(today, at.date()) {
            ..=0 => "Today".into(),
            1 => "Yesterday".into(),
            2..=7 => "Last week".into(),
            _ if at.year() == today.year() => at.strftime("%B").to_string(),
            _ => at.strftime("%B %Y").to_string(),
        }
    }

    /// The day; `None` where no calendar holds the moment.
    pub(super) fn today(&self) -> Option<Date> {
        self.local(self.now).map(|now| now.date())
    }

    /// `None` for a moment that no calendar holds.
    fn local(&self, at: UnixMillis) -> Option<Zoned> {
        let at = jiff::Timestamp::from_millisecond(at.0).ok()?;
        Some(at.to_zoned(self.zone.clone()))
    }
}

/// How many midnights lie between; negative for a day ahead.
fn days_before(today: Date, day: Date) -> i32 {
    day.until(today).map_or(0, |span| span.get_days())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn at(text: &str) -> UnixMillis {
        let at: Zoned = text.parse().expect("a moment");
        UnixMillis(at.timestamp().as_millisecond())
    }

    #[test]
    fn chats_are_grouped_and_labelled_by_the_days_of_the_zone() {
        let zone = TimeZone::get("Europe/Berlin").expect("zone");
        let present = Present {
            now: at("2026-10-14T14:40:00[Europe/Berlin]"),
            zone,
        };
        let moments = [
            "2026-10-15T09:00:00[Europe/Berlin]",
            "2026-10-14T14:32:00[Europe/Berlin]",
            "2026-10-14T00:00:00[Europe/Berlin]",
            "2026-10-13T23:59:59[Europe/Berlin]",
            "2026-10-12T12:00:00[Europe/Berlin]",
            "2026-10-08T12:00:00[Europe/Berlin]",
            "2026-10-07T12:00:00[Europe/Berlin]",
            "2026-10-06T12:00:00[Europe/Berlin]",
            "2026-03-01T12:00:00[Europe/Berlin]",
            "2025-10-12T12:00:00[Europe/Berlin]",
        ];
        let lines: Vec<_> = moments
            .iter()
            .map(|moment| {
                let at = at(moment);
                format!("{} | {}\n", present.group(at), present.label(at))
            })
            .collect();
        expect![[r#"
            Today | 09:00
            Today | 14:32
            Today | 00:00
            Yesterday | 23:59
            Last week | Mon
            Last week | Thu
            Last week | 7 Oct
            October | 6 Oct
            March | 1 Mar
            October 2025 | 12 Oct 2025
        "#]]
        .assert_eq(&lines.concat());
    }

    #[test]
    fn a_moment_outside_every_calendar_is_no_fault() {
        let present = Present {
            now: UnixMillis(0),
            zone: TimeZone::UTC,
        };
        assert_eq!(present.group(UnixMillis(i64::MAX)), "Earlier");
        assert_eq!(present.label(UnixMillis(i64::MIN)), "");
        assert_eq!(present.clock(UnixMillis(52_320_000)), "14:32");
    }
}
