use hearth_protocol::answer::Reasoning;
use hearth_protocol::tools::{Tool, ToolCall};

use super::super::shape::Arguments;
use super::*;

fn shape(messages: Vec<PromptMessage>) -> Shape {
    Shape {
        messages,
        arguments: Arguments::Values,
    }
}

fn data(shape: &Shape, options: &AnswerOptions, head: bool, thoughts: Place) -> Map<String, Json> {
    let wants = Wants {
        thoughts,
        functions: false,
        date: false,
    };
    super::data(shape, options, head, wants, &Zoned::now())
}

fn variables(data: Map<String, Json>) -> Variables {
    Variables {
        data,
        bos: None,
        eos: None,
        now: Zoned::now(),
    }
}

#[test]
fn a_plain_chat_has_what_transformers_sets() {
    let chat = shape(vec![PromptMessage::text(Role::User, "hi")]);
    let data = data(&chat, &AnswerOptions::default(), true, Place::Nowhere);
    assert_eq!(
        Json::from(data).to_string(),
        r#"{"messages":[{"role":"user","content":"hi"}],"tools":null,"documents":null,"add_generation_prompt":true}"#
    );
}

#[test]
fn messages_bring_thoughts_calls_and_names() {
    let answer = PromptMessage {
        reasoning: Some("Hm.".into()),
        tool_calls: vec![ToolCall {
            id: "c1".into(),
            name: "add".into(),
            arguments: "{\"b\":1,\"a\":2}".into(),
        }],
        ..PromptMessage::text(Role::Assistant, "")
    };
    let result = PromptMessage {
        tool_call_id: Some("c1".into()),
        name: Some("add".into()),
        ..PromptMessage::text(Role::Tool, "3")
    };
    let chat = shape(vec![answer, result]);
    let calls =
        r#""tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":{"b":1,"a":2}}}]"#;
    let answers = [
        (Place::Nowhere, r#""content":"""#),
        (
            Place::Key("reasoning_content"),
            r#""content":"","reasoning_content":"Hm.""#,
        ),
        (
            Place::Part,
            r#""content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":""}]"#,
        ),
    ];
    for (place, answer) in answers {
        let data = data(&chat, &AnswerOptions::default(), true, place);
        assert_eq!(
            data["messages"].to_string(),
            format!(
                r#"[{{"role":"assistant",{answer},{calls}}},{{"role":"tool","content":"3","tool_call_id":"c1","name":"add"}}]"#
            )
        );
    }
}

#[test]
fn a_request_sets_tools_thinking_and_arguments() {
    let mut options = AnswerOptions {
        tools: vec![Tool {
            name: "add".into(),
            description: Some("Adds.".into()),
            parameters: None,
        }],
        reasoning: Reasoning {
            enabled: Some(true),
            budget: Some(64),
        },
        ..AnswerOptions::default()
    };
    options
        .template_arguments
        .insert("thinking".into(), "deep".into());
    options
        .template_arguments
        .insert("city".into(), json!({"name": "Ulm"}));
    assert_eq!(check_arguments(&options.template_arguments), Ok(()));
    let chat = shape(Vec::new());
    let given = data(&chat, &options, false, Place::Nowhere);
    assert_eq!(given["tools"][0]["function"]["description"], "Adds.");
    assert_eq!(given["enable_thinking"], true);
    assert_eq!(given["thinking"], "deep");
    assert_eq!(given["thinking_budget"], 64);
    assert_eq!(given["city"]["name"], "Ulm");
    assert_eq!(given["add_generation_prompt"], false);

    options.tool_choice = ToolChoice::None;
    assert_eq!(data(&chat, &options, false, Place::Nowhere)["tools"], Json::Null);
}

#[test]
fn what_hearth_sets_is_not_a_requests_to_set() {
    for name in RESERVED {
        let arguments = Map::from_iter([("city".to_owned(), Json::Null), (name.to_owned(), Json::Null)]);
        let error = check_arguments(&arguments).expect_err("reserved").to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn every_text_is_searched_and_changed() {
    let control = ControlTokens::new(["<a>".to_owned()]);
    for text in [
        json!("x<a>"),
        json!([1, ["<a>"]]),
        json!({"k": {"<a>": 1}}),
        json!({"k": {"v": "<a>"}}),
    ] {
        let with = |value: Json| variables(Map::from_iter([("x".to_owned(), value)]));
        let planted = with(text.clone());
        assert!(planted.hold(&control), "{text}");
        let broken = planted.clone().broken_up(&control);
        assert!(!broken.hold(&control), "{text}");
        assert_eq!(broken.without_marks().data, planted.data);
        assert!(!with(json!({"k": ["a", 1.5, null]})).hold(&control));
    }
}

#[test]
fn numbers_keep_their_kind() {
    let numbers = json!([1, -1, 18_446_744_073_709_551_615_u64, 1.0, 1e300, true, null]);
    let expected = "[1, -1, 18446744073709551615, 1.0, 1e+300, True, None]";
    assert_eq!(
        value_of(&numbers).to_string().replace("1e300", "1e+300"),
        expected
    );
}

#[test]
fn firefunction_gets_its_functions_as_text() {
    let wants = Wants::of_source("... functools[{...}] {{ functions }}");
    let mut options = AnswerOptions {
        tools: vec![Tool {
            name: "add".into(),
            description: None,
            parameters: None,
        }],
        ..AnswerOptions::default()
    };
    let now: Zoned = "2026-07-05T09:03:07+00:00[UTC]".parse().expect("a date");
    let given = super::data(&shape(Vec::new()), &options, true, wants, &now);
    let text = given["functions"].as_str().expect("text");
    assert!(text.starts_with("[\n  {\n    \"name\": \"add\""), "{text}");
    assert_eq!(given["datetime"], "Jul 05 2026 09:03:07");
    options
        .template_arguments
        .insert("functions".into(), "mine".into());
    let given = super::data(&shape(Vec::new()), &options, true, wants, &now);
    assert_eq!(given["functions"], "mine");
}

#[test]
fn a_template_that_reads_the_date_is_told_today() {
    let now: Zoned = "2026-07-05T09:03:07+00:00[UTC]".parse().expect("a date");
    let given = |source: &str, options: &AnswerOptions| {
        let wants = Wants::of_source(source);
        let given = super::data(&shape(Vec::new()), options, true, wants, &now);
        given.get("date_string").cloned()
    };
    let reads = r#"{%- if not date_string is defined %}{%- set date_string = "26 Jul 2024" %}{%- endif %}"#;
    let mut options = AnswerOptions::default();
    assert_eq!(given(reads, &options), Some("05 Jul 2026".into()));
    assert_eq!(given("{{ messages }}", &options), None);
    options
        .template_arguments
        .insert("date_string".into(), "1 Jan 1970".into());
    assert_eq!(given(reads, &options), Some("1 Jan 1970".into()));
}
