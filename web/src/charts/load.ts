// Loads uPlot with the first chart. It reads the browser's language as it loads and fails on one that is no language tag.
import type uPlot from 'uplot';

type Plot = typeof uPlot;

let loading: Promise<Plot> | undefined;

export function loadPlot(): Promise<Plot> {
  loading ??= withLanguageTag(() => import('uplot')).then(({ default: plot }) => plot);
  return loading;
}

/** Chromium under a POSIX locale says `en-US@posix`, which `Intl` refuses. */
async function withLanguageTag<Result>(load: () => Promise<Result>): Promise<Result> {
  if (isTag(navigator.language)) return load();
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  try {
    return await load();
  } finally {
    Reflect.deleteProperty(navigator, 'language');
  }
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
