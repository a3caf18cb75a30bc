// SaveCase: keeps an attempt as a case of the tool, so that `aileron test` runs it from then on.
import type { CaseRequest } from '@aileron/client';
import { useState } from 'preact/hooks';
import { aileron } from '../../../api';
import { isOperator, server } from '../../../app/session';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy-button';
import { Dialog } from '../../../ui/dialog';
import { faultOf } from '../../../ui/fault';
import { nameFault, visible } from '../../../ui/visible';
import { caseOf, type Expectation, expectationsOf } from './case';
import type { Attempt } from './run';

type Saving = { is: 'no' } | { is: 'sending' } | { is: 'saved'; file: string } | { is: 'failed'; error: unknown };

export function SaveCase({ id, attempt, onClose }: { id: string; attempt: Attempt; onClose: () => void }) {
  const expectations = expectationsOf(attempt);
  const [name, setName] = useState('');
  const [expected, setExpected] = useState<Expectation>(expectations[0]?.key ?? 'outcome');
  const [saving, setSaving] = useState<Saving>({ is: 'no' });
  const request = caseOf(attempt, name.trim(), expected);
  const fault = nameFault(name);
  const possible = server.value?.canSaveCases === true && isOperator.value;

  async function save(body: CaseRequest) {
    setSaving({ is: 'sending' });
    try {
      setSaving({ is: 'saved', file: (await aileron.saveCase(id, body)).file });
    } catch (error) {
      setSaving({ is: 'failed', error });
    }
  }

  if (saving.is === 'saved') {
    return (
      <Dialog title="Case saved" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
        <p>
          <code>{visible(saving.file)}</code> has it now. <code>aileron test</code> runs it.
        </p>
      </Dialog>
    );
  }
  const actions = possible ? (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" busy={saving.is === 'sending'} disabled={name.trim() === '' || fault !== undefined} onClick={() => void save(request)}>
        Save
      </Button>
    </>
  ) : (
    <CopyButton kind="plain" text={() => JSON.stringify(request, null, 2)}>
      Copy the case
    </CopyButton>
  );
  return (
    <Dialog title="Save as case" onClose={onClose} actions={actions}>
      <div class="save-case">
        <label class="field">
          <span>What the case shows, in a few words</span>
          <input
            class="input"
            value={name}
            autoFocus
            aria-invalid={fault !== undefined}
            onInput={(event) => setName(event.currentTarget.value)}
            placeholder="finds a person by role"
          />
        </label>
        {fault ? (
          <p class="form-fault" role="alert">
            {fault}
          </p>
        ) : null}
        <fieldset class="save-expected">
          <legend class="small muted">What it expects</legend>
          {expectations.map(({ key, words }) => (
            <label key={key}>
              <input type="radio" name="expected" checked={key === expected} onChange={() => setExpected(key)} /> {words}
            </label>
          ))}
        </fieldset>
        <p class="small muted">
          A case runs with test doubles, not with the records, drafts and calendars of this server. Add what it needs under{' '}
          <code>given</code> in its file.
        </p>
        {possible ? null : (
          <p class="small muted">
            This server cannot write cases: it has no folder with the sources of this tool, or you are not an operator. Copy the case into{' '}
            <code>cases.json</code> of the tool instead.
          </p>
        )}
        {saving.is === 'failed' ? (
          <p class="form-fault" role="alert">
            {faultOf(saving.error).message}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
