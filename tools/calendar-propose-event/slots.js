// Finds and ranks start times. Pure: the calendars are handed in, the clock too.
import { DAY, MINUTE, localFields, startOfDay } from '../_lib/datetime.js';

const STEP = 30;

/** Every start worth looking at: the person's own first, then a half-hour grid in working hours. */
export function candidates(plan) {
  const wished = plan.preferred.filter((start) => start >= plan.now);
  const taken = new Set(wished);
  const grid = gridStarts(plan).filter((start) => !taken.has(start));
  return [
    ...wished.map((start, wish) => ({ start, wish, preferred: true })),
    ...grid.map((start) => ({ start, wish: wished.length, preferred: false })),
  ];
}

/** The best slots that do not overlap one another. */
export function bestSlots(starts, calendars, plan) {
  const slots = starts.map((candidate) => slotAt(candidate, calendars, plan)).sort(byWorth);
  const chosen = [];
  for (const slot of slots) {
    if (chosen.length === plan.maxSlots) break;
    if (!chosen.some((other) => overlaps(slot, other))) chosen.push(slot);
  }
  return chosen;
}

export function overlaps(a, b) {
  return a.start < b.end && b.start < a.end;
}

function gridStarts(plan) {
  const until = plan.from + plan.withinDays * DAY;
  const starts = [];
  for (let day = startOfDay(plan.from, plan.offset); day < until; day += DAY) {
    if (isWeekday(day, plan.offset)) starts.push(...dayStarts(day, plan));
  }
  return starts.filter((start) => start >= plan.from && start < until);
}

function dayStarts(day, { workStart, workEnd, duration }) {
  const starts = [];
  for (let minute = workStart; minute + duration <= workEnd; minute += STEP) starts.push(day + minute * MINUTE);
  return starts;
}

function isWeekday(instant, offset) {
  const { weekday } = localFields(instant, offset);
  return weekday !== 0 && weekday !== 6;
}

function slotAt({ start, wish, preferred }, calendars, { duration }) {
  const slot = { start, end: start + duration * MINUTE, wish, preferred };
  slot.busy = calendars.filter(({ busy }) => busy.some((other) => overlaps(slot, other))).map(({ email }) => email);
  return slot;
}

function byWorth(a, b) {
  return a.busy.length - b.busy.length || a.wish - b.wish || a.start - b.start;
}
