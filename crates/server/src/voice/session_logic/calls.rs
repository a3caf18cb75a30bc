//! The calls of one voice session, one entry for each: calls that the model issued, until it has completed
//! a turn with their results, and calls that run, nested calls included.
//!
//! The entries also detect duplicates. After a reconnect, a provider session that resumes from a handle
//! older than a call may issue the same call again under a new id. Such a call does not run: it gets the
//! result of the first one, or waits for it. Calls that the model repeats over one connection pass; the
//! policies of the orchestrator decide about them.

use std::sync::Arc;

use aileron_capability::envelope::replayed;
use aileron_contract::spec::Speech;
use aileron_contract::transport::CallResult;
use aileron_contract::{Arguments, CallId, ToolCall, ToolResponse};
use aileron_runtime::Registry;
use serde_json::Value;

/// Maximum number of entries.
const MAX_CALLS: usize = 128;

/// Time until the filler is spoken if the tool sets none.
const FILLER_AFTER_MS: u64 = 700;

/// The registry of a session's calls. `open` and `filler_due` are derived from `entries` at each change,
/// because they are read for each audio frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionCalls {
    /// Number of the provider connection.
    connection: u32,
    /// In the order in which the calls were issued or started.
    entries: Vec<SessionCall>,
    /// How many issued calls have no result.
    open: usize,
    filler_due: Option<u64>,
}

/// One call. Its entry is removed once the call neither runs nor is `issued`.
#[derive(Debug, Clone)]
struct SessionCall {
    call_id: CallId,
    tool_id: String,
    /// `None` for a nested call, for a call of an earlier session that was confirmed in this one, and after
    /// the model has completed a turn with the result.
    issued: Option<IssuedCall>,
    is_running: bool,
    filler: Option<Filler>,
}

/// The part of a call that the provider sees.
#[derive(Debug, Clone)]
struct IssuedCall {
    connection: u32,
    args: Arguments,
    result: Option<Arc<ToolResponse>>,
    /// Whether [`SessionCalls::take_answered`] has returned the call.
    is_taken: bool,
    /// Duplicates that wait for the result.
    duplicates: Vec<CallId>,
}

/// A sentence that is spoken if the call still runs at `due`.
#[derive(Debug, Clone)]
struct Filler {
    due: u64,
    sentence: String,
}

/// The calls of one provider message, without duplicates of earlier calls.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct DedupedCalls {
    /// Calls to run.
    pub(crate) calls: Vec<ToolCall>,
    /// Results of duplicates whose original call has a result.
    pub(crate) results: Vec<CallResult>,
}

impl SessionCalls {
    /// Whether the model waits for a result.
    pub(crate) fn has_open(&self) -> bool {
        self.open > 0
    }

    /// When the next filler is to be spoken.
    pub(crate) fn filler_due(&self) -> Option<u64> {
        self.filler_due
    }

    /// The tool of a call that runs.
    pub(crate) fn running_tool(&self, call_id: &CallId) -> Option<&str> {
        let running = |entry: &&SessionCall| entry.is_running && entry.call_id == *call_id;
        self.entries.iter().find(running).map(|entry| entry.tool_id.as_str())
    }

    /// The issued calls that got their first result since this was last called, with that result.
    pub(crate) fn take_answered(&mut self) -> Vec<(ToolCall, Arc<ToolResponse>)> {
        let answered = self.entries.iter_mut().filter_map(|entry| {
            let issued = entry.issued.as_mut().filter(|issued| !issued.is_taken)?;
            let result = issued.result.clone()?;
            issued.is_taken = true;
            let (call_id, tool_id) = (entry.call_id.clone(), entry.tool_id.clone());
            Some((ToolCall { call_id, tool_id, args: issued.args.clone() }, result))
        });
        answered.collect()
    }

    /// Calls from here on are issued over another connection.
    pub(crate) fn on_reconnected(&mut self) {
        self.connection = self.connection.wrapping_add(1);
    }

    /// The model has completed a turn, so it knows the results it was sent.
    pub(crate) fn on_turn_completed(&mut self) {
        for entry in &mut self.entries {
            entry.issued.take_if(|issued| issued.result.is_some());
        }
        self.on_changed();
    }

    /// Adds the calls of one provider message, except those that duplicate a call of an earlier connection.
    pub(crate) fn issue(&mut self, calls: Vec<ToolCall>, registry: &Registry) -> DedupedCalls {
        let mut deduped = DedupedCalls::default();
        for call in calls {
            match self.original_of(&call, registry) {
                Some(IssuedCall { result: Some(result), .. }) => {
                    deduped.results.push(replay(result, call.call_id));
                }
                Some(original) => original.duplicates.push(call.call_id),
                None => {
                    self.add_issued(&call);
                    deduped.calls.push(call);
                }
            }
        }
        self.on_changed();
        deduped
    }

    fn original_of(&mut self, call: &ToolCall, registry: &Registry) -> Option<&mut IssuedCall> {
        let connection = self.connection;
        let same_tool = self.entries.iter_mut().filter(|entry| entry.tool_id == call.tool_id);
        let mut issued = same_tool.filter_map(|entry| entry.issued.as_mut());
        issued
            .find(|issued| issued.connection != connection && is_same(&issued.args, call, registry))
    }

    /// A connection may reuse the id of an open call of an earlier one; the result is the newer call's then.
    fn add_issued(&mut self, call: &ToolCall) {
        let same_id = self.entries.iter_mut().filter(|entry| entry.call_id == call.call_id);
        same_id.filter(|entry| entry.is_open()).for_each(|entry| entry.issued = None);
        let issued = IssuedCall {
            connection: self.connection,
            args: call.args.clone(),
            result: None,
            is_taken: false,
            duplicates: Vec::new(),
        };
        self.add(SessionCall {
            call_id: call.call_id.clone(),
            tool_id: call.tool_id.clone(),
            issued: Some(issued),
            is_running: false,
            filler: None,
        });
    }

    /// Beyond the maximum, drops the oldest entry: one that has its result, else a nested call, else a call
    /// that the model waits for.
    fn add(&mut self, entry: SessionCall) {
        if self.entries.len() == MAX_CALLS {
            let rank =
                |at: &usize| self.entries.get(*at).map(|one| (one.is_open(), one.is_running));
            let oldest = (0..self.entries.len()).min_by_key(rank);
            oldest.map(|at| self.entries.remove(at));
        }
        self.entries.push(entry);
    }

    /// A call starts to run. `speech` is given where the provider can speak a given sentence.
    pub(crate) fn start(
        &mut self,
        call_id: &CallId,
        tool_id: &str,
        speech: Option<&Speech>,
        now: u64,
    ) {
        let filler = speech.and_then(|speech| {
            let due = now + speech.filler_after_ms.unwrap_or(FILLER_AFTER_MS);
            speech.filler.clone().map(|sentence| Filler { due, sentence })
        });
        match self.entries.iter_mut().rev().find(|entry| entry.call_id == *call_id) {
            Some(entry) => (entry.is_running, entry.filler) = (true, filler),
            None => self.add(SessionCall {
                call_id: call_id.clone(),
                tool_id: tool_id.to_owned(),
                issued: None,
                is_running: true,
                filler,
            }),
        }
        self.on_changed();
    }

    /// A call has ended; its result is sent to the model by [`SessionCalls::add_results`].
    pub(crate) fn finish(&mut self, call_id: &CallId) {
        for entry in self.entries.iter_mut().filter(|entry| entry.call_id == *call_id) {
            (entry.is_running, entry.filler) = (false, None);
        }
        self.on_changed();
    }

    /// Stores the results of calls, first or late, and returns those of the duplicates that waited for them.
    pub(crate) fn add_results(&mut self, results: &[CallResult]) -> Vec<CallResult> {
        let mut more = Vec::new();
        for CallResult { call_id, response } in results {
            let same_id = self.entries.iter_mut().rev().filter(|entry| entry.call_id == *call_id);
            if let Some(issued) = same_id.filter_map(|entry| entry.issued.as_mut()).next() {
                issued.result = Some(response.clone());
                let waiting = issued.duplicates.drain(..);
                more.extend(waiting.map(|duplicate| replay(response, duplicate)));
            }
        }
        self.on_changed();
        more
    }

    /// The filler that is due. Others that are due at the same time are dropped: one sentence is enough.
    pub(crate) fn take_due_filler(&mut self, now: u64) -> Option<String> {
        self.filler_due.filter(|due| *due <= now)?;
        let fillers = self.entries.iter_mut().map(|entry| &mut entry.filler);
        let due = fillers.filter_map(|filler| filler.take_if(|filler| filler.due <= now));
        let earliest = due.min_by_key(|filler| filler.due);
        self.on_changed();
        earliest.map(|filler| filler.sentence)
    }

    fn on_changed(&mut self) {
        self.entries.retain(|entry| entry.is_running || entry.issued.is_some());
        self.open = self.entries.iter().filter(|entry| entry.is_open()).count();
        let fillers = self.entries.iter().filter_map(|entry| entry.filler.as_ref());
        self.filler_due = fillers.map(|filler| filler.due).min();
    }
}

impl SessionCall {
    /// Whether the model waits for the result.
    fn is_open(&self) -> bool {
        self.issued.as_ref().is_some_and(|issued| issued.result.is_none())
    }
}

fn replay(result: &ToolResponse, call_id: CallId) -> CallResult {
    CallResult { response: Arc::new(replayed(result, &call_id)), call_id }
}

/// Whether a call has these arguments once defaults are filled in.
fn is_same(args: &Arguments, call: &ToolCall, registry: &Registry) -> bool {
    if *args == call.args {
        return true;
    }
    let Some(tool) = registry.tool(&call.tool_id) else { return false };
    let prepared = |args: &Arguments| -> Option<Value> { tool.prepare(args.clone()).ok() };
    prepared(args).is_some_and(|args| prepared(&call.args) == Some(args))
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
