"""Anthropic's own Python client against a running server: `python anthropic_client.py ADDRESS MODEL`.

Its stream helper puts a message together from the events and breaks where one is missing or out of order.
"""

import sys

from anthropic import Anthropic, BadRequestError

ADDRESS, MODEL = sys.argv[1:]
CLIENT = Anthropic(base_url=ADDRESS, api_key="none", max_retries=0)
ASKED = {"model": MODEL, "max_tokens": 40, "messages": [{"role": "user", "content": "What is the capital of Germany?"}]}
GREEDY = {"temperature": 0}
TOOL = {
    "name": "weather",
    "description": "Tells the weather.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string", "enum": ["Berlin", "Rome"]}},
        "required": ["city"],
    },
}


def message():
    answer = CLIENT.messages.create(**ASKED, extra_body=GREEDY)
    assert "Berlin" in answer.content[0].text and answer.stop_reason == "end_turn"
    assert answer._request_id.startswith("req_")
    count = CLIENT.messages.count_tokens(model=MODEL, messages=ASKED["messages"]).input_tokens
    assert answer.usage.input_tokens + answer.usage.cache_read_input_tokens == count


def stop_sequence():
    answer = CLIENT.messages.create(**ASKED, stop_sequences=["Berlin"], extra_body=GREEDY)
    assert (answer.stop_reason, answer.stop_sequence) == ("stop_sequence", "Berlin")


def stream():
    with CLIENT.messages.stream(**ASKED, extra_body=GREEDY) as events:
        text = "".join(events.text_stream)
        final = events.get_final_message()
    assert final.content[0].text == text and "Berlin" in text
    assert final.stop_reason == "end_turn" and final.usage.output_tokens > 0


def tools():
    asked = {**ASKED, "max_tokens": 200, "tools": [TOOL], "tool_choice": {"type": "any"}}
    with CLIENT.messages.stream(**asked, extra_body=GREEDY) as events:
        for _ in events:
            pass
        final = events.get_final_message()
    call = final.content[0]
    assert call.type == "tool_use" and call.input["city"] in ("Berlin", "Rome") and final.stop_reason == "tool_use"
    asked["messages"] = ASKED["messages"] + [
        {"role": "assistant", "content": final.content},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "Sunny."}]},
    ]
    asked["tool_choice"] = {"type": "none"}
    assert CLIENT.messages.create(**asked, extra_body=GREEDY).content[0].type == "text"


def thinking():
    answer = CLIENT.messages.create(
        **{**ASKED, "max_tokens": 1100}, thinking={"type": "enabled", "budget_tokens": 1024}, extra_body=GREEDY
    )
    assert answer.content[-1].type == "text"


def refusal():
    try:
        CLIENT.messages.create(**{**ASKED, "max_tokens": 0})
        raise AssertionError("nothing can be written in 0 tokens")
    except BadRequestError as error:
        assert error.body["error"]["type"] == "invalid_request_error", error


for test in (message, stop_sequence, stream, tools, thinking, refusal):
    test()
    print(f"anthropic-python {test.__name__}: ok")
