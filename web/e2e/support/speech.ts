// Recordings for the fake microphone: vowels with the formants and rhythm of speech, between silences.
import { writeFileSync } from 'node:fs';

/** The rate of the recording; the page converts it. */
const RATE = 48_000;

/** The pitch of the voice, in hertz. */
const PITCH = 120;

/** First, second and third formant of some vowels, in hertz. */
const VOWELS = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [270, 2290, 3010],
  [570, 840, 2410],
  [300, 870, 2240],
] as const;

/** How long a syllable is, in seconds. */
const SYLLABLE = 0.22;

/** Writes a recording with speech (positive) and silence (negative), in seconds. */
export function record(path: string, parts: readonly number[]): void {
  const samples = parts.flatMap((seconds) => (seconds < 0 ? silence(-seconds) : speech(seconds)));
  writeFileSync(path, wav(samples));
}

function silence(seconds: number): number[] {
  return new Array<number>(Math.round(seconds * RATE)).fill(0);
}

/** Harmonics of the pitch, as loud as the formants of the vowel make them, in syllables that swell and fade. */
function speech(seconds: number): number[] {
  return Array.from({ length: Math.round(seconds * RATE) }, (_, at) => {
    const time = at / RATE;
    const vowel = VOWELS[Math.floor(time / SYLLABLE) % VOWELS.length] ?? VOWELS[0];
    const swell = Math.sin((Math.PI * (time % SYLLABLE)) / SYLLABLE) ** 0.5;
    let sum = 0;
    for (let harmonic = 1; harmonic * PITCH < 3500; harmonic += 1) {
      const hertz = harmonic * PITCH;
      const loud = vowel.reduce((most, formant) => Math.max(most, Math.exp(-(((hertz - formant) / 150) ** 2))), 0.02);
      sum += loud * Math.sin(2 * Math.PI * hertz * time);
    }
    return 0.22 * swell * sum;
  });
}

function wav(samples: readonly number[]): Buffer {
  const bytes = Buffer.alloc(44 + samples.length * 2);
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
  bytes.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, at) => bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + at * 2));
  return bytes;
}
