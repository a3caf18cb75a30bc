// Tells the turns that were begun here from those of other tabs, devices and clients, by the numbers that events report.
export class OwnTurns {
  private readonly own = new Set<number>();
  /** The number that the running request is thought to have. */
  private current: number | undefined;
  private running = 0;
  private missed = false;
  private failed = false;

  /** A request begins here. `expected` is its turn if nobody else writes at the same time; without it, it continues a turn. */
  begin(expected?: number): void {
    this.running += 1;
    this.current ??= expected;
    if (expected !== undefined) this.own.add(expected);
  }

  /** A request is over. After the last one, returns whether something of others was left out meanwhile, so that the thread has to be loaded. */
  end(how: 'done' | 'failed' = 'done'): boolean {
    this.running -= 1;
    this.failed ||= how === 'failed';
    if (this.running > 0) return false;
    const missed = this.missed;
    // Two requests at the same time cannot be told apart, and one that failed may have begun no turn.
    if ((missed || this.failed) && this.current !== undefined) this.own.delete(this.current);
    this.missed = false;
    this.failed = false;
    this.current = undefined;
    return missed;
  }

  /** Something of others was left out while a request runs here. */
  miss(): void {
    this.missed = true;
  }

  /** An event reports this turn. Returns whether it is ours. Of two that begin during one request, one is of others. */
  isOwn(turn: number): boolean {
    if (this.own.has(turn)) return true;
    if (this.running === 0) return false;
    if (this.current === undefined) {
      this.current = turn;
      this.own.add(turn);
      return true;
    }
    this.miss();
    return false;
  }
}
