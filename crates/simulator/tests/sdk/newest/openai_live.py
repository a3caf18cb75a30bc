"""openai against the simulator's GPT-Live."""

import array
import asyncio
import base64
import json
import os

from openai import AsyncOpenAI

REPORT = {
    "started": "", "heard": "", "delegated": 0, "acked": "", "said": "", "closed": "", "audioBytes": 0,
}


async def main():
    client = AsyncOpenAI(api_key="any", base_url=f"http://{os.environ['SIMULATOR']}/v1")
    async with client.live.connect() as connection:
        delegation = {"type": "client", "acknowledgement_delay_ms": 2000}
        session = {"model": "gpt-live-1", "delegation": delegation}
        await connection.session.start(session=session, event_id="start_1")
        speaking = None
        async for event in connection:
            if event.type == "session.started":
                REPORT["started"] = event.client_event_id
                speaking = asyncio.create_task(speak(connection))
            elif event.type == "session.input_transcript.delta":
                REPORT["heard"] += event.delta
            elif event.type == "session.delegation.created":
                REPORT["delegated"] += 1
                await connection.session.commentary.append(
                    content="Atlas is a film.", delegation_id=event.delegation.id, event_id="a1"
                )
            elif event.type == "session.commentary.appended":
                REPORT["acked"] = event.client_event_id
            elif event.type == "session.output_transcript.delta":
                REPORT["said"] += event.delta
                if REPORT["said"].endswith("film."):
                    await asyncio.sleep(0.3)
                    speaking.cancel()
                    await connection.send({"type": "session.close"})
            elif event.type == "session.output_audio.delta":
                REPORT["audioBytes"] += len(base64.b64decode(event.delta))
            elif event.type == "session.closed":
                REPORT["closed"] = event.reason
                break
            elif event.type == "error":
                raise RuntimeError(event.error.message)
    print(json.dumps(REPORT))


async def speak(connection):
    """Half a second of noise and silence without end, in pieces of 100 ms, faster than real time."""
    piece = 0
    while True:
        samples = [at % 40 * 400 - 8000 if piece < 5 else 0 for at in range(2400)]
        audio = base64.b64encode(array.array("h", samples).tobytes()).decode()
        await connection.send({"type": "session.input_audio.append", "audio": audio})
        piece += 1
        await asyncio.sleep(0.01)


asyncio.run(asyncio.wait_for(main(), 60))
