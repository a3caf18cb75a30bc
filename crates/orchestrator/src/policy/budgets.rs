//! Budgets: so many calls in a turn, fewer of them retrieval. Hard.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_contract::spec::Category;
use serde_json::json;

use super::{PolicyContext, PolicyResult};
use crate::candidate::CandidateCall;

pub(super) fn check(
    candidate: &mut CandidateCall,
    context: &mut PolicyContext<'_>,
) -> PolicyResult {
    let Some(spec) = candidate.spec() else { return PolicyResult::Pass };
    if candidate.is_free() {
        return PolicyResult::Pass;
    }
    let (used, budget) = (&context.memory.usage, context.config.budgets.of(context.mode));
    if used.total >= budget.total {
        return refusal("calls", budget.total);
    }
    if spec.category == Category::Retrieval && used.retrieval >= budget.retrieval {
        return refusal("retrieval calls", budget.retrieval);
    }
    PolicyResult::Pass
}

fn refusal(what: &str, most: u32) -> PolicyResult {
    let message = format!("all {most} {what} of this turn are used up");
    let mut failure = Failure::new(ErrorType::BudgetExceeded, message);
    failure.suggestion = Some("answer with what you have".to_owned());
    failure.details = Some(json!({ "limit": most }));
    PolicyResult::Refuse(Box::new(failure))
}
