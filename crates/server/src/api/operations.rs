//! The one list of the operations of the API. The routes and `/openapi.json` are built from it.

use axum::routing::{MethodRouter, delete, get, post, put};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::{
    blocks, calls, confirmations, conversations, images, messages, schema, series, tools, turns,
    view,
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
    pub(super) handler: fn() -> MethodRouter<App>,
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
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn no_query(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    Vec::new()
}

fn page(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("after", schema::opaque_id(generator).to_value()),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": 100 })),
    ]
}

fn tail(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("before", json!({ "type": "integer", "minimum": 1, "maximum": messages::MAX_EXACT })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": 200 })),
    ]
}

fn wanted(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("mode", schema::mode(generator).to_value()),
        ("provider", schema::provider(generator).to_value()),
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
        path: "/v1/conversations",
        method: "post",
        name: "beginConversation",
        summary: "Create a conversation with a pinned registry; returns instructions and tool declarations",
        handler: || post(conversations::begin),
        query: no_query,
        body: Some(of::<conversations::CreateConversation>),
        success: (201, AnswerBody::Json(of::<conversations::ConversationCreated>)),
        refusals: &[400, 403, 415],
    },
    Operation {
        path: "/v1/conversations",
        method: "get",
        name: "listConversations",
        summary: "List your conversations",
        handler: || get(conversations::list),
        query: page,
        body: None,
        success: (200, AnswerBody::Json(of::<conversations::ConversationList>)),
        refusals: &[400],
    },
    Operation {
        path: "/v1/conversations/{id}",
        method: "get",
        name: "showConversation",
        summary: "Get a conversation",
        handler: || get(conversations::show),
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
        handler: || delete(conversations::end),
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
        handler: || put(conversations::move_to),
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
        handler: || get(messages::list),
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
        handler: || post(turns::begin),
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
        handler: || post(calls::make),
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
        handler: || post(turns::interrupt),
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
        handler: || post(confirmations::answer),
        query: no_query,
        body: Some(of::<confirmations::ConfirmationBody>),
        success: (200, AnswerBody::Json(of::<view::ConfirmationDecision>)),
        refusals: OPENED,
    },
    Operation {
        path: "/v1/tools",
        method: "get",
        name: "listTools",
        summary: "List the tools of new conversations",
        handler: || get(tools::list),
        query: wanted,
        body: None,
        success: (200, AnswerBody::Json(of::<tools::Tools>)),
        refusals: &[400],
    },
    Operation {
        path: "/v1/tools/{id}",
        method: "get",
        name: "showTool",
        summary: "Get a tool: its contract, its guide and its declarations",
        handler: || get(tools::show),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Json(of::<tools::ToolDetail>)),
        refusals: &[404],
    },
    Operation {
        path: "/v1/blocks",
        method: "get",
        name: "listBlocks",
        summary: "List blocked people; for operators",
        handler: || get(blocks::list),
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
        handler: || delete(blocks::lift),
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
        handler: || get(series::show),
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
        handler: || get(images::show),
        query: no_query,
        body: None,
        success: (200, AnswerBody::Image),
        refusals: &[404],
    },
];
