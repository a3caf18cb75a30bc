//! The part of a chat request that the server reads: the conversation, the last message, and the delivery of
//! the answer.

use aileron_agent::{ConfirmationAnswer, UserMessage};
use aileron_contract::ConversationId;
use aileron_contract::id::MAX_OPAQUE_ID;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::conversations::fresh_id;
use crate::error::ApiError;
use crate::object::Object;

/// Maximum number of characters in a message of the person.
const MAX_CHARACTERS: usize = 100_000;

/// Maximum number of confirmation answers in one request.
const MAX_ANSWERS: usize = 64;

/// A chat request.
#[derive(Debug)]
pub(super) struct ChatRequest {
    /// Generated if the client named none.
    pub(super) id: ConversationId,
    pub(super) input: ChatInput,
    pub(super) delivery: Delivery,
    pub(super) dialect: SdkVersion,
    /// The registry of a conversation that begins.
    pub(super) registry: Option<String>,
}

/// The input of the person.
#[derive(Debug, PartialEq)]
pub(super) enum ChatInput {
    Message(UserMessage),
    /// Replaces the message of the same id.
    Edit(UserMessage),
    /// Answer this message again, or the last one.
    Regenerate(Option<UserMessage>),
    Confirmations(ConfirmationAnswers),
    /// Continue with the results of tasks, without input of the person.
    TaskResults,
}

/// Answers to confirmations, each with the call that the front end names. Only the token decides which
/// confirmation is answered.
#[derive(Debug, PartialEq)]
pub(super) struct ConfirmationAnswers {
    pub(super) each: Vec<(ConfirmationAnswer, Option<String>)>,
    /// The message that continues with them.
    pub(super) message_id: Option<String>,
}

/// How the answer is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivery {
    Stream,
    /// As one JSON document, when it is complete.
    Whole,
}

/// Which chunks the client can read. All versions read those of version 5; an unknown chunk aborts the whole
/// stream in the client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum SdkVersion {
    /// Without approvals: confirmation requests are sent as data, and answered in `confirmations`.
    Five,
    #[default]
    Six,
}

/// The body. Other fields of front ends are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(default)]
    id: Option<String>,
    /// The purpose of the request: submit a message, or regenerate an answer.
    #[serde(default)]
    trigger: Option<String>,
    /// The message that the request refers to, if it was sent before.
    #[serde(default)]
    message_id: Option<String>,
    #[serde(borrow, default)]
    messages: Option<Vec<&'a RawValue>>,
    /// The text of the person, for clients without messages.
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    confirmations: Option<Vec<Object<Confirmation>>>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    sdk: Option<u64>,
    #[serde(default)]
    registry: Option<String>,
}

#[derive(Deserialize)]
struct Confirmation {
    token: String,
    approve: bool,
}

#[derive(Deserialize)]
struct UiMessage {
    #[serde(default)]
    id: Option<String>,
    role: String,
    #[serde(default)]
    parts: Vec<Value>,
}

/// Reads the delivery from a request that is otherwise invalid.
#[derive(Deserialize)]
struct DeliveryHint {
    #[serde(default)]
    stream: Value,
}

impl Delivery {
    pub(super) fn peek(body: &[u8]) -> Self {
        match serde_json::from_slice(body) {
            Ok(Object(DeliveryHint { stream: Value::Bool(false) })) => Self::Whole,
            Ok(_) | Err(_) => Self::Stream,
        }
    }
}

/// The trigger of a request to answer again.
const AGAIN: &str = "regenerate-message";

/// The trigger of a request to continue with the results of tasks.
const TASK_RESULTS: &str = "task-results";

impl ChatRequest {
    pub(super) fn read(body: &[u8]) -> Result<Self, ApiError> {
        let Object(body): Object<Body<'_>> = serde_json::from_slice(body).map_err(|error| {
            ApiError::invalid(format!("the request is not understood: {error}"))
        })?;
        let delivery = match body.stream {
            Some(false) => Delivery::Whole,
            Some(true) | None => Delivery::Stream,
        };
        let dialect = match body.sdk {
            Some(5) => SdkVersion::Five,
            Some(_) | None => SdkVersion::Six,
        };
        let input = chat_input(&body)?;
        let id = id(body.id, &input)?;
        Ok(Self { id, input, delivery, dialect, registry: body.registry })
    }
}

/// Only a first message needs no conversation id.
fn id(named: Option<String>, input: &ChatInput) -> Result<ConversationId, ApiError> {
    match (named, input) {
        (Some(id), _) => {
            ConversationId::new(id).map_err(|error| ApiError::invalid(error.to_string()))
        }
        (None, ChatInput::Message(_)) => fresh_id(),
        (
            None,
            ChatInput::Edit(_)
            | ChatInput::Regenerate(_)
            | ChatInput::Confirmations(_)
            | ChatInput::TaskResults,
        ) => Err(ApiError::invalid("expected `id`, the conversation that is meant, found none")),
    }
}

fn chat_input(body: &Body<'_>) -> Result<ChatInput, ApiError> {
    if let Some(confirmations) = &body.confirmations {
        let decided = confirmations.iter().map(|Object(Confirmation { token, approve })| {
            (ConfirmationAnswer { token: token.clone(), approve: *approve }, None)
        });
        return decisions(decided.collect(), None);
    }
    if body.trigger.as_deref() == Some(TASK_RESULTS) {
        return Ok(ChatInput::TaskResults);
    }
    let again = body.trigger.as_deref() == Some(AGAIN);
    if let Some(text) = &body.message {
        let words = said(text.clone(), None)?;
        return Ok(if again {
            ChatInput::Regenerate(Some(words))
        } else {
            ChatInput::Message(words)
        });
    }
    let last = body.messages.as_ref().and_then(|messages| messages.last());
    let Some(last) = last else {
        return match again {
            true => Ok(ChatInput::Regenerate(None)),
            false => Err(ApiError::invalid(
                "expected `message` or `messages`, found none; send the person's message",
            )),
        };
    };
    let Object(message): Object<UiMessage> = serde_json::from_str(last.get()).map_err(|error| {
        ApiError::invalid(format!("the last message is not understood: {error}"))
    })?;
    of_message(message, body.message_id.as_deref(), again)
}

fn of_message(message: UiMessage, about: Option<&str>, again: bool) -> Result<ChatInput, ApiError> {
    let id = message.id.filter(|id| (1..=MAX_OPAQUE_ID).contains(&id.len()));
    match message.role.as_str() {
        "user" => {
            let is_edited = id.is_some() && id.as_deref() == about;
            let words = said(words(&message.parts)?, id)?;
            Ok(match (again, is_edited) {
                (true, _) => ChatInput::Regenerate(Some(words)),
                (false, true) => ChatInput::Edit(words),
                (false, false) => ChatInput::Message(words),
            })
        }
        "assistant" if again => Err(ApiError::invalid(
            "expected the person's message last, which is to be answered once more, found an answer",
        )),
        "assistant" => decisions(message.parts.iter().filter_map(decision).collect(), id),
        other => Err(ApiError::invalid(format!(
            "expected the last message to be of role \"user\" or \"assistant\", found {:?}",
            other.chars().take(40).collect::<String>()
        ))),
    }
}

fn said(text: String, id: Option<String>) -> Result<UserMessage, ApiError> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        return Err(ApiError::invalid("expected words in the message, found none"));
    }
    if length > MAX_CHARACTERS {
        return Err(ApiError::invalid(format!(
            "expected a message of at most {MAX_CHARACTERS} characters, found {length}"
        )));
    }
    Ok(UserMessage { text, id })
}

/// The text of a message. Refuses parts that the model would not see.
fn words(parts: &[Value]) -> Result<String, ApiError> {
    let mut texts = Vec::new();
    for part in parts {
        match part["type"].as_str() {
            Some("text") => texts.push(part["text"].as_str().ok_or_else(|| {
                ApiError::invalid("expected `text` of a text part to be a string")
            })?),
            Some("file") => {
                return Err(ApiError::invalid("files are not taken here; send words alone"));
            }
            Some(_) => {}
            None => {
                return Err(ApiError::invalid("expected parts with a `type`, found another"));
            }
        }
    }
    Ok(texts.join("\n"))
}

fn decisions(
    each: Vec<(ConfirmationAnswer, Option<String>)>,
    message_id: Option<String>,
) -> Result<ChatInput, ApiError> {
    match each.len() {
        0 => Err(ApiError::invalid(
            "expected the last message to be the person's, or to carry answers to questions; found neither",
        )),
        1..=MAX_ANSWERS => Ok(ChatInput::Confirmations(ConfirmationAnswers { each, message_id })),
        found => Err(ApiError::invalid(format!(
            "expected at most {MAX_ANSWERS} answers to questions, found {found}"
        ))),
    }
}

/// The person's answer to a confirmation, if the part is one. Its input and tool are ignored.
fn decision(part: &Value) -> Option<(ConfirmationAnswer, Option<String>)> {
    if part["state"] != "approval-responded" {
        return None;
    }
    let approval = &part["approval"];
    let token = approval["id"].as_str()?.to_owned();
    let approve = approval["approved"].as_bool()?;
    Some((ConfirmationAnswer { token, approve }, part["toolCallId"].as_str().map(str::to_owned)))
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
