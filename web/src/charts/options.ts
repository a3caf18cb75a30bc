// The options of a uPlot chart: colours from the design tokens, few grid lines, no legend of its own.
import type uPlot from 'uplot';
import { format } from '../ui/format';
import type { ChartTone, Line } from './chart';

/** The distances of grid lines for counts. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000];
/** The axis shows at least so many seconds, also right after the start of the server. */
const MIN_SPAN_S = 300;
/** A label closer to the right edge than this would be cut. */
const LABEL_ROOM = 30;
const FONT = '12px system-ui, sans-serif';

export function chartOptions(
  element: HTMLElement,
  lines: readonly Line[],
  values: { write: (value: number) => string; whole: boolean },
  size: { width: number; height: number },
  onCursor: (index: number | null) => void,
): uPlot.Options {
  const token = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`).trim();
  const grid = { stroke: token('line'), width: 1 };
  const axis = { stroke: token('faint'), font: FONT, grid, ticks: { show: false } };
  return {
    ...size,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 7 } },
    scales: {
      x: { range: (_, first, last) => [Math.min(first, last - MIN_SPAN_S), last] },
      y: { range: (_, low, high) => [Math.min(0, low ?? 0), high > 0 ? high * 1.08 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 26, space: 90, values: timeLabels },
      { ...axis, size: 56, space: 36, values: (_, splits) => splits.map(values.write), ...(values.whole ? { incrs: WHOLE } : {}) },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, token))],
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.left !== undefined && plot.cursor.left >= 0 ? (plot.cursor.idx ?? null) : null)] },
  };
}

/** The positions of labels are not known yet when they are written, so the room is estimated from the scale. */
function timeLabels(plot: uPlot, splits: number[]): string[] {
  const { min = 0, max = 0 } = plot.scales.x ?? {};
  const perSecond = plot.width / Math.max(1, (max ?? 0) - (min ?? 0));
  return splits.map((at) => (((max ?? 0) - at) * perSecond < LABEL_ROOM ? '' : format.instant(at * 1000, 'time')));
}

function seriesOf(line: Line, token: (name: string) => string): uPlot.Series {
  const colour = token(tokenOf(line.tone));
  return {
    label: line.label,
    stroke: colour,
    width: 1.75,
    points: { show: true, size: 4, fill: colour, filter: isolated },
    spanGaps: false,
    ...(line.dash ? { dash: [5, 4] } : {}),
    ...(line.fill ? { fill: `${colour}22` } : {}),
  };
}

function tokenOf(tone: ChartTone): string {
  return tone === 'muted' ? 'control' : tone;
}

/** A value between two gaps is no line, so it is drawn as a point. */
function isolated(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const found: number[] = [];
  for (let at = 0; at < values.length; at += 1) {
    const alone = (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null;
    if ((values[at] ?? null) !== null && alone) found.push(at);
  }
  return found;
}
