//! Budgets: the maximum number of calls of a turn, and of retrieval calls among them.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_contract::spec::Category;
use serde_json::json;

use super::context::PolicyContext;
use super::result::{Counted, PolicyMeasure, PolicyResult};
use crate::candidate::CandidateCall;

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let Some(spec) = candidate.spec() else { return PolicyResult::PASS };
    if candidate.is_free() {
        return PolicyResult::PASS;
    }
    let (used, budget) = (&context.state.usage, context.config.budgets.of(context.mode));
    let calls = PolicyMeasure::new(Counted::Calls, used.total, budget.total);
    if used.total >= budget.total {
        return refusal(calls);
    }
    if spec.category != Category::Retrieval {
        return PolicyResult::PASS.by(calls);
    }
    let retrieval = PolicyMeasure::new(Counted::RetrievalCalls, used.retrieval, budget.retrieval);
    match used.retrieval >= budget.retrieval {
        true => refusal(retrieval),
        false => PolicyResult::PASS.by(retrieval),
    }
}

fn refusal(measure: PolicyMeasure) -> PolicyResult {
    let PolicyMeasure { of, limit, .. } = measure;
    let message = format!("all {limit} {} of this turn are used up", of.as_str());
    let mut failure = Failure::new(ErrorType::BudgetExceeded, message);
    failure.suggestion = Some("answer with what you have".to_owned());
    failure.details = Some(json!({ "limit": limit }));
    PolicyResult::refused(failure).by(measure)
}
