// How the page writes instants, durations, sizes and counts. Pure functions over the person's locale and time zone.
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const SECONDS = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const COUNT = new Intl.NumberFormat('en');
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A number with the separators of thousands. */
function count(value: number): string {
  return COUNT.format(value);
}

function instant(at: number, show: 'auto' | 'time' | 'seconds' | 'full' = 'auto', now: number = Date.now()): string {
  if (!Number.isFinite(at)) return 'unknown time';
  const date = new Date(at);
  if (show === 'time') return TIME.format(date);
  if (show === 'seconds') return SECONDS.format(date);
  if (show === 'full') return FULL.format(date);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return TIME.format(date);
  const day = date.getFullYear() === today.getFullYear() ? DAY : YEAR;
  return `${day.format(date)}, ${TIME.format(date)}`;
}

function iso(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : '';
}

/** The exact instant, in UTC and with the person's zone, for a tooltip. */
function exact(at: number): string {
  const utc = iso(at);
  return utc ? `${utc} (shown in ${ZONE})` : 'unknown time';
}

/** A duration in the unit that reads best: `6 ms`, `1.84 s`, `12.3 s`, `4 min 12 s`, `3 h 5 min`. */
function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  const value = Math.max(0, ms);
  if (value < 1) return value === 0 ? '0 ms' : '< 1 ms';
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 10_000) return `${(value / 1000).toFixed(2)} s`;
  if (value < 60_000) return `${(value / 1000).toFixed(1)} s`;
  const seconds = Math.round(value / 1000);
  if (seconds < 3600) return seconds % 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${seconds / 60} min`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
  return `${count(Math.round(minutes / 1440))} days`;
}

/** A countdown: `4:12`, or `1:02:09` above an hour. */
function left(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** How long ago, in one unit: `just now`, `48 s ago`, `5 min ago`, `3 h ago`, `2 days ago`. */
function ago(at: number, now: number = Date.now()): string {
  const seconds = Math.round((now - at) / 1000);
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return `${count(Math.floor(seconds / 86400))} days ago`;
}

function bytes(value: number): string {
  if (value < 1024) return `${count(value)} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = value / 1024;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export const format = { count, instant, iso, exact, duration, left, ago, bytes, plural };
