"""Drives the simulated Anthropic Messages with the official SDK and prints what the SDK understood."""

import json
import sys

import anthropic

base, failing = sys.argv[1:3]
MODEL = "claude-sonnet"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"name": "get_weather", "description": "w", "input_schema": SCHEMA}]


def make(url):
    return anthropic.Anthropic(api_key="test-key", base_url=url, max_retries=0)


def text(message):
    return "".join(block.text for block in message.content if block.type == "text")


client = make(base)
ONLY_WORDS = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "plain"}]}
plain = client.messages.create(**ONLY_WORDS)
pieces = [
    event.delta.text
    for event in client.messages.create(**ONLY_WORDS, stream=True)
    if event.type == "content_block_delta" and event.delta.type == "text_delta"
]


def round_trip(words, streamed):
    messages = [{"role": "user", "content": words}]
    common = {"model": MODEL, "max_tokens": 100, "tools": TOOLS}
    if streamed:
        with client.messages.stream(messages=messages, **common) as stream:
            first = stream.get_final_message()
    else:
        first = client.messages.create(messages=messages, **common)
    calls = [block for block in first.content if block.type == "tool_use"]
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": '{"temp":21}'} for call in calls]
    messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": results}]
    last = client.messages.create(messages=messages, **common)
    return {"calls": [{"name": call.name, "args": call.input} for call in calls], "final": text(last)}


tool = round_trip("tool", False)
streamed_tool = round_trip("tool", True)
parallel = round_trip("parallel", True)

error = None
try:
    make(failing).messages.create(**ONLY_WORDS)
except anthropic.APIStatusError as raised:
    error = raised.status_code

print(
    json.dumps(
        {
            "plain": text(plain),
            "streamed": "".join(pieces),
            "pieces": len(pieces) > 1,
            "tool": tool,
            "streamedTool": streamed_tool,
            "parallel": parallel,
            "error": error,
        }
    )
)
