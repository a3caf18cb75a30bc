// The processing of the audio thread: resampling, jitter buffer, speech detection, PCM16.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CAPTURE_RATE, decibels, fromPcm16, JitterBuffer, PLAYBACK_RATE, Resampler, SpeechDetector, toPcm16 } from "../../src/voice/audio-worklet.js";

const tone = (hertz: number, rate: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rate * seconds }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / rate));

/** Resamples in render quanta of 128 samples, as the audio thread does. */
function resample(input: Float32Array, from: number, to: number): Float32Array {
  const resampler = new Resampler(from, to);
  const blocks: number[] = [];
  for (let at = 0; at < input.length; at += 128) blocks.push(...resampler.process(input.subarray(at, at + 128)));
  return Float32Array.from(blocks);
}

/** The part of the output that the edges do not touch. */
const middle = (samples: Float32Array): Float32Array => samples.subarray(samples.length / 4, (samples.length * 3) / 4);

describe("resampler", () => {
  const conversions: [number, number][] = [
    [48_000, CAPTURE_RATE],
    [44_100, CAPTURE_RATE],
    [16_000, CAPTURE_RATE],
    [96_000, CAPTURE_RATE],
    [PLAYBACK_RATE, 48_000],
    [PLAYBACK_RATE, 44_100],
    [PLAYBACK_RATE, 24_000],
  ];
  test.each(conversions)("from %i to %i Hz keeps length, level and pitch of speech", (from, to) => {
    for (const hertz of [200, 1000, 3000]) {
      const output = resample(tone(hertz, from, 0.5), from, to);
      expect(Math.abs(output.length - to * 0.5)).toBeLessThanOrEqual(2);
      expect(decibels(middle(output))).toBeCloseTo(decibels(tone(hertz, to, 0.5)), 0);
      const inner = middle(output);
      const crossings = inner.filter((sample, index) => index > 0 && sample >= 0 && inner[index - 1]! < 0).length;
      expect(Math.abs(crossings - hertz * 0.25)).toBeLessThanOrEqual(1);
    }
  });

  test("frequencies above the new range do not fold back", () => {
    expect(decibels(middle(resample(tone(11_000, 48_000, 0.5), 48_000, CAPTURE_RATE)))).toBeLessThan(-50);
  });

  test("blocks of any size give the same samples", () => {
    const input = tone(440, 44_100, 0.2);
    const resampler = new Resampler(44_100, CAPTURE_RATE);
    const uneven = [...resampler.process(input.subarray(0, 7)), ...resampler.process(input.subarray(7, 5000)), ...resampler.process(input.subarray(5000))];
    expect(Float32Array.from(uneven)).toEqual(resample(input, 44_100, CAPTURE_RATE));
  });
});

describe("jitter buffer", () => {
  const block = new Float32Array(128);
  const ones = (length: number): Float32Array => new Float32Array(length).fill(1);

  test("begins when enough is there, and plays without a gap", () => {
    const buffer = new JitterBuffer(300);
    buffer.push(ones(200));
    expect(buffer.pull(block)).toBe(false);
    buffer.push(ones(184));
    expect([1, 2, 3].map(() => buffer.pull(block) && block.every((sample) => sample === 1))).toEqual([true, true, true]);
    expect(buffer.pull(block)).toBe(false);
  });

  test("plays a short sound when no more follows", () => {
    const buffer = new JitterBuffer(300);
    buffer.push(ones(100));
    buffer.complete();
    expect(buffer.pull(block)).toBe(true);
    expect(block.reduce((sum, sample) => sum + sample, 0)).toBe(100);
  });

  test("plays a short sound after the waiting time even if nobody said that it is complete", () => {
    const buffer = new JitterBuffer(300);
    buffer.push(ones(100));
    expect([1, 2, 3].map(() => buffer.pull(block))).toEqual([false, false, true]);
  });

  test("collects again after it ran dry", () => {
    const buffer = new JitterBuffer(300);
    buffer.push(ones(300));
    for (let blocks = 0; blocks < 3; blocks += 1) buffer.pull(block);
    buffer.push(ones(128));
    expect(buffer.pull(block)).toBe(false);
  });

  test("the block after clear is silent", () => {
    const buffer = new JitterBuffer(300);
    buffer.push(ones(10_000));
    expect(buffer.pull(block)).toBe(true);
    buffer.clear();
    expect(buffer.pull(block)).toBe(false);
    expect(block.every((sample) => sample === 0)).toBe(true);
  });

  test("drops the oldest audio beyond its limit", () => {
    const buffer = new JitterBuffer(0, 256);
    for (const value of [1, 2, 3]) buffer.push(new Float32Array(128).fill(value));
    buffer.pull(block);
    expect(block[0]).toBe(2);
    expect(buffer.buffered).toBe(128);
  });
});

describe("speech detector", () => {
  /** Feeds a level for some blocks of 10 ms and returns what changed, with the number of the block. */
  function feed(detector: SpeechDetector, level: number, blocks: number, isPlaying = false): [string, number][] {
    const changes: [string, number][] = [];
    for (let index = 1; index <= blocks; index += 1) {
      const change = detector.process(level + (index % 2), isPlaying);
      if (change) changes.push([change, index]);
    }
    return changes;
  }

  test("speech is noticed within 30 ms and ends after 300 ms of silence", () => {
    const detector = new SpeechDetector();
    expect(feed(detector, -65, 100)).toEqual([]);
    expect(feed(detector, -25, 50)).toEqual([["began", 3]]);
    expect(feed(detector, -65, 50)).toEqual([["ended", 30]]);
  });

  test("speech over the reply is noticed within 40 ms", () => {
    const detector = new SpeechDetector();
    feed(detector, -60, 100, true);
    expect(feed(detector, -25, 20, true)).toEqual([["began", 4]]);
  });

  test("the rest of an echo does not count as speech", () => {
    const detector = new SpeechDetector();
    feed(detector, -65, 100);
    expect(feed(detector, -45, 100, true)).toEqual([]);
  });

  test("a click does not count as speech", () => {
    const detector = new SpeechDetector();
    feed(detector, -65, 100);
    expect(feed(detector, -20, 2)).toEqual([]);
    expect(feed(detector, -65, 20)).toEqual([]);
  });

  test("steady noise becomes the floor", () => {
    const detector = new SpeechDetector();
    feed(detector, -50, 1000);
    expect(detector.isSpeech).toBe(false);
    expect(detector.floor).toBeGreaterThan(-52);
    expect(feed(detector, -45, 50)).toEqual([]);
    expect(feed(detector, -30, 10)).toEqual([["began", 3]]);
  });

  test("a pause between words does not end speech", () => {
    const detector = new SpeechDetector();
    feed(detector, -65, 100);
    feed(detector, -25, 20);
    expect(feed(detector, -65, 20)).toEqual([]);
    expect(feed(detector, -25, 20)).toEqual([]);
  });
});

test("PCM16 is clipped and read back", () => {
  const pcm = toPcm16(Float32Array.of(0, 0.5, -0.5, 1, -1, 2, -2));
  expect([...pcm]).toEqual([0, 16384, -16384, 32767, -32768, 32767, -32768]);
  expect(fromPcm16(pcm.buffer)[1]).toBeCloseTo(0.5, 4);
});

describe("the processors of one context", () => {
  interface Processor {
    port: { onmessage?: (event: { data: unknown }) => void; postMessage(message: { type: string; interrupts?: boolean }): void };
    process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
  }
  const RATE = 48_000;
  const BLOCK = 128;
  let capture: Processor;
  let playback: Processor;
  let sent: { type: string; interrupts?: boolean }[];

  beforeEach(async () => {
    sent = [];
    const processors: Record<string, new () => Processor> = {};
    vi.stubGlobal("sampleRate", RATE);
    vi.stubGlobal("AudioWorkletProcessor", class {
      port = { postMessage: (message: { type: string }) => void sent.push(message) };
    });
    vi.stubGlobal("registerProcessor", (name: string, processor: new () => Processor) => (processors[name] = processor));
    vi.resetModules();
    await import("../../src/voice/audio-worklet.js");
    capture = new processors["aileron-capture"]!();
    playback = new processors["aileron-playback"]!();
  });
  afterEach(() => vi.unstubAllGlobals());

  const tone = (length: number, level = 0.3): Float32Array => Float32Array.from({ length }, (_, at) => level * Math.sin(at / 10));
  const give = (data: unknown): void => playback.port.onmessage?.({ data });
  const audio = (): void => give({ type: "audio", pcm: toPcm16(tone(PLAYBACK_RATE)).buffer });

  /** Renders one block and returns whether it is heard. */
  function heard(microphone: Float32Array = new Float32Array(BLOCK)): boolean {
    const output = new Float32Array(BLOCK);
    capture.process([[microphone]], []);
    playback.process([], [[output]]);
    return output.some((sample) => sample !== 0);
  }

  /** Milliseconds of speech until the reply is silent. */
  function interrupt(): number {
    for (let blocks = 1; blocks < 100; blocks += 1) if (!heard(tone(BLOCK))) return (blocks * BLOCK * 1000) / RATE;
    return Infinity;
  }

  test("speech silences the reply within 60 ms, without a message in between", () => {
    audio();
    for (let blocks = 0; blocks < 40; blocks += 1) heard();
    expect(heard()).toBe(true);
    expect(interrupt()).toBeLessThan(60);
    expect(sent.filter(({ type }) => type === "speech")).toMatchObject([{ interrupts: true }]);
  });

  test("audio that was under way when the person spoke is not played", () => {
    audio();
    for (let blocks = 0; blocks < 40; blocks += 1) heard();
    interrupt();
    audio();
    expect(Array.from({ length: 100 }, () => heard())).not.toContain(true);
    give({ type: "clear" });
    audio();
    expect(Array.from({ length: 100 }, () => heard())).toContain(true);
  });
});
