// Synthesised speech: vowels with the formants and rhythm of speech, where there is no recorded speech.

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

/** Harmonics of the pitch, as loud as the formants of the vowel make them, in syllables that swell and fade. */
export function synthesize(seconds: number, rate: number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, at) => {
    const time = at / rate;
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
