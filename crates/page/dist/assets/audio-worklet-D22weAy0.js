// The audio thread: captures the microphone as 16 kHz PCM16 and plays 24 kHz PCM16.
// Plain JavaScript without imports, because a worklet is loaded as one file: bundlers copy it as it is, and a strict
// Content-Security-Policy allows it. The processing classes are exported for tests.

export const CAPTURE_RATE = 16_000;
export const PLAYBACK_RATE = 24_000;

/** Samples per message of the capture processor: 20 ms. */
const FRAME_SAMPLES = CAPTURE_RATE / 50;

/** Audio that is collected before playback begins, so that small delays of the network are not heard. */
const JITTER_SECONDS = 0.06;

/** The oldest audio is dropped beyond this. */
const MAX_BUFFERED_SECONDS = 300;

/** @param {number} a @param {number} b @returns {number} */
const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));

/**
 * Converts between sample rates, block by block: a polyphase filter with a Hann-windowed sinc. Its delay is
 * `HALF_WIDTH` samples of the lower rate (1 ms at 16 kHz).
 */
export class Resampler {
  static HALF_WIDTH = 16;

  /** @param {number} from @param {number} to */
  constructor(from, to) {
    const divisor = gcd(from, to);
    this.up = to / divisor;
    this.down = from / divisor;
    this.taps = 2 * Math.ceil(Resampler.HALF_WIDTH * Math.max(1, from / to));
    this.phases = Array.from({ length: this.up }, (_, phase) => this.filter(phase / this.up, Math.min(1, to / from)));
    this.history = new Float32Array(this.taps);
    /** Position of the next output sample, in steps of 1 / `up` input samples after the history. */
    this.position = 0;
  }

  /** The filter for an output sample that lies `fraction` after an input sample. @param {number} fraction @param {number} cutoff */
  filter(fraction, cutoff) {
    const half = this.taps / 2;
    const filter = Float32Array.from({ length: this.taps }, (_, tap) => {
      const x = tap - half + 1 - fraction;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / half);
      const angle = Math.PI * x * cutoff;
      return Math.abs(x) >= half ? 0 : window * (angle === 0 ? 1 : Math.sin(angle) / angle);
    });
    const sum = filter.reduce((total, value) => total + value, 0);
    return filter.map((value) => value / sum);
  }

  /** @param {Float32Array} block @returns {Float32Array} */
  process(block) {
    const { up, down, taps, phases } = this;
    if (up === down) return block.slice();
    const input = new Float32Array(this.history.length + block.length);
    input.set(this.history);
    input.set(block, this.history.length);
    const available = input.length - taps + 1;
    const count = Math.max(0, Math.ceil((available * up - this.position) / down));
    const output = new Float32Array(count);
    for (let index = 0; index < count; index += 1) {
      const first = Math.floor(this.position / up);
      const filter = /** @type {Float32Array} */ (phases[this.position % up]);
      let sum = 0;
      for (let tap = 0; tap < taps; tap += 1) {
        sum += /** @type {number} */ (input[first + tap]) * /** @type {number} */ (filter[tap]);
      }
      output[index] = sum;
      this.position += down;
    }
    const used = Math.min(Math.floor(this.position / up), input.length);
    this.history = input.slice(used);
    this.position -= used * up;
    return output;
  }
}

/** Holds audio until it is played. Playback begins once enough is there for `prime` samples, and pauses when it runs dry. */
export class JitterBuffer {
  isPlaying = false;
  isComplete = false;
  /** @type {Float32Array[]} */
  chunks = [];
  /** Samples of the first chunk that were played. */
  offset = 0;
  buffered = 0;
  /** Samples of silence since the first audio came. */
  waited = 0;

  /** @param {number} prime @param {number} max */
  constructor(prime, max = Infinity) {
    this.prime = prime;
    this.max = max;
  }

  /** @param {Float32Array} samples */
  push(samples) {
    this.chunks.push(samples);
    this.buffered += samples.length;
    this.isComplete = false;
    while (this.buffered > this.max && this.chunks.length > 1) this.shift();
  }

  /** No more audio follows for now: what is there is played, however little it is. */
  complete() {
    this.isComplete = true;
  }

  /** Drops everything; the next block that is read is silent. */
  clear() {
    this.chunks = [];
    this.offset = 0;
    this.buffered = 0;
    this.waited = 0;
    this.isComplete = false;
    this.isPlaying = false;
  }

  /** Fills the block and says whether it contains audio. @param {Float32Array} block */
  pull(block) {
    block.fill(0);
    if (!this.isPlaying && !this.begins(block.length)) return false;
    this.isPlaying = true;
    let at = 0;
    while (at < block.length && this.chunks[0]) {
      const chunk = this.chunks[0].subarray(this.offset, this.offset + block.length - at);
      block.set(chunk, at);
      at += chunk.length;
      this.offset += chunk.length;
      this.buffered -= chunk.length;
      if (this.offset === this.chunks[0].length) this.shift();
    }
    if (this.buffered === 0) this.isPlaying = false;
    return at > 0;
  }

  /** @param {number} length */
  begins(length) {
    if (this.buffered === 0) return false;
    this.waited += length;
    if (!this.isComplete && this.buffered < this.prime && this.waited < this.prime) return false;
    this.waited = 0;
    return true;
  }

  shift() {
    const chunk = this.chunks.shift();
    this.buffered -= chunk ? chunk.length - this.offset : 0;
    this.offset = 0;
  }
}

/** How loud a block is, in decibels below full scale. @param {Float32Array} block */
export function decibels(block) {
  let sum = 0;
  for (const sample of block) sum += sample * sample;
  return 10 * Math.log10(sum / Math.max(1, block.length) + 1e-10);
}

/**
 * Detects speech by its energy above the noise. Speech begins after some loud blocks in a row and ends after a longer
 * quiet time. While the reply is played the limits are higher: echo cancellation leaves a rest.
 */
export class SpeechDetector {
  /** Decibels above the noise floor, and the absolute minimum. */
  static QUIET = { above: 12, least: -46, blocks: 3 };
  static PLAYING = { above: 18, least: -38, blocks: 4 };
  /** Speech ends below this margin above the noise, after this many blocks. */
  static END = { above: 6, blocks: 30 };

  constructor() {
    this.isSpeech = false;
    this.floor = -60;
    this.loud = 0;
    this.quiet = 0;
  }

  /** Takes the level of 10 ms and returns whether speech began or ended with it. @param {number} level @param {boolean} isPlaying @returns {"began" | "ended" | undefined} */
  process(level, isPlaying) {
    const limit = isPlaying ? SpeechDetector.PLAYING : SpeechDetector.QUIET;
    const onset = Math.max(this.floor + limit.above, limit.least);
    this.follow(level, onset);
    if (this.isSpeech) {
      this.quiet = level < Math.max(this.floor + SpeechDetector.END.above, limit.least - 6) ? this.quiet + 1 : 0;
      if (this.quiet < SpeechDetector.END.blocks) return undefined;
      this.isSpeech = false;
      this.loud = 0;
      return "ended";
    }
    // One quiet block within a syllable does not start the count again.
    this.loud = level > onset ? this.loud + 1 : Math.max(0, this.loud - 1);
    if (this.loud < limit.blocks) return undefined;
    this.isSpeech = true;
    this.quiet = 0;
    return "began";
  }

  /** The noise floor falls at once and rises slowly, slower still during speech. @param {number} level @param {number} onset */
  follow(level, onset) {
    const bounded = Math.max(-75, Math.min(-30, level));
    if (bounded < this.floor) this.floor += (bounded - this.floor) * 0.3;
    else this.floor += (bounded - this.floor) * (level > onset ? 0.0005 : 0.01);
  }
}

/** @param {Float32Array} samples @returns {Int16Array<ArrayBuffer>} */
export function toPcm16(samples) {
  const pcm = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.max(-1, Math.min(1, /** @type {number} */ (samples[index])));
    pcm[index] = Math.round(sample * (sample < 0 ? 0x8000 : 0x7fff));
  }
  return pcm;
}

/** @param {ArrayBuffer} pcm @returns {Float32Array} */
export function fromPcm16(pcm) {
  return Float32Array.from(new Int16Array(pcm, 0, pcm.byteLength >> 1), (sample) => sample / 0x8000);
}

/** The parts of the worklet's global scope that are used; absent where tests import this file. */
const scope = /** @type {{ sampleRate: number, AudioWorkletProcessor: new () => { port: MessagePort }, registerProcessor?: (name: string, processor: unknown) => void }} */ (
  /** @type {unknown} */ (globalThis)
);

function registerProcessors() {
  /**
   * The playback of this audio context. The two processors of a context run in one scope and thread, so that speech silences
   * playback within the same block: a message would wait while the machine is busy.
   * @type {PlaybackProcessor | undefined}
   */
  let playback;

  /** Sends frames, levels and the begin and end of speech. Silences playback itself when the person speaks. */
  class CaptureProcessor extends scope.AudioWorkletProcessor {
    constructor() {
      super();
      this.resampler = new Resampler(scope.sampleRate, CAPTURE_RATE);
      this.detector = new SpeechDetector();
      this.frame = new Float32Array(FRAME_SAMPLES);
      this.filled = 0;
      this.bargeIn = true;
      this.port.onmessage = ({ data }) => {
        if (data.type === "bargeIn") this.bargeIn = data.on;
        else if (data.type === "reset") this.detector = new SpeechDetector();
      };
    }

    /** @param {Float32Array[][]} inputs */
    process([input]) {
      const channel = input?.[0];
      if (!channel) return true;
      for (const sample of this.resampler.process(channel)) {
        this.frame[this.filled] = sample;
        this.filled += 1;
        if (this.filled % (FRAME_SAMPLES / 2) === 0) this.detect(this.frame.subarray(this.filled - FRAME_SAMPLES / 2, this.filled));
        if (this.filled === FRAME_SAMPLES) this.send();
      }
      return true;
    }

    /** @param {Float32Array} block */
    detect(block) {
      const isPlaying = playback?.isPlaying ?? false;
      const change = this.detector.process(decibels(block), isPlaying);
      if (!change) return;
      const interrupts = change === "began" && isPlaying && this.bargeIn;
      if (interrupts) playback?.interrupt();
      this.port.postMessage({ type: "speech", isSpeech: change === "began", interrupts });
    }

    send() {
      const pcm = toPcm16(this.frame).buffer;
      this.port.postMessage({ type: "frame", pcm, level: decibels(this.frame) }, [pcm]);
      this.filled = 0;
    }
  }

  /** Plays what it is sent, and reports when playback begins and ends, with its level. */
  class PlaybackProcessor extends scope.AudioWorkletProcessor {
    constructor() {
      super();
      this.resampler = new Resampler(PLAYBACK_RATE, scope.sampleRate);
      this.buffer = new JitterBuffer(JITTER_SECONDS * scope.sampleRate, MAX_BUFFERED_SECONDS * scope.sampleRate);
      this.isPlaying = false;
      /** The page does not know of an interruption yet, and may still send audio of the reply. */
      this.isInterrupted = false;
      this.blocks = 0;
      playback = this;
      this.port.onmessage = ({ data }) => this.receive(data);
    }

    /** Silences the reply. Audio that arrives is dropped until the page answers with `clear`. */
    interrupt() {
      this.buffer.clear();
      this.isInterrupted = true;
    }

    /** @param {{ type: string, pcm?: ArrayBuffer }} message */
    receive({ type, pcm }) {
      if (type === "audio" && pcm && !this.isInterrupted) this.buffer.push(this.resampler.process(fromPcm16(pcm)));
      else if (type === "complete") this.buffer.complete();
      else if (type === "clear") {
        this.buffer.clear();
        this.isInterrupted = false;
      }
    }

    /** @param {Float32Array[][]} _inputs @param {Float32Array[][]} outputs */
    process(_inputs, outputs) {
      const channel = outputs[0]?.[0];
      if (!channel) return true;
      const isPlaying = this.buffer.pull(channel);
      this.blocks = (this.blocks + 1) % 12;
      const hasChanged = isPlaying !== this.isPlaying;
      this.isPlaying = isPlaying;
      if (!hasChanged && (this.blocks !== 0 || !isPlaying)) return true;
      this.port.postMessage({ type: "playing", isPlaying, level: decibels(channel), buffered: this.buffer.buffered / scope.sampleRate });
      return true;
    }
  }

  scope.registerProcessor?.("aileron-capture", CaptureProcessor);
  scope.registerProcessor?.("aileron-playback", PlaybackProcessor);
}

if (scope.registerProcessor) registerProcessors();
