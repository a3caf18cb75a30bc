// Measures the page's sound on the audio clock, in blocks of 128 samples: those that the microphone delivers to the page and those
// that the page gives to the output. The delays of the devices are not part of it, except after a click.
import type { Page } from 'playwright-core';

/** The peaks of one block. */
interface Block {
  /** Seconds on the clock of the audio context. */
  from: number;
  to: number;
  input: number;
  output: number;
}

interface Watched {
  sound: Block[];
  clicks: number[];
}

export type Side = 'input' | 'output';

/** A stretch of sound, in seconds on the audio clock. */
export interface Stretch {
  from: number;
  to: number;
}

/** A peak above this is sound: 54 decibels below full scale. */
const AUDIBLE = 0.002;

/** A longer pause, in seconds, is the end of an utterance or of an answer. */
const PAUSE = 1;

/** The processor that measures is no script of the server, so the page's policy does not allow it. */
export const LISTENING = { bypassCSP: true };

const PROCESSOR = `
registerProcessor('test-sound', class extends AudioWorkletProcessor {
  blocks = [];
  process(inputs) {
    const [input, output] = inputs.map(([channel]) => channel ? channel.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) : 0);
    this.blocks.push({ from: currentTime, to: currentTime + 128 / sampleRate, input, output });
    if (this.blocks.length === 16) this.port.postMessage(this.blocks.splice(0));
    return true;
  }
});`;

/** Measures all sound from now on. To be called before the page opens its sound, in a window that was opened with `LISTENING`. */
export async function listen(page: Page): Promise<void> {
  await page.evaluate((source) => {
    const processor = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const watched: Watched = { sound: [], clicks: [] };
    Object.assign(window, watched);
    const nodes = new WeakMap<BaseAudioContext, AudioWorkletNode>();
    const { connect } = AudioNode.prototype;
    const { addModule } = AudioWorklet.prototype;
    const connectTo = connect as (target: AudioNode, output?: number, input?: number) => AudioNode;
    const nodeOf = (context: BaseAudioContext): AudioWorkletNode => {
      const known = nodes.get(context);
      if (known) return known;
      const node = new AudioWorkletNode(context, 'test-sound', { numberOfInputs: 2, numberOfOutputs: 0 });
      node.port.onmessage = ({ data }: MessageEvent<Block[]>) => watched.sound.push(...data);
      // A click is placed at the sample that the person heard at that moment; samples after it may be rendered already.
      const onClick = (event: MouseEvent) => {
        const { contextTime = 0, performanceTime = 0 } = (context as AudioContext).getOutputTimestamp();
        watched.clicks.push(contextTime + (event.timeStamp - performanceTime) / 1000);
      };
      addEventListener('click', onClick, { capture: true });
      nodes.set(context, node);
      return node;
    };
    AudioWorklet.prototype.addModule = async function (url, options) {
      await addModule.call(this, processor);
      await addModule.call(this, url, options);
    };
    AudioNode.prototype.connect = function (this: AudioNode, target: AudioNode | AudioParam, ...rest: number[]) {
      if (target instanceof AudioDestinationNode) connectTo.call(this, nodeOf(this.context), 0, 1);
      if (this instanceof MediaStreamAudioSourceNode) connectTo.call(this, nodeOf(this.context), 0, 0);
      return (connect as (...args: unknown[]) => AudioNode).call(this, target, ...rest);
    } as typeof connect;
  }, PROCESSOR);
}

/** Stretches of sound. Pauses within an utterance or an answer do not end one. */
export async function stretches(page: Page, side: Side): Promise<Stretch[]> {
  const blocks = await page.evaluate(() => (window as unknown as Watched).sound);
  const found: Stretch[] = [];
  for (const block of blocks) {
    if (block[side] <= AUDIBLE) continue;
    const last = found.at(-1);
    if (last && block.from - last.to < PAUSE) last.to = block.to;
    else found.push({ from: block.from, to: block.to });
  }
  return found;
}

/** The last click on the audio clock, in seconds. */
export async function lastClick(page: Page): Promise<number> {
  const at = await page.evaluate(() => (window as unknown as Watched).clicks.at(-1));
  if (at === undefined) throw new Error('nothing was clicked while there was sound');
  return at;
}

/** How long the sound that was played until an instant went on after it, in milliseconds. */
export async function silentAfter(page: Page, instant: number): Promise<number> {
  const played = (await stretches(page, 'output')).findLast(({ from }) => from < instant);
  // Sound is rendered some milliseconds at a time, and may wait for the network on a busy machine, so that it may end before the instant.
  if (!played || played.to < instant - PAUSE) throw new Error(`nothing was played at ${instant}`);
  return Math.max(0, played.to - instant) * 1000;
}
