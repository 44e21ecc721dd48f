//! The templates that are built in beside the models' own.

use hearth_protocol::engine::BUILT_IN_TEMPLATES;

use super::super::{collection, source_of};
use super::*;

fn prompt(source: &str, messages: &[&str]) -> String {
    render(source, &chat(messages)).expect("it renders").text
}

/// Built in, in the collection, and whether that one writes instructions as they are: others add words of their own.
const TWINS: [(&str, &str, bool); 7] = [
    ("chatml", "Qwen-Qwen2.5-7B-Instruct", true),
    ("gemma", "google-gemma-2-2b-it", false),
    ("gemma4", "google-gemma-4-31B-it", true),
    ("glm4", "GLM-4.7-Flash", true),
    ("granite", "ibm-granite-granite-4.0", true),
    ("harmony", "openai-gpt-oss-120b", true),
    ("mistral", "mistralai-Mistral-Nemo-Instruct-2407", true),
];

#[test]
fn each_writes_a_plain_chat_as_the_model_s_own_does() {
    let collection = collection::templates();
    for (name, twin, with_instructions) in TWINS {
        let (_, own) = collection
            .iter()
            .find(|(name, _)| name == twin)
            .expect("it is in the collection");
        let talk = ["S:Be brief.", "U:Hello!", "A:Hi.", "U:How are you?"];
        let talk = if with_instructions { &talk[..] } else { &talk[1..] };
        assert_eq!(prompt(source_of(name), talk), prompt(own, talk), "{name}");
    }
}

#[test]
fn each_holds_every_message_and_opens_the_answer() {
    let talk = ["S:Be brief.", "U:Hello!", "A:Hi.", "U:How are you?"];
    for name in BUILT_IN_TEMPLATES {
        let source = source_of(name);
        assert_ne!(source, name, "it has a source");
        let text = prompt(source, &talk);
        for words in ["Be brief.", "Hello!", "Hi.", "How are you?"] {
            assert_eq!(text.matches(words).count(), 1, "{name}: {words} in {text}");
        }
        assert!(!text.ends_with("How are you?"), "{name}: {text}");
    }
}

#[test]
fn a_name_is_read_in_whatever_case_and_all_else_is_a_source() {
    assert_eq!(source_of(" ChatML\n"), source_of("chatml"));
    assert_eq!(source_of("{{ messages }}"), "{{ messages }}");
}
