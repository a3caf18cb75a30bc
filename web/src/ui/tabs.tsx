// Tabs: a row of tabs with the keyboard behaviour of the ARIA pattern, and the panel of the chosen one.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface Tab<Key extends string> {
  key: Key;
  label: ComponentChildren;
  /** Said after the label, for example a count. */
  note?: string;
}

export interface TabsProps<Key extends string> {
  tabs: readonly Tab<Key>[];
  chosen: Key;
  onChoose: (key: Key) => void;
  /** Names the row for screen readers. */
  label: string;
  children: ComponentChildren;
}

export function Tabs<Key extends string>({ tabs, chosen, onChoose, label, children }: TabsProps<Key>) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);

  // On a narrow screen a link may lead to a tab that is out of sight. Only the row is scrolled, not what is around it.
  useEffect(() => {
    const [tab, around] = [row.current?.querySelector('[aria-selected=true]'), row.current];
    if (!tab || !around) return;
    const [inner, outer] = [tab.getBoundingClientRect(), around.getBoundingClientRect()];
    if (inner.left < outer.left) around.scrollLeft += inner.left - outer.left;
    else if (inner.right > outer.right) around.scrollLeft += inner.right - outer.right;
  }, [chosen]);

  function move(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.key === chosen);
    const last = tabs.length - 1;
    const steps: Record<string, number> = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    const next = steps[event.key];
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab) return;
    event.preventDefault();
    onChoose(tab.key);
    row.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[next ?? 0]?.focus();
  }

  return (
    <div class="tabs">
      <div class="tabs-row" role="tablist" aria-label={label} ref={row} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === chosen ? 0 : -1}
            class={tab.key === chosen ? 'tab tab-here' : 'tab'}
            onClick={() => onChoose(tab.key)}
          >
            {tab.label}
            {tab.note ? <span class="tab-note num">{tab.note}</span> : null}
          </button>
        ))}
      </div>
      <div class="tabs-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </div>
  );
}
