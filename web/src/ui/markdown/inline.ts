// Inline Markdown: emphasis, code, links and citations of records. Text that does not parse stays as it is.
export type Inline =
  | { is: 'text'; text: string }
  | { is: 'break' }
  | { is: 'code'; text: string }
  | { is: 'strong' | 'emphasis' | 'strike'; content: Inline[] }
  | { is: 'link'; address: string; content: Inline[] }
  | { is: 'record'; id: string };

const MAX_DEPTH = 6;
const RECORD = /^\[(?:record:)?([a-z][\w-]*:[\w.:/-]+)\](?!\()/i;
const ADDRESS = /^https?:\/\/[^\s<>"`]+/i;
const ESCAPABLE = /[\\`*_{}[\]()#+\-.!|~>]/;

export function parseInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  const missing = new Set<string>();
  let plain = '';
  let at = 0;
  const flush = () => {
    if (plain) out.push({ is: 'text', text: plain });
    plain = '';
  };
  while (at < text.length) {
    const found = depth < MAX_DEPTH ? tokenAt(text, at, depth, missing) : undefined;
    if (found) {
      flush();
      out.push(found.token);
      at = found.next;
    } else if (text[at] === '\\' && ESCAPABLE.test(text[at + 1] ?? '')) {
      plain += text[at + 1];
      at += 2;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  flush();
  return out;
}

interface Found {
  token: Inline;
  next: number;
}

function tokenAt(text: string, at: number, depth: number, missing: Set<string>): Found | undefined {
  switch (text[at]) {
    case '\n':
      return { token: { is: 'break' }, next: at + 1 };
    case '`':
      return code(text, at, missing);
    case '*':
    case '_':
    case '~':
      return emphasis(text, at, depth, missing);
    case '[':
      return record(text, at) ?? link(text, at, depth, missing);
    case 'h':
      return address(text, at);
    default:
      return undefined;
  }
}

function code(text: string, at: number, missing: Set<string>): Found {
  let ticks = 1;
  while (text[at + ticks] === '`') ticks += 1;
  const fence = '`'.repeat(ticks);
  const end = missing.has(fence) ? -1 : text.indexOf(fence, at + ticks);
  if (end < 0) {
    // The whole run is text, so that it is not counted again from its second character.
    missing.add(fence);
    return { token: { is: 'text', text: fence }, next: at + ticks };
  }
  return { token: { is: 'code', text: text.slice(at + ticks, end).trim() }, next: end + ticks };
}

function emphasis(text: string, at: number, depth: number, missing: Set<string>): Found | undefined {
  const char = text[at] ?? '*';
  const double = text[at + 1] === char;
  if (char === '~' && !double) return undefined;
  const mark = double ? char + char : char;
  const inside = at + mark.length;
  const opens = /\S/.test(text[inside] ?? ' ') && !(char === '_' && /\w/.test(text[at - 1] ?? ' '));
  if (!opens || missing.has(mark)) return undefined;
  const end = closer(text, inside, mark, char);
  if (end < 0) {
    missing.add(mark);
    return undefined;
  }
  const content = parseInline(text.slice(inside, end), depth + 1);
  return { token: { is: char === '~' ? 'strike' : double ? 'strong' : 'emphasis', content }, next: end + mark.length };
}

function closer(text: string, from: number, mark: string, char: string): number {
  for (let end = text.indexOf(mark, from + 1); end >= 0; end = text.indexOf(mark, end + 1)) {
    const after = text[end + mark.length] ?? ' ';
    const single = mark.length === 1 && (after === char || text[end - 1] === char);
    const closes = /\S/.test(text[end - 1] ?? ' ') && !(char === '_' && /\w/.test(after)) && !single;
    if (closes) return end;
  }
  return -1;
}

function record(text: string, at: number): Found | undefined {
  const match = RECORD.exec(text.slice(at, at + 300));
  if (!match?.[1]) return undefined;
  return { token: { is: 'record', id: match[1] }, next: at + match[0].length };
}

function link(text: string, at: number, depth: number, missing: Set<string>): Found | undefined {
  if (missing.has('](')) return undefined;
  const middle = text.indexOf('](', at);
  if (middle < 0) {
    missing.add('](');
    return undefined;
  }
  const label = text.slice(at + 1, middle);
  const end = text.indexOf(')', middle);
  if (end < 0) missing.add('](');
  if (end < 0 || label.includes('[') || label.includes('\n\n')) return undefined;
  const target = safeAddress(
    text
      .slice(middle + 2, end)
      .trim()
      .split(/\s/)[0] ?? '',
  );
  if (!target) return undefined;
  return { token: { is: 'link', address: target, content: parseInline(label, depth + 1) }, next: end + 1 };
}

function address(text: string, at: number): Found | undefined {
  if (!text.startsWith('http', at) || /\w/.test(text[at - 1] ?? ' ')) return undefined;
  const match = ADDRESS.exec(text.slice(at, at + 2000));
  if (!match) return undefined;
  const shown = match[0].replace(/[.,;:!?'")\]]+$/, '');
  const target = safeAddress(shown);
  if (!target) return undefined;
  return { token: { is: 'link', address: target, content: [{ is: 'text', text: shown }] }, next: at + shown.length };
}

/** An http or https address, or nothing: no other scheme becomes a link. */
export function safeAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined;
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
}
