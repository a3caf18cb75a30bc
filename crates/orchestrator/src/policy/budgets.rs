//! Budgets: so many calls in a turn, fewer of them retrieval. Hard.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_contract::spec::Category;
use serde_json::json;

use super::{Desk, Verdict};
use crate::draft::Draft;

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let Some(spec) = draft.spec() else { return Verdict::Pass };
    if draft.is_free() {
        return Verdict::Pass;
    }
    let (used, budget) = (&desk.memory.usage, desk.config.budgets.of(desk.mode));
    if used.total >= budget.total {
        return refusal("calls", budget.total);
    }
    if spec.category == Category::Retrieval && used.retrieval >= budget.retrieval {
        return refusal("retrieval calls", budget.retrieval);
    }
    Verdict::Pass
}

fn refusal(what: &str, most: u32) -> Verdict {
    let message = format!("all {most} {what} of this turn are used up");
    let mut failure = Failure::new(ErrorType::BudgetExceeded, message);
    failure.suggestion = Some("answer with what you have".to_owned());
    failure.details = Some(json!({ "limit": most }));
    Verdict::Refuse(Box::new(failure))
}
