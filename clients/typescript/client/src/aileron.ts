// The client: one typed method per operation of the HTTP API, chat and the event stream.

import type * as Api from "./api-types.js";
import { Chat, type ChatOptions } from "./chat/chat.js";
import { type EventsOptions, type EventSubscription, subscribe } from "./events.js";
import { type AileronOptions, Http, type Query, type RequestOptions } from "./http.js";

export interface AuditFilter {
  conversation?: string;
  user?: string;
  tool?: string;
  outcome?: string;
  /** The type of the error, or `any` for every call that failed. */
  error?: string;
  call?: string;
  turn?: number;
  since?: number;
  until?: number;
}

const segment = encodeURIComponent;
const conversation = (id: string): string => `/v1/conversations/${segment(id)}`;

export class Aileron {
  /** Requests for which there is no method. */
  readonly http: Http;

  constructor(options: AileronOptions = {}) {
    this.http = new Http(options);
  }

  chat(options: ChatOptions = {}): Chat {
    return new Chat(this.http, options);
  }

  events(options: EventsOptions): EventSubscription {
    return subscribe(this.http, options);
  }

  me(options?: RequestOptions): Promise<Api.Me> {
    return this.get("/v1/me", undefined, options);
  }

  server(options?: RequestOptions): Promise<Api.Server> {
    return this.get("/v1/server", undefined, options);
  }

  conversations(query: { after?: string; limit?: number; all?: boolean } = {}, options?: RequestOptions): Promise<Api.ConversationList> {
    return this.get("/v1/conversations", query, options);
  }

  conversation(id: string, options?: RequestOptions): Promise<Api.Conversation> {
    return this.get(conversation(id), undefined, options);
  }

  beginConversation(body: { mode: Api.Mode; provider?: Api.ProviderFormat }, options?: RequestOptions): Promise<Api.ConversationCreated> {
    return this.post("/v1/conversations", body, options);
  }

  endConversation(id: string, options?: RequestOptions): Promise<Api.Conversation | undefined> {
    return this.http.json(conversation(id), { ...options, method: "DELETE" });
  }

  moveConversation(id: string, mode: Api.Mode, options?: RequestOptions): Promise<Api.Conversation> {
    return this.http.json(`${conversation(id)}/mode`, { ...options, method: "PUT", body: { mode } });
  }

  messages(id: string, query: { before?: number; limit?: number } = {}, options?: RequestOptions): Promise<Api.Messages> {
    return this.get(`${conversation(id)}/messages`, query, options);
  }

  turns(id: string, query: { before?: number; limit?: number } = {}, options?: RequestOptions): Promise<Api.Turns> {
    return this.get(`${conversation(id)}/turns`, query, options);
  }

  turn(id: string, turn: number, options?: RequestOptions): Promise<Api.TurnRecord> {
    return this.get(`${conversation(id)}/turns/${turn}`, undefined, options);
  }

  beginTurn(id: string, body: Api.BeginTurn, options?: RequestOptions): Promise<Api.TurnBegun> {
    return this.post(`${conversation(id)}/turns`, body, options);
  }

  calls(id: string, body: Api.CallsRequest, options?: RequestOptions): Promise<Api.CallsResponse> {
    return this.post(`${conversation(id)}/calls`, body, options);
  }

  /** Barge-in, or with `calls` the cancellation of these calls. */
  interrupt(id: string, calls?: string[], options?: RequestOptions): Promise<unknown> {
    return this.post(`${conversation(id)}/interruptions`, calls ? { calls } : {}, options);
  }

  /** The conversation as a script that tests play. */
  async script(id: string, options?: RequestOptions): Promise<string> {
    const response = await this.http.send(`${conversation(id)}/script`, { ...options, accept: "text/plain, application/json" });
    return response.text();
  }

  replay(id: string, body: Api.ReplayRequest = {}, options?: RequestOptions): Promise<Api.Replay> {
    return this.post(`${conversation(id)}/replay`, body, options);
  }

  confirmations(
    query: { state?: "open" | "decided"; conversation?: string; before?: number; limit?: number } = {},
    options?: RequestOptions,
  ): Promise<Api.Confirmations> {
    return this.get("/v1/confirmations", query, options);
  }

  /** The person's answer. `channel` is how it was given, for the record: a click unless set. */
  answerConfirmation(
    { conversationId, token }: { conversationId: string; token: string },
    approve: boolean,
    { channel = "click", ...options }: RequestOptions & { channel?: "click" | "http" } = {},
  ): Promise<Api.ConfirmationDecision> {
    return this.post(`${conversation(conversationId)}/confirmations/${segment(token)}`, { approve, channel }, options);
  }

  dryRun(body: Api.DryRunRequest, options?: RequestOptions): Promise<Api.DryRun> {
    return this.post("/v1/dry-run", body, options);
  }

  audit(query: AuditFilter & { before?: number; limit?: number } = {}, options?: RequestOptions): Promise<Api.AuditPage> {
    return this.get("/v1/audit", { ...query }, options);
  }

  auditRecord(seq: number, options?: RequestOptions): Promise<Api.AuditRecord> {
    return this.get(`/v1/audit/${seq}`, undefined, options);
  }

  verifyAudit(options?: RequestOptions): Promise<Api.AuditVerification> {
    return this.get("/v1/audit/verify", undefined, options);
  }

  /** The records as lines of JSON, oldest first. */
  async exportAudit(filter: AuditFilter = {}, options?: RequestOptions): Promise<Blob> {
    const request = { ...options, query: { ...filter }, accept: "application/x-ndjson, application/json" };
    return (await this.http.send("/v1/audit/export", request)).blob();
  }

  registries(options?: RequestOptions): Promise<Api.Registries> {
    return this.get("/v1/registries", undefined, options);
  }

  /** The registry that a new conversation would have, and why. Another person's for operators and viewers. */
  explainRegistry(query: Api.NewConversationQuery = {}, options?: RequestOptions): Promise<Api.RegistryExplanation> {
    return this.get("/v1/registries/explain", { ...query }, options);
  }

  /** Reads the registries and rules of the settings again, for new conversations. For operators. */
  reloadRegistries(options?: RequestOptions): Promise<Api.RegistriesReloaded> {
    return this.post("/v1/registries/reload", undefined, options);
  }

  registryDiff(version: string, against: string, options?: RequestOptions): Promise<Api.RegistryDiff> {
    return this.get(`/v1/registries/${segment(version)}/diff`, { against }, options);
  }

  tools(query: { registry?: string; mode?: Api.Mode; provider?: Api.ProviderFormat } = {}, options?: RequestOptions): Promise<Api.Tools> {
    return this.get("/v1/tools", query, options);
  }

  tool(id: string, query: { registry?: string } = {}, options?: RequestOptions): Promise<Api.ToolDetail> {
    return this.get(`/v1/tools/${segment(id)}`, query, options);
  }

  saveCase(toolId: string, body: Api.CaseRequest, options?: RequestOptions): Promise<Api.SavedCase> {
    return this.post(`/v1/tools/${segment(toolId)}/cases`, body, options);
  }

  series(query: { minutes?: number } = {}, options?: RequestOptions): Promise<Api.Series> {
    return this.get("/v1/series", query, options);
  }

  /** Calls that run in the background or did, the newest first; `all` are everybody's. */
  tasks(
    query: { state?: "running" | "ended"; conversation?: string; all?: boolean; after?: string; limit?: number } = {},
    options?: RequestOptions,
  ): Promise<Api.TaskList> {
    return this.get("/v1/tasks", query, options);
  }

  task(id: string, options?: RequestOptions): Promise<Api.Task> {
    return this.get(`/v1/tasks/${segment(id)}`, undefined, options);
  }

  cancelTask(id: string, options?: RequestOptions): Promise<Api.Task> {
    return this.post(`/v1/tasks/${segment(id)}/cancel`, {}, options);
  }

  blocks(options?: RequestOptions): Promise<Api.Blocks> {
    return this.get("/v1/blocks", undefined, options);
  }

  async liftBlock(user: string, options?: RequestOptions): Promise<void> {
    await this.http.send(`/v1/blocks/${segment(user)}`, { ...options, method: "DELETE" });
  }

  /** The file of an image: with sign-in, an `<img>` cannot send the token itself. */
  async image(id: string, options?: RequestOptions): Promise<Blob> {
    const response = await this.http.send(`/v1/images/${segment(id)}`, { ...options, accept: "image/*, application/json" });
    return response.blob();
  }

  private get<T>(path: string, query?: Query, options?: RequestOptions): Promise<T> {
    return this.http.json(path, { ...options, query });
  }

  private post<T>(path: string, body: unknown, options?: RequestOptions): Promise<T> {
    return this.http.json(path, { ...options, method: "POST", body });
  }
}
