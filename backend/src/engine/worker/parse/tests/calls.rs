//! Tool calls of every family.

use super::*;

fn check(family: Family, answer: &str, expected: &[&str]) {
    let prompt = match family {
        Family::Harmony => "<|start|>assistant",
        _ => "",
    };
    let read = read(style(family), &options(), prompt, answer);
    assert_eq!(read, expected, "{family:?}: {answer:?}");
    for call in read.iter().filter_map(|shown| shown.strip_prefix("call ")) {
        let arguments = call.splitn(3, ' ').nth(2).expect("arguments");
        let arguments: serde_json::Result<serde_json::Map<_, _>> = serde_json::from_str(arguments);
        arguments.unwrap_or_else(|error| panic!("{family:?}: {call}: {error}"));
    }
}

#[test]
fn hermes() {
    let check = |answer: &str, expected: &[&str]| check(Family::Hermes, answer, expected);
    let call = "call 0 weather {\"city\": \"Rome\"}";
    check(
        "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\"}}\n</tool_call>",
        &[call],
    );
    check(
        "<think>a</think>\n\nI look.\n<tool_call>{\"arguments\":{\"city\": \"Rome\"},\"name\":\"weather\"}</tool_call>",
        &["thought a", "text I look.\n", call],
    );
    check(
        "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\"}}</tool_call>\n<tool_call>\n\
         {\"name\": \"add\", \"arguments\": {\"a\": 1.5, \"b\": [true, {\"c\": null}]}}\n</tool_call>\n",
        &[call, "call 1 add {\"a\": 1.5, \"b\": [true, {\"c\": null}]}"],
    );
    // Arguments as a string that holds JSON, and none at all.
    check(
        "<tool_call>{\"name\": \"weather\", \"arguments\": \"{\\\"city\\\": \\\"Rome\\\"}\"}</tool_call>",
        &[call],
    );
    check(
        "<tool_call>{\"name\": \"weather\"}</tool_call>",
        &["call 0 weather {}"],
    );
    check(
        "<tool_call>{\"type\": \"function\", \"function\": {\"name\": \"weather\", \"parameters\": {}}}</tool_call>",
        &["call 0 weather {}"],
    );
    // Text behind calls, and thoughts between them.
    check(
        "<tool_call>{\"name\": \"add\", \"arguments\": {}}</tool_call> Done.",
        &["call 0 add {}", "text Done."],
    );
    check(
        "<tool_call>{\"name\": \"add\"}</tool_call>\n<think>b</think>\n<tool_call>{\"name\": \"add\"}</tool_call>",
        &["call 0 add {}", "thought b", "call 1 add {}"],
    );
}

#[test]
fn what_is_no_call_stays_text() {
    let same = |family, answer: &str| check(family, answer, &[&format!("text {answer}")]);
    for answer in [
        "<tool_call>what?</tool_call>",
        "<tool_call>\n{\"name\": 1}\n</tool_call>",
        "<tool_call>{\"arguments\": {}}</tool_call>",
        "<tool_call>{\"name\": \"a b\", \"arguments\": {}}",
        "<tool_call>",
        "<tool_call",
        "<tool_call>{\"name\": \"wea",
        "a `<tool_call>{\"name\": \"add\"}</tool_call>` b",
        "```\n<tool_call>{\"name\": \"add\"}</tool_call>\n```",
    ] {
        same(Family::Hermes, answer);
    }
    same(Family::QwenCoder, "#include <functional>\n<function=a b>");
    same(Family::Mistral, "[TOOL_CALLS] of Mistral");
    same(Family::Llama3, "{\"name\": \"unknown\", \"parameters\": {}}");
    same(Family::Llama3, "{\"colour\": \"red\"}");
    same(Family::Llama3, "Say {\"name\": \"add\", \"parameters\": {}}");
    same(Family::Generic, "```json\n{\"a\": 1}\n```");
    same(Family::Generic, "```\ncode\n```");
    same(Family::Glm, "<tool_call>no call here, as one sees");
    same(Family::Gemma4, "<|tool_call>cat<tool_call|>");
    // A call after one that is none.
    check(
        Family::Hermes,
        "<tool_call>no</tool_call><tool_call>{\"name\": \"add\"}</tool_call>",
        &["text <tool_call>no</tool_call>", "call 0 add {}"],
    );
}

#[test]
fn a_call_that_is_cut_tells_what_came() {
    let cut = |family, answer: &str, expected: &[&str]| {
        assert_eq!(
            read(style(family), &options(), "<|start|>assistant", answer),
            expected,
            "{answer:?}"
        );
    };
    cut(
        Family::Hermes,
        "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Ro",
        &["call 0 weather {\"city\": \"Ro"],
    );
    cut(
        Family::Hermes,
        "<tool_call>{\"name\": \"weather\",",
        &["call 0 weather "],
    );
    cut(
        Family::QwenCoder,
        "<tool_call>\n<function=weather>\n<parameter=city>\nRo</",
        &["call 0 weather {\"city\": \"Ro</"],
    );
    cut(
        Family::Gemma4,
        "<|tool_call>call:weather{city:<|\"|>Ro",
        &["call 0 weather {\"city\": \"Ro"],
    );
    cut(
        Family::Harmony,
        "<|channel|>commentary to=functions.add <|constrain|>json<|message|>{\"a\":",
        &["call 0 add {\"a\":"],
    );
    // Broken in the middle: what came is kept, and so is the rest.
    cut(
        Family::Hermes,
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": x}}",
        &["call 0 add {\"a\": ", "text x}}"],
    );
}

#[test]
fn markup() {
    let answer = "<tool_call>\n<function=weather>\n<parameter=city>\nRome \"the\n eternal\"\n</parameter>\n\
                  <parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";
    let weather = "call 0 weather {\"city\": \"Rome \\\"the\\n eternal\\\"\", \"days\": 3}";
    check(Family::QwenCoder, answer, &[weather]);
    check(
        Family::QwenCoder,
        "I look.\n<function=add>\n<parameter=a>\n[1, 2]\n</parameter>\n<parameter=b>\nx < y\n</parameter>\n</function>\n\
         </tool_call>",
        &["text I look.\n", "call 0 add {\"a\": [1, 2], \"b\": \"x < y\"}"],
    );
    check(
        Family::QwenCoder,
        "<tool_call><function=add></function></tool_call>",
        &["call 0 add {}"],
    );
    check(
        Family::SeedOss,
        "<seed:tool_call>\n<function=weather>\n<parameter=city>12</parameter>\n</function>\n</seed:tool_call>",
        &["call 0 weather {\"city\": \"12\"}"],
    );
    check(
        Family::Functionary,
        "<function=weather>{\"city\": \"Rome\"}</function>",
        &["call 0 weather {\"city\": \"Rome\"}"],
    );
    check(
        Family::Glm,
        "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n\
         <arg_value>3</arg_value>\n</tool_call>\nDone.",
        &["call 0 weather {\"city\": \"Rome\", \"days\": 3}", "text Done."],
    );
    check(
        Family::MiniMax,
        "<minimax:tool_call>\n<invoke name=\"weather\">\n<parameter name=\"city\">Rome</parameter>\n</invoke>\n\
         <invoke name=\"add\">\n</invoke>\n</minimax:tool_call>",
        &["call 0 weather {\"city\": \"Rome\"}", "call 1 add {}"],
    );
    check(
        Family::DeepSeekV32,
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"add\">\n<｜DSML｜parameter name=\"a\" string=\"true\">1\
         </｜DSML｜parameter>\n<｜DSML｜parameter name=\"b\" string=\"false\">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n\
         </｜DSML｜function_calls>",
        &["call 0 add {\"a\": \"1\", \"b\": 1}"],
    );
}

#[test]
fn llama() {
    let call = "call 0 weather {\"city\": \"Rome\"}";
    check(
        Family::Llama3,
        "{\"name\": \"weather\", \"parameters\": {\"city\": \"Rome\"}}",
        &[call],
    );
    check(
        Family::Llama3,
        "<|python_tag|>{\"type\": \"function\", \"name\": \"weather\", \"parameters\": {\"city\": \"Rome\"}}",
        &[call],
    );
    check(
        Family::Llama3,
        "{\"name\": \"weather\", \"parameters\": {\"city\": \"Rome\"}}; {\"name\": \"add\", \"parameters\": {}}",
        &[call, "call 1 add {}"],
    );
    check(
        Family::Llama3,
        "<|python_tag|>print(1)",
        &["text <|python_tag|>print(1)"],
    );
}

#[test]
fn generic() {
    let call = "call 0 weather {\"city\": \"Rome\"}";
    check(
        Family::Generic,
        "{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\"}}",
        &[call],
    );
    check(
        Family::Generic,
        "```json\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\"}}\n```\n",
        &[call],
    );
    // Where the request demands JSON, JSON is the answer.
    let options = AnswerOptions {
        format: Format::JsonObject,
        ..options()
    };
    let answer = "{\"name\": \"weather\", \"arguments\": {}}";
    assert_eq!(
        read(style(Family::Generic), &options, "", answer),
        [format!("text {answer}")]
    );
}

#[test]
fn mistral() {
    for family in [Family::Mistral, Family::MistralArgs] {
        check(
            family,
            "[TOOL_CALLS][{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\"}, \"id\": \"123456789\"}, {\"name\": \
             \"add\", \"arguments\": {}}]",
            &["call 0 weather {\"city\": \"Rome\"}", "call 1 add {}"],
        );
        check(
            family,
            "[THINK]a[/THINK]I look.[TOOL_CALLS]weather[ARGS]{\"city\": \"Rome\"}[TOOL_CALLS]add[CALL_ID]123456789[ARGS]{}",
            &[
                "thought a",
                "text I look.",
                "call 0 weather {\"city\": \"Rome\"}",
                "call 1 add {}",
            ],
        );
    }
}

#[test]
fn gemma() {
    check(
        Family::Gemma4,
        "<|tool_call>call:weather{city:<|\"|>Rome, \"the\"<|\"|>,days:3,list:[1.5,<|\"|>a<|\"|>,{x:null}],empty:{},none:[]}\
         <tool_call|><|tool_call>call:add{}<tool_call|>",
        &[
            "call 0 weather {\"city\": \"Rome, \\\"the\\\"\", \"days\": 3, \"list\": [1.5, \"a\", {\"x\": null}], \
             \"empty\": {}, \"none\": []}",
            "call 1 add {}",
        ],
    );
    check(
        Family::FunctionGemma,
        "<start_function_call>call:weather{city:<escape>Rome<escape>}<end_function_call>",
        &["call 0 weather {\"city\": \"Rome\"}"],
    );
}

#[test]
fn deepseek() {
    check(
        Family::DeepSeek,
        "<think>a</think>I look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n\
         {\"city\": \"Rome\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{}\n```\
         <｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        &[
            "thought a",
            "text I look.",
            "call 0 weather {\"city\": \"Rome\"}",
            "call 1 add {}",
        ],
    );
    check(
        Family::DeepSeekV31,
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{\"city\": \"Rome\"}<｜tool▁call▁end｜>\
         <｜tool▁calls▁end｜>",
        &["call 0 weather {\"city\": \"Rome\"}"],
    );
    check(
        Family::Kimi,
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{\"city\": \"Rome\"}\
         <|tool_call_end|><|tool_call_begin|>functions.add:1<|tool_call_argument_begin|>{}<|tool_call_end|>\
         <|tool_calls_section_end|>",
        &["call 0 weather {\"city\": \"Rome\"}", "call 1 add {}"],
    );
}

#[test]
fn harmony() {
    check(
        Family::Harmony,
        "<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>commentary to=functions.weather \
         <|constrain|>json<|message|>{\"city\": \"the {\\\"eternal\\\"} <|end|>\"}<|call|>",
        &[
            "thought so",
            "call 0 weather {\"city\": \"the {\\\"eternal\\\"} <|end|>\"}",
        ],
    );
    check(
        Family::Harmony,
        " to=functions.add<|channel|>commentary json<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
        &["call 0 add {}", "text Yes."],
    );
    check(
        Family::Harmony,
        "<|channel|>commentary to=functions.add<|message|><|call|>",
        &["call 0 add {}"],
    );
}

#[test]
fn lists_in_tags() {
    let list = "[{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\"}}, {\"name\": \"add\", \"arguments\": {}}]";
    let expected = ["call 0 weather {\"city\": \"Rome\"}", "call 1 add {}"];
    check(Family::Granite, &format!("<|tool_call|>{list}"), &expected);
    check(
        Family::Nemotron,
        &format!("<TOOLCALL>{list}</TOOLCALL>"),
        &expected,
    );
    check(
        Family::ToolCalls,
        &format!("<tool_calls>{list}</tool_calls>"),
        &expected,
    );
    check(Family::FireFunction, &format!(" functools{list}"), &expected);
    check(
        Family::Cohere,
        "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"weather\", \"parameters\": {\"city\": \"Rome\"}}\n]\
         <|END_ACTION|>",
        &expected[..1],
    );
}

#[test]
fn no_call_is_read_where_none_is_wanted() {
    let answer = "<tool_call>{\"name\": \"add\", \"arguments\": {}}</tool_call>";
    let none = AnswerOptions {
        tool_choice: ToolChoice::None,
        ..options()
    };
    for options in [none, AnswerOptions::default()] {
        assert_eq!(
            read(style(Family::Hermes), &options, "", answer),
            [format!("text {answer}")]
        );
    }
}
