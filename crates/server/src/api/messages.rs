//! The messages of a conversation, from chat and voice, with hidden fields redacted.

use std::sync::Arc;

use aileron_contract::redact::redacted;
use aileron_contract::text::{self, ReplyPart};
use aileron_contract::{CallId, ToolCall, ToolResponse};
use aileron_orchestrator::shown;
use aileron_runtime::Registry;
use aileron_store::LogEntry;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::request::{self, MAX_EXACT, Path, Query, visible};
use super::{schema, view};
use crate::app::App;
use crate::error::ApiError;
use crate::request_checks::Caller;

/// The page of the log.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MessagesQuery {
    before: Option<u64>,
    limit: Option<usize>,
}

/// A page of messages, the oldest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Messages {
    messages: Vec<MessageEntry>,
    /// Give this as `before` to get earlier messages; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
}

/// One message.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageEntry {
    /// 1 for the first message of the conversation, then counting up.
    number: u64,
    /// When it was saved, in milliseconds since the Unix epoch.
    time: u64,
    /// The turn it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u64>,
    /// The id that the front end gave a message of the person, by which it is edited or answered again.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Whether it was spoken, so that its text is a transcript; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(default)]
    spoken: bool,
    #[serde(flatten)]
    message: MessageContent,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "from", rename_all = "camelCase")]
pub(super) enum MessageContent {
    /// A message of the person, typed or spoken.
    Person { text: String },
    /// Text that the model wrote or spoke, and the calls it made.
    Model {
        text: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        calls: Vec<CallView>,
    },
    /// The results of calls. A late result is a separate message.
    Tools { answers: Vec<view::CallAnswer> },
    /// The person retracted all messages from this number on; the model does not see them.
    Retracted { since: u64 },
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallView {
    #[schemars(with = "String")]
    call_id: CallId,
    tool_id: String,
    /// Without the fields that the tool redacts.
    #[schemars(schema_with = "schema::anything")]
    args: Value,
}

/// Maximum number of messages on a page.
const MAX_PAGE: usize = 200;

/// Hides a whole value, because the redacted fields are unknown without the registry of the tool.
const ALL: &str = "";

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Query(page): Query<MessagesQuery>,
) -> Result<axum::Json<Messages>, ApiError> {
    let limit = request::page_size(page.limit, MAX_PAGE, MAX_PAGE)?;
    let before = page.before.unwrap_or(MAX_EXACT);
    if !(1..=MAX_EXACT).contains(&before) {
        return Err(ApiError::invalid(format!(
            "`before`: expected 1 to {MAX_EXACT}, found {before}"
        )));
    }
    let id = request::id(id)?;
    let found = visible(&app, &id, &person).await?;
    let registry = app.orchestrator().pinned_registry(&found.registry_version).await;
    let entries = app.store().messages(&id, before, limit).await?;
    let before = entries.first().map(|entry| entry.seq).filter(|seq| *seq > 1);
    let messages =
        entries.iter().map(|entry| read(entry, registry.as_deref())).collect::<Result<_, _>>()?;
    Ok(axum::Json(Messages { messages, before }))
}

pub(super) fn read(
    entry: &LogEntry,
    registry: Option<&Registry>,
) -> Result<MessageEntry, ApiError> {
    let read = aileron_agent::TranscriptEntry::read(&entry.body).map_err(|_| {
        ApiError::unavailable(format!("message {} of the conversation cannot be read", entry.seq))
    })?;
    let (number, time) = (entry.seq, entry.time);
    Ok(match read {
        aileron_agent::TranscriptEntry::Said(said) => {
            let message = RedactedView(registry).message(said.message);
            let (turn, id, spoken) = (Some(said.turn), said.id, said.spoken);
            MessageEntry { number, time, turn, id, spoken, message }
        }
        aileron_agent::TranscriptEntry::Retracted { since } => {
            let message = MessageContent::Retracted { since };
            MessageEntry { number, time, turn: None, id: None, spoken: false, message }
        }
    })
}

impl MessageEntry {
    pub(super) fn turn(&self) -> Option<u64> {
        self.turn
    }

    pub(super) fn time(&self) -> u64 {
        self.time
    }

    pub(super) fn content(&self) -> &MessageContent {
        &self.message
    }

    /// The calls of the model: id, tool and arguments.
    pub(super) fn calls(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        let calls = match &self.message {
            MessageContent::Model { calls, .. } => calls.as_slice(),
            _ => &[],
        };
        calls.iter().map(|call| (call.call_id.as_str(), call.tool_id.as_str(), &call.args))
    }

    /// The responses to calls, with the ids that the model gave them.
    pub(super) fn answers(&self) -> impl Iterator<Item = (&str, &Arc<ToolResponse>)> {
        let answers = match &self.message {
            MessageContent::Tools { answers } => answers.as_slice(),
            _ => &[],
        };
        answers.iter().map(|answer| (answer.call_id.as_str(), &answer.response))
    }
}

/// Redacts messages by the registry of the conversation.
struct RedactedView<'a>(Option<&'a Registry>);

impl RedactedView<'_> {
    fn message(&self, message: text::ChatMessage) -> MessageContent {
        match message {
            text::ChatMessage::Person { text } => MessageContent::Person { text },
            text::ChatMessage::Model { parts, .. } => self.model(parts),
            text::ChatMessage::Results { answers } => MessageContent::Tools {
                answers: answers.into_iter().map(|one| self.answer(one)).collect(),
            },
            text::ChatMessage::Late { answer } => {
                MessageContent::Tools { answers: vec![self.answer(answer)] }
            }
        }
    }

    fn model(&self, parts: Vec<ReplyPart>) -> MessageContent {
        let (mut text, mut calls) = (String::new(), Vec::new());
        for part in parts {
            match part {
                ReplyPart::Text { text: more } => text.push_str(&more),
                ReplyPart::Call { call } => calls.push(self.call(call)),
                // Reasoning may quote redacted fields, and is not part of the conversation.
                ReplyPart::Reasoning { .. } => {}
            }
        }
        MessageContent::Model { text, calls }
    }

    fn call(&self, ToolCall { call_id, tool_id, args, .. }: ToolCall) -> CallView {
        let args = redacted(&args.into_value(), &self.hidden(&tool_id)).into_owned();
        CallView { call_id, tool_id, args }
    }

    /// Omits the confirmation token: a confirmation is answered where it was requested.
    fn answer(
        &self,
        text::ToolResultMessage { call_id, tool_id, response }: text::ToolResultMessage,
    ) -> view::CallAnswer {
        let mut response = shown(&response, &self.hidden(&tool_id));
        if let ToolResponse::Failure { error, .. } = &mut response {
            error.confirmation_request = None;
        }
        view::CallAnswer { call_id, response: Arc::new(response) }
    }

    fn hidden(&self, tool: &str) -> Vec<String> {
        match self.0 {
            Some(registry) => {
                registry.tool(tool).map(|tool| tool.spec().redact.clone()).unwrap_or_default()
            }
            None => vec![ALL.to_owned()],
        }
    }
}
