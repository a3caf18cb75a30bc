// Actions that a view offers to the command palette while it is shown.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { IconName } from '../ui/icon';

export interface Action {
  id: string;
  title: string;
  icon?: IconName;
  /** Shown at the right, for example a key. */
  note?: string;
  run: () => void;
}

const offered = signal<ReadonlyMap<symbol, readonly Action[]>>(new Map());

/** The actions of all mounted views, those mounted last first. */
export function offeredActions(): Action[] {
  return [...offered.value.values()].reverse().flat();
}

/** Offers actions while the component is mounted. `changes` lists the values that the actions depend on. */
export function useActions(actions: readonly Action[], changes: readonly unknown[]): void {
  useEffect(() => {
    const owner = Symbol('actions');
    offered.value = new Map(offered.peek()).set(owner, actions);
    return () => {
      const next = new Map(offered.peek());
      next.delete(owner);
      offered.value = next;
    };
  }, changes);
}
