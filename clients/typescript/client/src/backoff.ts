// Waiting times between attempts to reconnect: doubling, bounded, with jitter.

export interface BackoffOptions {
  firstMs?: number;
  maxMs?: number;
  random?: () => number;
}

export class Backoff {
  private attempts = 0;
  private readonly firstMs: number;
  private readonly maxMs: number;
  private readonly random: () => number;

  constructor({ firstMs = 250, maxMs = 15_000, random = Math.random }: BackoffOptions = {}) {
    this.firstMs = firstMs;
    this.maxMs = maxMs;
    this.random = random;
  }

  /** The number of attempts since the last success. */
  get count(): number {
    return this.attempts;
  }

  /** The time to wait before the next attempt, between half of the step and the whole step. */
  next(): number {
    const step = Math.min(this.maxMs, this.firstMs * 2 ** Math.min(this.attempts, 30));
    this.attempts += 1;
    return Math.round(step * (0.5 + this.random() / 2));
  }

  reset(): void {
    this.attempts = 0;
  }
}
