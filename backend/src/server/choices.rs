//! Several answers to one request: how many there may be, and what tells them apart.

use hearth_protocol::completion::CompletionRequest;

use super::refusal::Refusal;

/// Most answers to one request: as many as wait for a model at most, so that a request can be carried out at all.
pub(super) const MOST_CHOICES: u32 = 64;

/// Most bytes that the model's process may be sent for one request, once for each answer.
const MOST_BYTES: usize = 256 << 20;

/// Checks how many answers are asked for, each to so many prompts.
///
/// # Errors
/// Names the field where it is none or they are too many.
pub(super) fn check(field: &str, choices: u32, prompts: usize, body: usize) -> Result<u32, Refusal> {
    let count = u64::from(choices) * prompts as u64;
    if choices == 0 || count > u64::from(MOST_CHOICES) {
        let problem = format!(
            "is {choices} for {prompts} prompts; it must be 1 or more, and all answers together at most {MOST_CHOICES}"
        );
        return Err(Refusal::field(field, problem));
    }
    if count > 1 && body.saturating_mul(choices as usize) > MOST_BYTES {
        let problem = format!("is {choices}, which is too many for a request as long as this one");
        return Err(Refusal::field(field, problem));
    }
    Ok(choices)
}

/// The same request once for each answer, each with a draw of its own.
pub(super) fn copies(request: &CompletionRequest, choices: u32) -> impl Iterator<Item = CompletionRequest> {
    (0..choices).map(|choice| {
        let mut request = request.clone();
        request.sampling.seed = request.sampling.seed.map(|seed| seed.wrapping_add(choice));
        request
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of prompts as long as a body may be once became as many requests.
    #[test]
    fn answers_have_a_limit_over_all_prompts_and_bytes() {
        let cases = [
            ((1, 1, 100), true),
            ((64, 1, 100), true),
            ((65, 1, 100), false),
            ((0, 1, 100), false),
            ((1, 65, 100), false),
            ((2, 16_000_000, 100), false),
            ((1, 1, 64 << 20), true),
            ((5, 1, 64 << 20), false),
        ];
        for ((choices, prompts, body), is_fine) in cases {
            let checked = check("n", choices, prompts, body);
            assert_eq!(checked.is_ok(), is_fine, "{choices} {prompts} {body}");
        }
    }
}
