//! The policies a call passes before it may run, and their order.
//!
//! A policy looks at one call and the conversation, and lets it pass, answers
//! it, or asks the person. No policy calls another; one that fails, denies.

mod arguments;
mod availability;
mod budgets;
mod clamp;
mod confirmation;

mod conversation_state;
mod duplicates;
mod known_tool;
pub(crate) mod loops;
mod mode;
mod permission;
pub(crate) mod rate_limit;

use std::panic::{AssertUnwindSafe, catch_unwind};

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode};
use aileron_store::{Known, Store};
use serde_json::Value;

pub(crate) use rate_limit::BatchCounts;

use crate::candidate::{CandidateCall, Duplicate};
use crate::config::Config;
use crate::conversation::ConversationCore;
use crate::person::Person;
use crate::policy_state::PolicyState;
use crate::toolset::Toolset;

/// Every policy, in the order in which a call meets them.
pub(crate) const ORDER: [Policy; 12] = [
    Policy { name: "known_tool", check: known_tool::check },
    Policy { name: "conversation_state", check: conversation_state::check },
    Policy { name: "duplicates", check: duplicates::check },
    Policy { name: "mode", check: mode::check },
    Policy { name: "availability", check: availability::check },
    Policy { name: "permission", check: permission::check },
    Policy { name: rate_limit::NAME, check: rate_limit::check },
    Policy { name: "budgets", check: budgets::check },
    Policy { name: "loops", check: loops::check },
    Policy { name: "arguments", check: arguments::check },
    Policy { name: "clamp", check: clamp::check },
    Policy { name: "confirmation", check: confirmation::check },
];

/// The names of all policies, in order, as they stand in audit records.
pub fn names() -> impl Iterator<Item = &'static str> {
    ORDER.iter().map(|policy| policy.name)
}

/// One policy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    pub(crate) name: &'static str,
    check: fn(&mut CandidateCall, &mut PolicyContext<'_>) -> PolicyResult,
}

/// What a policy says.
#[derive(Debug)]
pub(crate) enum PolicyResult {
    Pass,
    Refuse(Box<Failure>),
    /// It cannot tell, so the call is not made. Delivered again, it is decided about anew.
    Undecided(Box<Failure>),
    /// The same call was made before.
    Known(Known),
    /// The person has to approve it first.
    Ask,
}

impl PolicyResult {
    pub(crate) fn refuse(kind: ErrorType, message: impl Into<String>) -> Self {
        Self::Refuse(Box::new(Failure::new(kind, message)))
    }

    /// The store does not answer.
    pub(crate) fn undecided(message: impl Into<String>) -> Self {
        Self::Undecided(Box::new(Failure::new(ErrorType::Unavailable, message)))
    }
}

/// What a policy may look at.
pub(crate) struct PolicyContext<'a> {
    pub(crate) now: u64,
    pub(crate) mode: Mode,
    pub(crate) config: &'a Config,
    pub(crate) person: &'a Person,
    /// The person as conditions see them.
    pub(crate) user: &'a Value,
    pub(crate) toolset: &'a Toolset,
    pub(crate) memory: &'a mut PolicyState,
    pub(crate) counts: &'a BatchCounts,
    pub(crate) store: &'a dyn Store,
}

impl ConversationCore {
    pub(crate) fn context<'a>(
        &'a self,
        memory: &'a mut PolicyState,
        counts: &'a BatchCounts,
        now: u64,
    ) -> PolicyContext<'a> {
        PolicyContext {
            now,
            mode: memory.mode(),
            config: &self.core.config,
            person: &self.person,
            user: &self.user_view,
            toolset: &self.toolset,
            memory,
            counts,
            store: &*self.core.store,
        }
    }
}

/// How far a call came.
#[derive(Debug)]
pub(crate) enum Passage {
    Through,
    /// The person has to approve it first.
    Ask,
    /// The same call was made before.
    Known(Known),
    /// Another call asked for the same, and has the answer.
    Repeats(Duplicate),
    Refused {
        by: &'static str,
        failure: Box<Failure>,
        finality: Finality,
    },
}

/// Whether a refusal is the answer to its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finality {
    /// Delivered again, the call is told the same.
    Final,
    /// Delivered again, the call is decided about anew.
    Provisional,
}

/// Whether a call that this policy refused has used the budget: it passed all the others, and had the
/// person been free to answer, it would have been put to them.
pub(crate) fn counts_refused(policy: &str) -> bool {
    policy == "confirmation"
}

/// Takes a call along all policies.
pub(crate) fn pass(candidate: &mut CandidateCall, context: &mut PolicyContext<'_>) -> Passage {
    for policy in &ORDER {
        match checked(policy, candidate, context) {
            PolicyResult::Pass => {}
            PolicyResult::Ask => return Passage::Ask,
            PolicyResult::Known(known) => return Passage::Known(known),
            PolicyResult::Refuse(failure) => {
                let finality = Finality::Final;
                return Passage::Refused { by: policy.name, failure, finality };
            }
            PolicyResult::Undecided(failure) => {
                let finality = Finality::Provisional;
                return Passage::Refused { by: policy.name, failure, finality };
            }
        }
    }
    candidate.duplicate_of.take().map_or(Passage::Through, Passage::Repeats)
}

/// Whether a tool may be offered to a model at all: by mode, condition and permission. What depends on
/// the arguments or on how much was called is left to the call itself.
pub(crate) fn offers(candidate: &mut CandidateCall, context: &mut PolicyContext<'_>) -> bool {
    const STANDING: [&str; 3] = ["mode", "availability", "permission"];
    let mut standing = ORDER.iter().filter(|policy| STANDING.contains(&policy.name));
    standing.all(|policy| matches!(checked(policy, candidate, context), PolicyResult::Pass))
}

const FAILED: &str = "a rule of this tool could not be applied, so the call is not allowed";

/// A policy that panics denies.
fn checked(
    policy: &Policy,
    candidate: &mut CandidateCall,
    context: &mut PolicyContext<'_>,
) -> PolicyResult {
    let check = AssertUnwindSafe(|| (policy.check)(candidate, context));
    let checked = catch_unwind(check);
    checked.unwrap_or_else(|_| {
        candidate.defect =
            Some(format!("the policy `{}` panicked, which is a fault of ours", policy.name));
        PolicyResult::refuse(ErrorType::Unavailable, FAILED)
    })
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
