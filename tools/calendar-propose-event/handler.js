// Reads the calendars, ranks the times and keeps a draft of each proposal. Books nothing.
import { ErrorType, ToolError } from 'aileron';
import { reading } from '../_lib/capability.js';
import { MINUTE, formatIso, parseInstant, parseOffset } from '../_lib/datetime.js';
import { draftOf } from './draft.js';
import { bestSlots, candidates } from './slots.js';

const WORKING_HOURS = { start: '09:00', end: '17:00' };

export async function execute({ args, context }) {
  const plan = planOf(args, context.now());
  const starts = candidates(plan);
  if (starts.length === 0) throw nothingFits(args);
  const calendars = await reading('read the calendars', () => context.calendar.freeBusy(span(starts, plan)));
  const slots = bestSlots(starts, calendars.map(asInstants), plan);
  const drafts = slots.map((slot) => draftOf(slot, plan));
  await reading('keep the drafts', () => context.calendar.saveDrafts({ drafts }));
  return { ok: true, data: proposal(plan, slots, drafts, calendars) };
}

function planOf(args, now) {
  const hours = args.working_hours ?? WORKING_HOURS;
  return {
    now,
    from: args.not_before ? Math.max(now, parseInstant(args.not_before)) : now,
    withinDays: args.within_days,
    offset: parseOffset(args.utc_offset),
    workStart: minuteOfDay(hours.start),
    workEnd: minuteOfDay(hours.end),
    duration: args.duration_minutes,
    preferred: [...new Set((args.preferred_times ?? []).map(parseInstant))],
    maxSlots: args.max_slots,
    title: args.title,
    agenda: args.agenda ?? '',
    videoLink: args.video_link,
    attendees: [...new Set(args.attendees.map((email) => email.toLowerCase()))],
  };
}

function minuteOfDay(text) {
  const [hours, minutes] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

function span(starts, plan) {
  const times = starts.map(({ start }) => start);
  return {
    attendees: plan.attendees,
    start: formatIso(Math.min(...times), 0),
    end: formatIso(Math.max(...times) + plan.duration * MINUTE, 0),
  };
}

function asInstants({ email, busy }) {
  return { email, busy: busy.map(({ start, end }) => ({ start: parseInstant(start), end: parseInstant(end) })) };
}

function proposal(plan, slots, drafts, calendars) {
  return {
    title: plan.title,
    duration_minutes: plan.duration,
    event_draft_id: drafts[0].id,
    slots: slots.map((slot, index) => ({
      rank: index + 1,
      event_draft_id: drafts[index].id,
      start: drafts[index].start,
      end: drafts[index].end,
      preferred: slot.preferred,
      free: plan.attendees.length - slot.busy.length,
      busy: slot.busy.length,
    })),
    attendees: plan.attendees.map((email) => attendee(email, slots, calendars)),
  };
}

function attendee(email, slots, calendars) {
  const ranks = slots.map((slot, index) => (slot.busy.includes(email) ? index + 1 : 0));
  return {
    email,
    calendar_read: calendars.some((calendar) => calendar.email === email && calendar.readable),
    busy_in: ranks.filter((rank) => rank > 0),
  };
}

function nothingFits({ duration_minutes: minutes }) {
  return new ToolError(ErrorType.CONFLICT, `no start within the days and hours given leaves ${minutes} minutes`, {
    retryable: false,
    partialSideEffects: false,
    suggestion: 'widen working_hours or within_days, or name preferred_times that lie ahead',
  });
}
