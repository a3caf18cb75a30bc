// Instants, fixed UTC offsets and local calendar fields, with no time zone database behind them.
// An instant is milliseconds since the epoch; an offset is minutes east of UTC.
import { ErrorType, ToolError } from 'aileron';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

export function parseInstant(text) {
  const parts = RFC3339.exec(text);
  if (!parts) throw unreadable(text);
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds(parts[7]));
  return date.getTime() - parseOffset(parts[8]) * MINUTE;
}

/** Reads "Z", "UTC" or a signed "+hh:mm". */
export function parseOffset(text) {
  if (/^(z|utc)$/i.test(text)) return 0;
  const sign = text.startsWith('-') ? -1 : 1;
  const [hours, minutes] = text.slice(1).split(':').map(Number);
  return sign * (hours * 60 + minutes);
}

/** The calendar fields a clock at that offset shows. */
export function localFields(instant, offset) {
  const date = new Date(instant + offset * MINUTE);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** The instant of local midnight on the day that holds `instant`. */
export function startOfDay(instant, offset) {
  const local = instant + offset * MINUTE;
  return Math.floor(local / DAY) * DAY - offset * MINUTE;
}

export function formatIso(instant, offset) {
  const f = localFields(instant, offset);
  return `${isoDate(f)}T${pad(f.hour)}:${pad(f.minute)}:${pad(f.second)}${formatOffset(offset)}`;
}

export function isoDate(fields) {
  return `${pad(fields.year, 4)}-${pad(fields.month)}-${pad(fields.day)}`;
}

export function formatOffset(offset) {
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

export function pad(number, width = 2) {
  return String(number).padStart(width, '0');
}

function milliseconds(fraction) {
  return fraction ? Math.min(999, Math.round(Number(`0${fraction}`) * 1000)) : 0;
}

function unreadable(text) {
  return new ToolError(ErrorType.PERMANENT, `expected an RFC 3339 date-time, found "${text}"`, {
    retryable: false,
    suggestion: 'write it like 2026-02-03T10:00:00+01:00',
  });
}
