// Parser of server-sent events (text/event-stream), fed with text in pieces of any size.

export interface SseEvent {
  /** The last id that the stream has set, also by earlier events. */
  id: string;
  event: string;
  data: string;
}

export class SseParser {
  private rest = "";
  private id = "";
  private event = "";
  private data: string[] = [];

  /** The events that are complete with this piece. */
  push(piece: string): SseEvent[] {
    const text = this.rest + piece;
    const events: SseEvent[] = [];
    let from = 0;
    let cr = text.indexOf("\r");
    for (;;) {
      // Lines usually end with LF alone: the text is not searched for a CR again for each of them.
      if (cr >= 0 && cr < from) cr = text.indexOf("\r", from);
      const end = nextLineEnd(text, from, cr);
      if (end === undefined) break;
      this.line(text.slice(from, end.at), events);
      from = end.next;
    }
    this.rest = text.slice(from);
    return events;
  }

  private line(line: string, events: SseEvent[]): void {
    if (line === "") {
      if (this.data.length > 0) {
        events.push({ id: this.id, event: this.event || "message", data: this.data.join("\n") });
      }
      this.event = "";
      this.data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.data.push(value);
    else if (field === "event") this.event = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
  }
}

/** The end of a line: LF, CR LF or CR, of which the next is at `cr`. A CR at the end of the text waits, because an LF may follow. */
function nextLineEnd(text: string, from: number, cr: number): { at: number; next: number } | undefined {
  const lf = text.indexOf("\n", from);
  if (cr >= 0 && (lf < 0 || cr < lf)) {
    if (cr + 1 === text.length) return undefined;
    return { at: cr, next: text[cr + 1] === "\n" ? cr + 2 : cr + 1 };
  }
  return lf < 0 ? undefined : { at: lf, next: lf + 1 };
}

/** Reads a response body as events, one array per network read. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseEvent[]> {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = parser.push(decoder.decode(value, { stream: true }));
      yield events;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
