"""Drives the simulated Gemini with the official SDK and prints what the SDK understood."""

import json
import sys

from google import genai
from google.genai import errors, types

base, failing = sys.argv[1:3]
MODEL = "gemini-3-flash"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
NATIVE = types.Schema(type="OBJECT", properties={"city": types.Schema(type="STRING")}, required=["city"])


def make(url):
    return genai.Client(api_key="test-key", http_options={"base_url": url})


def declared(**fields):
    function = types.FunctionDeclaration(name="get_weather", description="w", **fields)
    return types.GenerateContentConfig(tools=[types.Tool(function_declarations=[function])])


def user(text):
    return types.Content(role="user", parts=[types.Part(text=text)])


client = make(base)
plain = client.models.generate_content(model=MODEL, contents="plain")
pieces = [chunk.text for chunk in client.models.generate_content_stream(model=MODEL, contents="plain") if chunk.text]


def round_trip(words, config, streamed):
    contents = [user(words)]
    if streamed:
        parts = []
        for chunk in client.models.generate_content_stream(model=MODEL, contents=contents, config=config):
            parts.extend(chunk.candidates[0].content.parts or [])
        content = types.Content(role="model", parts=parts)
    else:
        content = client.models.generate_content(model=MODEL, contents=contents, config=config).candidates[0].content
    calls = [part.function_call for part in content.parts if part.function_call]
    answers = [
        types.Part(
            function_response=types.FunctionResponse(id=call.id, name=call.name, response={"output": {"temp": 21}})
        )
        for call in calls
    ]
    contents += [content, types.Content(role="user", parts=answers)]
    last = client.models.generate_content(model=MODEL, contents=contents, config=config)
    return {"calls": [{"name": call.name, "args": call.args} for call in calls], "final": last.text}


tool = round_trip("tool", declared(parameters_json_schema=SCHEMA), False)
streamed_tool = round_trip("tool", declared(parameters=NATIVE), True)
parallel = round_trip("parallel", declared(parameters_json_schema=SCHEMA), True)

error = None
broken = make(failing)
try:
    broken.models.generate_content(model=MODEL, contents="plain")
except errors.APIError as raised:
    error = raised.code

print(
    json.dumps(
        {
            "plain": plain.text,
            "streamed": "".join(pieces),
            "pieces": len(pieces) > 1,
            "tool": tool,
            "streamedTool": streamed_tool,
            "parallel": parallel,
            "error": error,
        }
    )
)
