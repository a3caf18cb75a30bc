// The speech detector on recorded speech of the corpora beside the repository; skipped where they are absent.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { decibels, SpeechDetector } from "../../src/voice/audio-worklet.js";

const CORPORA = process.env.AILERON_CORPORA ?? fileURLToPath(new URL("../../../../../../shared/corpora", import.meta.url));
const FOLDER = `${CORPORA}/speech-en`;
const RECORDINGS = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".wav")) : [];
if (RECORDINGS.length === 0) console.warn(`skipped: no ${FOLDER}`);

/** The detector may take this long, in milliseconds, so that playback is silent within 100. */
const MOST = 80;

/** The levels of a recording in steps of 10 ms. */
function levels(file: string): number[] {
  const bytes = readFileSync(`${FOLDER}/${file}`);
  const samples = Float32Array.from({ length: (bytes.length - 44) >> 1 }, (_, at) => bytes.readInt16LE(44 + at * 2) / 0x8000);
  return Array.from({ length: Math.floor(samples.length / 160) }, (_, at) => decibels(samples.subarray(at * 160, (at + 1) * 160)));
}

/** Speech begins where two steps in a row are louder than the noise before them. Digital silence is no noise. */
function onsetOf(steps: readonly number[]): number {
  const noise = (before: number[]): number => before.sort((a, b) => a - b)[before.length >> 1] ?? 0;
  const before = (at: number): number[] => steps.slice(0, at).filter((level) => level > -70);
  return steps.findIndex((level, at) => at >= 10 && Math.min(level, steps[at + 1]!) > noise(before(at)) + 6);
}

/** How long after the onset the detector notices the speech, in milliseconds, if the noise before it lasted some seconds. */
function noticedAfter(file: string): number {
  const steps = levels(file);
  const onset = onsetOf(steps);
  const detector = new SpeechDetector();
  for (let at = 0; at < 300; at += 1) expect(detector.process(steps[at % onset]!, true)).toBeUndefined();
  return (steps.slice(onset).findIndex((level) => detector.process(level, true) === "began") + 1) * 10;
}

test.skipIf(RECORDINGS.length === 0)("recorded speech is noticed soon after its first sound while the reply is played", () => {
  const noticed = RECORDINGS.map((file) => [file, noticedAfter(file)] as const);
  expect(noticed.filter(([, after]) => after === 0 || after > MOST)).toEqual([]);
});
