// Listens to the page's sound: what its microphone records and what it really plays.
import type { Page } from 'playwright-core';

interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  /** Root mean square of the last few milliseconds. */
  loud: number;
}

interface Recorded {
  sound: { input: Sample[]; output: Sample[] };
}

/** Louder than this is sound. */
const AUDIBLE = 0.01;

/** Records the levels of everything that the page plays and records. To be called before the page opens its sound. */
export async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const recorded: Recorded['sound'] = { input: [], output: [] };
    Object.assign(window, { sound: recorded });
    const connect = AudioNode.prototype.connect;
    const watch = (node: AudioNode, samples: Sample[]): void => {
      const analyser = new AnalyserNode(node.context, { fftSize: 256 });
      const wave = new Float32Array(analyser.fftSize);
      (connect as (target: AudioNode) => AudioNode).call(node, analyser);
      setInterval(() => {
        analyser.getFloatTimeDomainData(wave);
        samples.push({ at: Date.now(), loud: Math.hypot(...wave) / Math.sqrt(wave.length) });
      }, 5);
    };
    AudioNode.prototype.connect = function (this: AudioNode, target: AudioNode | AudioParam, ...rest: number[]) {
      if (target instanceof AudioDestinationNode) watch(this, recorded.output);
      if (this instanceof MediaStreamAudioSourceNode) watch(this, recorded.input);
      return (connect as (...args: unknown[]) => AudioNode).call(this, target, ...rest);
    } as typeof connect;
  });
}

/** Stretches of sound with their beginning and end; a pause shorter than `gap` milliseconds does not end one. */
export async function stretches(page: Page, side: 'input' | 'output', gap: number): Promise<{ from: number; to: number }[]> {
  const samples = await page.evaluate((name) => (window as unknown as Recorded).sound[name], side);
  const found: { from: number; to: number }[] = [];
  for (const { at } of samples.filter(({ loud }) => loud > AUDIBLE)) {
    const last = found.at(-1);
    if (last && at - last.to < gap) last.to = at;
    else found.push({ from: at, to: at });
  }
  return found;
}
