//! The one list of the operations of the API. The routes and `/openapi.json` are built from it.

use axum::routing::{MethodRouter, delete, get, post, put};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::{
    audit, blocks, calls, cases, confirmations, conversations, dry_run, events, images, me,
    messages, registries, request, schema, script, series, tools, turn_records, turns, view,
};
use crate::app::App;
use crate::metrics::{MAX_MINUTES, Series};

pub(super) type Described = fn(&mut SchemaGenerator) -> Schema;

/// One operation of the API.
pub(super) struct Operation {
    pub(super) path: &'static str,
    pub(super) method: &'static str,
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    /// `None` for a route of the chat stream, which `chat` adds.
    pub(super) handler: Option<fn() -> MethodRouter<App>>,
    /// The query parameters, with their schemas.
    pub(super) query: fn(&mut SchemaGenerator) -> Vec<(&'static str, Value)>,
    pub(super) body: Option<Described>,
    /// The status and body of a success.
    pub(super) success: (u16, AnswerBody),
    /// The statuses of its refusals, besides those of every operation.
    pub(super) refusals: &'static [u16],
}

/// The body of a response.
#[derive(Clone, Copy)]
pub(super) enum AnswerBody {
    Nothing,
    Json(Described),
    /// The file of an image.
    Image,
    /// Text of this media type.
    Text(&'static str),
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn no_query(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    Vec::new()
}

fn tail(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("before", json!({ "type": "integer", "minimum": 1, "maximum": request::MAX_EXACT })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": 200 })),
    ]
}

fn conversation_page(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("after", json!({ "type": "string", "pattern": "^[0-9]{1,15}\\.[!-~]{1,200}$" })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": 100 })),
        ("all", json!({ "type": "boolean" })),
    ]
}

fn confirmation_page(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("state", json!({ "type": "string", "enum": ["open", "decided"] })),
        ("conversation", schema::opaque_id(generator).to_value()),
        ("before", json!({ "type": "integer", "minimum": 0, "maximum": request::MAX_EXACT })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": confirmations::MAX_PAGE })),
    ]
}

fn turn_page(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("before", json!({ "type": "integer", "minimum": 0, "maximum": request::MAX_EXACT })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": turn_records::MAX_PAGE })),
    ]
}

fn audit_page(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    audit::parameters(generator)
}

fn audit_filter(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    let is_of_page = |name: &str| matches!(name, "before" | "limit");
    audit::parameters(generator).into_iter().filter(|(name, _)| !is_of_page(name)).collect()
}

fn against(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![("against", json!({ "type": "string", "minLength": 1 }))]
}

fn of_registry(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![("registry", json!({ "type": "string", "minLength": 1 }))]
}

fn wanted(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("mode", schema::mode(generator).to_value()),
        ("provider", schema::provider(generator).to_value()),
        ("registry", json!({ "type": "string", "minLength": 1 })),
    ]
}

fn minutes(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![("minutes", json!({ "type": "integer", "minimum": 1, "maximum": MAX_MINUTES }))]
}

/// The refusals of every operation that opens a conversation: it belongs to another person, is in the other
/// mode, has ended, or its person is blocked.
const OPENED: &[u16] = &[400, 403, 404, 409, 410, 415];

pub(super) const ALL: &[Operation] = &[
    Operation {
        path: "/api/chat",
        method: "post",
        name: "chat",
        summary: "Send a message to the agent, or answer its confirmations; streams the AI SDK's UI message stream",
        handler: None,
        query: no_query,
        body: Some(schema::chat),
        success: (200, AnswerBody::Text("text/event-stream")),
        refusals: &[400, 403, 404, 409, 410, 415, 502],
    },
    Operation {
        path: "/api/chat/{id}/stream",
        method: "get",
        name: "resumeChat",
        summary: "Stream the answer in progress from its beginning; 204 if there is none",
        handler: None,
        query: no_query,
        body: None,
        success: (200, AnswerBody::Text("text/event-stream")),
        refusals: &[400],
    },
    Operation {
        path: "/api/chat/{id}/stream",
        method: "delete",
        name: "stopChat",
        summary: "Stop the answer in progress",
        handler: None,
        query: no_query,
        body: None,
        success: (204, AnswerBody::Nothing),
        refusals: &[400],
    },
    Operation {
        path: "/v1/conversations",
        method: "post",
        name: "beginConversation",
        summary: "Create a conversation with a pinned registry; returns instructions and tool declarations",
        handler: Some(|| post(conversations::begin)),
        query: no_query,
        body: Some(of::<conversations::CreateConversation>),
        success: (201, AnswerBody::Json(of::<conversations::ConversationCreated>)),
        refusals: &[400, 403, 415],
    },
    Operation {
        path: "/v1/conversations",
        method: "get",
        name: "listConversations",
        summary: "List your conversations, the one used last first; with `all` everybody's",
        handler: Some(|| get(conversations::list)),
        query: conversation_page,
        body: None,
        success: (200, AnswerBody::Json(of::<conversations::ConversationList>)),
        refusals: &[400, 403],
    },
    Operation {
        path: "/v1/conversations/{id}",
        method: "get",
        name: "showConversation",
        summary: "Get a conversation",
        handler: Some(|| get(conversations::show)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<view::ConversationView>)),
        refusals: &[404],
    },
    Operation {
        path: "/v1/conversations/{id}",
        method: "delete",
        name: "endConversation",
        summary: "End a conversation; its records stay",
        handler: Some(|| delete(conversations::end)),
        query: no_query,
        body: None,
        success: (204, AnswerBody::Nothing),
        refusals: &[403, 404, 409],
    },
    Operation {
        path: "/v1/conversations/{id}/mode",
        method: "put",
        name: "moveConversation",
        summary: "Change the mode of a conversation, with its history and its registry",
        handler: Some(|| put(conversations::move_to)),
        query: no_query,
        body: Some(of::<conversations::ModeChange>),
        success: (200, AnswerBody::Json(of::<view::ConversationView>)),
        refusals: OPENED,
    },
    Operation {
        path: "/v1/conversations/{id}/messages",
        method: "get",
        name: "listMessages",
        summary: "Read text messages and voice transcripts, page by page from the end",
        handler: Some(|| get(messages::list)),
        query: tail,
        body: None,
        success: (200, AnswerBody::Json(of::<messages::Messages>)),
        refusals: &[400, 404],
    },
    Operation {
        path: "/v1/conversations/{id}/turns",
        method: "post",
        name: "beginTurn",
        summary: "Begin a turn with input of the person; resets the budgets",
        handler: Some(|| post(turns::begin)),
        query: no_query,
        body: Some(of::<turns::BeginTurn>),
        success: (201, AnswerBody::Json(of::<turns::TurnResponse>)),
        refusals: OPENED,
    },
    Operation {
        path: "/v1/conversations/{id}/calls",
        method: "post",
        name: "makeCalls",
        summary: "Run the calls of one model message through all policies",
        handler: Some(|| post(calls::make)),
        query: no_query,
        body: Some(of::<calls::CallsRequest>),
        success: (200, AnswerBody::Json(of::<calls::CallsResponse>)),
        refusals: OPENED,
    },
    Operation {
        path: "/v1/conversations/{id}/interruptions",
        method: "post",
        name: "interrupt",
        summary: "Interrupt (barge-in), or cancel calls; `onInterrupt` of each tool decides the effect",
        handler: Some(|| post(turns::interrupt)),
        query: no_query,
        body: Some(of::<turns::Interrupt>),
        success: (204, AnswerBody::Nothing),
        refusals: OPENED,
    },
    Operation {
        path: "/v1/conversations/{id}/confirmations/{token}",
        method: "post",
        name: "answerQuestion",
        summary: "Answer a confirmation, with the person's credentials",
        handler: Some(|| post(confirmations::answer)),
        query: no_query,
        body: Some(of::<confirmations::ConfirmationBody>),
        success: (200, AnswerBody::Json(of::<view::ConfirmationDecision>)),
        refusals: OPENED,
    },
    Operation {
        path: "/v1/conversations/{id}/turns",
        method: "get",
        name: "listTurns",
        summary: "Read turns with their messages, calls, decisions and times, page by page from the end",
        handler: Some(|| get(turn_records::list)),
        query: turn_page,
        body: None,
        success: (200, AnswerBody::Json(of::<turn_records::TurnList>)),
        refusals: &[400, 404],
    },
    Operation {
        path: "/v1/conversations/{id}/turns/{turn}",
        method: "get",
        name: "showTurn",
        summary: "Get a turn, with the context that the model is given",
        handler: Some(|| get(turn_records::show)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<turn_records::TurnRecord>)),
        refusals: &[404],
    },
    Operation {
        path: "/v1/conversations/{id}/script",
        method: "get",
        name: "showScript",
        summary: "Get the conversation as a script",
        handler: Some(|| get(script::show)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Text("text/markdown")),
        refusals: &[404],
    },
    Operation {
        path: "/v1/conversations/{id}/replay",
        method: "post",
        name: "replayConversation",
        summary: "Decide about the recorded calls again, by the policies of a loaded registry; no call is made",
        handler: Some(|| post(dry_run::again)),
        query: no_query,
        body: Some(of::<dry_run::ReplayRequest>),
        success: (200, AnswerBody::Json(of::<dry_run::ReplayReport>)),
        refusals: &[400, 404, 415],
    },
    Operation {
        path: "/v1/confirmations",
        method: "get",
        name: "listConfirmations",
        summary: "List open or decided confirmations of all conversations that you may see",
        handler: Some(|| get(confirmations::list)),
        query: confirmation_page,
        body: None,
        success: (200, AnswerBody::Json(of::<confirmations::ConfirmationList>)),
        refusals: &[400],
    },
    Operation {
        path: dry_run::PATH,
        method: "post",
        name: "dryRun",
        summary: "Decide about the calls of one message without making them",
        handler: Some(|| post(dry_run::decide)),
        query: no_query,
        body: Some(of::<dry_run::DryRun>),
        success: (200, AnswerBody::Json(of::<dry_run::Decisions>)),
        refusals: OPENED,
    },
    Operation {
        path: "/v1/events",
        method: "get",
        name: "streamEvents",
        summary: "Stream everything that happens and that you may see, as server-sent events; resumable with \
                  `Last-Event-ID`",
        handler: Some(|| get(events::stream)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Text("text/event-stream")),
        refusals: &[],
    },
    Operation {
        path: "/v1/audit",
        method: "get",
        name: "listAudit",
        summary: "List audit records that match, the newest first",
        handler: Some(|| get(audit::list)),
        query: audit_page,
        body: None,
        success: (200, AnswerBody::Json(of::<audit::AuditPage>)),
        refusals: &[400],
    },
    Operation {
        path: "/v1/audit/verify",
        method: "get",
        name: "verifyAudit",
        summary: "Check the hash chain of the audit log; for operators and viewers",
        handler: Some(|| get(audit::verify)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<audit::ChainCheck>)),
        refusals: &[403],
    },
    Operation {
        path: "/v1/audit/export",
        method: "get",
        name: "exportAudit",
        summary: "Get all audit records that match, the oldest first, one JSON object a line",
        handler: Some(|| get(audit::export)),
        query: audit_filter,
        body: None,
        success: (200, AnswerBody::Text("application/x-ndjson")),
        refusals: &[400],
    },
    Operation {
        path: "/v1/audit/{seq}",
        method: "get",
        name: "showAudit",
        summary: "Get an audit record",
        handler: Some(|| get(audit::show)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(schema::audit_record)),
        refusals: &[404],
    },
    Operation {
        path: "/v1/registries",
        method: "get",
        name: "listRegistries",
        summary: "List the loaded registries",
        handler: Some(|| get(registries::list)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<registries::Registries>)),
        refusals: &[],
    },
    Operation {
        path: "/v1/registries/{version}/diff",
        method: "get",
        name: "diffRegistries",
        summary: "Compare a loaded registry with another: broken promises, wider policies, new tools",
        handler: Some(|| get(registries::diff)),
        query: against,
        body: None,
        success: (200, AnswerBody::Json(of::<registries::RegistryDiff>)),
        refusals: &[400, 404, 409],
    },
    Operation {
        path: "/v1/me",
        method: "get",
        name: "showMe",
        summary: "Get your id and role",
        handler: Some(|| get(me::show)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<me::Me>)),
        refusals: &[],
    },
    Operation {
        path: "/v1/server",
        method: "get",
        name: "showServer",
        summary: "Get the server's version, registry and agents",
        handler: Some(|| get(me::server)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<me::ServerView>)),
        refusals: &[],
    },
    Operation {
        path: "/v1/tools/{id}/cases",
        method: "post",
        name: "saveCase",
        summary: "Save a case of a tool where its sources are; for operators",
        handler: Some(|| post(cases::save)),
        query: no_query,
        body: Some(of::<cases::NewCase>),
        success: (201, AnswerBody::Json(of::<cases::SavedCase>)),
        refusals: &[400, 403, 409, 415],
    },
    Operation {
        path: "/v1/tools",
        method: "get",
        name: "listTools",
        summary: "List the tools of new conversations, or of another loaded registry",
        handler: Some(|| get(tools::list)),
        query: wanted,
        body: None,
        success: (200, AnswerBody::Json(of::<tools::Tools>)),
        refusals: &[400, 404],
    },
    Operation {
        path: "/v1/tools/{id}",
        method: "get",
        name: "showTool",
        summary: "Get a tool: its contract, its guide and its declarations",
        handler: Some(|| get(tools::show)),
        query: of_registry,
        body: None,
        success: (200, AnswerBody::Json(of::<tools::ToolDetail>)),
        refusals: &[400, 404],
    },
    Operation {
        path: "/v1/blocks",
        method: "get",
        name: "listBlocks",
        summary: "List blocked people; for operators and viewers",
        handler: Some(|| get(blocks::list)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<blocks::Blocks>)),
        refusals: &[403, 503],
    },
    Operation {
        path: "/v1/blocks/{user}",
        method: "delete",
        name: "liftBlock",
        summary: "Lift a block, at once and for all processes; for operators",
        handler: Some(|| delete(blocks::lift)),
        query: no_query,
        body: None,
        success: (204, AnswerBody::Nothing),
        refusals: &[400, 403, 404, 503],
    },
    Operation {
        path: "/v1/series",
        method: "get",
        name: "showSeries",
        summary: "Get the figures of the last minutes as time series; for operators and viewers",
        handler: Some(|| get(series::show)),
        query: minutes,
        body: None,
        success: (200, AnswerBody::Json(of::<Series>)),
        refusals: &[400, 403],
    },
    Operation {
        path: "/v1/images/{id}",
        method: "get",
        name: "showImage",
        summary: "Get the file of an image that was created in one of your conversations",
        handler: Some(|| get(images::show)),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Image),
        refusals: &[404],
    },
];
