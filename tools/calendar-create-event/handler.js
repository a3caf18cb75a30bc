// Commits one draft, exactly as proposed, after a last look at the calendars.
import { ErrorType, ToolError } from 'aileron';
import { reading, writing } from '../_lib/capability.js';
import { parseInstant } from '../_lib/datetime.js';
import { requireActiveSession } from '../_lib/session.js';

export async function execute({ args, context }) {
  requireActiveSession(context, 'create the event');
  const id = args.event_draft_id;
  const draft = await reading('read the draft', () => context.calendar.getDraft({ id }));
  requireOpenDraft(draft, id, context.now());
  await requireNobodyNewlyBusy(draft, context);
  const { idempotencyKey } = context;
  const event = await writing('create the event', () => context.calendar.createEvent({ draft, idempotencyKey }));
  context.audit.log('calendar_event_created', { draftId: id, eventId: event.id });
  return { ok: true, data: created(event, draft) };
}

function requireOpenDraft(draft, id, now) {
  if (!draft || parseInstant(draft.expires) <= now) {
    throw refusal(ErrorType.PERMANENT, `no draft with the id "${id}"`, 'propose again and use an id from the result');
  }
  if (draft.event_id) {
    throw refusal(ErrorType.CONFLICT, `this draft was booked before, as ${draft.event_id}`, 'nothing is left to do');
  }
  if (parseInstant(draft.start) <= now) {
    throw refusal(ErrorType.CONFLICT, 'the time of this draft has passed', 'propose again');
  }
}

async function requireNobodyNewlyBusy(draft, context) {
  const { attendees, start, end } = draft;
  const calendars = await reading('read the calendars', () => context.calendar.freeBusy({ attendees, start, end }));
  const clashes = calendars.filter(({ email, busy }) => !draft.busy.includes(email) && clash(busy, start, end));
  if (clashes.length === 0) return;
  throw refusal(ErrorType.CONFLICT, `${clashes.length} of the attendees became busy at that time`, 'propose again');
}

function clash(busy, start, end) {
  const [from, to] = [parseInstant(start), parseInstant(end)];
  return busy.some((other) => parseInstant(other.start) < to && from < parseInstant(other.end));
}

function created(event, { title, start, end, attendees }) {
  const data = { event_id: event.id, title, start, end, attendees };
  if (event.url) data.url = event.url;
  if (event.join_url) data.join_url = event.join_url;
  return data;
}

function refusal(type, message, suggestion) {
  return new ToolError(type, message, { retryable: false, partialSideEffects: false, suggestion });
}
