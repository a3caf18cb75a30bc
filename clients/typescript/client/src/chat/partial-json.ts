// Reads JSON that is cut off at its end, as the arguments of a call are while the model writes them.

/** The value so far, or nothing if the text cannot be the beginning of a JSON value. */
export function parsePartialJson(text: string): unknown {
  for (const candidate of [text, completed(text)]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Closes open strings, arrays and objects, and drops a member or literal that is not complete. */
function completed(text: string): string {
  const closers: string[] = [];
  const close = (): string => closers.toReversed().join("");
  /** The length of the longest prefix after which all open brackets may be closed. */
  let safe = { length: 0, closers: "" };
  const mark = (length: number): void => {
    safe = { length, closers: close() };
  };
  let expectsKey = false;
  let index = 0;
  while (index < text.length) {
    const char = text[index] as string;
    if (char === '"') {
      const end = stringEnd(text, index);
      if (end === undefined) {
        return expectsKey ? text.slice(0, safe.length) + safe.closers : closeString(text, index) + close();
      }
      index = end;
      if (!expectsKey) mark(index);
      continue;
    }
    index += 1;
    if (char === "{" || char === "[") {
      closers.push(char === "{" ? "}" : "]");
      expectsKey = char === "{";
      mark(index);
    } else if (char === "}" || char === "]") {
      closers.pop();
      expectsKey = false;
      mark(index);
    } else if (char === ",") {
      expectsKey = closers.at(-1) === "}";
    } else if (char === ":") {
      expectsKey = false;
    } else if (/[\w.+-]/.test(char)) {
      while (index < text.length && /[\w.+-]/.test(text[index] as string)) index += 1;
      if (isJson(literalBefore(text, index))) mark(index);
    }
  }
  return text.slice(0, safe.length) + safe.closers;
}

function stringEnd(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return undefined;
}

/** Closes the string, without an escape sequence that is cut off. */
function closeString(text: string, start: number): string {
  const complete = /^(?:[^\\]|\\[^u]|\\u[0-9a-fA-F]{4})*/.exec(text.slice(start))?.[0] ?? "";
  return `${text.slice(0, start)}${complete}"`;
}

const literalBefore = (text: string, end: number): string => /[\w.+-]+$/.exec(text.slice(0, end))?.[0] ?? "";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
