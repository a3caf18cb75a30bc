// Draws the time axis of a turn: a row per actor and call. A row of a call is chosen by a click or by keyboard.
import { useId } from 'preact/hooks';
import { format } from '../../../ui/format';
import { type AxisRow, type Bar, type BarKind, rowTimes, type TurnAxis } from './layout';
import { labelled, ticks } from './scale';

/** Bars are at least this wide, in percent, so that short calls can be seen. */
const MIN_WIDTH = 0.6;

const WORDS: Record<BarKind, string> = {
  model: 'the model works',
  personSpeech: 'the person speaks',
  modelSpeech: 'the model speaks',
  cutOff: 'not played: the person interrupted',
  waitingForPerson: 'waits for the person',
  waitingForSlot: 'waits for a slot',
  working: 'works',
  retry: 'failed, waits before the next attempt',
  reconnect: 'connects again',
};

export interface TimeAxisProps {
  axis: TurnAxis;
  chosen: string | undefined;
  onChoose: (callId: string) => void;
}

export function TimeAxis({ axis, chosen, onChoose }: TimeAxisProps) {
  const id = useId();
  const marks = ticks(axis.scale);
  return (
    <div class="axis">
      <svg class="axis-patterns" aria-hidden="true" width="0" height="0">
        <pattern id={`${id}-waits`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="3" height="6" class="axis-hatch" />
        </pattern>
        <pattern id={`${id}-cut`} width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="2" height="5" class="axis-cut" />
        </pattern>
      </svg>
      <ul class="axis-rows">
        {axis.rows.map((row) => (
          <li key={row.key}>
            <Row
              row={row}
              axis={axis}
              marks={marks}
              patterns={id}
              chosen={row.callId !== undefined && row.callId === chosen}
              onChoose={onChoose}
            />
          </li>
        ))}
      </ul>
      <div class="axis-row axis-scale" aria-hidden="true">
        <span />
        <svg class="axis-track">
          {labelled(axis.scale, marks).map((time) => (
            <text key={time} x={`${axis.scale.at(time) * 100}%`} y="11" text-anchor="middle" class="axis-mark">
              {format.duration(time - axis.scale.from)}
            </text>
          ))}
        </svg>
        <span />
      </div>
      <Legend axis={axis} />
    </div>
  );
}

interface RowProps {
  row: AxisRow;
  axis: TurnAxis;
  marks: number[];
  patterns: string;
  chosen: boolean;
  onChoose: (callId: string) => void;
}

function Row({ row, axis, marks, patterns, chosen, onChoose }: RowProps) {
  const content = (
    <>
      <span class={`axis-title cut${row.is === 'call' ? ' mono' : ''}${row.nested ? ' axis-nested' : ''}`} title={row.title}>
        {row.title}
      </span>
      <svg class="axis-track" aria-hidden="true">
        {marks.map((time) => (
          <line key={time} x1={`${axis.scale.at(time) * 100}%`} x2={`${axis.scale.at(time) * 100}%`} y1="0" y2="100%" class="axis-grid" />
        ))}
        {axis.scale.breaks.map((stretch) => (
          <line
            key={stretch.from}
            x1={`${mid(axis, stretch) * 100}%`}
            x2={`${mid(axis, stretch) * 100}%`}
            y1="0"
            y2="100%"
            class="axis-break"
          />
        ))}
        {row.bars.map((bar, at) => (
          <BarShape key={at} bar={bar} patterns={patterns} />
        ))}
      </svg>
      <span class="axis-time num">{rowSummary(row)}</span>
      <span class="hidden-text">{row.bars.map((bar) => `${WORDS[bar.kind]} ${format.duration(bar.to - bar.from)}`).join(', ')}</span>
    </>
  );
  const callId = row.callId;
  if (callId === undefined) return <div class="axis-row">{content}</div>;
  return (
    <button type="button" class={chosen ? 'axis-row axis-chosen' : 'axis-row'} aria-pressed={chosen} onClick={() => onChoose(callId)}>
      {content}
    </button>
  );
}

function mid(axis: TurnAxis, stretch: { from: number; to: number }): number {
  return (axis.scale.at(stretch.from) + axis.scale.at(stretch.to)) / 2;
}

function BarShape({ bar, patterns }: { bar: Bar; patterns: string }) {
  const width = Math.min(Math.max(bar.width * 100, MIN_WIDTH), 100);
  const x = Math.min(bar.left * 100, 100 - width);
  const pattern =
    bar.kind === 'waitingForPerson' || bar.kind === 'waitingForSlot'
      ? `url(#${patterns}-waits)`
      : bar.kind === 'cutOff'
        ? `url(#${patterns}-cut)`
        : undefined;
  return (
    <rect
      x={`${x}%`}
      y="3"
      width={`${width}%`}
      height="12"
      rx="3"
      class={`bar bar-${bar.kind}${bar.open ? ' bar-open' : ''}`}
      fill={pattern}
    >
      <title>{`${bar.label ?? WORDS[bar.kind]}: ${format.duration(bar.to - bar.from)}${bar.open ? ' so far' : ''}`}</title>
    </rect>
  );
}

function rowSummary(row: AxisRow): string {
  const { working, waiting } = rowTimes(row);
  const last = row.bars.at(-1);
  if (last?.open && last.kind === 'waitingForPerson') return 'waits';
  if (row.bars.some((bar) => bar.kind === 'cutOff')) return 'cut off';
  if (row.bars.length === 0) return '–';
  return format.duration(working > 0 || waiting === 0 ? working : waiting);
}

const LEGEND: [BarKind, string][] = [
  ['working', 'working'],
  ['retry', 'before the next attempt'],
  ['waitingForPerson', 'waiting'],
  ['model', 'model'],
  ['modelSpeech', 'speech'],
];

/** Only what the turn has, so that a short turn has a short legend. */
function Legend({ axis }: { axis: TurnAxis }) {
  const kinds = new Set<BarKind>(
    axis.rows.flatMap((row) =>
      row.bars.map((bar) => (bar.kind === 'waitingForSlot' ? 'waitingForPerson' : bar.kind === 'personSpeech' ? 'modelSpeech' : bar.kind)),
    ),
  );
  return (
    <p class="axis-legend tiny">
      {LEGEND.filter(([kind]) => kinds.has(kind)).map(([kind, word]) => (
        <span key={kind}>
          <i class={`key key-${kind}`} aria-hidden="true" /> {word}
        </span>
      ))}
      {axis.scale.breaks.length > 0 ? (
        <span>
          the dashed line shortens {axis.scale.breaks.map((stretch) => format.duration(stretch.to - stretch.from)).join(', ')} of waiting
        </span>
      ) : null}
    </p>
  );
}
