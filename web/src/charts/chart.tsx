// Chart: lines over time, drawn by uPlot, which is loaded with the first chart. A click or Enter on a point asks for what is behind it.
import type uPlot from 'uplot';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { theme } from '../app/theme';
import { format } from '../ui/format';
import { useMedia } from '../ui/use-media';
import './chart.css';
import { loadPlot } from './load';
import { chartOptions } from './options';
import { downsample, type Reduce, spanOf, stretch, times, type Values } from './series';

export type ChartTone = 'accent' | 'passed' | 'refused' | 'waits' | 'person' | 'muted';

export interface Line {
  label: string;
  values: Values;
  tone: ChartTone;
  /** Told apart from its neighbours without colour. */
  dash?: boolean;
  fill?: boolean;
  reduce: Reduce;
}

export interface Span {
  since: number;
  until: number;
}

export interface ChartProps {
  title: string;
  lines: readonly Line[];
  from: number;
  stepMs: number;
  /** Writes a value for the axis and the legend. */
  write: (value: number) => string;
  /** Said in place of the chart if there is nothing to draw. */
  empty: string;
  /** The values are counts: the axis has no fractions. */
  whole?: boolean;
  onPoint?: (span: Span) => void;
}

/** A point needs so many pixels. */
const POINT_WIDTH = 2.5;
const HEIGHT = 168;

export function Chart(props: ChartProps) {
  const { title, from, stepMs, write, empty, onPoint } = props;
  const lines = useMemo(() => props.lines.map(withoutLast), [props.lines]);
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState<number | null>(null);
  const points = lines[0]?.values.length ?? 0;
  const grouped = stretch(points, Math.max(40, Math.floor(width / POINT_WIDTH)));
  const reduced = lines.map((line) => downsample(line.values, Math.ceil(points / grouped), line.reduce));
  const blank = lines.every((line) => line.values.every((value) => value === null || value === 0));
  const latest = useRef({ props, grouped, at });
  latest.current = { props, grouped, at };

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Another shape or theme needs another plot; other values only new data.
  const shape = `${lines.map((line) => line.label).join()} ${theme.value} ${useMedia('(prefers-color-scheme: dark)')} ${width > 0}`;
  useEffect(() => {
    const element = box.current;
    if (!element || width === 0) return;
    let gone = false;
    void loadPlot().then((Plot) => {
      if (gone) return;
      const options = chartOptions(
        element,
        lines,
        { write, whole: props.whole ?? false },
        { width: element.clientWidth, height: HEIGHT },
        setAt,
      );
      plot.current = new Plot(options, [times(from, stepMs, points, grouped), ...reduced], element);
    });
    return () => {
      gone = true;
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => plot.current?.setSize({ width, height: HEIGHT }), [width]);
  useEffect(() => plot.current?.setData([times(from, stepMs, points, grouped), ...reduced]), [from, lines, grouped]);

  function open(index: number | null) {
    const { props: now, grouped: group } = latest.current;
    if (index !== null) now.onPoint?.(spanOf(now.from, now.stepMs, index, group));
  }

  function onKey(event: KeyboardEvent) {
    const last = Math.ceil(points / grouped) - 1;
    const steps: Record<string, number> = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last };
    const next = steps[event.key];
    if (event.key === 'Enter') open(at);
    if (next === undefined) return;
    event.preventDefault();
    moveTo(plot.current, Math.min(last, Math.max(0, next)));
  }

  const shown = at === null ? null : spanOf(from, stepMs, at, grouped);
  return (
    <div class="chart">
      <ul class="chart-legend">
        {lines.map((line, index) => (
          <li key={line.label}>
            <svg width="16" height="8" aria-hidden="true" class={`chart-${line.tone}`}>
              <path d="M0 4H16" stroke-dasharray={line.dash ? '4 3' : undefined} />
            </svg>
            {line.label}
            <span class="num chart-value">{legendValue(reduced[index] ?? [], at, write)}</span>
          </li>
        ))}
        <li class="num chart-time">{shown === null ? 'now' : format.instant(shown.since, 'seconds')}</li>
      </ul>
      <div
        ref={box}
        class={onPoint ? 'chart-plot chart-live' : 'chart-plot'}
        role="group"
        aria-roledescription="chart"
        aria-label={`${title}. Arrow keys move over the points${onPoint ? ', Enter opens the calls behind one' : ''}.`}
        tabIndex={0}
        onKeyDown={onKey}
        onBlur={() => moveTo(plot.current, null)}
        onClick={() => open(latest.current.at)}
      >
        {blank ? <p class="chart-empty muted small">{empty}</p> : null}
      </div>
      <span class="hidden-text" role="status">
        {shown === null || document.activeElement !== box.current ? '' : spoken(props, reduced, at, shown.since)}
      </span>
    </div>
  );
}

/** The last point is still being filled and would look like a fall. */
function withoutLast(line: Line): Line {
  return line.values.length > 2 ? { ...line, values: line.values.slice(0, -1) } : line;
}

function legendValue(values: Values, at: number | null, write: (value: number) => string): string {
  const value = at === null ? values.at(-1) : values[at];
  return value === null || value === undefined ? '–' : write(value);
}

function spoken({ lines, write }: ChartProps, reduced: readonly Values[], at: number | null, since: number): string {
  const parts = lines.map((line, index) => `${line.label} ${legendValue(reduced[index] ?? [], at, write)}`);
  return `${format.instant(since, 'seconds')}: ${parts.join(', ')}`;
}

function moveTo(plot: uPlot | null, index: number | null): void {
  if (!plot) return;
  const left = index === null ? -10 : plot.valToPos(plot.data[0][index] ?? 0, 'x');
  plot.setCursor({ left, top: index === null ? -10 : 10 });
}
