//! Calls of one message of the model, in the canonical format or in a provider's.

use std::borrow::Cow;

use aileron_contract::{CallId, ToolCall};
use axum::extract::State;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::native::{self, CallFormat, MAX_CALLS, arguments};
use super::request::{Path, Printable, Text, open, parsed};
use super::{schema, view};
use crate::app::App;
use crate::error::ApiError;
use crate::object::Object;
use crate::request_checks::Caller;

/// Calls of one message.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it is there for its schema; `read` tells the forms apart")]
pub(super) enum CallsRequest {
    One(SingleCall<'static>),
    Many(CallBatch<'static>),
    Native(NativeCalls<'static>),
}

/// One call.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SingleCall<'a> {
    #[schemars(schema_with = "schema::opaque_id")]
    call_id: Printable,
    tool_id: String,
    /// Parsed separately, so that an error in them is the answer of this call only.
    #[serde(borrow, default)]
    #[schemars(schema_with = "schema::anything")]
    args: Option<&'a RawValue>,
}

/// A batch of calls, admitted together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CallBatch<'a> {
    #[serde(borrow)]
    #[schemars(with = "Vec<SingleCall<'static>>", length(min = 1, max = MAX_CALLS))]
    calls: Vec<Object<SingleCall<'a>>>,
}

/// Calls in a provider's format.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NativeCalls<'a> {
    format: CallFormat,
    /// `tool_calls` of a Chat Completions message or `function_call` items of a response, `parts`
    /// with a `functionCall`, `tool_use` blocks.
    #[serde(borrow)]
    calls: Vec<&'a RawValue>,
}

impl JsonSchema for NativeCalls<'_> {
    fn schema_name() -> Cow<'static, str> {
        "NativeCalls".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        native::schema(generator)
    }
}

/// The answers, in the order of the calls.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallsResponse {
    answers: Vec<view::CallAnswer>,
    /// The answers in the provider's format, if the calls came in it. They are what the model is given: without
    /// the envelope, and without the confirmation token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::anything")]
    native: Option<Vec<Value>>,
}

pub(super) async fn make(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Text(make): Text,
) -> Result<axum::Json<CallsResponse>, ApiError> {
    let (calls, native) = read(&make)?;
    for call in &calls {
        CallId::chosen_outside(call.call_id.as_str())
            .map_err(|error| ApiError::invalid(error.to_string()))?;
    }
    let conversation = open(&app, id, person).await?;
    let ids: Vec<CallId> = calls.iter().map(|call| call.call_id.clone()).collect();
    let answered = conversation.call_by_client(calls).await;
    let native = native.map(|asked| native::answers(&asked, &answered));
    let answers = ids.into_iter().zip(answered);
    let answers =
        answers.map(|(call_id, response)| view::CallAnswer { call_id, response }).collect();
    Ok(axum::Json(CallsResponse { answers, native }))
}

/// The keys that distinguish the formats.
#[derive(Debug, Deserialize)]
struct FormKeys {
    format: Option<IgnoredAny>,
    calls: Option<IgnoredAny>,
}

type Read = (Vec<ToolCall>, Option<Vec<native::NativeCall>>);

/// Tries the most frequent format first, one call. Otherwise the keys decide the format, so that an error is
/// reported for the format that was meant.
fn read(make: &[u8]) -> Result<Read, ApiError> {
    if let Ok(Object(one)) = serde_json::from_slice::<Object<SingleCall<'_>>>(make) {
        return Ok((vec![one.call()], None));
    }
    let keys: FormKeys = parsed(make)?;
    if keys.format.is_some() {
        let NativeCalls { format, calls } = parsed(make)?;
        bounded(calls.len())?;
        let asked =
            native::read(format, &calls).map_err(|error| ApiError::invalid(error.to_string()))?;
        let (calls, asked) = asked.into_iter().unzip();
        return Ok((calls, Some(asked)));
    }
    let calls = match keys.calls.is_some() {
        true => parsed::<CallBatch<'_>>(make)?.calls,
        false => vec![parsed(make).map(Object)?],
    };
    bounded(calls.len())?;
    Ok((calls.into_iter().map(|Object(one)| one.call()).collect(), None))
}

fn bounded(calls: usize) -> Result<(), ApiError> {
    if (1..=MAX_CALLS).contains(&calls) {
        return Ok(());
    }
    Err(ApiError::invalid(format!(
        "expected 1 to {MAX_CALLS} calls in one request, found {calls}; send the rest in another"
    )))
}

impl SingleCall<'_> {
    fn call(self) -> ToolCall {
        let Self { call_id, tool_id, args } = self;
        ToolCall { call_id: call_id.0, tool_id, args: arguments(args) }
    }
}
