"""OpenAI's own Python client against a running server: `python openai_client.py ADDRESS MODEL`.

Every answer goes through the client's types and stream helpers, which refuse what does not fit the specification.
"""

import json
import sys
from typing import Literal

from openai import BadRequestError, NotFoundError, OpenAI
from pydantic import BaseModel

ADDRESS, MODEL = sys.argv[1:]
CLIENT = OpenAI(base_url=f"{ADDRESS}/v1", api_key="none", max_retries=0)
QUESTION = "What is the capital of Germany?"
MESSAGES = [{"role": "user", "content": QUESTION}]


class City(BaseModel):
    city: Literal["Berlin", "Rome"]


SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Berlin", "Rome"]}},
    "required": ["city"],
    "additionalProperties": False,
}
FUNCTION = {"name": "weather", "description": "Tells the weather.", "parameters": SCHEMA, "strict": True}


def models():
    assert MODEL in [model.id for model in CLIENT.models.list()]
    assert CLIENT.models.retrieve(MODEL).id == MODEL
    try:
        CLIENT.models.retrieve("nope")
        raise AssertionError("there is no such model")
    except NotFoundError as error:
        assert error.code == "model_not_found", error


def chat():
    answer = CLIENT.chat.completions.create(model=MODEL, messages=MESSAGES, temperature=0, max_tokens=20, logprobs=True)
    choice = answer.choices[0]
    assert "Berlin" in choice.message.content and choice.finish_reason == "stop"
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
    assert "".join(token.token for token in choice.logprobs.content).startswith("The")


def chat_stream():
    with CLIENT.chat.completions.stream(
        model=MODEL, messages=MESSAGES, temperature=0, max_tokens=20, stream_options={"include_usage": True}
    ) as stream:
        text = "".join(event.delta for event in stream if event.type == "content.delta")
        final = stream.get_final_completion()
    assert "Berlin" in text and final.choices[0].message.content == text
    assert final.usage.completion_tokens > 0


def chat_tools():
    answer = CLIENT.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": "What is the weather in Rome?"}],
        tools=[{"type": "function", "function": FUNCTION}],
        tool_choice="required",
        temperature=0,
        max_tokens=200,
    )
    call = answer.choices[0].message.tool_calls[0]
    assert call.function.name == "weather" and answer.choices[0].finish_reason == "tool_calls"
    assert json.loads(call.function.arguments)["city"] in ("Berlin", "Rome")


def chat_tools_stream():
    with CLIENT.chat.completions.stream(
        model=MODEL,
        messages=[{"role": "user", "content": "What is the weather in Rome?"}],
        tools=[{"type": "function", "function": FUNCTION}],
        tool_choice="required",
        temperature=0,
        max_tokens=200,
    ) as stream:
        done = [event for event in stream if event.type == "tool_calls.function.arguments.done"]
    assert done[0].name == "weather" and done[0].parsed_arguments["city"] in ("Berlin", "Rome")


def chat_parse():
    answer = CLIENT.chat.completions.parse(
        model=MODEL,
        messages=[{"role": "user", "content": "Name a city."}],
        response_format=City,
        temperature=0,
        max_tokens=50,
    )
    assert answer.choices[0].message.parsed.city in ("Berlin", "Rome")


def completions():
    asked = {"model": MODEL, "prompt": ["The sky is", "Grass is"], "temperature": 0, "max_tokens": 5}
    answer = CLIENT.completions.create(**asked, n=2, logprobs=2)
    assert [choice.index for choice in answer.choices] == [0, 1, 2, 3]
    assert len(answer.choices[0].logprobs.tokens) == len(answer.choices[0].logprobs.text_offset) == 5
    texts = [""] * 2
    for chunk in CLIENT.completions.create(**asked, stream=True):
        for choice in chunk.choices:
            texts[choice.index] += choice.text
    assert all(texts), texts


def embeddings():
    both = [
        CLIENT.embeddings.create(model=MODEL, input=["a cat", "a dog"], encoding_format=encoding).data
        for encoding in ("base64", "float")
    ]
    # Without a form the client asks for base64 and gives numbers.
    numbers = CLIENT.embeddings.create(model=MODEL, input=["a cat", "a dog"]).data
    assert [vector.index for vector in numbers] == [0, 1]
    near = sum(one * other for one, other in zip(numbers[0].embedding, both[1][0].embedding))
    assert isinstance(both[0][0].embedding, (str, list)) and near > 0.999
    try:
        CLIENT.embeddings.create(model=MODEL, input=[])
        raise AssertionError("there is nothing to embed")
    except BadRequestError as error:
        assert error.param == "input", error


def responses():
    first = CLIENT.responses.create(model=MODEL, input=QUESTION, temperature=0, max_output_tokens=40)
    assert first.status == "completed" and "Berlin" in first.output_text
    second = CLIENT.responses.create(
        model=MODEL, input="And of Italy?", previous_response_id=first.id, temperature=0, max_output_tokens=40
    )
    assert second.usage.input_tokens > first.usage.input_tokens
    assert CLIENT.responses.retrieve(second.id).output_text == second.output_text
    assert CLIENT.responses.input_items.list(second.id).data[0].content[0].text == "And of Italy?"
    CLIENT.responses.delete(second.id)
    try:
        CLIENT.responses.retrieve(second.id)
        raise AssertionError("it was deleted")
    except NotFoundError:
        pass


def responses_stream():
    with CLIENT.responses.stream(model=MODEL, input=QUESTION, temperature=0, max_output_tokens=40) as stream:
        events = list(stream)
        final = stream.get_final_response()
    assert [event.sequence_number for event in events] == list(range(len(events)))
    names = [event.type.removeprefix("response.") for event in events]
    assert names[:4] == ["created", "in_progress", "output_item.added", "content_part.added"], names
    end = ["output_text.done", "content_part.done", "output_item.done", "completed"]
    assert names[-4:] == end and set(names[4:-4]) == {"output_text.delta"}, names
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text == final.output_text and "Berlin" in text


def responses_tools():
    asked = {
        "model": MODEL,
        "input": "What is the weather in Rome?",
        "tools": [{"type": "function", **FUNCTION}],
        "tool_choice": "required",
        "temperature": 0,
        "max_output_tokens": 200,
    }
    with CLIENT.responses.stream(**asked) as stream:
        for _ in stream:
            pass
        call = stream.get_final_response().output[0]
    assert call.type == "function_call" and json.loads(call.arguments)["city"] in ("Berlin", "Rome")
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "Sunny."}
    chat = [{"role": "user", "content": asked["input"]}, call.model_dump(), result]
    answer = CLIENT.responses.create(model=MODEL, input=chat, temperature=0, max_output_tokens=20)
    assert answer.output_text


def responses_parse():
    answer = CLIENT.responses.parse(
        model=MODEL, input="Name a city.", text_format=City, temperature=0, max_output_tokens=50
    )
    assert answer.output_parsed.city in ("Berlin", "Rome")


for test in (
    models,
    chat,
    chat_stream,
    chat_tools,
    chat_tools_stream,
    chat_parse,
    completions,
    embeddings,
    responses,
    responses_stream,
    responses_tools,
    responses_parse,
):
    test()
    print(f"openai-python {test.__name__}: ok")
