//! Tasks: how many calls may run in the background at the same time, in one conversation and for one
//! person. Tools that are answered with their result have no cost.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;

use super::context::PolicyContext;
use super::result::{Counted, PolicyMeasure, PolicyResult};
use crate::candidate::CandidateCall;

const NOT_COUNTED: &str = "how many tasks run cannot be looked up";
const WAIT: &str = "wait for one of them to end, or let the person cancel one";

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    if !candidate.is_background() || candidate.duplicate_of.is_some() {
        return PolicyResult::PASS;
    }
    let Ok(running) = context.ledger.running_tasks(context.state) else {
        return PolicyResult::undecided(NOT_COUNTED);
    };
    let (limits, in_batch) = (&context.config.tasks, context.counts.tasks());
    let bounds = [
        (running.conversation + in_batch, limits.per_conversation, "in this conversation"),
        (running.user + in_batch, limits.per_person, "for this person"),
    ];
    match bounds.into_iter().find(|(used, limit, _)| used >= limit) {
        None => PolicyResult::PASS,
        Some((used, limit, whose)) => {
            let message = format!("{limit} tasks may run {whose} at the same time, and {used} do");
            let mut failure = Failure::new(ErrorType::RateLimit, message);
            failure.suggestion = Some(WAIT.to_owned());
            let measure = PolicyMeasure::new(Counted::RunningTasks, used, limit);
            PolicyResult::refused(failure).by(measure)
        }
    }
}
