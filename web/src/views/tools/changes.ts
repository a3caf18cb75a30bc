// Groups the changes between two registries by what they mean for callers. Pure.
import type { RegistryChange } from '@aileron/client';

export type ChangeGroup = 'breaks' | 'policy' | 'new' | 'compatible';

/** The server calls a breaking change compatible if the version announces it; for callers it breaks all the same. */
export function groupOf(change: Pick<RegistryChange, 'kind' | 'step'>): ChangeGroup {
  if (change.kind === 'added') return 'new';
  if (change.kind === 'policy') return 'policy';
  return change.kind === 'breaking' || change.kind === 'removed' || change.step === 'major' ? 'breaks' : 'compatible';
}

/** The version step of a change, in words. */
export function stepWords({ kind, step }: Pick<RegistryChange, 'kind' | 'step'>): string | undefined {
  if (step === undefined) return undefined;
  return kind === 'compatible' ? `announced by its version (${step})` : `needs a ${step} version`;
}
