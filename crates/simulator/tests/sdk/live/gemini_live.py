"""google-genai against the simulator's Gemini Live, over TLS."""

import array
import asyncio
import json
import os

from google import genai
from google.genai import types

REPORT = {"calls": [], "said": "", "heard": [], "interrupted": False, "last": "", "audioBytes": 0}

CONFIG = types.LiveConnectConfig(
    response_modalities=["AUDIO"],
    system_instruction="Be brief.",
    input_audio_transcription={},
    output_audio_transcription={},
    session_resumption={},
    context_window_compression={"trigger_tokens": 25600, "sliding_window": {"target_tokens": 12800}},
    tools=[
        {
            "function_declarations": [
                {
                    "name": "find",
                    "description": "Finds things.",
                    "parameters_json_schema": {
                        "type": "object",
                        "properties": {"query": {"type": "string"}},
                        "required": ["query"],
                        "additionalProperties": False,
                    },
                }
            ]
        }
    ],
)


async def main():
    base = f"https://{os.environ['SIMULATOR_TLS']}"
    client = genai.Client(api_key="any", http_options={"base_url": base})
    async with client.aio.live.connect(model="gemini-live-test", config=CONFIG) as session:
        messages = received(session)
        await session.send_client_content(turns={"role": "user", "parts": [{"text": "Find Atlas"}]})
        await until(messages, lambda message: message.tool_call)
        response = types.FunctionResponse(
            id="call-000001", name="find", response={"output": {"title": "Atlas"}}
        )
        await session.send_tool_response(function_responses=[response])
        REPORT["said"] = await turn(messages)
        await speak(session)
        await until(messages, lambda message: content(message).model_turn)
        await speak(session)
        await until(messages, lambda message: content(message).interrupted)
        await until(messages, lambda message: content(message).turn_complete)
        REPORT["last"] = await turn(messages)
    print(json.dumps(REPORT))


async def received(session):
    """All messages: the session's own iterator ends with each turn."""
    while True:
        async for message in session.receive():
            yield message


async def until(messages, wanted):
    async for message in messages:
        note(message)
        if wanted(message):
            return


async def turn(messages):
    words = []

    def ends(message):
        if content(message).output_transcription:
            words.append(content(message).output_transcription.text)
        return content(message).turn_complete

    await until(messages, ends)
    return "".join(words)


def content(message):
    return message.server_content or types.LiveServerContent()


def note(message):
    for call in (message.tool_call.function_calls if message.tool_call else None) or []:
        REPORT["calls"].append({"id": call.id, "name": call.name, "args": call.args})
    found = content(message)
    for part in (found.model_turn.parts if found.model_turn else None) or []:
        if part.inline_data:
            REPORT["audioBytes"] += len(part.inline_data.data)
    if found.input_transcription:
        REPORT["heard"].append(found.input_transcription.text)
    if found.interrupted:
        REPORT["interrupted"] = True


async def speak(session):
    """Half a second of noise, and silence after it, in pieces of 100 ms."""
    for piece in range(12):
        samples = [at % 40 * 400 - 8000 if piece < 5 else 0 for at in range(1600)]
        pcm = array.array("h", samples).tobytes()
        await session.send_realtime_input(audio={"data": pcm, "mime_type": "audio/pcm;rate=16000"})


asyncio.run(asyncio.wait_for(main(), 60))
