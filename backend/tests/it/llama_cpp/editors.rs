//! What the editors' plugins send to `/infill`.

use serde_json::{Value, json};

use crate::app::App;
use crate::served::Served;
use crate::tiny_gguf::Tiny;

/// A server with a model that fills gaps.
fn coder() -> Served {
    let served = Served::new(App::real());
    let coder = Tiny {
        fills_gaps: true,
        ..Tiny::default()
    };
    served.add("coder.gguf", &served.app.tiny_as("coder.gguf", &coder));
    served
}

/// The body that llama.vim and llama.vscode send while a person writes.
fn asked() -> Value {
    json!({
        "id_slot": 0,
        "input_prefix": "fn main() {\n",
        "input_suffix": "\n}\n",
        "input_extra": [{"filename": "lib.rs", "text": "pub fn help() {}", "time": 1_700_000_000}],
        "prompt": "    let a",
        "n_predict": 16,
        "stop": [],
        "n_indent": 4,
        "top_k": 40,
        "top_p": 0.90,
        "stream": false,
        "samplers": ["top_k", "top_p", "infill"],
        "cache_prompt": true,
        "t_max_prompt_ms": 500,
        "t_max_predict_ms": 60_000,
        "response_fields": ["content", "timings/prompt_n", "timings/prompt_ms", "timings/prompt_per_token_ms",
            "timings/prompt_per_second", "timings/predicted_n", "timings/predicted_ms",
            "timings/predicted_per_token_ms", "timings/predicted_per_second", "truncated", "tokens_cached"],
    })
}

/// Each of `samplers`, `n_indent` and `t_max_prompt_ms` was refused or unknown.
#[test]
fn a_gap_is_filled_as_the_editors_ask_for_it() {
    let served = coder();
    let mut asked = asked();
    let (status, answer) = served.post("/infill", &asked);
    assert_eq!(status, 200, "{answer}");
    let mut fields: Vec<_> = answer.as_object().expect("fields").keys().cloned().collect();
    let mut wanted: Vec<String> = serde_json::from_value(asked["response_fields"].clone()).expect("a list");
    fields.sort();
    wanted.sort();
    assert_eq!(fields, wanted);
    let content = answer["content"].as_str().expect("text");
    for line in content.split('\n').skip(1) {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        assert!(blanks >= 4 || blanks == line.len(), "{content:?}");
    }
    assert!(answer["timings/predicted_n"].as_u64() > Some(0), "{answer}");
    assert!(answer["tokens_cached"].as_u64() > Some(0), "{answer}");

    // The samplers that are not in the list choose nothing.
    asked["response_fields"] = json!(["generation_settings"]);
    let (_, answer) = served.post("/infill", &asked);
    let settings = &answer["generation_settings"];
    let chosen = ["top_k", "min_p", "temperature", "repeat_penalty"].map(|field| settings[field].as_f64());
    assert_eq!(
        chosen,
        [Some(40.0), Some(0.0), Some(1.0), Some(1.0)],
        "{settings}"
    );
    let samplers = settings["samplers"].as_array().expect("a list");
    assert!(samplers.contains(&json!("infill")), "{settings}");
}

/// So that the files around it are read before a person writes.
#[test]
fn the_files_around_a_gap_are_read_ahead() {
    let served = coder();
    let ahead = json!({
        "id_slot": 0, "input_prefix": "", "input_suffix": "", "input_extra": asked()["input_extra"], "prompt": "",
        "n_predict": 0, "temperature": 0.0, "samplers": [], "stream": false, "cache_prompt": true,
        "t_max_prompt_ms": 1, "t_max_predict_ms": 1, "response_fields": [""],
    });
    assert_eq!(served.post("/infill", &ahead), (200, json!({})));
    let mut later = asked();
    later["response_fields"] = json!(["timings"]);
    let (status, answer) = served.post("/infill", &later);
    assert_eq!(status, 200, "{answer}");
    assert!(answer["timings"]["cache_n"].as_u64() > Some(8), "{answer}");
}
