// Groups conversations by how long ago something happened in them.
import type { Conversation } from '@aileron/client';

export interface DayGroup {
  title: string;
  conversations: Conversation[];
}

/** Groups in the order of the list: today, yesterday, the last seven days, older. */
export function groupByDay(conversations: readonly Conversation[], now: number): DayGroup[] {
  const groups = new Map<string, DayGroup>();
  for (const conversation of conversations) {
    const title = dayTitle(conversation.updatedAt, now);
    const group = groups.get(title) ?? { title, conversations: [] };
    groups.set(title, group);
    group.conversations.push(conversation);
  }
  return [...groups.values()];
}

function dayTitle(at: number | undefined, now: number): string {
  if (at === undefined) return 'Conversations';
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at >= midnight) return 'Today';
  if (at >= midnight - 86_400_000) return 'Yesterday';
  return at >= midnight - 7 * 86_400_000 ? 'Last seven days' : 'Older';
}
