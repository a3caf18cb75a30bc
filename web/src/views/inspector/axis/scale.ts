// The time scale of a turn: linear, except that long stretches in which only the person is waited for are drawn short.
export interface Stretch {
  from: number;
  to: number;
}

export interface TimeScale {
  from: number;
  to: number;
  /** Stretches that are drawn shorter than they are. */
  breaks: readonly Stretch[];
  /** The place of an instant between 0 and 1. */
  at(time: number): number;
}

/** A quiet stretch is shortened if it is this many times as long as everything else together. */
const DOMINATES = 3;
/** The share of the width that a shortened stretch gets. */
const BREAK_SHARE = 0.22;

/** `active` are the stretches in which something works; they are never shortened. */
export function timeScale(whole: Stretch, active: readonly Stretch[]): TimeScale {
  const to = Math.max(whole.to, whole.from + 1);
  const quiet = quietStretches({ from: whole.from, to }, active);
  const busy = to - whole.from - quiet.reduce((sum, stretch) => sum + length(stretch), 0);
  const breaks = quiet.filter((stretch) => busy > 0 && length(stretch) > busy * DOMINATES);
  const share = breaks.length === 0 ? 0 : Math.min(BREAK_SHARE, 0.5 / breaks.length);
  const linear = to - whole.from - breaks.reduce((sum, stretch) => sum + length(stretch), 0);
  const unit = (1 - share * breaks.length) / Math.max(1, linear);

  function at(time: number): number {
    const instant = Math.min(Math.max(time, whole.from), to);
    let place = (instant - whole.from) * unit;
    for (const stretch of breaks) {
      const inside = Math.min(Math.max(instant - stretch.from, 0), length(stretch));
      place += inside * (share / length(stretch) - unit);
    }
    return Math.min(1, Math.max(0, place));
  }

  return { from: whole.from, to, breaks, at };
}

function length(stretch: Stretch): number {
  return stretch.to - stretch.from;
}

/** The gaps between active stretches, in order. */
export function quietStretches(whole: Stretch, active: readonly Stretch[]): Stretch[] {
  const gaps: Stretch[] = [];
  let covered = whole.from;
  for (const stretch of [...active].sort((one, other) => one.from - other.from)) {
    if (stretch.from > covered) gaps.push({ from: covered, to: Math.min(stretch.from, whole.to) });
    covered = Math.max(covered, stretch.to);
  }
  if (covered < whole.to) gaps.push({ from: covered, to: whole.to });
  return gaps.filter((gap) => gap.to > gap.from);
}

/** Instants for marks on the axis, at round distances from its beginning, none of them inside a break. */
export function ticks(scale: TimeScale, wanted = 4): number[] {
  const broken = scale.breaks.reduce((sum, stretch) => sum + length(stretch), 0);
  const step = roundStep((scale.to - scale.from - broken) / wanted);
  const found: number[] = [];
  const end = scale.breaks[0]?.from ?? scale.to;
  for (let time = scale.from + step; time < end && found.length < 12; time += step) found.push(time);
  return found;
}

/** The next of 1, 2, 5, 10, 20, 50 and so on, in milliseconds. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const found = [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10;
  return found * power;
}

/** The instants among these whose labels have room beside each other. */
export function labelled(scale: TimeScale, times: readonly number[], room = 0.18): number[] {
  let last = -Infinity;
  return times.filter((time) => {
    const place = scale.at(time);
    if (place - last < room) return false;
    last = place;
    return true;
  });
}
