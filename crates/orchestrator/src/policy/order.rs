//! The one list of policies, in the order in which a call meets them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use aileron_contract::ErrorType;
use aileron_contract::audit::StepResult;

use super::context::PolicyContext;
use super::name::PolicyName;
use super::result::PolicyResult;
use super::{
    arguments, availability, budgets, clamp, confirmation, conversation_state, duplicates,
    known_tool, loops, mode, permission, rate_limit, tasks,
};
use crate::candidate::CandidateCall;

/// One policy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    pub(crate) name: PolicyName,
    pub(crate) check: fn(&mut CandidateCall, &PolicyContext<'_>) -> PolicyResult,
}

/// Every policy.
pub(crate) const ORDER: [Policy; 13] = [
    Policy { name: PolicyName::KnownTool, check: known_tool::check },
    Policy { name: PolicyName::ConversationState, check: conversation_state::check },
    Policy { name: PolicyName::Duplicates, check: duplicates::check },
    Policy { name: PolicyName::Mode, check: mode::check },
    Policy { name: PolicyName::Availability, check: availability::check },
    Policy { name: PolicyName::Permission, check: permission::check },
    Policy { name: PolicyName::RateLimit, check: rate_limit::check },
    Policy { name: PolicyName::Tasks, check: tasks::check },
    Policy { name: PolicyName::Budgets, check: budgets::check },
    Policy { name: PolicyName::Loops, check: loops::check },
    Policy { name: PolicyName::Arguments, check: arguments::check },
    Policy { name: PolicyName::Clamp, check: clamp::check },
    Policy { name: PolicyName::Confirmation, check: confirmation::check },
];

pub(super) const FAILED: &str =
    "a rule of this tool could not be applied, so the call is not allowed";

/// Evaluates one policy. A policy that panics refuses the call.
pub(crate) fn check(
    policy: &Policy,
    candidate: &mut CandidateCall,
    context: &PolicyContext<'_>,
) -> PolicyResult {
    let checked = catch_unwind(AssertUnwindSafe(|| (policy.check)(candidate, context)));
    let result = checked.unwrap_or_else(|_| {
        let name = policy.name;
        candidate.defect = Some(format!("the policy `{name}` panicked, which is a fault of ours"));
        PolicyResult::refuse(ErrorType::Unavailable, FAILED)
    });
    debug_assert!(policy.name.row().answers.contains(&result.step()), "{policy:?}: {result:?}");
    result
}

/// Whether a tool may be offered to a model: by mode, condition and permission. Policies that
/// depend on the arguments or on earlier calls are evaluated only for a call.
pub(crate) fn is_offered(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> bool {
    const OFFERING: [PolicyName; 3] =
        [PolicyName::Mode, PolicyName::Availability, PolicyName::Permission];
    let mut offering = ORDER.iter().filter(|policy| OFFERING.contains(&policy.name));
    offering.all(|policy| check(policy, candidate, context).step() == StepResult::Passed)
}
