// A conversation with a long history, written into the store of a server that does not run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Server } from './server.ts';

/** Repeats the first exchange of a conversation until it has this many messages. */
const REPEAT = `
import json, sqlite3, sys
path, conversation, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = sqlite3.connect(path)
rows = store.execute("SELECT time, body FROM messages WHERE conversation = ? ORDER BY seq", (conversation,)).fetchall()
first = [(time, json.loads(body)) for time, body in rows]
last = len(rows)
for seq in range(last + 1, count + 1):
    time, body = first[(seq - 1) % last]
    body["turn"] = (seq - 1) // last + 1
    store.execute("INSERT INTO messages VALUES (?, ?, ?, ?)", (conversation, seq, time + seq, json.dumps(body)))
body = json.loads(store.execute("SELECT body FROM conversations WHERE id = ?", (conversation,)).fetchone()[0])
body["turn"] = (count - 1) // last + 1
store.execute("UPDATE conversations SET body = ? WHERE id = ?", (json.dumps(body), conversation))
store.commit()
`;

export function lengthen(server: Server, conversation: string, messages: number): void {
  execFileSync('python3', ['-c', REPEAT, join(server.folder, '.aileron/aileron.db'), conversation, String(messages)]);
}
