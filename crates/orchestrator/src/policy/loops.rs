//! Loops: a model that repeats itself within a turn is told so.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use serde_json::Value;

use super::{PolicyContext, PolicyResult};
use crate::candidate::CandidateCall;
use crate::config::Loops;
use crate::history::{CallEnd, Turn};

pub(super) fn check(
    candidate: &mut CandidateCall,
    context: &mut PolicyContext<'_>,
) -> PolicyResult {
    if candidate.origin.is_counted() {
        return PolicyResult::Pass;
    }
    match found(candidate, context.memory.history.current(), &context.config.loops) {
        None => PolicyResult::Pass,
        Some((message, suggestion)) => {
            let mut failure = Failure::new(ErrorType::LoopDetected, message);
            failure.suggestion = Some(suggestion.to_owned());
            PolicyResult::Refuse(Box::new(failure))
        }
    }
}

/// What the call would repeat, and what to do instead.
fn found(candidate: &CandidateCall, turn: &Turn, limits: &Loops) -> Option<(String, &'static str)> {
    let (tool, digest) = (candidate.call.tool_id.as_str(), candidate.digest);
    let identical = turn.calls().filter(|call| call.is(tool, digest)).count() + 1;
    if identical >= limits.identical {
        let message = format!("`{tool}` was called {identical} times with identical arguments");
        return Some((message, "try another approach or rephrase the arguments"));
    }
    let of_tool = || turn.calls().filter(|call| call.tool == tool);
    let empty = of_tool().filter(|call| call.ended == CallEnd::Empty).count();
    if empty >= limits.empty {
        let message = format!("`{tool}` returned nothing {empty} times; the data may not exist");
        return Some((message, "try another tool, or say that nothing was found"));
    }
    // Arguments that fit by now cannot fail again for not fitting.
    let is_over =
        |ended: &&CallEnd| candidate.args.is_ok() && matches!(ended, CallEnd::Unfit { .. });
    let ends = of_tool().map(|call| &call.ended).filter(|ended| !is_over(ended));
    if let Some(times) = repeated_error(ends, limits.errors) {
        let message = format!("`{tool}` failed {times} times with the same error");
        return Some((message, "change the approach or say that it does not work"));
    }
    alternates(tool, digest, turn).then(|| {
        let message = format!("`{tool}` and another call alternate without getting further");
        (message, "answer with what you have")
    })
}

/// How often the most frequent error came, if one more of it would be too many.
fn repeated_error<'a>(ends: impl Iterator<Item = &'a CallEnd>, most: usize) -> Option<usize> {
    let mut errors: Vec<u64> = ends
        .filter_map(|ended| match ended {
            CallEnd::Failed { signature, .. } | CallEnd::Unfit { signature } => Some(*signature),
            CallEnd::Running | CallEnd::Empty | CallEnd::Well => None,
        })
        .collect();
    errors.sort_unstable();
    let times = errors.chunk_by(|a, b| a == b).map(<[u64]>::len).max()?;
    (times + 1 >= most).then_some(times)
}

/// Whether the last calls were A, B, A and this one is B.
fn alternates(tool: &str, digest: u64, turn: &Turn) -> bool {
    let mut latest = turn.calls().rev();
    let (Some(a), Some(b), Some(again)) = (latest.next(), latest.next(), latest.next()) else {
        return false;
    };
    a.same(again) && b.is(tool, digest) && !a.is(tool, digest)
}

/// Whether a result says nothing: `[]`, `{}`, blank text, or an empty list of `results` beside
/// which nothing is listed. How long it took, or how it was looked for, is no result.
pub(crate) fn is_empty(data: &Value) -> bool {
    match data {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => {
            let no_results = members.get("results").and_then(Value::as_array);
            members.is_empty()
                || (no_results.is_some_and(Vec::is_empty) && !members.values().any(lists))
        }
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn lists(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
#[path = "loops_tests.rs"]
mod tests;
