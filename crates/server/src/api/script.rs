//! A recorded conversation as a script: the person's words, the model's calls, and an expectation for each answer.

use std::fmt::Write;

use aileron_contract::{Mode, ToolResponse};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::messages::{self, MessageContent, MessageEntry};
use super::request::{self, Path, visible};
use crate::app::App;
use crate::error::ApiError;
use crate::request_checks::Caller;

/// Maximum number of messages of a script, from the beginning of the conversation.
const MAX_MESSAGES: usize = 1000;

const PAGE: usize = 200;

pub(super) async fn show(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = request::id(id)?;
    let found = visible(&app, &id, &person).await?;
    let registry = app.orchestrator().pinned_registry(&found.registry_version).await;
    let mut entries = Vec::new();
    let mut next = 1;
    while entries.len() < MAX_MESSAGES {
        let page = app.store().messages(&id, next + PAGE as u64, PAGE).await?;
        let page: Vec<_> = page.into_iter().filter(|entry| entry.seq >= next).collect();
        let Some(last) = page.last() else { break };
        next = last.seq + 1;
        for entry in &page {
            entries.push(messages::read(entry, registry.as_deref())?);
        }
    }
    let person = found.user.as_ref().map_or("nobody", |user| user.as_str());
    let text = script(found.state.mode(), person, &entries);
    let kind = HeaderValue::from_static("text/markdown; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// The text of a script. Writing to memory cannot fail.
fn script(mode: Mode, person: &str, entries: &[MessageEntry]) -> String {
    let mut text = format!("---\nmode: {}\nperson: {person}\n---\n\n", mode.as_str());
    text.push_str("# A recorded conversation\n\n```script\n");
    for (at, entry) in entries.iter().enumerate() {
        match entry.content() {
            MessageContent::Person { text: words } => {
                let verb = if mode == Mode::Voice { "says" } else { "writes" };
                let _ = writeln!(text, "person {verb} {}", quoted(words));
            }
            MessageContent::Model { text: words, .. } => {
                calls(&mut text, entry, &entries[at + 1..]);
                if !words.is_empty() {
                    let _ = writeln!(text, "model says {}", quoted(words));
                }
            }
            MessageContent::Tools { .. } => late(&mut text, entry),
            MessageContent::Retracted { .. } => {}
        }
    }
    text.push_str("```\n");
    text
}

/// The calls of one message, each with the first answer that follows.
fn calls(text: &mut String, entry: &MessageEntry, later: &[MessageEntry]) {
    for (n, (id, tool, args)) in entry.calls().enumerate() {
        let verb = if n == 0 { "model calls" } else { "and" };
        let _ = writeln!(text, "{verb} {id} {tool} {args}");
        let mut answers = later.iter().flat_map(MessageEntry::answers);
        let answer = answers.find(|(answered, response)| *answered == id && !is_late(id, response));
        if let Some((_, response)) = answer {
            expectation(text, response);
        }
    }
}

/// An answer that came after the person had decided.
fn late(text: &mut String, entry: &MessageEntry) {
    for (id, response) in entry.answers().filter(|(id, response)| is_late(id, response)) {
        let denied = response.failure().is_some_and(|failure| failure.kind.as_str() == "DENIED");
        let (click, how) = if denied { ("decline", "declined") } else { ("approve", "approved") };
        let _ = writeln!(text, "person clicks {click} {id}\n  -> {how}");
        expectation(text, response);
    }
}

/// Whether a response belongs to a call that was made after a confirmation.
fn is_late(id: &str, response: &ToolResponse) -> bool {
    response.meta().call_id.as_str() != id
}

fn expectation(text: &mut String, response: &ToolResponse) {
    let _ = match response.failure() {
        None => writeln!(text, "  -> ok"),
        Some(failure) => writeln!(text, "  -> {}", failure.kind.as_str()),
    };
}

/// Text on one line, in quotation marks.
fn quoted(text: &str) -> String {
    Value::from(text.split_whitespace().collect::<Vec<_>>().join(" ")).to_string()
}
