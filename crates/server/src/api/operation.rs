//! One operation of the API: its route and its description.

use axum::routing::MethodRouter;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::app::App;

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

pub(super) fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The refusals of every operation that opens a conversation: it belongs to another person, is in the other
/// mode, has ended, or its person is blocked.
pub(super) const OPENED: &[u16] = &[400, 403, 404, 409, 410, 415];
