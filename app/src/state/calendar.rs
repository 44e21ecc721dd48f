//! Moments in a person's day: the labels and the groups of the list of chats.
//!
//! Knows no clock. The present and the time zone are handed in.

use hearth_protocol::UnixMillis;
use jiff::Zoned;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::text::{Texts, say};

/// The present, where the person is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Present {
    /// The moment.
    pub(crate) now: UnixMillis,
    /// The time zone.
    pub(crate) zone: TimeZone,
    /// The language.
    pub(crate) texts: Texts,
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
        let (day, month, year) = (at.day(), at.month(), at.year());
        match days_before(today, at.date()) {
            ..=1 => at.strftime("%H:%M").to_string(),
            2..=6 => {
                let weekday = at.weekday().to_monday_one_offset();
                say!(self.texts, "date-weekday", weekday = weekday)
            }
            _ if year == today.year() => say!(self.texts, "date-day", day = day, month = month),
            // As a text, so that it is not grouped like a number.
            _ => say!(
                self.texts,
                "date-day-and-year",
                day = day,
                month = month,
                year = year.to_string()
            ),
        }
    }

    /// `Today, 14:32`, `Yesterday, 09:00`, then as [`Self::label`].
    pub(crate) fn moment(&self, at: UnixMillis) -> String {
        let days = match (self.local(at), self.today()) {
            (Some(at), Some(today)) => days_before(today, at.date()),
            _ => return String::new(),
        };
        match days {
            0 | 1 => format!("{}, {}", self.group(at), self.clock(at)),
            _ => self.label(at),
        }
    }

    /// The title of the group it belongs to: `Today`, `Yesterday`, `Last week` up to seven days ago, then `October`
    /// within the year and `October 2025` before it. What lies ahead, as after a clock was set back, counts as today.
    pub(crate) fn group(&self, at: UnixMillis) -> String {
        let (Some(at), Some(today)) = (self.local(at), self.today()) else {
            return say!(self.texts, "date-earlier");
        };
        let month = at.month();
        match days_before(today, at.date()) {
            ..=0 => say!(self.texts, "date-today"),
            1 => say!(self.texts, "date-yesterday"),
            2..=7 => say!(self.texts, "date-last-week"),
            _ if at.year() == today.year() => say!(self.texts, "date-month", month = month),
            _ => say!(
                self.texts,
                "date-month-and-year",
                month = month,
                year = at.year().to_string()
            ),
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
    use hearth_protocol::settings::Language;

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
            texts: Texts::default(),
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
    fn days_are_named_in_the_person_s_language() {
        let present = Present {
            now: at("2026-10-14T14:40:00[UTC]"),
            zone: TimeZone::UTC,
            texts: Texts::of(Language::German),
        };
        let cases = [
            ("2026-10-13T12:00:00[UTC]", "Gestern", "12:00"),
            ("2026-10-11T12:00:00[UTC]", "Letzte Woche", "So"),
            ("2026-03-01T12:00:00[UTC]", "März", "1. März"),
            ("2025-12-24T12:00:00[UTC]", "Dezember 2025", "24. Dez. 2025"),
        ];
        for (moment, group, label) in cases {
            let at = at(moment);
            assert_eq!((&*present.group(at), &*present.label(at)), (group, label));
        }
    }

    #[test]
    fn a_moment_outside_every_calendar_is_no_fault() {
        let present = Present {
            now: UnixMillis(0),
            zone: TimeZone::UTC,
            texts: Texts::default(),
        };
        assert_eq!(present.group(UnixMillis(i64::MAX)), "Earlier");
        assert_eq!(present.label(UnixMillis(i64::MIN)), "");
        assert_eq!(present.clock(UnixMillis(52_320_000)), "14:32");
    }
}
