// Requests beside the page: what another program or another person does.

type Json = Record<string, unknown>;

export class Api {
  private readonly url: string;
  private readonly token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.token = token;
  }

  async get<T = Json>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  async post<T = Json>(path: string, body: unknown): Promise<T> {
    return this.send<T>('POST', path, body);
  }

  /** Sends a chat message and waits until the answer is complete. Returns the id of the conversation. */
  async say(message: string, conversation?: string): Promise<string> {
    const body = { message, ...(conversation ? { id: conversation } : {}) };
    const response = await this.fetch('POST', '/api/chat', body);
    const text = await response.text();
    if (!response.ok) throw new Error(`POST /api/chat: ${response.status} ${text}`);
    const id = /"conversationId":"([^"]+)"/.exec(text)?.[1];
    if (!id) throw new Error(`no conversation in ${text}`);
    return id;
  }

  /** Begins a conversation and a turn, for calls by hand. */
  async begin(mode: 'text' | 'voice' = 'text'): Promise<string> {
    const { id } = await this.post<{ id: string }>('/v1/conversations', { mode });
    await this.post(`/v1/conversations/${id}/turns`, { input: 'written' });
    return id;
  }

  /** Makes one call. */
  async call(conversation: string, toolId: string, args: unknown, callId = newCallId()): Promise<Json> {
    return this.post(`/v1/conversations/${conversation}/calls`, { callId, toolId, args });
  }

  private async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.fetch(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text ? JSON.parse(text) : {}) as T;
  }

  private fetch(method: string, path: string, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = {};
    if (this.token) headers.authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    return fetch(this.url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  }
}

let calls = 0;

/** A call id that no other call of this test run has. */
export function newCallId(): string {
  calls += 1;
  return `call-${process.pid}-${String(calls).padStart(6, '0')}`;
}
