"""Drives the simulated Chat Completions with the official SDK and prints what the SDK understood."""

import json
import sys

import openai

base, failing = sys.argv[1:3]
MODEL = "gpt-5"
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"type": "function", "function": {"name": "get_weather", "description": "w", "parameters": PARAMETERS}}]


def make(url):
    return openai.OpenAI(api_key="sk-test", base_url=f"{url}/v1", max_retries=0)


client = make(base)
ONLY_WORDS = [{"role": "user", "content": "plain"}]
plain = client.chat.completions.create(model=MODEL, messages=ONLY_WORDS)
chunks = client.chat.completions.create(model=MODEL, messages=ONLY_WORDS, stream=True)
pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices and chunk.choices[0].delta.content]


def collect(messages):
    """The calls of a stream, put together by their index."""
    calls = {}
    options = {"include_usage": True}
    usage = None
    stream = client.chat.completions.create(
        model=MODEL, messages=messages, tools=TOOLS, stream=True, stream_options=options
    )
    for chunk in stream:
        usage = chunk.usage or usage
        for delta in chunk.choices[0].delta.tool_calls or [] if chunk.choices else []:
            call = calls.setdefault(delta.index, {"id": delta.id, "name": delta.function.name, "arguments": ""})
            call["arguments"] += delta.function.arguments or ""
    assert usage is not None and usage.total_tokens > 0
    return [calls[index] for index in sorted(calls)]


def round_trip(words, streamed):
    messages = [{"role": "system", "content": "be brief"}, {"role": "user", "content": words}]
    if streamed:
        calls = collect(messages)
    else:
        first = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
        made = first.choices[0].message.tool_calls
        calls = [{"id": call.id, "name": call.function.name, "arguments": call.function.arguments} for call in made]
    wire = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in calls
    ]
    messages.append({"role": "assistant", "content": None, "tool_calls": wire})
    messages += [{"role": "tool", "tool_call_id": call["id"], "content": '{"temp":21}'} for call in calls]
    last = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
    told = [{"name": call["name"], "args": json.loads(call["arguments"])} for call in calls]
    return {"calls": told, "final": last.choices[0].message.content}


tool = round_trip("tool", False)
streamed_tool = round_trip("tool", True)
parallel = round_trip("parallel", True)

error = None
try:
    make(failing).chat.completions.create(model=MODEL, messages=ONLY_WORDS)
except openai.APIStatusError as raised:
    error = raised.status_code

print(
    json.dumps(
        {
            "plain": plain.choices[0].message.content,
            "streamed": "".join(pieces),
            "pieces": len(pieces) > 1,
            "tool": tool,
            "streamedTool": streamed_tool,
            "parallel": parallel,
            "error": error,
        }
    )
)
