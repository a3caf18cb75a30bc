//! What a front end sends, as far as it is looked at: the conversation, the last message, and how the
//! answer is wanted.

use aileron_agent::Decision;
use aileron_contract::ConversationId;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::refusal::Refusal;

/// The most characters of one message of the person.
const MOST_CHARACTERS: usize = 100_000;

/// The most answers to questions in one request.
const MOST_DECISIONS: usize = 64;

/// What is asked.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) id: ConversationId,
    pub(super) news: News,
    pub(super) delivery: Delivery,
    pub(super) dialect: Dialect,
}

/// What the person has to say.
#[derive(Debug, PartialEq)]
pub(super) enum News {
    Said(String),
    /// Answers to questions, each with the call that the front end says it is about. Only the token
    /// decides what is answered.
    Decided(Vec<(Decision, Option<String>)>),
}

/// How the answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivery {
    Stream,
    /// As one JSON document, when it is complete.
    Whole,
}

/// Which chunks the client can read. All of them read the fifth version's; one that is not known
/// there ends the whole stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Without approvals: questions come as data, their answers in `confirmations`.
    Five,
    #[default]
    Six,
}

/// The body. What else front ends add is theirs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    id: String,
    #[serde(borrow, default)]
    messages: Option<Vec<&'a RawValue>>,
    /// The person's words, for clients that have no messages.
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    confirmations: Option<Vec<Confirmation>>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    sdk: Option<u64>,
}

#[derive(Deserialize)]
struct Confirmation {
    token: String,
    approve: bool,
}

#[derive(Deserialize)]
struct UiMessage {
    role: String,
    #[serde(default)]
    parts: Vec<Value>,
}

impl Ask {
    pub(super) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let body: Body<'_> = serde_json::from_slice(body).map_err(|error| {
            Refusal::bad_request(format!("the request is not understood: {error}"))
        })?;
        let delivery = match body.stream {
            Some(false) => Delivery::Whole,
            Some(true) | None => Delivery::Stream,
        };
        let dialect = match body.sdk {
            Some(5) => Dialect::Five,
            Some(_) | None => Dialect::Six,
        };
        let refused = |refusal: Refusal| refusal.delivered(delivery);
        let id = ConversationId::new(body.id.clone())
            .map_err(|error| refused(Refusal::bad_request(error.to_string())))?;
        let news = news(&body).map_err(refused)?;
        Ok(Self { id, news, delivery, dialect })
    }
}

fn news(body: &Body<'_>) -> Result<News, Refusal> {
    if let Some(confirmations) = &body.confirmations {
        let decided = confirmations.iter().map(|Confirmation { token, approve }| {
            (Decision { token: token.clone(), approve: *approve }, None)
        });
        return decisions(decided.collect());
    }
    if let Some(text) = &body.message {
        return said(text.clone());
    }
    let last = body.messages.as_ref().and_then(|messages| messages.last());
    let Some(last) = last else {
        return Err(Refusal::bad_request(
            "expected `messages`, found none; send the person's message",
        ));
    };
    let message: UiMessage = serde_json::from_str(last.get()).map_err(|error| {
        Refusal::bad_request(format!("the last message is not understood: {error}"))
    })?;
    match message.role.as_str() {
        "user" => said(words(&message.parts)?),
        "assistant" => decisions(message.parts.iter().filter_map(decision).collect()),
        other => Err(Refusal::bad_request(format!(
            "expected the last message to be of role \"user\" or \"assistant\", found {:?}",
            other.chars().take(40).collect::<String>()
        ))),
    }
}

fn said(text: String) -> Result<News, Refusal> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        return Err(Refusal::bad_request("expected words in the message, found none"));
    }
    if length > MOST_CHARACTERS {
        return Err(Refusal::bad_request(format!(
            "expected a message of at most {MOST_CHARACTERS} characters, found {length}"
        )));
    }
    Ok(News::Said(text))
}

/// The text of a message. What the model would not see is not passed over in silence.
fn words(parts: &[Value]) -> Result<String, Refusal> {
    let mut texts = Vec::new();
    for part in parts {
        match part["type"].as_str() {
            Some("text") => texts.push(part["text"].as_str().ok_or_else(|| {
                Refusal::bad_request("expected `text` of a text part to be a string")
            })?),
            Some("file") => {
                return Err(Refusal::bad_request("files are not taken here; send words alone"));
            }
            Some(_) => {}
            None => {
                return Err(Refusal::bad_request("expected parts with a `type`, found another"));
            }
        }
    }
    Ok(texts.join("\n"))
}

fn decisions(decided: Vec<(Decision, Option<String>)>) -> Result<News, Refusal> {
    match decided.len() {
        0 => Err(Refusal::bad_request(
            "expected the last message to be the person's, or to carry answers to questions; found neither",
        )),
        1..=MOST_DECISIONS => Ok(News::Decided(decided)),
        found => Err(Refusal::bad_request(format!(
            "expected at most {MOST_DECISIONS} answers to questions, found {found}"
        ))),
    }
}

/// The person's answer to a question, if a part is one. Its input and its tool are not looked at.
fn decision(part: &Value) -> Option<(Decision, Option<String>)> {
    if part["state"] != "approval-responded" {
        return None;
    }
    let approval = &part["approval"];
    let token = approval["id"].as_str()?.to_owned();
    let approve = approval["approved"].as_bool()?;
    Some((Decision { token, approve }, part["toolCallId"].as_str().map(str::to_owned)))
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
