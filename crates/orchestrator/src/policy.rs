//! The policies a call passes before it may run, and their order.
//!
//! A policy looks at one call and the conversation, and lets it pass, answers
//! it, or asks the person. No policy calls another; one that fails, denies.

mod arguments;
mod availability;
mod budgets;
mod clamp;
mod confirmation;
mod door;
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

pub(crate) use rate_limit::Tally;

use crate::config::Config;
use crate::conversation::{Memory, Shared};
use crate::draft::{Draft, Twin};
use crate::person::Person;
use crate::toolset::Toolset;

/// Every policy, in the order in which a call meets them.
pub(crate) const ORDER: [Policy; 12] = [
    Policy { name: "known_tool", check: known_tool::check },
    Policy { name: "door", check: door::check },
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
    check: fn(&mut Draft, &mut Desk<'_>) -> Verdict,
}

/// What a policy says.
#[derive(Debug)]
pub(crate) enum Verdict {
    Pass,
    Refuse(Box<Failure>),
    /// It cannot tell, so the call is not made. Delivered again, it is decided about anew.
    Undecided(Box<Failure>),
    /// The same call was made before.
    Known(Known),
    /// The person has to approve it first.
    Ask,
}

impl Verdict {
    pub(crate) fn refuse(kind: ErrorType, message: impl Into<String>) -> Self {
        Self::Refuse(Box::new(Failure::new(kind, message)))
    }

    /// The store does not answer.
    pub(crate) fn undecided(message: impl Into<String>) -> Self {
        Self::Undecided(Box::new(Failure::new(ErrorType::Unavailable, message)))
    }
}

/// What a policy may look at.
pub(crate) struct Desk<'a> {
    pub(crate) now: u64,
    pub(crate) mode: Mode,
    pub(crate) config: &'a Config,
    pub(crate) person: &'a Person,
    /// The person as conditions see them.
    pub(crate) user: &'a Value,
    pub(crate) toolset: &'a Toolset,
    pub(crate) memory: &'a mut Memory,
    pub(crate) tally: &'a Tally,
    pub(crate) store: &'a dyn Store,
}

impl Shared {
    pub(crate) fn desk<'a>(
        &'a self,
        memory: &'a mut Memory,
        tally: &'a Tally,
        now: u64,
    ) -> Desk<'a> {
        Desk {
            now,
            mode: memory.mode(),
            config: &self.core.config,
            person: &self.person,
            user: &self.user_view,
            toolset: &self.toolset,
            memory,
            tally,
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
    Repeats(Twin),
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
pub(crate) fn pass(draft: &mut Draft, desk: &mut Desk<'_>) -> Passage {
    for policy in &ORDER {
        match checked(policy, draft, desk) {
            Verdict::Pass => {}
            Verdict::Ask => return Passage::Ask,
            Verdict::Known(known) => return Passage::Known(known),
            Verdict::Refuse(failure) => {
                let finality = Finality::Final;
                return Passage::Refused { by: policy.name, failure, finality };
            }
            Verdict::Undecided(failure) => {
                let finality = Finality::Provisional;
                return Passage::Refused { by: policy.name, failure, finality };
            }
        }
    }
    draft.twin.take().map_or(Passage::Through, Passage::Repeats)
}

/// Whether a tool may be offered to a model at all: by mode, condition and permission. What depends on
/// the arguments or on how much was called is left to the call itself.
pub(crate) fn offers(draft: &mut Draft, desk: &mut Desk<'_>) -> bool {
    const STANDING: [&str; 3] = ["mode", "availability", "permission"];
    let mut standing = ORDER.iter().filter(|policy| STANDING.contains(&policy.name));
    standing.all(|policy| matches!(checked(policy, draft, desk), Verdict::Pass))
}

const FAILED: &str = "a rule of this tool could not be applied, so the call is not allowed";

/// A policy that panics denies.
fn checked(policy: &Policy, draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let check = AssertUnwindSafe(|| (policy.check)(draft, desk));
    let checked = catch_unwind(check);
    checked.unwrap_or_else(|_| {
        draft.defect =
            Some(format!("the policy `{}` panicked, which is a fault of ours", policy.name));
        Verdict::refuse(ErrorType::Unavailable, FAILED)
    })
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
