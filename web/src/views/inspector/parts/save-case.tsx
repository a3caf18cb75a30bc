// Saves a call as a case of its tool: written by the server where it can, else downloaded to be put into cases.json.
import { useState } from 'preact/hooks';
import { AileronError, type CallRecord, type Mode } from '@aileron/client';
import { aileron } from '../../../api';
import { isOperator, server } from '../../../app/session';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { download } from '../../../ui/download';
import { faultOf } from '../../../ui/fault';
import { nameFault, visible } from '../../../ui/visible';
import { mainArgument } from '../../converse/thread/call-summary';
import { knownArguments } from './arguments-diff';

export interface SaveCaseProps {
  call: CallRecord;
  mode: Mode;
  onClose: () => void;
}

type State = { is: 'asking' } | { is: 'saving' } | { is: 'saved'; where: string } | { is: 'failed'; why: string };

export function SaveCase({ call, mode, onClose }: SaveCaseProps) {
  const [name, setName] = useState(visible(`${call.toolId} ${mainArgument(knownArguments(call))}`.trim().slice(0, 120)));
  const [state, setState] = useState<State>({ is: 'asking' });
  const fault = nameFault(name) ?? (state.is === 'failed' ? state.why : undefined);
  const canSave = server.value?.canSaveCases === true && isOperator.value;
  const content = { name, args: knownArguments(call), mode, expect: expectation(call) };

  function saveFile() {
    const text = `${JSON.stringify([content], null, 2)}\n`;
    download(`${call.toolId}.case.json`, new Blob([text], { type: 'application/json' }));
    setState({ is: 'saved', where: `the file ${call.toolId}.case.json; put its content into cases.json of the tool` });
  }

  async function save(event: Event) {
    event.preventDefault();
    if (!canSave) return saveFile();
    setState({ is: 'saving' });
    try {
      const saved = await aileron.saveCase(call.toolId, content);
      setState({ is: 'saved', where: `${saved.file}; run it with: aileron test ${call.toolId}` });
    } catch (error) {
      if (error instanceof AileronError && error.status === 409) saveFile();
      else setState({ is: 'failed', why: faultOf(error).message });
    }
  }

  return (
    <Dialog title="Save as a case" onClose={onClose}>
      {state.is === 'saved' ? (
        <div class="dialog-stack" role="status">
          <p>Saved to {state.where}.</p>
          <Button onClick={onClose}>Close</Button>
        </div>
      ) : (
        <form class="dialog-stack" onSubmit={save}>
          <p class="small muted">
            A case repeats this call with the same arguments and expects the same outcome.{' '}
            {canSave
              ? 'The server adds it to the tool.'
              : 'This server cannot write it, or you are not an operator, so it is downloaded as a file.'}
          </p>
          <label class="field">
            <span>Name</span>
            <input class="input" required value={name} autoFocus onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          {fault ? (
            <p class="form-fault" role="alert">
              {fault}
            </p>
          ) : null}
          <Button kind="primary" type="submit" busy={state.is === 'saving'} disabled={name.trim() === '' || nameFault(name) !== undefined}>
            {canSave ? 'Save' : 'Download'}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

/** Expects success, or the same kind of error. */
function expectation(call: CallRecord): unknown {
  const error = call.response?.error;
  return call.response === undefined || call.response.ok ? { ok: true } : { ok: false, error: { type: error?.type } };
}
