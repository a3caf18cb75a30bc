// The empty thread: what can be asked, as examples to click that fit the tools of this server.
import { useEffect } from 'preact/hooks';
import { server } from '../../../app/session';
import { Icon } from '../../../ui/icon';
import { loadToolIndex, toolIndex } from '../state/tool-index';
import { examplesFor } from './example-prompts';

export function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  useEffect(loadToolIndex, []);
  const examples = examplesFor([...toolIndex.value.values()]);
  const offline = server.value?.chat?.offline === true;
  return (
    <div class="welcome">
      <h2 class="welcome-title">What would you like to know or do?</h2>
      <p class="muted">
        Every step is shown: which tool was called, which rule decided, and what is asked of you before anything is changed.
        {offline ? ' No provider key is set, so rules answer in place of a model.' : ''}
      </p>
      <ul class="examples">
        {examples.map((example) => (
          <li key={example.text}>
            <button type="button" class="example" onClick={() => onChoose(example.text)}>
              <Icon name={example.icon} />
              <span class="grow">
                <span class="example-text">{example.text}</span>
                <span class="tiny muted">{example.note}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
