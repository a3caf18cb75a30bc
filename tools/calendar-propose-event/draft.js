// The draft behind a slot. Its id can be read by the person who approves it, and ends in a
// hash of the whole content, so that the same plan gives the same id and another plan another.
import { DAY, formatIso, formatOffset, isoDate, localFields, pad } from '../_lib/datetime.js';

const LIFETIME = DAY;

export function draftOf(slot, plan) {
  const content = {
    title: plan.title,
    agenda: plan.agenda,
    start: formatIso(slot.start, plan.offset),
    end: formatIso(slot.end, plan.offset),
    attendees: plan.attendees,
    busy: slot.busy,
    video_link: plan.videoLink,
  };
  return { id: draftId(slot, plan, content), ...content, expires: formatIso(plan.now + LIFETIME, 0) };
}

function draftId(slot, plan, content) {
  const f = localFields(slot.start, plan.offset);
  const when = `${isoDate(f)}T${pad(f.hour)}:${pad(f.minute)}${formatOffset(plan.offset)}`;
  const size = `${plan.duration}min-${plan.attendees.length}p`;
  return `draft-${when}-${size}-${slug(plan.title)}-${fnv1a(JSON.stringify(content))}`;
}

function slug(title) {
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  return [...words].slice(0, 40).join('').replace(/^-|-$/g, '') || 'event';
}

/** 32-bit FNV-1a over UTF-16 code units. */
function fnv1a(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
