// Example messages for an empty thread: known ones for the tools that come with Aileron, else made from summaries of tools.
import type { ToolSummary } from '@aileron/client';
import type { IconName } from '../../../ui/icon';

export interface Example {
  text: string;
  note: string;
  icon: IconName;
}

const KNOWN: { tool: string; example: Example }[] = [
  { tool: 'kb_search', example: { text: 'Who runs the lighting review?', note: 'searches the records and cites them', icon: 'search' } },
  {
    tool: 'calendar_create_event',
    example: {
      text: 'Schedule half an hour with Mira Holt tomorrow at 10 about the lighting review',
      note: 'proposes times; asks you before it books',
      icon: 'clock',
    },
  },
  { tool: 'image_generate', example: { text: 'Draw me a lighthouse at dusk', note: 'drafts prompts, then makes an image', icon: 'image' } },
  {
    tool: 'extract_contacts',
    example: {
      text: 'Extract the contacts from: Jon Bell <jon@example.com>, +49 40 555 0199',
      note: 'finds names, addresses and numbers',
      icon: 'person',
    },
  },
  { tool: 'start_voice_session', example: { text: 'Can we just talk?', note: 'continues this conversation by voice', icon: 'mic' } },
];
const SHOWN = 4;
const ICONS: Record<ToolSummary['category'], IconName> = { retrieval: 'search', action: 'tool', utility: 'sliders' };

export function examplesFor(tools: readonly ToolSummary[]): Example[] {
  if (tools.length === 0) return [];
  const ids = new Set(tools.map((tool) => tool.id));
  const known = KNOWN.filter(({ tool }) => ids.has(tool)).map(({ example }) => example);
  const listed = new Set(KNOWN.map(({ tool }) => tool));
  const others = tools.filter((tool) => !listed.has(tool.id) && tool.modes.includes('text')).map(fromSummary);
  return [...known, ...(known.length >= 2 ? [] : others), ask].slice(0, SHOWN);
}

const ask: Example = { text: 'What can you do?', note: 'an overview of the tools', icon: 'info' };

/** `Search the issues of a repository. Returns ...` becomes the request `Search the issues of a repository`. */
function fromSummary(tool: ToolSummary): Example {
  const sentence = tool.description.split(/(?<=\.)\s/)[0] ?? tool.description;
  return { text: sentence.replace(/\.$/, ''), note: `with ${tool.id}`, icon: ICONS[tool.category] };
}
