// Ranks titles against typed letters: the start of the title first, then the start of a word, then inside, then letters in order.

/** Shorter words have to occur as they are: their letters are in most titles somewhere. */
const SCATTERED = 3;

export function rank(title: string, typed: string): number | undefined {
  const text = title.toLowerCase();
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return 0;
  const words = wanted.split(/\s+/);
  let total = 0;
  for (const word of words) {
    const score = rankWord(text, word);
    if (score === undefined) return undefined;
    total += score;
  }
  return total;
}

function rankWord(text: string, word: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return /[^a-z0-9]/.test(text[at - 1] ?? '') ? 1 : 2;
  if (word.length < SCATTERED) return undefined;
  let from = 0;
  let gaps = 0;
  for (const letter of word) {
    const found = text.indexOf(letter, from);
    if (found < 0) return undefined;
    if (found > from && from > 0) gaps += 1;
    from = found + 1;
  }
  return gaps > word.length / 2 ? undefined : 3 + gaps;
}

/** A note has to contain what is typed, and counts less than any title. */
function rankNote(note: string | undefined, typed: string): number | undefined {
  return note?.toLowerCase().includes(typed.trim().toLowerCase()) ? 100 : undefined;
}

/** The best matches, best first; equal ones keep their order. */
export function best<Item>(
  items: readonly Item[],
  title: (item: Item) => string,
  typed: string,
  limit: number,
  note: (item: Item) => string | undefined = () => undefined,
): Item[] {
  return items
    .map((item, order) => ({ item, order, score: rank(title(item), typed) ?? rankNote(note(item), typed) }))
    .filter((entry): entry is { item: Item; order: number; score: number } => entry.score !== undefined)
    .sort((one, other) => one.score - other.score || one.order - other.order)
    .slice(0, limit)
    .map((entry) => entry.item);
}
