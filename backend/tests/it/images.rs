//! A model that cannot see, given an image, says so.

use hearth_protocol::chat::{TurnOptions, TurnRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{Error, ErrorKind, Image};

use crate::app::{Answer, App, Turn, greedy};
use crate::tiny_bert;

/// Asks a model about a picture.
fn show(app: &App, path: &std::path::Path) -> Answer {
    let image = Image::new(b"\x89PNG\r\n\x1a\n".to_vec()).expect("a picture");
    Turn(app.client.send(TurnRequest {
        chat: None,
        text: "What is this?".to_owned(),
        images: vec![image],
        options: TurnOptions {
            model: Some(ModelRef::Path(path.to_owned())),
            sampling: Some(greedy(3)),
            ..TurnOptions::default()
        },
        ..TurnRequest::default()
    }))
    .finish()
}

fn words(answer: &Answer) -> String {
    let error = answer.error.as_ref().expect("it is refused");
    assert!(matches!(error, Error::ModelCannot { .. }), "{error:?}");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    error.to_string()
}

#[test]
fn an_image_is_refused_and_the_chat_goes_on() {
    let app = App::real();
    let path = app.tiny();
    let refused = show(&app, &path);
    assert_eq!(
        words(&refused),
        "tiny cannot see images; choose a model with vision, or send the text alone."
    );
    assert_eq!(refused.streamed, "");
    assert_eq!(refused.progress, [], "nothing of it was read");
    // What the person wrote stays, as with every refusal.
    let stored = app
        .client
        .open_chat(refused.chat)
        .wait()
        .expect("the chat")
        .messages;
    assert_eq!(stored[0].text, "What is this?");
    let next = app.ask(&path, Some(refused.chat), "Then tell me a story.", greedy(3));
    assert_eq!(next.stats().generated_tokens, 3);
}

#[test]
fn a_model_that_only_embeds_says_that_and_not_a_word_of_images() {
    let app = App::real();
    let path = app.path("encoder.gguf");
    tiny_bert::write(&path, None);
    assert_eq!(
        words(&show(&app, &path)),
        "encoder makes embeddings; it does not chat."
    );
}
