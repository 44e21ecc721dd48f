use super::*;

fn asked(arguments: &str) -> ToolCall {
    ToolCall {
        id: "1".into(),
        name: "add".into(),
        arguments: arguments.into(),
    }
}

fn add(parameters: Option<Json>) -> Tool {
    Tool {
        name: "add".into(),
        description: None,
        parameters,
    }
}

#[test]
fn a_tool_has_what_templates_ask_for() {
    let schema = json!({"properties": {"b": {"type": "number"}, "a": {}}, "required": ["b"], "strict": true});
    let cases = [
        (None, r#"{"type":"object","properties":{}}"#),
        (
            Some(json!({"type": "object"})),
            r#"{"type":"object","properties":{}}"#,
        ),
        (
            Some(schema),
            r#"{"properties":{"b":{"type":"number"},"a":{}},"required":["b"],"strict":true,"type":"object"}"#,
        ),
        // What is no object is the caller's own.
        (Some(json!({"type": "string"})), r#"{"type":"string"}"#),
    ];
    for (parameters, expected) in cases {
        assert_eq!(
            definition(&add(parameters)).to_string(),
            format!(
                r#"{{"type":"function","function":{{"name":"add","description":"","parameters":{expected}}}}}"#
            )
        );
    }
}

#[test]
fn arguments_are_the_value_of_their_json() {
    let cases = [
        (
            r#"{"b": 1, "a": [null, 2.0, "x"]}"#,
            r#"{"b":1,"a":[null,2.0,"x"]}"#,
        ),
        ("", "{}"),
        ("  ", "{}"),
        ("{\"b\": 1", r#""{\"b\": 1""#),
        ("[1]", "[1]"),
    ];
    for (text, value) in cases {
        let call = call(&asked(text), Arguments::Values);
        assert_eq!(call["function"]["arguments"].to_string(), value, "{text}");
    }
    let call = call(&asked("{\"b\": 1}"), Arguments::Text);
    assert_eq!(
        call.to_string(),
        r#"{"id":"1","type":"function","function":{"name":"add","arguments":"{\"b\": 1}"}}"#
    );
}

fn calls(ids: &[(&str, &str)]) -> PromptMessage {
    let call = |&(id, name): &(&str, &str)| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: "{\"a\": 1}".into(),
    };
    PromptMessage {
        tool_calls: ids.iter().map(call).collect(),
        ..PromptMessage::text(Role::Assistant, "")
    }
}

fn result(id: Option<&str>, text: &str) -> PromptMessage {
    PromptMessage {
        tool_call_id: id.map(str::to_owned),
        ..PromptMessage::text(Role::Tool, text)
    }
}

#[test]
fn results_get_the_names_of_their_calls() {
    let mut messages = [
        result(None, "lost"),
        calls(&[("x", "add"), ("y", "sub")]),
        result(Some("y"), "1"),
        result(None, "2"),
        result(Some("z"), "3"),
        calls(&[("z", "mul")]),
        result(None, "4"),
    ];
    pair(&mut messages);
    let names: Vec<_> = messages
        .iter()
        .filter(|message| message.role == Role::Tool)
        .map(|message| (message.tool_call_id.as_deref(), message.name.as_deref()))
        .collect();
    let expected = [
        (None, None),
        (Some("y"), Some("sub")),
        (Some("x"), Some("add")),
        (Some("z"), None),
        (Some("z"), Some("mul")),
    ];
    assert_eq!(names, expected);
}

#[test]
fn tools_calls_and_results_can_be_told_in_words() {
    let mut messages = vec![
        PromptMessage::text(Role::System, "Be brief."),
        PromptMessage::text(Role::User, "1+1?"),
        PromptMessage {
            text: "Let me see.".into(),
            ..calls(&[("x", "add"), ("y", "sub")])
        },
        result(Some("x"), "2"),
        result(Some("y"), "0"),
        PromptMessage::text(Role::User, "Well?"),
    ];
    pair(&mut messages);
    let spelled = spell(&messages, &[add(None)]);
    let words = [
        "Be brief.\n\nYou can use these tools. Each is described by a JSON object:\n\
         {\"name\":\"add\",\"description\":\"\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}\n\n\
         To use a tool, answer with a JSON object of this form and nothing else:\n\
         {\"name\": \"the tool's name\", \"arguments\": {\"argument\": \"value\"}}",
        "1+1?",
        "Let me see.\n{\"name\":\"add\",\"arguments\":{\"a\":1}}\n{\"name\":\"sub\",\"arguments\":{\"a\":1}}",
        "Result of add:\n2\n\nResult of sub:\n0",
        "Well?",
    ];
    let texts: Vec<_> = spelled.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, words);
    assert!(!are_in(&spelled));
    // Without a system prompt and without tools.
    assert_eq!(spell(&messages[1..2], &[add(None)])[0].role, Role::System);
    assert_eq!(spell(&messages[1..2], &[]), messages[1..2]);
}
