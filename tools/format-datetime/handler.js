// Formats one moment at a fixed offset, in English, without a time zone database.
import { formatIso, isoDate, localFields, pad, parseInstant, parseOffset } from '../_lib/datetime.js';
import { relativeText } from './relative.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const STYLES = {
  iso: ({ iso }) => iso,
  date: ({ fields }) => isoDate(fields),
  time: (moment) => clock(moment),
  short: (moment) => `${shortDate(moment.fields)}, ${clock(moment)}`,
  long: (moment) => `${longDate(moment.fields)} at ${clock(moment)}`,
  spoken: (moment) => `${spokenDate(moment)} at ${spokenTime(moment)}`,
  relative: ({ instant, reference }) => relativeText(instant - reference),
};

export async function execute({ args, context }) {
  const moment = momentOf(args, context.now());
  return {
    ok: true,
    data: {
      text: STYLES[args.style](moment),
      iso: moment.iso,
      unix_ms: moment.instant,
      weekday: WEEKDAYS[moment.fields.weekday],
    },
  };
}

function momentOf(args, now) {
  const instant = parseInstant(args.value);
  const offset = parseOffset(args.utc_offset);
  const reference = args.relative_to ? parseInstant(args.relative_to) : now;
  return {
    instant,
    reference,
    fields: localFields(instant, offset),
    thisYear: localFields(reference, offset).year,
    iso: formatIso(instant, offset),
    twelve: args.hour_cycle === '12h',
    zone: args.zone_name ? ` ${args.zone_name}` : '',
  };
}

function clock({ fields, twelve, zone }) {
  const time = twelve
    ? `${twelveHour(fields.hour)}:${pad(fields.minute)} ${halfOfDay(fields.hour)}`
    : `${pad(fields.hour)}:${pad(fields.minute)}`;
  return time + zone;
}

function shortDate({ day, month, year }) {
  return `${day} ${MONTHS[month - 1].slice(0, 3)} ${year}`;
}

function longDate({ weekday, day, month, year }) {
  return `${WEEKDAYS[weekday]}, ${day} ${MONTHS[month - 1]} ${year}`;
}

/** The year is left unsaid when it is the current one. */
function spokenDate({ fields, thisYear }) {
  const date = `${WEEKDAYS[fields.weekday]} the ${ordinal(fields.day)} of ${MONTHS[fields.month - 1]}`;
  return fields.year === thisYear ? date : `${date} ${fields.year}`;
}

function spokenTime({ fields: { hour, minute }, zone }) {
  if (minute === 0 && hour === 0) return `midnight${zone}`;
  if (minute === 0 && hour === 12) return `noon${zone}`;
  const minutes = minute === 0 ? '' : `:${pad(minute)}`;
  return `${twelveHour(hour)}${minutes} ${halfOfDay(hour)}${zone}`;
}

function twelveHour(hour) {
  return hour % 12 === 0 ? 12 : hour % 12;
}

function halfOfDay(hour) {
  return hour < 12 ? 'AM' : 'PM';
}

function ordinal(day) {
  if (day >= 11 && day <= 13) return `${day}th`;
  return day + (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
}
