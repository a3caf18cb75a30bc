// The share of the conversations that each registry has. Pure.
import type { RegistrySummary } from '@aileron/client';

/** By version; empty where the caller is not told how many conversations there are. */
export function sharesOf(registries: Pick<RegistrySummary, 'version' | 'conversations'>[]): Map<string, string> {
  const total = registries.reduce((sum, registry) => sum + (registry.conversations ?? 0), 0);
  if (total === 0) return new Map();
  return new Map(registries.map(({ version, conversations }) => [version, `${Math.round(((conversations ?? 0) / total) * 100)} %`]));
}
