// Recordings for the fake microphone: recorded speech of the corpora beside the repository, between silences.
// Where the corpora are absent, vowels with the formants and rhythm of speech take its place, and a line says so.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPORA } from './places.ts';
import { synthesize } from './vowels.ts';

/** The rate of the recordings, in hertz; the page converts it. */
export const RATE = 16_000;

/** Samples of 10 ms. */
const BLOCK = RATE / 100;

/** Speech begins with two blocks that are this many decibels above the noise before them. */
const ABOVE_NOISE = 6;

/** The folder with recorded speech, which may be absent. */
const FOLDER = join(CORPORA, 'speech-en');

/** An utterance of the corpora with its transcript, and the length of its replacement in seconds. */
export interface Utterance {
  file: string;
  words: string;
  seconds: number;
}

export const COMMAND: Utterance = { file: 'goforward.wav', words: 'Go forward ten meters.', seconds: 1.6 };
export const REMARK: Utterance = { file: 'austen-0880.wav', words: 'He was not an ill disposed young man.', seconds: 1.2 };

/** An utterance, or a silence of some seconds. */
export type Part = Utterance | number;

/** Writes a recording of utterances and silences. */
export function record(path: string, parts: readonly Part[]): void {
  writeFileSync(path, wav(parts.map((part) => (typeof part === 'number' ? new Float32Array(part * RATE) : spoken(part)))));
}

function spoken({ file, seconds }: Utterance): Float32Array {
  const path = join(FOLDER, file);
  if (existsSync(path)) return fromOnset(samples(readFileSync(path)));
  console.warn(`no ${path}: the microphone is fed with synthesised speech`);
  return synthesize(seconds, RATE);
}

/** Cuts the noise before the first word, so that the first sound on the microphone is speech. */
function fromOnset(recording: Float32Array): Float32Array {
  const levels = Array.from({ length: Math.floor(recording.length / BLOCK) }, (_, at) => level(recording.subarray(at * BLOCK, (at + 1) * BLOCK)));
  const onset = levels.findIndex((loud, at) => at >= 10 && Math.min(loud, levels[at + 1] ?? 0) > median(levels.slice(0, at)) + ABOVE_NOISE);
  return recording.subarray(Math.max(0, onset) * BLOCK);
}

function level(block: Float32Array): number {
  return 10 * Math.log10(block.reduce((sum, sample) => sum + sample * sample, 0) / block.length + 1e-10);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The samples of a WAV file with one channel of 16 bits at `RATE`. */
function samples(file: Buffer): Float32Array {
  if (file.readUInt16LE(22) !== 1 || file.readUInt32LE(24) !== RATE || file.readUInt16LE(34) !== 16) {
    throw new Error(`expected a WAV file with one channel of 16 bits at ${RATE} Hz`);
  }
  let at = 12;
  while (file.toString('latin1', at, at + 4) !== 'data') at += 8 + file.readUInt32LE(at + 4);
  const length = Math.min(file.readUInt32LE(at + 4), file.length - at - 8) >> 1;
  return Float32Array.from({ length }, (_, index) => file.readInt16LE(at + 8 + index * 2) / 0x8000);
}

function wav(parts: readonly Float32Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = Buffer.alloc(44 + length * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(length * 2, 40);
  let at = 44;
  for (const part of parts) {
    for (const sample of part) at = bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff), at);
  }
  return bytes;
}
