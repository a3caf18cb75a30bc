//! Calls of one message of the model: canonical, or as a provider writes them.

use std::borrow::Cow;

use aileron_contract::{CallId, ToolCall};
use axum::extract::State;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::native::{self, Format};
use super::request::{Json, Path, Printable, open, wrong};
use super::{schema, view};
use crate::app::App;
use crate::door::Caller;
use crate::error::ApiError;

/// The most calls of one message. Budgets allow far fewer; this bounds what is looked at.
const MOST: usize = 128;

/// Calls of one message.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it is there for its schema; `read` tells the forms apart")]
pub(super) enum Make {
    One(One),
    Many(Many),
    Native(Native),
}

/// One call.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    #[schemars(schema_with = "schema::opaque_id")]
    call_id: Printable,
    tool_id: String,
    #[serde(default)]
    #[schemars(schema_with = "schema::anything")]
    args: Option<aileron_contract::Arguments>,
}

/// A batch of calls, judged together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Many {
    #[schemars(length(min = 1, max = 128))]
    calls: Vec<One>,
}

/// Calls as a provider writes them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Native {
    format: Format,
    /// `tool_calls` of a Chat Completions message or `function_call` items of a response, `parts`
    /// with a `functionCall`, `tool_use` blocks.
    calls: Vec<Value>,
}

impl JsonSchema for Native {
    fn schema_name() -> Cow<'static, str> {
        "Native".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schema::native(generator)
    }
}

/// The answers, in the order of the calls.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Made {
    answers: Vec<view::Answer>,
    /// The answers as the provider wants them, if the calls came that way. They are what the model
    /// is given: without the envelope, and without the token of a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::anything")]
    native: Option<Vec<Value>>,
}

pub(super) async fn make(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Json(make): Json<Box<RawValue>>,
) -> Result<axum::Json<Made>, ApiError> {
    let (calls, native) = read(make.get())?;
    let conversation = open(&app, id, person).await?;
    let ids: Vec<CallId> = calls.iter().map(|call| call.call_id.clone()).collect();
    let answered = conversation.call(calls).await;
    let native = native.map(|asked| native::answers(&asked, &answered));
    let answers = ids.into_iter().zip(&answered);
    let answers = answers.map(|(id, answer)| view::Answer::new(id, answer)).collect();
    Ok(axum::Json(Made { answers, native }))
}

/// The keys that tell the forms apart.
#[derive(Debug, Deserialize)]
struct Keys {
    format: Option<IgnoredAny>,
    calls: Option<IgnoredAny>,
}

type Read = (Vec<ToolCall>, Option<Vec<native::Asked>>);

/// Which form it is is told by its keys, so that a fault is named in the form that was meant.
fn read(make: &str) -> Result<Read, ApiError> {
    let keys: Keys = parsed(make)?;
    if keys.format.is_some() {
        let Native { format, calls } = parsed(make)?;
        bounded(calls.len())?;
        let asked = native::read(format, &calls).map_err(ApiError::invalid)?;
        let (calls, asked) = asked.into_iter().unzip();
        return Ok((calls, Some(asked)));
    }
    let calls = match keys.calls.is_some() {
        true => parsed::<Many>(make)?.calls,
        false => vec![parsed::<One>(make)?],
    };
    bounded(calls.len())?;
    Ok((calls.into_iter().map(One::call).collect(), None))
}

/// Read from the text itself: only there can a repeated key be seen.
fn parsed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ApiError> {
    serde_json::from_str(text).map_err(|error| wrong(text.as_bytes(), &error))
}

fn bounded(calls: usize) -> Result<(), ApiError> {
    if (1..=MOST).contains(&calls) {
        return Ok(());
    }
    Err(ApiError::invalid(format!("expected 1 to {MOST} calls, found {calls}")))
}

impl One {
    fn call(self) -> ToolCall {
        let Self { call_id, tool_id, args } = self;
        ToolCall { call_id: call_id.0, tool_id, args: args.unwrap_or_default() }
    }
}
