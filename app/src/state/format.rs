//! Numbers, sizes and the stats line as a person reads them.
//!
//! A no-break space groups thousands and stands before units, so that no number is torn apart.

use std::time::Duration;

use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{ByteSize, Error};

/// The space that does not break.
const SPACE: char = '\u{a0}';
/// Between the parts of a line.
const SEPARATOR: &str = " · ";

/// Groups thousands: `8 192`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(SPACE);
        }
        grouped.push(digit);
    }
    grouped
}

/// A share from 0.0 to 1.0: `62 %`. Rounds down, since work is not done before it is done.
pub(crate) fn percent(share: f32) -> String {
    let share = if share.is_nan() {
        0.0
    } else {
        share.clamp(0.0, 1.0)
    };
    format!("{}{SPACE}%", (share * 100.0).floor())
}

/// A size: `5.03 GB`.
pub(crate) fn size(size: ByteSize) -> String {
    size.to_string().replace(' ', &SPACE.to_string())
}

/// A share of a size, in the unit of the whole: `4.53 of 7.30 GB`.
pub(crate) fn part_of_size(share: f32, whole: ByteSize) -> String {
    let text = whole.to_string();
    let Some((number, unit)) = text.split_once(' ') else {
        return text;
    };
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let part = number.parse::<f64>().unwrap_or_default() * f64::from(share.clamp(0.0, 1.0));
    format!("{part:.digits$} of {number}{SPACE}{unit}")
}

/// `1 token`, `1 842 tokens`.
pub(crate) fn tokens(number: u32) -> String {
    let unit = if number == 1 { "token" } else { "tokens" };
    format!("{}{SPACE}{unit}", count(u64::from(number)))
}

/// A time: `3.2 s`.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1}{SPACE}s", time.as_secs_f64())
}

/// A speed: `61.3 tok/s`.
pub(crate) fn speed(tokens_per_second: f64) -> String {
    format!("{tokens_per_second:.1}{SPACE}tok/s")
}

/// What an answer cost and why it ended: `61.3 tok/s · 128 tokens · TTFT 0.21 s · stop: end of text`. What was not
/// measured is left out; empty where nothing is known.
pub(crate) fn stats_line(stats: Option<&TurnStats>, stop: Option<&StopReason>) -> String {
    let mut parts = Vec::new();
    if let Some(stats) = stats {
        if stats.generated_tokens_per_second > 0.0 {
            parts.push(speed(stats.generated_tokens_per_second));
        }
        parts.push(tokens(stats.generated_tokens));
        if stats.time_to_first_token_ms > 0.0 {
            parts.push(format!(
                "TTFT {:.2}{SPACE}s",
                stats.time_to_first_token_ms / 1000.0
            ));
        }
    }
    if let Some(stop) = stop {
        parts.push(format!("stop: {stop}"));
    }
    parts.join(SEPARATOR)
}

/// The same while the answer is written: `58.7 tok/s · 96 tokens`. The first token tells no speed yet.
pub(crate) fn live_stats_line(written: u32, millis_since_first: i64) -> String {
    let mut parts = Vec::new();
    if written > 1 && millis_since_first > 0 {
        parts.push(speed(f64::from(written - 1) * 1000.0 / millis_since_first as f64));
    }
    parts.push(tokens(written));
    parts.join(SEPARATOR)
}

/// How far a prompt is read: `7 168 of 11 302 tokens · 63 %`.
pub(crate) fn prompt_progress(processed: u32, total: u32) -> String {
    let share = share(processed, total);
    format!(
        "{} of {}{SEPARATOR}{}",
        count(u64::from(processed)),
        tokens(total),
        percent(share)
    )
}

/// What went wrong, below a title that says already what did not work: `The model did not load` leads no second time.
pub(crate) fn reason(error: &Error) -> String {
    match error {
        Error::LoadFailed { reason, .. } => {
            let mut rest = reason.chars();
            let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
            format!("{first}{}.", rest.as_str())
        }
        _ => error.to_string(),
    }
}

/// `part` of `whole` from 0.0 to 1.0; 0.0 of nothing.
pub(crate) fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 {
        return 0.0;
    }
    (f64::from(part) / f64::from(whole)).clamp(0.0, 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        text.replace(SPACE, "~")
    }

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (8192, "8~192"), (1_234_567, "1~234~567")] {
            assert_eq!(plain(&count(number)), text);
        }
        assert_eq!(plain(&tokens(1)), "1~token");
        assert_eq!(plain(&tokens(1842)), "1~842~tokens");
    }

    #[test]
    fn nothing_is_done_before_it_is_done() {
        let cases = [
            (0.0, "0~%"),
            (0.625, "62~%"),
            (0.9999, "99~%"),
            (1.0, "100~%"),
            (7.0, "100~%"),
            (f32::NAN, "0~%"),
        ];
        for (share, text) in cases {
            assert_eq!(plain(&percent(share)), text);
        }
    }

    #[test]
    fn sizes_keep_their_unit() {
        assert_eq!(plain(&size(ByteSize(5_030_000_000))), "5.03~GB");
        assert_eq!(
            plain(&part_of_size(0.62, ByteSize(7_300_000_000))),
            "4.53 of 7.30~GB"
        );
        assert_eq!(plain(&part_of_size(0.5, ByteSize(98_362_432))), "49.2 of 98.4~MB");
        assert_eq!(plain(&part_of_size(0.5, ByteSize(10))), "5 of 10~B");
    }

    #[test]
    fn the_stats_line_leaves_out_what_was_not_measured() {
        let stats = TurnStats {
            generated_tokens: 128,
            generated_tokens_per_second: 61.28,
            time_to_first_token_ms: 212.0,
            ..TurnStats::default()
        };
        let one = TurnStats {
            generated_tokens: 1,
            ..TurnStats::default()
        };
        let cases = [
            (
                Some(&stats),
                Some(StopReason::EndOfText),
                "61.3~tok/s · 128~tokens · TTFT 0.21~s · stop: end of text",
            ),
            (None, Some(StopReason::UserStopped), "stop: stopped by you"),
            (Some(&one), None, "1~token"),
            (None, None, ""),
        ];
        for (stats, stop, text) in cases {
            assert_eq!(plain(&stats_line(stats, stop.as_ref())), text);
        }
    }

    #[test]
    fn the_speed_while_writing_counts_from_the_first_token() {
        let cases = [
            (0, 0, "0~tokens"),
            (1, 0, "1~token"),
            (2, 0, "2~tokens"),
            (96, 1618, "58.7~tok/s · 96~tokens"),
        ];
        for (written, millis, text) in cases {
            assert_eq!(plain(&live_stats_line(written, millis)), text);
        }
    }

    #[test]
    fn a_reason_does_not_repeat_its_title() {
        let load = |reason: &str| Error::LoadFailed {
            reason: reason.into(),
            log: vec![],
        };
        let cases = [
            (load("there is not enough memory"), "There is not enough memory."),
            (load(""), "."),
            (Error::Cancelled, "Cancelled."),
        ];
        for (error, text) in cases {
            assert_eq!(reason(&error), text);
        }
    }

    #[test]
    fn the_progress_of_a_prompt_has_both_numbers() {
        assert_eq!(
            plain(&prompt_progress(7168, 11_302)),
            "7~168 of 11~302~tokens · 63~%"
        );
        assert_eq!(plain(&prompt_progress(0, 0)), "0 of 0~tokens · 0~%");
        assert_eq!(plain(&prompt_progress(9, 3)), "9 of 3~tokens · 100~%");
    }
}
