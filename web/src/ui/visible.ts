// Makes characters visible that could hide or reorder text: control characters and bidirectional marks.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
const NAMES: Record<string, string> = {
  '\u061c': 'ALM',
  '\u200b': 'ZWSP',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
};

/** The same text with each hidden character written out, for example `‹RLO›`: brackets that the usual fonts have, because a font for each
 * bracket makes the layout of a long text slow. A carriage return before a newline is dropped. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(HIDDEN, (char) => `‹${NAMES[char] ?? `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`}›`);
}

/** Why a name that others will read is refused: it has characters that hide or reorder text. */
export function nameFault(name: string): string | undefined {
  const found = [...new Set(name.match(HIDDEN) ?? [])];
  return found.length === 0 ? undefined : `The name has characters that cannot be seen: ${found.map(visible).join(' ')}. Write it without them.`;
}

/** A JSON string literal in which hidden characters are escapes. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
