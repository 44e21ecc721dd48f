//! Numbers, sizes and the stats line as a person reads them.
//!
//! A no-break space groups thousands and stands before units, so that no number is torn apart.

use std::time::Duration;

use hearth_protocol::ByteSize;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::settings::Language;

use crate::text::{Key, Texts, key, say};

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
pub(crate) fn size(texts: &Texts, size: ByteSize) -> String {
    decimal(texts, &size.to_string()).replace(' ', &SPACE.to_string())
}

/// A number of parameters: `8.2 B`, `137 M`, `260 k`.
pub(crate) fn parameters(texts: &Texts, count: u64) -> String {
    let count = count as f64;
    match count {
        ..999_500.0 => say!(texts, "number-thousands", number = format!("{:.0}", count / 1e3)),
        ..999_500_000.0 => say!(texts, "number-millions", number = format!("{:.0}", count / 1e6)),
        _ => {
            let billions = count / 1e9;
            let digits = usize::from(billions < 99.95 && (billions * 10.0).round() % 10.0 != 0.0);
            let number = decimal(texts, &format!("{billions:.digits$}"));
            say!(texts, "number-billions", number = number)
        }
    }
}

/// A share of a size, in the unit of the whole: `4.53 of 7.30 GB`.
pub(crate) fn part_of_size(texts: &Texts, share: f32, whole: ByteSize) -> String {
    let text = whole.to_string();
    let number = text.split(' ').next().unwrap_or_default();
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let part = number.parse::<f64>().unwrap_or_default() * f64::from(share.clamp(0.0, 1.0));
    let part = decimal(texts, &format!("{part:.digits$}"));
    say!(texts, "number-part", part = part, whole = size(texts, whole))
}

/// `1 token`, `1 842 tokens`.
pub(crate) fn tokens(texts: &Texts, number: u32) -> String {
    let grouped = count(u64::from(number));
    say!(texts, "number-tokens", count = number, number = grouped)
}

/// A time: `3.2 s`.
pub(crate) fn seconds(texts: &Texts, time: Duration) -> String {
    let seconds = decimal(texts, &format!("{:.1}", time.as_secs_f64()));
    say!(texts, "number-seconds", seconds = seconds)
}

/// A speed: `61.3 tok/s`.
pub(crate) fn speed(texts: &Texts, tokens_per_second: f64) -> String {
    let speed = decimal(texts, &format!("{tokens_per_second:.1}"));
    say!(texts, "stats-speed", speed = speed)
}

/// A speed of a transfer: `48.2 MB/s`.
pub(crate) fn transfer_speed(texts: &Texts, bytes_per_second: f64) -> String {
    // As `as` has it, what is no number is 0.
    format!("{}/s", size(texts, ByteSize(bytes_per_second as u64)))
}

/// A time that is guessed, in its largest unit: `46 s`, `8 min`, `3 h`. Rounds up, since a wait is not over before it is.
pub(crate) fn rough_time(seconds: u64) -> String {
    let (number, unit) = match seconds {
        ..60 => (seconds, "s"),
        60..3_600 => (seconds.div_ceil(60), "min"),
        _ => (seconds.div_ceil(3_600), "h"),
    };
    format!("{number}{SPACE}{unit}")
}

/// A number with the decimal mark of the language.
pub(super) fn decimal(texts: &Texts, number: &str) -> String {
    match texts.language() {
        Language::English => number.to_owned(),
        Language::German => number.replace('.', ","),
    }
}

/// What an answer cost and why it ended: `61.3 tok/s · 128 tokens · TTFT 0.21 s · stop: end of text`. What was not
/// measured is left out; empty where nothing is known.
pub(crate) fn stats_line(texts: &Texts, stats: Option<&TurnStats>, stop: Option<&StopReason>) -> String {
    let mut parts = Vec::new();
    if let Some(stats) = stats {
        if stats.generated_tokens_per_second > 0.0 {
            parts.push(speed(texts, stats.generated_tokens_per_second));
        }
        parts.push(tokens(texts, stats.generated_tokens));
        if stats.time_to_first_token_ms > 0.0 {
            let seconds = format!("{:.2}", stats.time_to_first_token_ms / 1000.0);
            let time = say!(texts, "number-seconds", seconds = decimal(texts, &seconds));
            parts.push(say!(texts, "stats-first-token", time = time));
        }
    }
    if let Some(stop) = stop {
        let reason = texts.say(stop_words(stop), &[]);
        parts.push(say!(texts, "stats-stop", reason = reason));
    }
    parts.join(SEPARATOR)
}

fn stop_words(stop: &StopReason) -> Key {
    match stop {
        StopReason::EndOfText => key!("stop-end-of-text"),
        StopReason::StopString { .. } => key!("stop-string"),
        StopReason::TokenLimit => key!("stop-token-limit"),
        StopReason::ContextFull => key!("stop-context-full"),
        StopReason::ToolCalls => key!("stop-tool-calls"),
        StopReason::UserStopped => key!("stop-by-person"),
        StopReason::ModelEjected => key!("stop-ejected"),
        StopReason::Failed { .. } => key!("stop-failed"),
    }
}

/// The same while the answer is written: `58.7 tok/s · 96 tokens`. The first token tells no speed yet.
pub(crate) fn live_stats_line(texts: &Texts, written: u32, millis_since_first: i64) -> String {
    let mut parts = Vec::new();
    if written > 1 && millis_since_first > 0 {
        let speed_so_far = f64::from(written - 1) * 1000.0 / millis_since_first as f64;
        parts.push(speed(texts, speed_so_far));
    }
    parts.push(tokens(texts, written));
    parts.join(SEPARATOR)
}

/// How far a prompt is read: `7 168 of 11 302 tokens · 63 %`.
pub(crate) fn prompt_progress(texts: &Texts, processed: u32, total: u32) -> String {
    let share = share(processed, total);
    let part = say!(
        texts,
        "number-part",
        part = count(u64::from(processed)),
        whole = tokens(texts, total),
    );
    format!("{part}{SEPARATOR}{}", percent(share))
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

    fn english() -> Texts {
        Texts::default()
    }

    fn plain(text: &str) -> String {
        text.replace(SPACE, "~")
    }

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (8192, "8~192"), (1_234_567, "1~234~567")] {
            assert_eq!(plain(&count(number)), text);
        }
        assert_eq!(plain(&tokens(&english(), 1)), "1~token");
        assert_eq!(plain(&tokens(&english(), 1842)), "1~842~tokens");
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
        assert_eq!(plain(&size(&english(), ByteSize(5_030_000_000))), "5.03~GB");
        assert_eq!(
            plain(&part_of_size(&english(), 0.62, ByteSize(7_300_000_000))),
            "4.53 of 7.30~GB"
        );
        assert_eq!(
            plain(&part_of_size(&english(), 0.5, ByteSize(98_362_432))),
            "49.2 of 98.4~MB"
        );
        assert_eq!(plain(&part_of_size(&english(), 0.5, ByteSize(10))), "5 of 10~B");
    }

    #[test]
    fn transfers_have_a_speed_and_a_rough_end() {
        for (speed, text) in [(48_200_000.0, "48.2~MB/s"), (0.0, "0~B/s"), (f64::NAN, "0~B/s")] {
            assert_eq!(plain(&transfer_speed(&english(), speed)), text);
        }
        let cases = [
            (0, "0~s"),
            (59, "59~s"),
            (60, "1~min"),
            (61, "2~min"),
            (3_599, "60~min"),
            (3_600, "1~h"),
            (9_000, "3~h"),
        ];
        for (seconds, text) in cases {
            assert_eq!(plain(&rough_time(seconds)), text);
        }
    }

    #[test]
    fn numbers_are_said_in_their_language() {
        let german = Texts::of(Language::German);
        let stats = TurnStats {
            generated_tokens: 1842,
            generated_tokens_per_second: 61.28,
            time_to_first_token_ms: 212.0,
            ..TurnStats::default()
        };
        let line = stats_line(&german, Some(&stats), Some(&StopReason::TokenLimit));
        assert_eq!(
            plain(&line),
            "61,3~Token/s · 1~842~Token · erstes Token nach 0,21~s · Ende: Längengrenze"
        );
        assert_eq!(
            plain(&part_of_size(&german, 0.62, ByteSize(7_300_000_000))),
            "4,53 von 7,30~GB"
        );
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
            assert_eq!(plain(&stats_line(&english(), stats, stop.as_ref())), text);
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
            assert_eq!(plain(&live_stats_line(&english(), written, millis)), text);
        }
    }

    #[test]
    fn the_progress_of_a_prompt_has_both_numbers() {
        assert_eq!(
            plain(&prompt_progress(&english(), 7168, 11_302)),
            "7~168 of 11~302~tokens · 63~%"
        );
        assert_eq!(plain(&prompt_progress(&english(), 0, 0)), "0 of 0~tokens · 0~%");
        assert_eq!(plain(&prompt_progress(&english(), 9, 3)), "9 of 3~tokens · 100~%");
    }
}
