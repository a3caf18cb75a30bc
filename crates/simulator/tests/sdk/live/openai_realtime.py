"""openai against the simulator's OpenAI Realtime."""

import array
import asyncio
import base64
import json
import os

from openai import AsyncOpenAI

REPORT = {"calls": [], "said": "", "heard": [], "interrupted": False, "last": "", "audioBytes": 0}

SESSION = {
    "type": "realtime",
    "instructions": "Be brief.",
    "output_modalities": ["audio"],
    "audio": {
        "input": {
            "format": {"type": "audio/pcm", "rate": 24000},
            "transcription": {"model": "gpt-4o-mini-transcribe"},
            "turn_detection": {"type": "server_vad", "silence_duration_ms": 500},
        }
    },
    "tools": [
        {
            "type": "function",
            "name": "find",
            "description": "Finds things.",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
        }
    ],
}


async def main():
    client = AsyncOpenAI(api_key="any", base_url=f"http://{os.environ['SIMULATOR']}/v1")
    async with client.realtime.connect(model="gpt-realtime") as connection:
        await until(connection, "session.created")
        await connection.session.update(session=SESSION)
        await until(connection, "session.updated")
        await connection.conversation.item.create(
            item={
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Find Atlas"}],
            }
        )
        await connection.response.create()
        await until(connection, "response.done")
        output = json.dumps({"title": "Atlas"})
        await connection.conversation.item.create(
            item={"type": "function_call_output", "call_id": "call-000001", "output": output}
        )
        await connection.response.create()
        REPORT["said"] = await turn(connection)
        await speak(connection)
        await until(connection, "response.output_audio.delta")
        await speak(connection)
        done = await until(connection, "response.done")
        REPORT["interrupted"] = done.response.status_details.reason == "turn_detected"
        REPORT["last"] = await turn(connection)
    print(json.dumps(REPORT))


async def until(connection, kind):
    async for event in connection:
        note(event)
        if event.type == "error":
            raise RuntimeError(event.error.message)
        if event.type == kind:
            return event


async def turn(connection):
    words = []
    async for event in connection:
        note(event)
        if event.type == "response.output_audio_transcript.delta":
            words.append(event.delta)
        if event.type == "response.done":
            return "".join(words)


def note(event):
    if event.type == "response.function_call_arguments.done":
        arguments = json.loads(event.arguments)
        REPORT["calls"].append({"id": event.call_id, "name": event.name, "args": arguments})
    if event.type == "response.output_audio.delta":
        REPORT["audioBytes"] += len(base64.b64decode(event.delta))
    if event.type == "conversation.item.input_audio_transcription.completed":
        REPORT["heard"].append(event.transcript)


async def speak(connection):
    """Half a second of noise, and silence after it, in pieces of 100 ms."""
    for piece in range(12):
        samples = [at % 40 * 400 - 8000 if piece < 5 else 0 for at in range(2400)]
        pcm = array.array("h", samples).tobytes()
        await connection.input_audio_buffer.append(audio=base64.b64encode(pcm).decode())


asyncio.run(asyncio.wait_for(main(), 60))
