//! llama.cpp's interface of the local server and Hearth's own, over real sockets, with real workers.

mod cut;
mod editors;

use std::io::Write;

use hearth_protocol::ByteSize;
use serde_json::{Value, json};

use crate::app::{App, eventually};
use crate::served::Served;

fn events(frames: &[String]) -> Vec<Value> {
    let read = |frame: &String| serde_json::from_str(frame).expect("JSON");
    frames.iter().map(read).collect()
}

#[test]
fn a_streamed_completion_and_a_whole_one_are_the_same() {
    let served = Served::tiny();
    let asked = json!({"prompt": "Hi", "temperature": 0, "n_predict": 12, "return_tokens": true});
    let (status, whole) = served.post("/completion", &asked);
    assert_eq!(status, 200, "{whole}");
    assert_eq!(
        (&whole["stop_type"], &whole["tokens_predicted"]),
        (&json!("limit"), &json!(12))
    );
    assert_eq!(whole["tokens"].as_array().expect("tokens").len(), 12);
    assert_eq!(whole["generation_settings"]["n_predict"], 12);
    assert!(
        whole["prompt"].as_str().expect("a prompt").ends_with("Hi"),
        "{whole}"
    );
    let mut streamed = asked;
    streamed["stream"] = true.into();
    let frames = events(&served.begin("/completion", &streamed).frames());
    let text: String = frames
        .iter()
        .filter_map(|frame| frame["content"].as_str())
        .collect();
    assert_eq!(text, whole["content"]);
    let tokens: Vec<_> = frames
        .iter()
        .filter_map(|frame| frame["tokens"].as_array())
        .flatten()
        .collect();
    assert_eq!(
        tokens,
        whole["tokens"]
            .as_array()
            .expect("tokens")
            .iter()
            .collect::<Vec<_>>()
    );
    assert_eq!(frames.last().map(|last| &last["stop"]), Some(&json!(true)));
}

#[test]
fn several_prompts_have_several_answers_and_tokens_are_as_good_as_text() {
    let served = Served::tiny();
    let (_, tokens) = served.post("/tokenize", &json!({"content": "Hi there", "add_special": true}));
    let (_, text) = served.post("/detokenize", &json!({"tokens": tokens["tokens"]}));
    assert!(
        text["content"].as_str().expect("text").ends_with("Hi there"),
        "{text}"
    );
    let asked = json!({"prompt": [tokens["tokens"], "Hi there"], "temperature": 0, "n_predict": 6});
    let (status, answers) = served.post("/completion", &asked);
    assert_eq!(status, 200, "{answers}");
    let answers = answers.as_array().expect("a list");
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["content"], answers[1]["content"]);
    assert_eq!(
        (&answers[0]["index"], &answers[1]["index"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn a_token_is_forbidden_by_its_text() {
    let served = Served::tiny();
    let asked = |bias: Value| json!({"prompt": "Hi", "temperature": 0, "n_predict": 4, "logit_bias": bias});
    let (_, free) = served.post("/completion", &asked(json!([])));
    let first = free["content"]
        .as_str()
        .expect("text")
        .chars()
        .next()
        .expect("a letter")
        .to_string();
    let (status, bound) = served.post("/completion", &asked(json!([[first, false]])));
    assert_eq!(status, 200, "{bound}");
    assert!(
        !bound["content"].as_str().expect("text").contains(&first),
        "{first} in {bound}"
    );
}

#[test]
fn what_a_slot_knows_is_kept_and_comes_back() {
    let served = Served::tiny();
    let asked =
        json!({"prompt": "What is the capital of France?", "temperature": 0, "n_predict": 4, "id_slot": 1});
    let (_, answer) = served.post("/completion", &asked);
    let read = answer["timings"]["prompt_n"].as_u64().expect("a count");
    let file = json!({"filename": "slot one.bin"});
    let (status, saved) = served.post("/slots/1?action=save", &file);
    assert_eq!(status, 200, "{saved}");
    assert!(served.app.config.home.join("slots/slot one.bin").exists());
    for (slot, action) in [(0, "erase"), (1, "erase"), (0, "restore")] {
        let (status, done) = served.post(&format!("/slots/{slot}?action={action}"), &file);
        assert_eq!(status, 200, "{done}");
        if action == "restore" {
            assert_eq!(done["n_restored"], saved["n_saved"]);
        }
    }
    let mut again = asked;
    again["id_slot"] = 0.into();
    let (_, again) = served.post("/completion", &again);
    assert_eq!(again["content"], answer["content"]);
    assert!(again["timings"]["prompt_n"].as_u64() < Some(read), "{again}");
    for name in ["../hearth.db", "nul", "con.bin", "slot."] {
        let (status, refused) = served.post("/slots/0?action=save", &json!({"filename": name}));
        assert_eq!(
            (status, &refused["error"]["param"]),
            (400, &json!("filename")),
            "{name}"
        );
    }
    std::fs::write(served.app.config.home.join("slots/odd"), "odd").expect("written");
    for (name, status) in [("none", 404), ("odd", 400)] {
        let (found, refused) = served.post("/slots/0?action=restore", &json!({"filename": name}));
        assert_eq!(
            (found, &refused["error"]["param"]),
            (status, &json!("filename")),
            "{refused}"
        );
        let home = served.app.config.home.display().to_string();
        assert!(!refused.to_string().contains(&home), "{refused}");
    }
    let (status, refused) = served.post("/slots/99?action=erase", &file);
    assert_eq!((status, &refused["error"]["param"]), (400, &json!("id_slot")));
    let (_, slots) = served.get("/slots");
    assert!(
        slots
            .as_array()
            .expect("slots")
            .iter()
            .all(|slot| slot["is_processing"] == false),
        "{slots}"
    );
}

#[test]
fn a_slot_is_saved_within_the_limit_of_the_settings_only() {
    let served = Served::tiny();
    let mut settings = served.app.client.read_settings().wait().expect("the settings");
    settings.kv_store_limit = ByteSize(0);
    served.app.client.write_settings(settings).wait().expect("stored");
    served.post(
        "/completion",
        &json!({"prompt": "Hello there", "n_predict": 1, "id_slot": 0}),
    );
    let (status, refused) = served.post("/slots/0?action=save", &json!({"filename": "a"}));
    assert_eq!(
        (status, &refused["error"]["param"]),
        (507, &json!("filename")),
        "{refused}"
    );
    assert!(!served.app.config.home.join("slots/a").exists());
}

#[test]
fn clients_that_leave_while_a_slot_is_saved_leave_nothing_behind() {
    let served = Served::tiny();
    served.post(
        "/completion",
        &json!({"prompt": "Hello there", "n_predict": 1, "id_slot": 0}),
    );
    let body = json!({"filename": "left"}).to_string();
    let head = format!(
        "POST /slots/0?action=save HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    for _ in 0..20 {
        let mut stream = served.connect();
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .expect("sent");
    }
    let (status, saved) = served.post("/slots/0?action=save", &json!({"filename": "left"}));
    assert_eq!(status, 200, "{saved}");
    let folder = served.app.config.home.join("slots");
    eventually("nothing but the file is there", || {
        let files = std::fs::read_dir(&folder).expect("a folder");
        let mut names: Vec<_> = files.map(|file| file.expect("a file").file_name()).collect();
        names.sort();
        names == ["left"]
    });
}

#[test]
fn a_slot_that_there_is_not_is_named_as_the_client_named_it() {
    let served = Served::tiny();
    for path in ["/completion", "/v1/completions"] {
        let (status, refused) = served.post(path, &json!({"prompt": "Hi", "id_slot": 99}));
        assert_eq!(
            (status, &refused["error"]["param"]),
            (400, &json!("id_slot")),
            "{refused}"
        );
        let message = refused["error"]["message"].as_str().expect("a message");
        assert!(message.starts_with("id_slot is 99"), "{message}");
    }
}

#[test]
fn counters_add_up_to_what_answers_say() {
    let served = Served::tiny();
    let (_, answer) = served.post("/completion", &json!({"prompt": "Hi", "n_predict": 7}));
    let text = served.send("GET", "/metrics", &[], b"").text();
    let written = format!(
        "llamacpp:tokens_predicted_total {}\n",
        answer["timings"]["predicted_n"]
    );
    assert!(
        text.contains(&written) && text.contains("hearth_models_loaded 1\n"),
        "{text}"
    );
}

#[test]
fn a_model_is_loaded_with_news_told_and_ejected() {
    let served = Served::tiny();
    let (_, models) = served.get("/api/v1/models");
    assert_eq!(
        (&models["models"][0]["model"], &models["models"][0]["loaded"]),
        (&json!("tiny"), &Value::Null)
    );
    let options = json!({"context_length": {"tokens": 256}, "parallel_slots": 3});
    let asked = json!({"model": "tiny", "options": options, "keep": "always", "stream": true});
    let frames = events(&served.begin("/api/v1/models/load", &asked).frames());
    let loaded = frames.last().expect("a last event");
    assert_eq!(
        (&loaded["model"], &loaded["context_length"], &loaded["slots"]),
        (&json!("tiny"), &json!(256), &json!(3))
    );
    let (_, props) = served.get("/props");
    assert_eq!(
        (&props["is_sleeping"], &props["total_slots"]),
        (&json!(false), &json!(3))
    );
    let (_, status) = served.get("/api/v1/status");
    assert_eq!(status["loaded"], json!([{"model": "tiny", "activity": "idle"}]));
    assert_eq!(
        served.post("/api/v1/models/eject", &json!({"model": "TINY"})),
        (200, json!({"ejected": "tiny"}))
    );
    assert_eq!(
        served.post("/api/v1/models/eject", &json!({"model": "tiny"})).0,
        404
    );
    assert_eq!(served.get("/props").1["is_sleeping"], true);
    let (status, refused) = served.post("/api/v1/models/load", &json!({"model": "nope", "stream": true}));
    assert_eq!(
        (status, &refused["error"]["code"]),
        (404, &json!("model_not_found"))
    );
}

/// Plain numbers were refused with words that helped nobody.
#[test]
fn load_options_are_written_as_one_would_write_them() {
    let served = Served::tiny();
    for asked in [
        json!({"model": "tiny", "context_length": 256, "gpu_layers": 0, "flash_attention": false}),
        json!({"model": "tiny", "options": {"context_length": 128, "gpu_layers": 0}, "keep": "5m"}),
    ] {
        let (status, loaded) = served.post("/api/v1/models/load", &asked);
        assert_eq!(status, 200, "{loaded}");
        let wanted = asked["context_length"]
            .as_u64()
            .or(asked["options"]["context_length"].as_u64());
        assert_eq!(loaded["context_length"].as_u64(), wanted, "{loaded}");
        assert_eq!(loaded["gpu_layers"][0], 0, "{loaded}");
    }
    for (asked, param) in [
        (
            json!({"model": "tiny", "context_length": "long"}),
            "context_length",
        ),
        (json!({"model": "tiny", "context_length": 3}), "context_length"),
        (
            json!({"model": "tiny", "options": {"gpu_layers": "many"}}),
            "options.gpu_layers",
        ),
        (json!({"model": "tiny", "keep": "soon"}), "keep"),
    ] {
        let (status, refused) = served.post("/api/v1/models/load", &asked);
        assert_eq!(
            (status, &refused["error"]["param"]),
            (400, &json!(param)),
            "{asked}"
        );
    }
}

/// It was not found while it was on its way into memory.
#[test]
fn an_eject_ends_a_load() {
    let served = Served::new(App::scripted(&json!([{"await": "load"}, {"deaf": true}])));
    served.add("tiny.gguf", &served.app.tiny());
    let mut load = served.begin("/api/v1/models/load", &json!({"model": "tiny", "stream": true}));
    let begun = load.chunk().expect("it begins");
    assert!(begun.contains("event: started"), "{begun}");
    assert_eq!(
        served.post("/api/v1/models/eject", &json!({"model": "Tiny"})),
        (200, json!({"ejected": "tiny"}))
    );
    let rest = load.text();
    assert!(
        rest.contains("event: error") && rest.contains("model_ejected"),
        "{rest}"
    );
    let again = served.post("/api/v1/models/eject", &json!({"model": "tiny"}));
    assert_eq!(
        (again.0, &again.1["error"]["code"]),
        (404, &json!("model_not_loaded"))
    );
}

#[test]
fn nothing_is_downloaded_in_offline_mode() {
    let served = Served::tiny();
    let mut settings = served.app.client.read_settings().wait().expect("the settings");
    settings.offline = true;
    served.app.client.write_settings(settings).wait().expect("stored");
    let (status, refused) = served.post("/api/v1/models/download", &json!({"model": "owner/name"}));
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("offline")));
    assert_eq!(served.get("/api/v1/downloads"), (200, json!({"downloads": []})));
    for (model, file, param) in [
        ("../../x", "m.gguf", "model"),
        ("../..", "m.gguf", "model"),
        ("a/b?x", "m.gguf", "model"),
        ("a/b", "", "file"),
        ("a/b", "/etc/passwd", "file"),
        ("a/b", "m\u{0}.gguf", "file"),
    ] {
        let asked = json!({"model": model, "file": file});
        let (status, refused) = served.post("/api/v1/models/download", &asked);
        assert_eq!(
            (status, &refused["error"]["param"]),
            (400, &json!(param)),
            "{asked}"
        );
    }
}
