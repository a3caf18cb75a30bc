//! Loops: refuses calls of a model that repeats itself within a turn.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;

use super::context::PolicyContext;
use super::result::{Counted, PolicyMeasure, PolicyResult};
use crate::candidate::CandidateCall;
use crate::config::Loops;
use crate::history::{CallEnd, TurnCalls};

/// A repetition: its description, what to do instead, and the number.
struct Repetition {
    message: String,
    suggestion: &'static str,
    measure: Option<PolicyMeasure>,
}

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    if candidate.origin.is_counted() {
        return PolicyResult::PASS;
    }
    let (turn, limits) = (context.state.history.current(), &context.config.loops);
    let (tool, digest) = candidate.what();
    let identical = turn.calls().filter(|call| call.is(tool, digest)).count() + 1;
    let measure = PolicyMeasure::new(Counted::IdenticalCalls, identical, limits.identical);
    match repetition(candidate, turn, limits, (identical, measure)) {
        None => PolicyResult::PASS.by(measure),
        Some(Repetition { message, suggestion, measure }) => {
            let mut failure = Failure::new(ErrorType::LoopDetected, message);
            failure.suggestion = Some(suggestion.to_owned());
            PolicyResult { measure, ..PolicyResult::refused(failure) }
        }
    }
}

fn repetition(
    candidate: &CandidateCall,
    turn: &TurnCalls,
    limits: &Loops,
    (identical, measure): (usize, PolicyMeasure),
) -> Option<Repetition> {
    let (tool, digest) = candidate.what();
    if identical >= limits.identical {
        // Arguments that could not be parsed are null in the record, so that all of them are equal.
        let arguments = match candidate.shown_args().is_null() {
            true => "arguments that cannot be read",
            false => "identical arguments",
        };
        return Some(Repetition {
            message: format!("`{tool}` was called {identical} times with {arguments}"),
            suggestion: "try another approach or rephrase the arguments",
            measure: Some(measure),
        });
    }
    let of_tool = || turn.calls().filter(|call| *call.tool == *tool);
    let empty = of_tool().filter(|call| call.ended == CallEnd::Empty).count();
    if empty >= limits.empty {
        return Some(Repetition {
            message: format!("`{tool}` returned nothing {empty} times; the data may not exist"),
            suggestion: "try another tool, or say that nothing was found",
            measure: Some(PolicyMeasure::new(Counted::EmptyResults, empty, limits.empty)),
        });
    }
    // Arguments that are now valid cannot fail for being invalid again.
    let is_over = |ended: &&CallEnd| {
        candidate.args.is_ok() && matches!(ended, CallEnd::InvalidArguments { .. })
    };
    let ends = of_tool().map(|call| &call.ended).filter(|ended| !is_over(ended));
    if let Some(times) = repeated_error(ends, limits.errors) {
        return Some(Repetition {
            message: format!("`{tool}` failed {times} times with the same error"),
            suggestion: "change the approach or say that it does not work",
            measure: Some(PolicyMeasure::new(Counted::SameErrors, times + 1, limits.errors)),
        });
    }
    alternates(tool, digest, turn).then(|| Repetition {
        message: format!("`{tool}` and another call alternate without getting further"),
        suggestion: "answer with what you have",
        measure: None,
    })
}

/// How often the most frequent error occurred, if one more would reach the limit.
fn repeated_error<'a>(ends: impl Iterator<Item = &'a CallEnd>, limit: usize) -> Option<usize> {
    let mut errors: Vec<u64> = ends
        .filter_map(|ended| match ended {
            CallEnd::Failed { signature, .. } | CallEnd::InvalidArguments { signature } => {
                Some(*signature)
            }
            CallEnd::Running | CallEnd::Empty | CallEnd::Succeeded => None,
        })
        .collect();
    errors.sort_unstable();
    let times = errors.chunk_by(|a, b| a == b).map(<[u64]>::len).max()?;
    (times + 1 >= limit).then_some(times)
}

/// Whether the last calls were A, B, A and this one is B.
fn alternates(tool: &str, digest: u64, turn: &TurnCalls) -> bool {
    let mut latest = turn.calls().rev();
    let (Some(a), Some(b), Some(again)) = (latest.next(), latest.next(), latest.next()) else {
        return false;
    };
    a.same(again) && b.is(tool, digest) && !a.is(tool, digest)
}
