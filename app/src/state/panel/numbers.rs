//! Numbers as they stand in fields, and what is wrong with those that were typed.

use super::parameter::{Parameter, Shape};
use super::problem::Problem;
use crate::state::format;

/// Digits behind the point that are always shown of a number that is not whole.
const DIGITS: usize = 2;

/// A value as it stands in its field; empty for none.
pub(crate) fn text(parameter: Parameter, value: Option<f64>) -> String {
    match (parameter, value) {
        (Parameter::Seed, Some(value)) => format!("{value:.0}"),
        _ => text_as(&parameter.shape(), value),
    }
}

/// The same for a number of this shape.
pub(crate) fn text_as(shape: &Shape, value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if shape.whole => format::count(value as u64),
        // The shortest digits that give this `f32` again: 0.8 and not 0.800000011920929.
        Some(value) => with_digits(&(value as f32).to_string()),
    }
}

fn with_digits(number: &str) -> String {
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let dot = if digits == 0 { "." } else { "" };
    let zeros = "0".repeat(DIGITS.saturating_sub(digits));
    format!("{number}{dot}{zeros}")
}

/// What was typed, as a value of this number; `None` of the value is an empty field that may be empty.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read(parameter: Parameter, text: &str) -> Result<Option<f64>, Problem> {
    read_with(&parameter.shape(), text, |value| {
        self::text(parameter, Some(value))
    })
}

/// The same for a number of this shape.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read_as(shape: &Shape, text: &str) -> Result<Option<f64>, Problem> {
    read_with(shape, text, |value| text_as(shape, Some(value)))
}

fn read_with(shape: &Shape, text: &str, say: impl Fn(f64) -> String) -> Result<Option<f64>, Problem> {
    // A comma may stand for the point, and spaces between thousands.
    let digits: String = text.split_whitespace().collect();
    let digits = digits.replace(',', ".").replace('\u{2212}', "-");
    if digits.is_empty() && shape.empty.is_some() {
        return Ok(None);
    }
    let (least, most) = shape.range;
    let (from, to) = (short(say(least)), short(say(most)));
    let number = digits.parse().ok().filter(|number: &f64| number.is_finite());
    let Some(number) = number.filter(|number| !shape.whole || number.fract() == 0.0) else {
        return Err(match shape.whole {
            true => Problem::NoWholeNumber(from, to),
            false => Problem::NoNumber(from, to),
        });
    };
    // As it will be kept: what rounds to the end is the end.
    let kept = if shape.whole {
        number
    } else {
        f64::from(number as f32)
    };
    if !(f64::from(least as f32)..=most).contains(&kept) {
        return Err(Problem::OutOfRange(from, to));
    }
    Ok(Some(number))
}

/// A number as short as it can be written.
fn short(number: String) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number,
    }
}
