//! The frames of a streamed completion.

use hearth_protocol::Error;
use hearth_protocol::answer::Logprobs;
use hearth_protocol::completion::{CompletionEvent, Piece};
use serde_json::{Value, json};

use super::whole::{Asked, probabilities, tokens};
use crate::server::format::llama_cpp;
use crate::server::llama_cpp::timings;
use crate::server::run::Whole;
use crate::server::sse::{Dialect, Frames};

/// Makes the frames.
pub(super) struct CompletionFrames {
    asked: Asked,
    answers: Vec<Answer>,
    clock: timings::Clock,
}

/// What is known of an answer.
#[derive(Default)]
struct Answer {
    whole: Whole,
    /// Tokens whose text has not come yet.
    pending: Vec<Logprobs>,
    /// Tokens told so far.
    told: usize,
    prompt_tokens: u32,
}

impl CompletionFrames {
    pub(super) fn new(asked: Asked) -> Self {
        Self {
            asked,
            answers: Vec::new(),
            clock: timings::Clock::default(),
        }
    }

    fn answer(&mut self, choice: u32) -> &mut Answer {
        let choice = choice as usize;
        if self.answers.len() <= choice {
            self.answers.resize_with(choice + 1, Answer::default);
        }
        &mut self.answers[choice]
    }

    /// More of an answer.
    fn more(&mut self, choice: u32, content: &str) -> Value {
        let (slot, n_probs, shows_timings) = (
            self.asked.slot(),
            self.asked.n_probs,
            self.asked.timings_per_token,
        );
        let timings = self.clock.so_far();
        let answer = self.answer(choice);
        let came = std::mem::take(&mut answer.pending);
        answer.told += came.len();
        let mut json = json!({
            "index": choice,
            "content": content,
            "tokens": tokens(&came),
            "stop": false,
            "id_slot": slot,
            "tokens_predicted": answer.told,
            "tokens_evaluated": answer.prompt_tokens,
        });
        if n_probs > 0 && !came.is_empty() {
            json["completion_probabilities"] = probabilities(&came);
        }
        if shows_timings {
            json["timings"] = json!(timings);
        }
        json
    }
}

impl Dialect for CompletionFrames {
    fn begin(&mut self, _frames: &mut Frames) {}

    fn take(&mut self, choice: u32, event: CompletionEvent, frames: &mut Frames) {
        self.clock.hear(&event);
        match &event {
            CompletionEvent::Piece(Piece::Text(text)) => {
                let text = text.clone();
                frames.data(&self.more(choice, &text));
            }
            CompletionEvent::Logprobs(tokens) => {
                self.answer(choice).pending.extend(tokens.iter().cloned());
                // Each told already: a long answer is not kept twice.
                return;
            }
            CompletionEvent::PromptProgress {
                processed,
                cached,
                total,
            } => {
                self.answer(choice).prompt_tokens = *total;
                if self.asked.progress {
                    let progress = self.clock.progress(*processed, *cached, *total);
                    let mut json = self.more(choice, "");
                    json["prompt_progress"] = json!(progress);
                    frames.data(&json);
                }
            }
            CompletionEvent::Finished { .. } => {
                let answer = self.answer(choice);
                // Tokens without a text of their own, such as half a character.
                let is_left = !answer.pending.is_empty();
                answer.whole.take(event);
                if is_left {
                    frames.data(&self.more(choice, ""));
                }
                let index = choice as usize;
                let whole = std::mem::take(&mut self.answer(choice).whole);
                let end = self.asked.end(index, &whole);
                frames.data(&self.asked.choose(end));
                return;
            }
            _ => (),
        }
        self.answer(choice).whole.take(event);
    }

    fn end(&mut self, _frames: &mut Frames) {}

    fn fail(&mut self, error: Error, frames: &mut Frames) {
        frames.data(&llama_cpp(&error.into()));
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::generate::StopReason;

    use super::*;
    use crate::server::told;

    #[test]
    fn each_piece_has_its_tokens_and_the_end_has_the_rest() {
        let progress = CompletionEvent::PromptProgress {
            processed: 2,
            cached: 1,
            total: 4,
        };
        let asked = Asked {
            progress: true,
            ..Asked::default()
        };
        let token = |id| told::token(id, b"a", -1.0);
        let events = vec![
            progress,
            token(1),
            token(2),
            told::text("é\n"),
            token(3),
            told::end(StopReason::TokenLimit),
        ];
        let events = events.into_iter().map(|event| (0, event)).collect();
        let frames = told::data(CompletionFrames::new(asked), events);
        assert_eq!(frames.len(), 4, "{frames:?}");
        assert_eq!(frames[0]["prompt_progress"]["processed"], 2);
        assert_eq!(
            (&frames[1]["content"], &frames[1]["tokens"]),
            (&json!("é\n"), &json!([1, 2]))
        );
        assert_eq!(
            (&frames[1]["stop"], &frames[1]["tokens_evaluated"]),
            (&json!(false), &json!(4))
        );
        assert_eq!(frames[2]["tokens"], json!([3]));
        let end = &frames[3];
        assert_eq!((&end["stop"], &end["content"]), (&json!(true), &json!("")));
        assert_eq!(
            (&end["stop_type"], &end["has_new_line"]),
            (&json!("limit"), &json!(true))
        );
        assert_eq!(end["tokens_predicted"], 3);
    }

    #[test]
    fn a_failure_is_an_error_frame_in_the_shape_of_the_interface() {
        let mut frames = Frames::default();
        CompletionFrames::new(Asked::default()).fail(Error::ServerStopped, &mut frames);
        let text = frames.into_text();
        assert!(text.starts_with(r#"data: {"error":{"code":503,"#), "{text}");
    }
}
