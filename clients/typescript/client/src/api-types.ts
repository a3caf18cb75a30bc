// The data of the HTTP API. Times are milliseconds since 1970, in UTC.

export type Mode = "text" | "voice";
export type Role = "person" | "viewer" | "operator";

/** Who the caller is. */
export interface Me {
  user: string | null;
  role: Role;
  signIn: "none" | "token" | "jwt";
  scopes: string[];
  blockedUntil?: number;
}

/** What the server runs. */
export interface Server {
  version: string;
  registryVersion: string;
  startedAt: number;
  now: number;
  pageVersion: string;
  chat: { provider: string; offline: boolean } | null;
  voice: { providers: string[]; default: string | null; offline: boolean };
  canSaveCases: boolean;
}

export interface Conversation {
  id: string;
  mode: Mode;
  registryVersion: string;
  turn: number;
  state: { is: "active" } | { is: "ended"; reason: string };
  voice: "off" | "requested" | "active" | "ending";
  title?: string;
  updatedAt?: number;
  user?: string | null;
}

export interface ConversationList {
  conversations: Conversation[];
  next?: string | null;
}

/** The formats in which declarations of tools are available. */
export type ProviderFormat = "openai" | "openaiRealtime" | "geminiNative" | "geminiJsonSchema" | "anthropic" | "mcp";

export interface ConversationCreated extends Conversation {
  instructions: string;
  tools: unknown;
}

export interface ConfirmationRequest {
  token: string;
  expires: number;
  tool: string;
  args: unknown;
  preview: string;
}

export interface ToolError {
  type: string;
  message: string;
  retryable: boolean;
  partialSideEffects: boolean;
  idempotencyRequired: boolean;
  suggestion?: string;
  details?: unknown;
  confirmation_request?: ConfirmationRequest;
}

/** The answer to a call. */
export interface Envelope {
  ok: boolean;
  data?: unknown;
  error?: ToolError;
  intents?: unknown[];
  meta: {
    toolId: string;
    toolVersion?: string | null;
    registryVersion: string;
    responseSchemaVersion: string;
    callId: string;
    duration?: number;
    attempts?: number;
  };
}

export interface CallAnswer {
  callId: string;
  response: Envelope;
}

export interface CallView {
  callId: string;
  toolId: string;
  args: unknown;
}

/** One entry of a conversation's history. */
export type MessageEntry = { number: number; time: number; turn?: number | null } & (
  | { from: "person"; text: string }
  | { from: "model"; text: string; calls?: CallView[] }
  | { from: "tools"; answers: CallAnswer[] }
  | { from: "retracted"; since: number }
);

export interface Messages {
  messages: MessageEntry[];
  before?: number | null;
}

export type BeginTurn =
  | { input: "written"; text?: string | null }
  | { input: "spoken"; text: string; beganMs?: number | null };

export type ConfirmationDecision =
  | { is: "approved" | "declined" | "expired" | "superseded"; answers: CallAnswer[] }
  | { is: "askAgain"; preview: string };

export interface TurnBegun {
  turn: number;
  questions: ConfirmationDecision[];
  pendingMessage?: string | null;
}

export interface SingleCall {
  callId: string;
  toolId: string;
  args?: unknown;
}

export type CallsRequest =
  | SingleCall
  | { calls: SingleCall[] }
  | { format: "openai" | "gemini" | "anthropic"; calls: unknown[] };

export interface CallsResponse {
  answers: CallAnswer[];
  native?: unknown;
}

export type ConfirmationState = "open" | "approved" | "declined" | "expired" | "superseded";
export type DecisionChannel = "click" | "speech" | "http" | "text" | "timeout" | "end";

/** A question to the person before an action. */
export interface Confirmation {
  id: string;
  conversationId: string;
  user: string | null;
  mine: boolean;
  callId: string;
  toolId: string;
  registryVersion: string;
  turn: number;
  args: unknown;
  preview: string;
  askedAt: number;
  expires: number;
  state: ConfirmationState;
  /** Only while it is open and the caller may answer it. */
  token?: string;
  decision?: { at: number; by: string | null; channel: DecisionChannel };
  /** What the decision led to, from the audit log. */
  led?: { outcome: string; error?: string; duration: number; auditSeq: number };
}

export interface Confirmations {
  confirmations: Confirmation[];
  before?: number;
  open: number;
}

export interface TrailStep {
  policy: string;
  result: "passed" | "refused" | "undecided" | "asked" | "duplicate";
  measure?: { used: number; limit: number; of: string };
}

export interface CallRecord {
  callId: string;
  toolId: string;
  toolVersion?: string;
  registryVersion: string;
  parentCallId?: string;
  argsSent: unknown;
  argsUsed?: unknown;
  clamped?: unknown[];
  trail: TrailStep[];
  decidedAt?: number;
  startedAt?: number;
  finishedAt?: number;
  attempts?: number;
  budgetMs?: number;
  overBudget?: boolean;
  /** Absent while the call runs or waits. */
  outcome?: string;
  response?: Envelope;
  modelSaw?: unknown;
  confirmation?: Confirmation;
  auditSeq?: number;
}

export type SpanKind =
  | "model"
  | "personSpeech"
  | "modelSpeech"
  | "cutOff"
  | "waitingForPerson"
  | "waitingForSlot"
  | "working"
  | "retry"
  | "reconnect";

export interface Span {
  kind: SpanKind;
  callId?: string;
  from: number;
  to?: number;
  label?: string;
}

export interface TurnContext {
  parts: { name: string; tokens: number }[];
  instructions?: string;
  declarations: number;
  history: number;
}

export interface TurnRecord {
  turn: number;
  mode: Mode;
  startedAt: number;
  endedAt?: number;
  /** `records`: rebuilt from the log after a restart; its spans are coarse or absent. */
  source: "live" | "records";
  messages: MessageEntry[];
  calls: CallRecord[];
  spans: Span[];
  context?: TurnContext;
  usage?: { input: number; output: number };
}

export interface Turns {
  turns: TurnRecord[];
  before?: number;
}

export interface Replay {
  then: string;
  now: string;
  calls: { callId: string; toolId: string; turn: number; then: string; now: string; same: boolean; certain: boolean; why?: string }[];
}

export interface DryRunRequest {
  mode: Mode;
  calls: { toolId: string; args: unknown }[];
  conversationId?: string;
  registryVersion?: string;
}

export interface DryRunCall {
  decision: "run" | "ask" | "refuse" | "replay" | "hold";
  args?: unknown;
  clamped?: unknown[];
  preview?: string;
  policy?: string;
  error?: ToolError;
  trail: TrailStep[];
}

export interface DryRun {
  registryVersion: string;
  calls: DryRunCall[];
}

export interface AuditRecord {
  seq: number;
  time: number;
  conversation: string;
  user?: string | null;
  mode: Mode;
  turn: number;
  callId: string;
  toolId: string;
  toolVersion?: string;
  category?: string;
  registryVersion: string;
  outcome: string;
  error?: string;
  duration: number;
  attempts: number;
  args: unknown;
  result?: unknown;
  resultBytes?: number;
  trail?: TrailStep[];
  previous: string;
  hash: string;
}

export interface AuditPage {
  records: AuditRecord[];
  before?: number;
}

export interface AuditVerification {
  ok: boolean;
  records: number;
  base: { seq: number; hash: string };
  head: { seq: number; hash: string };
  broken?: { seq: number; why: string };
}

export interface RegistrySummary {
  version: string;
  current: boolean;
  tools: number;
  gitCommit?: string;
  buildTimestamp?: string | number;
}

export interface RegistryChange {
  toolId: string;
  rule?: string;
  kind: "breaking" | "policy" | "compatible" | "added" | "removed";
  step?: "major" | "minor" | "patch";
  message: string;
}

export interface RegistryDiff {
  from: string;
  to: string;
  changes: RegistryChange[];
}

export interface Quarantine {
  scope: string;
  threadsHeld: number;
  until: number;
  reason: string;
}

export interface ToolSummary {
  id: string;
  version: string;
  description: string;
  summary: string;
  category: "retrieval" | "action" | "utility";
  sideEffects: "none" | "read_only" | "writes";
  idempotent: boolean;
  modes: Mode[];
  requiresConfirmation: boolean;
  latencyBudgetMs: number;
  hash: string;
  quarantine?: Quarantine | null;
  declaration?: unknown;
}

export interface Tools {
  registryVersion: string;
  tools: ToolSummary[];
}

export interface ToolDetail {
  registryVersion: string;
  /** The content of `schema.json`. */
  spec: Record<string, unknown>;
  summary: string;
  documentation: string;
  declarations: Record<string, unknown>;
  hash: string;
  handler: { kind: string; files: string[] };
  cases?: unknown[];
}

export interface CaseRequest {
  name: string;
  args: unknown;
  mode?: Mode;
  expect?: unknown;
}

export interface SavedCase {
  file: string;
  name: string;
}

export type CallOutcomeKind = "completed" | "failed" | "refused" | "denied" | "cancelled" | "timedOut";

export interface ToolFigures {
  toolId: string;
  calls: number;
  succeeded: number;
  failed: number;
  refused: number;
  p50: number | null;
  p95: number | null;
  budgetMs: number;
  responseCharsP95: number | null;
  responseTokensP95: number | null;
  overBudget: number;
  quarantined?: string;
}

/** Figures of the last minutes. Each array has `points` numbers, oldest first; null means no value. */
export interface Series {
  from: number;
  stepMs: number;
  points: number;
  calls: Record<CallOutcomeKind, number[]>;
  refusedBy: Record<string, number[]>;
  latency: { p50: (number | null)[]; p95: (number | null)[]; p99: (number | null)[] };
  conversations: { text: number[]; voice: number[] };
  openConfirmations: number[];
  callsInFlight: number[];
  providerErrors: number[];
  reconnects: number[];
  tokensIn: number[];
  tokensOut: number[];
  memoryBytes: number[];
  loops: number[];
  tools: ToolFigures[];
}

export interface Blocks {
  blocks: { user: string; until: number; leftMs: number }[];
}

interface EventBase {
  time: number;
  conversationId?: string;
  user?: string | null;
  turn?: number;
}

interface EventFields {
  hello: { now: number };
  /** Events were missed; what was loaded before may be out of date. */
  reset: object;
  turn_began: { input?: "written" | "spoken" };
  turn_ended: object;
  model_began: object;
  model_ended: object;
  call_decided: { callId: string; toolId: string; trail: TrailStep[] };
  call_started: { callId: string; toolId: string };
  call_progress: { callId: string; update: unknown };
  call_answered: { callId: string; toolId: string; outcome: string; ok: boolean; duration: number; error?: string };
  confirmation_requested: { id: string; toolId: string; preview: string; expires: number; mine: boolean };
  confirmation_closed: { id: string; how: string; channel?: DecisionChannel; by?: string | null };
  conversation_began: { mode: Mode };
  conversation_moved: { mode: Mode };
  conversation_ended: { reason: string };
  blocked: { user: string; until: number };
  unblocked: { user: string };
  registry_loaded: { version: string };
}

export type ServerEventType = keyof EventFields;

/** One event of `GET /v1/events`. */
export type ServerEvent = {
  [Type in ServerEventType]: { type: Type } & EventBase & EventFields[Type];
}[ServerEventType];
