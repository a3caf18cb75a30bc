//! Reads the lines of a worker. A line that is no message breaks the protocol; data of a handler that
//! cannot be read, such as a number beyond all bounds or deep nesting, fails only its call.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{CallEnd, CallMessage, FromWorker};

/// The members by which a message is told apart.
#[derive(Deserialize)]
struct Header<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    id: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct RequestNumber {
    request: u64,
}

#[derive(Deserialize)]
struct NoteBody {
    event: String,
    #[serde(default)]
    details: Value,
}

#[derive(Deserialize)]
struct UpdateBody {
    #[serde(default)]
    update: Value,
}

#[derive(Deserialize)]
struct PartialBody {
    #[serde(default)]
    data: Value,
}

#[derive(Deserialize)]
struct RetireBody {
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DoneBody<'a> {
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    fault: Option<Value>,
    #[serde(default)]
    too_large: bool,
}

/// Reads one line of a worker; an error says in which way it is no message.
pub(crate) fn decode(line: &[u8]) -> Result<FromWorker, String> {
    let text = std::str::from_utf8(line).map_err(|_| "a line that is no UTF-8".to_owned())?;
    let header: Header<'_> = read(text)?;
    Ok(match &*header.kind {
        "hello" => FromWorker::Hello(read(text)?),
        "loaded" => FromWorker::Loaded(read(text)?),
        "pong" => FromWorker::Pong,
        "retire" => FromWorker::Retire(read::<RetireBody>(text)?.reason),
        kind => {
            let message = call_message(kind, text)?;
            let id = header.id.ok_or("a message of a call without its id")?;
            FromWorker::Call(id.into_owned(), message)
        }
    })
}

fn call_message(kind: &str, text: &str) -> Result<CallMessage, String> {
    let body = match kind {
        "request" => return request(text),
        "done" => return Ok(CallMessage::Done(done(text))),
        "began" => Ok(CallMessage::Began),
        "log" => read(text).map(CallMessage::Log),
        "note" => read(text)
            .map(|NoteBody { event, details }: NoteBody| CallMessage::Note { event, details }),
        "progress" => read(text).map(|body: UpdateBody| CallMessage::Progress(body.update)),
        "partial" => read(text).map(|body: PartialBody| CallMessage::Partial(body.data)),
        other => return Err(format!("a message of the unknown type `{other}`")),
    };
    Ok(body.unwrap_or(CallMessage::Unreadable))
}

fn request(text: &str) -> Result<CallMessage, String> {
    read(text).map(CallMessage::Request).or_else(|why| {
        let RequestNumber { request } = read(text)?;
        Ok(CallMessage::UnreadableRequest(request, why))
    })
}

fn done(text: &str) -> CallEnd {
    match read::<DoneBody<'_>>(text) {
        Ok(DoneBody { too_large: true, .. }) => CallEnd::TooLarge,
        Ok(DoneBody { fault: Some(fault), .. }) => CallEnd::Fault(fault),
        Ok(DoneBody { result, .. }) => {
            let result = serde_json::from_str(result.map_or("null", RawValue::get));
            result.map_or_else(|error| CallEnd::Unreadable(error.to_string()), CallEnd::Result)
        }
        Err(why) => CallEnd::Unreadable(why),
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("a line that is no message: {error}"))
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
