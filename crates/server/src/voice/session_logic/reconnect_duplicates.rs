//! Calls whose answers the model may not know, over as many connections as it takes.
//!
//! A model that is taken back to an earlier moment of the conversation (a connection was lost, and
//! the next resumed from a handle older than a call) may make the same call again, under an id that
//! nobody has seen. Such a call is not made: it gets the answer of the one that was, or waits for it.
//! Calls that the model repeats over one connection are not ours to judge; the gate has policies.

use std::sync::Arc;

use aileron_capability::envelope::replayed;
use aileron_contract::transport::CallResult;
use aileron_contract::{CallId, ToolCall, ToolResponse};
use aileron_runtime::Registry;
use serde_json::Value;

/// The most calls that are remembered.
const MOST: usize = 128;

#[derive(Debug, Clone)]
struct IssuedCall {
    connection: u32,
    call: ToolCall,
    answer: Option<Arc<ToolResponse>>,
    /// The same call, made again while it runs.
    again: Vec<CallId>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ReconnectDuplicates {
    connection: u32,
    made: Vec<IssuedCall>,
}

/// What a message of calls comes to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct DedupedCalls {
    /// To be made.
    pub(crate) calls: Vec<ToolCall>,
    /// Answered already.
    pub(crate) answers: Vec<CallResult>,
}

impl ReconnectDuplicates {
    /// Calls from here on come over another connection.
    pub(crate) fn reconnected(&mut self) {
        self.connection = self.connection.wrapping_add(1);
    }

    /// The model has finished a turn: it knows the answers it was given.
    pub(crate) fn settled(&mut self) {
        self.made.retain(|made| made.answer.is_none());
    }

    /// Tells the calls that were made over an earlier connection from those that were not.
    pub(crate) fn sort(&mut self, calls: Vec<ToolCall>, registry: &Registry) -> DedupedCalls {
        let mut sorted = DedupedCalls::default();
        for call in calls {
            match self.earlier(&call, registry) {
                Some(made) => match &made.answer {
                    Some(answer) => sorted.answers.push(again(answer, call.call_id)),
                    None => made.again.push(call.call_id),
                },
                None => {
                    self.remember(call.clone());
                    sorted.calls.push(call);
                }
            }
        }
        sorted
    }

    fn earlier(&mut self, call: &ToolCall, registry: &Registry) -> Option<&mut IssuedCall> {
        let connection = self.connection;
        let mut earlier = self.made.iter_mut().filter(|made| made.connection != connection);
        earlier.find(|made| {
            made.call.tool_id == call.tool_id
                && (made.call.args == call.args || alike(&made.call, call, registry))
        })
    }

    fn remember(&mut self, call: ToolCall) {
        if self.made.len() == MOST {
            self.made.remove(0);
        }
        let connection = self.connection;
        self.made.push(IssuedCall { connection, call, answer: None, again: Vec::new() });
    }

    /// An answer is there, first or late. Says which further calls it answers.
    pub(crate) fn answered(&mut self, result: &CallResult) -> Vec<CallResult> {
        let found = self.made.iter_mut().rev().find(|made| made.call.call_id == result.call_id);
        let Some(made) = found else { return Vec::new() };
        made.answer = Some(result.response.clone());
        let waiting = std::mem::take(&mut made.again);
        waiting.into_iter().map(|call_id| again(&result.response, call_id)).collect()
    }
}

fn again(answer: &ToolResponse, call_id: CallId) -> CallResult {
    CallResult { response: Arc::new(replayed(answer, &call_id)), call_id }
}

/// Whether two calls come to the same once defaults are filled in.
fn alike(one: &ToolCall, other: &ToolCall, registry: &Registry) -> bool {
    let Some(tool) = registry.tool(&one.tool_id) else { return false };
    let prepared = |call: &ToolCall| -> Option<Value> { tool.prepare(call.args.clone()).ok() };
    prepared(one).is_some_and(|args| prepared(other) == Some(args))
}

#[cfg(test)]
#[path = "reconnect_duplicates_tests.rs"]
mod tests;
