//! `POST /v1/completions`.

use super::*;
use crate::app::App;
use crate::tiny_gguf::Tiny;

const PATH: &str = "/v1/completions";

#[test]
fn several_prompts_and_choices_stream_as_they_are_whole() {
    let served = Served::tiny();
    let asked =
        json!({"model": "tiny", "prompt": ["ab", "The sea"], "n": 2, "temperature": 0, "max_tokens": 9});
    let body = whole(&served, PATH, &asked);
    let choices = body["choices"].as_array().expect("choices");
    assert_eq!(choices.len(), 4);
    let asked = with(&asked, &json!({"stream_options": {"include_usage": true}}));
    let frames = frames(&served, PATH, &asked);
    for (place, choice) in choices.iter().enumerate() {
        assert_eq!(
            (&choice["index"], &choice["finish_reason"]),
            (&json!(place), &json!("length"))
        );
        let of_choice = frames
            .iter()
            .filter(|frame| frame["choices"][0]["index"] == place);
        let of_choice: Vec<_> = of_choice.cloned().collect();
        assert_eq!(joined(&of_choice, "/choices/0/text"), choice["text"]);
    }
    assert_eq!(choices[0]["text"], choices[1]["text"], "greedy");
    // Each prompt counts once, as the model reads it.
    let prompt_tokens = ids(&served, "ab").len() + ids(&served, "The sea").len();
    let usage = frames.last().expect("usage")["usage"].clone();
    for usage in [&body["usage"], &usage] {
        assert_eq!(
            (&usage["prompt_tokens"], &usage["completion_tokens"]),
            (&json!(prompt_tokens), &json!(36))
        );
        assert_eq!(usage["total_tokens"], prompt_tokens + 36);
    }
}

#[test]
fn token_ids_are_read_as_their_text_is() {
    let served = Served::tiny();
    let asked = |prompt: Value| json!({"prompt": prompt, "temperature": 0, "max_tokens": 8, "logprobs": 2});
    let text = whole(&served, PATH, &asked(json!("The sea")));
    let tokens = ids(&served, "The sea");
    for prompt in [json!(tokens), json!([tokens])] {
        let body = whole(&served, PATH, &asked(prompt));
        assert_eq!(body["choices"][0]["text"], text["choices"][0]["text"]);
        assert_eq!(body["usage"]["prompt_tokens"], tokens.len());
    }
    let logprobs = &text["choices"][0]["logprobs"];
    for list in ["tokens", "token_logprobs", "top_logprobs", "text_offset"] {
        assert_eq!(logprobs[list].as_array().map(Vec::len), Some(8), "{list}");
    }
    let top = logprobs["top_logprobs"][0].as_object().expect("the likeliest");
    let token = logprobs["tokens"][0].as_str().expect("a token");
    assert_eq!(
        top.get(token),
        Some(&logprobs["token_logprobs"][0]),
        "the likeliest is chosen"
    );
}

#[test]
fn a_prompt_is_sent_back_where_that_is_asked_for() {
    let served = Served::tiny();
    let plain = json!({"prompt": "The sea", "temperature": 0, "max_tokens": 5});
    let said = whole(&served, PATH, &plain)["choices"][0]["text"]
        .as_str()
        .expect("text")
        .to_owned();
    let echoed = with(&plain, &json!({"echo": true}));
    let expected = format!("The sea{said}");
    assert_eq!(whole(&served, PATH, &echoed)["choices"][0]["text"], expected);
    assert_eq!(
        joined(&frames(&served, PATH, &echoed), "/choices/0/text"),
        expected
    );
    let nothing = with(&echoed, &json!({"max_tokens": 0}));
    let body = whole(&served, PATH, &nothing);
    assert_eq!(body["choices"][0]["text"], "The sea");
    assert_eq!(body["usage"]["completion_tokens"], 0);
    // OpenAI's limit, where none is set.
    let unlimited = json!({"prompt": "The sea", "ignore_eos": true});
    assert_eq!(whole(&served, PATH, &unlimited)["usage"]["completion_tokens"], 16);
}

#[test]
fn a_gap_is_filled_by_models_that_can() {
    let served = Served::new(App::real());
    let coder = Tiny {
        fills_gaps: true,
        ..Tiny::default()
    };
    served.add("coder.gguf", &served.app.tiny_as("coder.gguf", &coder));
    served.add("plain.gguf", &served.app.tiny());
    let asked =
        |model: &str| json!({"model": model, "prompt": "if a:", "suffix": "\nelse:", "max_tokens": 4});
    assert_eq!(
        whole(&served, PATH, &asked("coder"))["usage"]["completion_tokens"],
        4
    );
    let (status, body) = served.post(PATH, &asked("plain"));
    assert_eq!(
        (status, &body["error"]["code"]),
        (400, &json!("model_cannot")),
        "{body}"
    );
}
