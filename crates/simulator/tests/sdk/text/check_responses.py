"""Drives the simulated OpenAI Responses with the official SDK and prints what the SDK understood."""

import json
import sys

import openai

base, failing = sys.argv[1:3]
MODEL = "gpt-5"
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOLS = [{"type": "function", "name": "get_weather", "description": "w", "parameters": PARAMETERS, "strict": True}]


def make(url):
    return openai.OpenAI(api_key="sk-test", base_url=f"{url}/v1", max_retries=0)


client = make(base)
plain = client.responses.create(model=MODEL, input="plain")
pieces = [
    event.delta
    for event in client.responses.create(model=MODEL, input="plain", stream=True)
    if event.type == "response.output_text.delta"
]


def round_trip(words, streamed):
    messages = [{"role": "user", "content": words}]
    if streamed:
        with client.responses.stream(model=MODEL, input=messages, tools=TOOLS) as stream:
            first = stream.get_final_response()
    else:
        first = client.responses.create(model=MODEL, input=messages, tools=TOOLS)
    calls = [item for item in first.output if item.type == "function_call"]
    outputs = [{"type": "function_call_output", "call_id": call.call_id, "output": '{"temp":21}'} for call in calls]
    if streamed:
        last = client.responses.create(model=MODEL, input=outputs, previous_response_id=first.id, tools=TOOLS)
    else:
        last = client.responses.create(model=MODEL, input=[*messages, *first.output, *outputs], tools=TOOLS)
    told = [{"name": call.name, "args": json.loads(call.arguments)} for call in calls]
    return {"calls": told, "final": last.output_text}


tool = round_trip("tool", False)
streamed_tool = round_trip("tool", True)
parallel = round_trip("parallel", True)

error = None
try:
    make(failing).responses.create(model=MODEL, input="plain")
except openai.APIStatusError as raised:
    error = raised.status_code

print(
    json.dumps(
        {
            "plain": plain.output_text,
            "streamed": "".join(pieces),
            "pieces": len(pieces) > 1,
            "tool": tool,
            "streamedTool": streamed_tool,
            "parallel": parallel,
            "error": error,
        }
    )
)
