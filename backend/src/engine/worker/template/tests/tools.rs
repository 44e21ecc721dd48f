//! Tools, calls, results and thoughts in templates that show them, and in those that do not.

use super::super::{collection, planting};
use super::*;

/// Shows tools, calls with arguments as they come, results with their names.
const SHOWS_ALL: &str = r#"{%- for tool in tools or [] %}{{- '<|tool|>' }}{{ tool.function | tojson }}{{ '\n' }}{% endfor %}
{%- for message in messages %}
    {{- '<|' + message.role + '|>' }}
    {%- if message.name is defined %}{{ message.name }}: {% endif %}
    {%- if message.reasoning_content %}<think>{{ message.reasoning_content }}</think>{% endif %}
    {{- message.content }}
    {%- for call in message.tool_calls or [] %}
        {{- '<|call|>' }}{{ call.id }} {{ call.function.name }} {{ call.function.arguments | tojson }}
    {%- endfor %}
    {%- if message.tool_call_id is defined %}{{ ' ' }}({{ message.tool_call_id }}){% endif %}
    {{- '\n' }}
{%- endfor %}"#;

fn show_chat(source: &str, chat: &planting::Chat) -> String {
    let template = ChatTemplate::parse(source, "<s>", "</s>").expect("a template");
    let control = ControlTokens::new(["<|tool|>", "<|call|>", "<|user|>", "<think>"].map(str::to_owned));
    let rendered = template.render_at(talk(&chat.messages, &chat.options), &control, &noon());
    rendered.expect("renders").text
}

#[test]
fn a_template_that_shows_tools_gets_them_as_values() {
    let text = show_chat(SHOWS_ALL, &planting::Chat::with(planting::Place::User, "Hi!"));
    expect![[r#"
        <|tool|>{"name": "weather", "description": "Tells the weather.", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "Which city.", "enum": ["Bonn", "Ulm"]}}, "required": ["city"]}}
        <|system|>Be brief.
        <|user|>Ada: Hi!
        <|assistant|><think>I should look.</think><|call|>call00001 weather {"city": "Ulm"}
        <|tool|>weather: Sun. (call00001)
        <|assistant|>It is sunny.
        <|user|>Thanks.
    "#]]
    .assert_eq(&text);
}

#[test]
fn arguments_that_are_no_json_stay_text() {
    let text = show_chat(
        SHOWS_ALL,
        &planting::Chat::with(planting::Place::CallText, "{city: Ulm"),
    );
    assert!(text.contains(r#"weather "{city: Ulm""#), "{text}");
}

#[test]
fn a_template_that_takes_arguments_only_as_text_gets_text() {
    let source = SHOWS_ALL.replace(
        "{{ call.function.arguments | tojson }}",
        "{{ '' + call.function.arguments }}",
    );
    let text = show_chat(&source, &planting::Chat::with(planting::Place::User, "Hi!"));
    assert!(
        text.contains("<|call|>call00001 weather {\"city\":\"Ulm\"}\n"),
        "{text}"
    );
}

#[test]
fn calls_that_a_template_cannot_take_stand_in_words() {
    let items = "{% for name, value in call.function.arguments | items %}{{ name }}={{ value }}{% endfor %}";
    let source = SHOWS_ALL.replace("{{ call.function.arguments | tojson }}", items);
    let whole = show_chat(&source, &planting::Chat::with(planting::Place::User, "Hi!"));
    assert!(whole.contains("<|call|>call00001 weather city=Ulm"), "{whole}");
    let broken = show_chat(
        &source,
        &planting::Chat::with(planting::Place::CallText, "{\"city\": \"Ul"),
    );
    assert!(
        broken.contains(r#"{"name":"weather","arguments":"{\"city\": \"Ul"}"#),
        "{broken}"
    );
    assert!(broken.contains("Result of weather:\nSun."), "{broken}");
    assert!(broken.contains("<|tool|>{\"name\": \"weather\""), "{broken}");
}

#[test]
fn a_template_that_demands_short_names_of_calls_gets_them() {
    let demand = "{% if call.id | length != 9 %}{{ raise_exception('9 letters!') }}{% endif %}{{ call.id }}";
    let source = SHOWS_ALL.replace("{{ call.id }}", demand);
    let long = planting::Chat::with(planting::Place::CallId, "call_of_the_wild");
    let text = show_chat(&source, &long);
    assert!(text.contains("<|call|>call00000 weather"), "{text}");
    assert!(text.contains("Sun. (call00000)"), "{text}");
    assert!(show_chat(SHOWS_ALL, &long).contains("<|call|>call_of_the_wild weather"));
}

#[test]
fn a_template_that_shows_none_gets_them_in_words() {
    let text = show_chat(
        shapes::CHATML,
        &planting::Chat::with(planting::Place::User, "Hi!"),
    );
    expect![[r#"
        <|im_start|>system
        Be brief.

        You can use these tools. Each is described by a JSON object:
        {"name":"weather","description":"Tells the weather.","parameters":{"type":"object","properties":{"city":{"type":"string","description":"Which city.","enum":["Bonn","Ulm"]}},"required":["city"]}}

        To use a tool, answer with a JSON object of this form and nothing else:
        {"name": "the tool's name", "arguments": {"argument": "value"}}<|im_end|>
        <|im_start|>user
        Hi!<|im_end|>
        <|im_start|>assistant
        {"name":"weather","arguments":{"city":"Ulm"}}<|im_end|>
        <|im_start|>user
        Result of weather:
        Sun.<|im_end|>
        <|im_start|>assistant
        It is sunny.<|im_end|>
        <|im_start|>user
        Thanks.<|im_end|>
        <|im_start|>assistant
    "#]]
    .assert_eq(&text);
}

/// A chat with tools can be continued with any model: each template takes it, and no text of it is lost.
#[test]
fn every_template_of_the_collection_takes_a_chat_with_tools() {
    let chat = planting::Chat::with(planting::Place::CallValue, "Saarlouis");
    let (mut refused, mut lost, mut in_words) = (Vec::new(), Vec::new(), Vec::new());
    for (name, source) in collection::templates() {
        let template = ChatTemplate::parse(&source, "<s>", "</s>").expect("a template");
        match template.render_at(talk(&chat.messages, &chat.options), &control(), &noon()) {
            Err(failure) => refused.push((name, failure)),
            Ok(rendered) => {
                if rendered.tools_in_words {
                    in_words.push(name.clone());
                }
                for word in [
                    "Be brief.",
                    "How is the",
                    "Saarlouis",
                    "Sun.",
                    "It is sunny.",
                    "Thanks.",
                    "Which city",
                ] {
                    if !rendered.text.contains(word) {
                        lost.push(format!("{name}: {word}"));
                    }
                }
            }
        }
    }
    println!("in words: {in_words:?}");
    assert!(refused.is_empty() && lost.is_empty(), "{refused:#?}\n{lost:#?}");
}
