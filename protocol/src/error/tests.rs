use super::*;

#[test]
fn a_missing_model_names_what_there_is() {
    let error = Error::NotFound {
        what: "model".into(),
        name: "nope".into(),
        known: vec!["a".into(), "b".into()],
    };
    assert_eq!(error.to_string(), "There is no model “nope”. There is: a, b.");
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn an_overflow_says_both_numbers() {
    let text = Error::ContextOverflow {
        prompt_tokens: 300,
        context_length: 64,
    }
    .to_string();
    assert!(text.contains("300") && text.contains("64"), "{text}");
}

#[test]
fn errors_survive_json() {
    let error = Error::WorkerDied {
        during: "loading".into(),
        cause: "signal 9".into(),
        log: vec!["x".into()],
    };
    let text = serde_json::to_string(&error).expect("serialise");
    assert_eq!(serde_json::from_str::<Error>(&text).expect("parse"), error);
}
