// The data of the HTTP API, by the names that programs use. Times are milliseconds since 1970, in UTC.
// The types come from `openapi.ts`, which is generated; a few say more than the server's description.

import type { components } from "./openapi.js";

/** A field that the description calls optional and nullable is absent in answers, never null. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Field in keyof T]: object extends Pick<T, Field> ? Present<Exclude<T[Field], null>> : Present<T[Field]> }
    : T;

type Schemas = components["schemas"];
type Answer<Name extends keyof Schemas> = Present<Schemas[Name]>;
type Replace<T, Fields> = Omit<T, keyof Fields> & Fields;

export type Mode = Schemas["ModeChange"]["mode"];
export type Role = Schemas["Role"];

/** The caller; `user` is null where people do not sign in. */
export type Me = Replace<Answer<"Me">, { user: string | null }>;

/** The server's versions and providers; `chat` is null without a model. */
export type Server = Replace<Answer<"ServerView">, { chat: Answer<"ChatView"> | null }>;

export type Conversation = Answer<"ConversationView"> & Partial<Pick<Answer<"ListedConversation">, "title" | "updatedAt">> & {
  user?: string | null;
};
export type ConversationList = Replace<Answer<"ConversationList">, { conversations: Conversation[] }>;
export type ConversationCreated = Answer<"ConversationCreated">;

/** The formats in which declarations of tools are available. */
export type ProviderFormat = NonNullable<Schemas["CreateConversation"]["provider"]>;

export type CallAnswer = Answer<"CallAnswer">;
/** The answer to a call. */
export type Envelope = CallAnswer["response"];
export type ToolError = NonNullable<Envelope["error"]>;
export type ConfirmationRequest = NonNullable<ToolError["confirmation_request"]>;
export type CallView = Answer<"CallView">;

/** One entry of a conversation's history. */
export type MessageEntry = Answer<"MessageEntry">;
export type Messages = Replace<Answer<"Messages">, { messages: MessageEntry[] }>;

export type BeginTurn = Schemas["BeginTurn"];
export type ConfirmationDecision = Answer<"ConfirmationDecision">;
export type TurnBegun = Answer<"TurnResponse">;
export type SingleCall = Schemas["SingleCall"];
export type CallsRequest = Schemas["CallsRequest"];
export type CallsResponse = Answer<"CallsResponse">;

export type ConfirmationState = Schemas["ConfirmationState"];
/** How a confirmation was decided. */
export type DecisionChannel = "click" | "speech" | "http" | "text" | "timeout" | "replaced" | "end";

/** A question to the person before an action. `token` is there only while it is open and the caller may answer it. */
export type Confirmation = Replace<
  Answer<"ConfirmationView">,
  { user: string | null; decision?: { at: number; by: string | null; channel: DecisionChannel } }
>;
export type Confirmations = Replace<Answer<"ConfirmationList">, { confirmations: Confirmation[] }>;

/** A call of a turn. One that waits or was refused has neither used arguments nor a result. */
export type CallRecord = Replace<
  Answer<"CallRecord">,
  { clamped?: unknown[]; confirmation?: Confirmation; overBudget?: boolean }
>;
/** The decision of one policy about a call. */
export type TrailStep = CallRecord["trail"][number];
export type SpanKind = Schemas["SpanKind"];
export type Span = Replace<Answer<"SpanView">, { kind: SpanKind; label?: string }>;
/** The estimated tokens of the last request of a turn. */
export type TurnContext = Answer<"TurnContext">;
export type TurnRecord = Replace<
  Answer<"TurnRecord">,
  { calls: CallRecord[]; messages: MessageEntry[]; spans: Span[]; context?: TurnContext }
>;
export type Turns = Replace<Answer<"TurnList">, { turns: TurnRecord[] }>;

export type ReplayRequest = Schemas["ReplayRequest"];
export type Replay = Answer<"ReplayReport">;
export type DryRunRequest = Schemas["DryRun"];
export type DryRunCall = Replace<Answer<"Decisions">["calls"][number], { clamped?: unknown[]; error?: ToolError }>;
export type DryRun = Replace<Answer<"Decisions">, { calls: DryRunCall[] }>;

export type AuditPage = Answer<"AuditPage">;
export type AuditRecord = AuditPage["records"][number];
export type AuditVerification = Answer<"ChainCheck">;

export type Registries = Answer<"Registries">;
export type RegistrySummary = Answer<"RegistryView">;
export type RegistryExplanation = Answer<"ExplanationView">;
export type RegistriesReloaded = Answer<"Reloaded">;

/** The person and the request; without `user`, the caller. */
export interface NewConversationQuery {
  user?: string;
  /** The conversation of a person who is not signed in, whose hash decides about a percentage. */
  conversation?: string;
  /** Claims of the person: `org=acme,plan=pro`. */
  claims?: string;
  /** Scopes of the person, separated by commas. */
  scopes?: string;
  /** The registry that the request would name. */
  registry?: string;
}
export type RegistryDiff = Answer<"RegistryDiff">;
export type RegistryChange = Answer<"ChangeView">;

export type Quarantine = Answer<"QuarantinedTool">;
export type ToolSummary = Replace<
  Answer<"Summary">,
  { category: "retrieval" | "action" | "utility"; sideEffects: "none" | "read_only" | "writes" }
>;
export type Tools = Replace<Answer<"Tools">, { tools: ToolSummary[] }>;
/** `spec` is the content of `schema.json`. */
export type ToolDetail = Replace<
  Answer<"ToolDetail">,
  { spec: Record<string, unknown>; declarations: Record<string, unknown>; cases?: unknown[] }
>;
export type CaseRequest = Schemas["NewCase"];
export type SavedCase = Answer<"SavedCase">;
export type Blocks = Answer<"Blocks">;

/** A call that continues after its first answer. */
export type Task = Replace<Answer<"TaskView">, { user: string | null }>;
export type TaskList = Replace<Answer<"TaskList">, { tasks: Task[] }>;
export type TaskStatus = "running" | "completed" | "failed" | "cancelled" | "outcome_unknown";

/** Figures of the last minutes. Each list has `points` numbers, oldest first; null means no value. */
export type Series = Replace<Answer<"Series">, { tools: ToolFigures[] }>;
export type CallOutcomeKind = keyof Series["calls"];
type Percentile = "p50" | "p95" | "responseCharsP95" | "responseTokensP95";
export type ToolFigures = Omit<Answer<"SeriesTool">, Percentile> & Record<Percentile, number | null>;

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
  call_partial: { callId: string; index: number; data: unknown };
  task_began: { taskId: string; callId: string; toolId: string; status: TaskStatus };
  task_ended: { taskId: string; callId: string; toolId: string; status: TaskStatus };
  call_answered: { callId: string; toolId: string; outcome: string; ok: boolean; duration: number; error?: string };
  confirmation_requested: { id: string; toolId: string; expires: number };
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
