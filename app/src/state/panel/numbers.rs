//! Numbers as they stand in fields, and what is wrong with those that were typed.

use super::parameter::{Parameter, Shape};
use super::problem::Problem;
use crate::state::format;

/// Digits behind the point that are always shown of a number that is not whole.
const DIGITS: usize = 2;

/// A value as it stands in its field; empty for none.
pub(crate) fn text(parameter: Parameter, value: Option<f64>) -> String {
    let Some(value) = value else {
        return String::new();
    };
    match parameter {
        Parameter::Seed => format!("{value:.0}"),
        _ if parameter.shape().whole => format::count(value as u64),
        // The shortest digits that give this `f32` again: 0.8 and not 0.800000011920929.
        _ => with_digits(&(value as f32).to_string()),
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
    let shape = parameter.shape();
    // A comma may stand for the point, and spaces between thousands.
    let digits: String = text.split_whitespace().collect();
    let digits = digits.replace(',', ".").replace('\u{2212}', "-");
    if digits.is_empty() && shape.empty.is_some() {
        return Ok(None);
    }
    let (from, to) = ends(parameter, shape);
    let number = digits.parse().ok().filter(|number: &f64| number.is_finite());
    let Some(number) = number.filter(|number| !shape.whole || number.fract() == 0.0) else {
        return Err(match shape.whole {
            true => Problem::NoWholeNumber(from, to),
            false => Problem::NoNumber(from, to),
        });
    };
    let (least, most) = shape.range;
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

/// The least and the most, as short as they can be written.
fn ends(parameter: Parameter, shape: Shape) -> (String, String) {
    let (least, most) = shape.range;
    let short = |value| match text(parameter, Some(value)) {
        number if number.contains('.') => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        number => number,
    };
    (short(least), short(most))
}
