//! Sends events: framing, pace and faults.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::stream::{self, StreamExt};

use crate::http::{HttpFaults, StreamCut, StreamPosition};

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SentEvent {
    /// The name in front, where the protocol has one.
    pub(crate) event: Option<String>,
    pub(crate) data: String,
    pub(crate) place: StreamPosition,
}

/// The framing of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Events,
    /// The elements of one JSON array.
    Array,
}

/// The steps of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StreamStep {
    Send(SentEvent),
    /// Sends the first half of an event.
    SendHalf(SentEvent),
    /// Sends an event with invalid UTF-8.
    SendGarbled(SentEvent),
    /// Drops the connection.
    Drop,
    /// Sends nothing more and keeps the connection open.
    Hang,
}

/// The events with the faults applied.
pub(crate) fn script(
    frames: Vec<SentEvent>,
    faults: &HttpFaults,
    error: impl Fn(usize) -> SentEvent,
) -> Vec<StreamStep> {
    let mut acts = Vec::new();
    let mut in_call = 0;
    for (sent, frame) in frames.into_iter().enumerate() {
        match faults.cut {
            Some(StreamCut::Dropped(after)) if sent == after => {
                return ended(acts, StreamStep::Drop);
            }
            Some(StreamCut::Error(after)) if sent == after => {
                return ended(acts, StreamStep::Send(error(sent)));
            }
            Some(StreamCut::InCall) if frame.place == StreamPosition::InCall && in_call == 1 => {
                return ended(acts, StreamStep::Send(frame));
            }
            Some(StreamCut::InCall) if frame.place == StreamPosition::InCall => {
                in_call += 1;
                acts.push(StreamStep::Send(frame));
            }
            Some(StreamCut::InCall) if frame.place == StreamPosition::WholeCall => {
                return ended(acts, StreamStep::SendHalf(frame));
            }
            _ if faults.never_ends && frame.place == StreamPosition::Closing => {
                return ended(acts, StreamStep::Hang);
            }
            _ if faults.invalid_utf8 && sent == 1 => acts.push(StreamStep::SendGarbled(frame)),
            _ => acts.push(StreamStep::Send(frame)),
        }
    }
    if faults.never_ends {
        acts.push(StreamStep::Hang);
    }
    acts
}

fn ended(mut acts: Vec<StreamStep>, last: StreamStep) -> Vec<StreamStep> {
    acts.push(last);
    acts
}

/// A response that plays the script.
pub(crate) fn stream(script: Vec<StreamStep>, framing: Framing, pace: Duration) -> Response {
    let last = script.len();
    let acts = stream::iter(script.into_iter().enumerate());
    let chunks = acts.then(move |(at, act)| async move {
        if !pace.is_zero() {
            tokio::time::sleep(pace).await;
        }
        let chunk = play(act, framing, at).await;
        chunk.map(|bytes| Bytes::from(closed(bytes, framing, at + 1 == last)))
    });
    let kind = match framing {
        Framing::Events => "text/event-stream",
        Framing::Array => "application/json; charset=UTF-8",
    };
    respond(Body::from_stream(chunks), kind)
}

fn closed(mut bytes: Vec<u8>, framing: Framing, last: bool) -> Vec<u8> {
    if framing == Framing::Array && last {
        bytes.extend_from_slice(b"]\n");
    }
    bytes
}

async fn play(act: StreamStep, framing: Framing, at: usize) -> io::Result<Vec<u8>> {
    match act {
        StreamStep::Send(frame) => Ok(framed(&frame, framing, at).into_bytes()),
        StreamStep::SendHalf(frame) => {
            let bytes = framed(&frame, framing, at).into_bytes();
            Ok(bytes[..bytes.len() / 2].to_vec())
        }
        StreamStep::SendGarbled(frame) => Ok(garbled(framed(&frame, framing, at).into_bytes())),
        StreamStep::Drop => Err(dropped().await),
        StreamStep::Hang => std::future::pending().await,
    }
}

/// Ends the connection after the earlier bytes were sent.
async fn dropped() -> io::Error {
    tokio::task::yield_now().await;
    io::Error::from(io::ErrorKind::ConnectionReset)
}

fn framed(frame: &SentEvent, framing: Framing, at: usize) -> String {
    match (framing, &frame.event) {
        (Framing::Events, Some(event)) => format!("event: {event}\ndata: {}\n\n", frame.data),
        (Framing::Events, None) => format!("data: {}\n\n", frame.data),
        (Framing::Array, _) if at == 0 => format!("[{}", frame.data),
        (Framing::Array, _) => format!(",\r\n{}", frame.data),
    }
}

/// The same bytes with an invalid UTF-8 sequence.
fn garbled(mut bytes: Vec<u8>) -> Vec<u8> {
    let middle = bytes.len() / 2;
    bytes.splice(middle..middle, [0xC3, 0x28]);
    bytes
}

/// A complete answer with the faults applied.
pub(crate) fn whole(body: String, faults: &HttpFaults) -> Response {
    let bytes = if faults.invalid_utf8 { garbled(body.into_bytes()) } else { body.into_bytes() };
    let slow = faults.slow.unwrap_or_default();
    let kind = "application/json";
    if faults.never_ends {
        let never = stream::pending::<Result<Bytes, Infallible>>();
        return respond(Body::from_stream(never), kind);
    }
    if faults.cut.is_some() {
        let half = Bytes::copy_from_slice(&bytes[..bytes.len() / 2]);
        let sent = stream::once(async move { Ok(half) });
        let cut = sent.chain(stream::once(async { Err(dropped().await) }));
        return respond(Body::from_stream(cut), kind);
    }
    if slow.is_zero() {
        return respond(Body::from(bytes), kind);
    }
    let late = stream::once(async move {
        tokio::time::sleep(slow).await;
        Ok::<_, Infallible>(Bytes::from(bytes))
    });
    respond(Body::from_stream(late), kind)
}

fn respond(body: Body, kind: &'static str) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

impl SentEvent {
    pub(crate) fn new(data: String, place: StreamPosition) -> Self {
        Self { event: None, data, place }
    }

    pub(crate) fn named(event: impl Into<String>, data: String, place: StreamPosition) -> Self {
        Self { event: Some(event.into()), data, place }
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
