// Workbench: the arguments as a form beside their JSON, kept in step; run the call through the policies, or dry.
import type { Mode } from '@aileron/client';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { useActions } from '../../../app/actions';
import { query } from '../../../app/router';
import { mayAct } from '../../../app/session';
import { Button } from '../../../ui/button';
import { callCommand } from '../../../ui/call-command';
import { CopyButton } from '../../../ui/copy-button';
import { check } from '../../../schema-form/check';
import { type Fault, serverFaults } from '../../../schema-form/fault';
import type { Json, Schema } from '../../../schema-form/json';
import { SchemaForm } from '../../../schema-form/schema-form';
import { startValue } from '../../../schema-form/start';
import { editField, editText, type FormState, formState } from '../../../schema-form/state';
import type { Example } from '../examples';
import { Examples } from './examples';
import { JsonSide } from './json-side';
import { Result, type ResultState } from './result';
import { answerAttempt, type Attempt, run, runDry } from './run';

export interface WorkbenchProps {
  id: string;
  spec: Record<string, Json>;
  schema: Schema;
  examples: readonly Example[];
}

interface Bench {
  form: FormState;
  faults: readonly Fault[];
  /** Fields that the person has touched; only these show hints. `all` after an edit of the JSON. */
  touched: ReadonlySet<string> | 'all';
}

const NO_FAULTS: readonly Fault[] = [];

export function Workbench({ id, spec, schema, examples }: WorkbenchProps) {
  const modes = modesOf(spec);
  const [mode, setMode] = useState<Mode>(query.value.get('run') === 'voice' ? 'voice' : (modes[0] ?? 'text'));
  const [bench, setBench] = useState<Bench>(() => ({
    form: firstState(schema),
    faults: [],
    touched: new Set(),
  }));
  const [result, setResult] = useState<ResultState>({ is: 'none' });
  const resultPart = useRef<HTMLDivElement>(null);
  const hints = useMemo(() => hintsOf(schema, bench), [schema, bench]);

  const edit = useCallback((pointer: string, value: Json | undefined) => {
    setBench(({ form, faults, touched }) => ({
      form: editField(form, pointer, value),
      faults: faults.filter((fault) => !concerns(fault, pointer)),
      touched: touched === 'all' ? touched : new Set([...touched, pointer]),
    }));
  }, []);

  function fill(example: Example) {
    setBench({ form: formState(example.args), faults: [], touched: new Set() });
    if (example.mode) setMode(example.mode);
    setResult({ is: 'none' });
  }

  async function start(how: 'run' | 'dry') {
    if (bench.form.textFault || result.is === 'running' || (how === 'run' && !mayAct.value)) return;
    setResult({ is: 'running', how });
    try {
      show(await (how === 'run' ? run : runDry)(id, bench.form.value, mode));
    } catch (error) {
      setResult({ is: 'failed', error });
    }
    resultPart.current?.scrollIntoView({ block: 'nearest' });
  }

  function show(attempt: Attempt) {
    const faults = serverFaults(attempt.response?.error ?? attempt.dry?.error)?.faults ?? [];
    setBench((before) => ({ ...before, faults }));
    setResult({ is: 'done', attempt });
  }

  useActions(
    [
      ...(mayAct.value
        ? [{ id: 'run', title: `Run ${id}`, icon: 'play' as const, note: 'Ctrl Enter', run: () => void start('run') }]
        : []),
      { id: 'dry-run', title: `Dry run of ${id}`, icon: 'check', note: 'Ctrl Shift Enter', run: () => void start('dry') },
    ],
    [id, bench.form, mode, result.is, mayAct.value],
  );

  function onKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void start(event.shiftKey ? 'dry' : 'run');
  }

  const { form } = bench;
  return (
    <div class="bench" onKeyDown={onKey}>
      <Examples examples={examples} onFill={fill} />
      <div class="bench-sides">
        <section class="card bench-form" aria-label="Form">
          <SchemaForm id={`tool-${id}`} schema={schema} value={form.value} faults={bench.faults} hints={hints} onEdit={edit} />
        </section>
        <div class="bench-right">
          <JsonSide
            form={form}
            onEdit={(text) => setBench((before) => ({ form: editText(before.form, text), faults: [], touched: 'all' }))}
          />
          <div class="card bench-run">
            <ModeChoice mode={mode} modes={modes} onChoose={setMode} />
            <span class="grow" />
            <CopyButton text={() => callCommand(id, form.value, mode)} label="Copy as a command for the terminal" />
            <Button
              busy={result.is === 'running' && result.how === 'dry'}
              disabled={form.textFault !== undefined}
              onClick={() => void start('dry')}
              shortcut="Control+Shift+Enter"
            >
              Dry run
            </Button>
            <Button
              kind="primary"
              icon="play"
              busy={result.is === 'running' && result.how === 'run'}
              disabled={form.textFault !== undefined || !mayAct.value}
              onClick={() => void start('run')}
              shortcut="Control+Enter"
            >
              Run
            </Button>
            <p class="bench-note small muted">
              {mayAct.value
                ? 'Run goes through every policy, and an action really happens. Dry run only decides. Ctrl Enter runs, Ctrl Shift Enter decides.'
                : 'You may look but not act: your role is viewer. A dry run only decides.'}
            </p>
          </div>
          <div ref={resultPart}>
            <Result
              id={id}
              state={result}
              onAnswer={async (attempt, approve) => show(await answerAttempt(attempt, approve))}
              formId={`tool-${id}`}
            />
          </div>
        </div>
      </div>
    </div>
  );
}

function modesOf(spec: Record<string, Json>): Mode[] {
  const listed = Array.isArray(spec.allowedModes) ? spec.allowedModes : [];
  return listed.filter((mode) => mode === 'text' || mode === 'voice');
}

/** The arguments that a link brings along, or those to start from. A text that cannot be used is shown with its fault. */
function firstState(schema: Schema): FormState {
  const start = formState(startValue(schema, schema));
  const text = query.peek().get('args');
  if (text === null) return start;
  const brought = editText(start, text);
  return brought.textFault ? brought : formState(brought.value);
}

/** Whether an edit at the pointer may have mended the fault. */
function concerns(fault: Fault, pointer: string): boolean {
  return fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`) || pointer.startsWith(`${fault.pointer}/`);
}

function hintsOf(schema: Schema, { form, touched }: Bench): readonly Fault[] {
  if (touched !== 'all' && touched.size === 0) return NO_FAULTS;
  const faults = check(schema, form.value);
  return touched === 'all' ? faults : faults.filter((fault) => touched.has(fault.pointer));
}

function ModeChoice({ mode, modes, onChoose }: { mode: Mode; modes: readonly Mode[]; onChoose: (mode: Mode) => void }) {
  return (
    <fieldset class="segments">
      <legend class="hidden-text">Mode of the call</legend>
      {(['text', 'voice'] as const).map((each) => (
        <label
          key={each}
          class={each === mode ? 'segment segment-here' : 'segment'}
          title={modes.includes(each) ? undefined : `This tool is refused in ${each}`}
        >
          <input class="hidden-text" type="radio" name="bench-mode" checked={each === mode} onChange={() => onChoose(each)} />
          {each}
        </label>
      ))}
    </fieldset>
  );
}
