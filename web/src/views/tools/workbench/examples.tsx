// Examples: the arguments of the guide and of the cases, each filled in by one click.
import { useState } from 'preact/hooks';
import { Button } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { visible } from '../../../ui/visible';
import type { Example } from '../examples';

const SHOWN = 4;

export function Examples({ examples, onFill }: { examples: readonly Example[]; onFill: (example: Example) => void }) {
  const [all, setAll] = useState(false);
  if (examples.length === 0) return null;
  const shown = all ? examples : examples.slice(0, SHOWN);
  return (
    <div class="bench-examples" role="group" aria-label="Examples">
      {shown.map((example, at) => (
        <button
          key={at}
          type="button"
          class="bench-example"
          onClick={() => onFill(example)}
          title={`Fill in the example of the ${example.from}: ${visible(example.name)}`}
        >
          <Icon name={example.from === 'guide' ? 'file' : 'check'} size={14} label={example.from === 'guide' ? 'Guide:' : 'Case:'} />
          <span class="cut">{visible(example.name)}</span>
        </button>
      ))}
      {examples.length > shown.length ? (
        <Button size="small" kind="quiet" onClick={() => setAll(true)}>
          {`${examples.length - shown.length} more`}
        </Button>
      ) : null}
    </div>
  );
}
