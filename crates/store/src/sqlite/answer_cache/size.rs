//! The estimated memory of an answer with its call, and of a scope.
//!
//! An allocation is rounded up as allocators do, and a map is counted by its nodes, which are as
//! large for one entry as for eleven. Data that all calls of a tool share belongs to the registry
//! and is not counted.

use aileron_contract::envelope::{Clamp, ConfirmationRequest, Failure, Meta};
use aileron_contract::{Intent, ToolResponse};
use serde_json::{Map, Value};

use crate::call::{CallScope, CallStart};

/// The counters of an `Arc`.
const COUNTERS: usize = 2 * size_of::<usize>();

/// The slots of a call in tables that grow by doubling: its entry in the ledger, its place among the newest.
const SLOTS: usize = 96;

/// A conversation in the ledger: its slot, and the smallest table of entries.
const CONVERSATION: usize = 416;

/// The capacity of a map node. In a map of several nodes, each is about half full.
const NODE_ENTRIES: usize = 11;
const HALF_FULL: usize = 6;

/// A node of a map, with its links.
const NODE: usize = NODE_ENTRIES * (size_of::<String>() + size_of::<Value>()) + 16;

/// The memory of one call and its answer.
pub(super) fn of_call(call: &CallStart, answer: &ToolResponse) -> usize {
    SLOTS
        + block(COUNTERS + size_of::<CallStart>())
        + block(COUNTERS + call.key.len())
        + text(call.call_id.as_str())
        + block(COUNTERS + size_of::<Value>())
        + of_value(&call.args)
        + call.given.as_ref().map_or(0, |hash| text(hash.as_str()))
        + block(COUNTERS + size_of::<ToolResponse>())
        + of_answer(answer)
}

/// The memory of a scope, counted once for all of its calls.
pub(super) fn of_scope(scope: &CallScope) -> usize {
    let user = scope.user.as_ref().map_or(0, |user| text(user.as_str()));
    let id = text(scope.conversation.as_str());
    // The ledger holds a second copy of the conversation's id.
    CONVERSATION
        + block(COUNTERS + size_of::<CallScope>())
        + 2 * id
        + user
        + text(&scope.registry_version)
}

fn of_answer(answer: &ToolResponse) -> usize {
    match answer {
        ToolResponse::Success { data, intents, meta } => {
            let own = |intent: &Intent| match intent {
                Intent::SetPendingMessage { message } => text(message),
                _ => 0,
            };
            let intents = vec(intents) + intents.iter().map(own).sum::<usize>();
            of_value(data) + intents + of_meta(meta)
        }
        ToolResponse::Failure { error, meta } => of_failure(error) + of_meta(meta),
    }
}

fn of_meta(meta: &Meta) -> usize {
    let clamp = |clamp: &Clamp| text(&clamp.pointer) + of_value(&clamp.from) + of_value(&clamp.to);
    text(&meta.tool_id)
        + meta.tool_version.as_deref().map_or(0, text)
        + text(&meta.registry_version)
        + text(&meta.response_schema_version)
        + text(meta.call_id.as_str())
        + vec(&meta.clamped)
        + meta.clamped.iter().map(clamp).sum::<usize>()
}

fn of_failure(failure: &Failure) -> usize {
    let asked = |asked: &ConfirmationRequest| {
        text(&asked.token)
            + text(asked.tool.as_str())
            + of_value(&asked.args)
            + text(&asked.preview)
    };
    text(&failure.message)
        + failure.suggestion.as_deref().map_or(0, text)
        + failure.details.as_ref().map_or(0, of_value)
        + failure.confirmation_request.as_ref().map_or(0, asked)
}

/// The heap memory of a value.
fn of_value(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(string) => block(string.capacity()),
        Value::Array(items) => vec(items) + items.iter().map(of_value).sum::<usize>(),
        Value::Object(map) => of_map(map),
    }
}

fn of_map(map: &Map<String, Value>) -> usize {
    let nodes = match map.len() {
        0 => 0,
        len if len <= NODE_ENTRIES => 1,
        len => len.div_ceil(HALF_FULL),
    };
    let entry = |(key, value): (&String, &Value)| block(key.capacity()) + of_value(value);
    nodes * block(NODE) + map.iter().map(entry).sum::<usize>()
}

fn vec<T>(items: &Vec<T>) -> usize {
    block(items.capacity() * size_of::<T>())
}

fn text(text: &str) -> usize {
    block(text.len())
}

/// The size of an allocation of so many bytes as an allocator rounds it: to 16 bytes, and above 128
/// to the next of four sizes between two powers of two.
fn block(bytes: usize) -> usize {
    let step = (bytes.next_power_of_two() / 8).max(16);
    bytes.next_multiple_of(step)
}

#[cfg(test)]
#[path = "size_tests.rs"]
mod tests;
