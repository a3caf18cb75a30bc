//! The names of the policies: one table with their order, the name in records and what each may answer.

use std::fmt;

use serde::{Serialize, Serializer};

use aileron_contract::audit::StepResult;

use StepResult::{Asked, Duplicate, Passed, Refused, Undecided};

/// A policy that may stop a call. The order is the order in which a call meets them; the last two
/// stand outside of that list and stop a call before or after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PolicyName {
    KnownTool,
    ConversationState,
    Duplicates,
    Mode,
    Availability,
    Permission,
    RateLimit,
    Tasks,
    Budgets,
    Loops,
    Arguments,
    Clamp,
    Confirmation,
    /// Refuses a nested call that is too deep, calls itself or may do more than its parent.
    Nesting,
    /// Refuses a call that the store could not record as started.
    Ledger,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PolicyRow {
    pub(crate) name: PolicyName,
    /// The name in audit records, events and metrics.
    pub(crate) text: &'static str,
    /// Every result that the policy may return.
    pub(crate) answers: &'static [StepResult],
    /// The facts it decides by.
    pub(crate) basis: Basis,
}

/// The facts a policy decides by; they determine whether a replay can evaluate it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// The call, the tool, the person and the mode.
    Call,
    /// Also the calls before it.
    EarlierCalls,
    /// Facts that no audit record contains.
    Unrecorded,
}

const fn row(
    name: PolicyName,
    text: &'static str,
    answers: &'static [StepResult],
    basis: Basis,
) -> PolicyRow {
    PolicyRow { name, text, answers, basis }
}

/// The table, in the order of [`PolicyName`].
pub(crate) const TABLE: [PolicyRow; 15] = [
    row(PolicyName::KnownTool, "known_tool", &[Passed, Refused], Basis::Call),
    row(PolicyName::ConversationState, "conversation_state", &[Passed, Refused], Basis::Unrecorded),
    row(
        PolicyName::Duplicates,
        "duplicates",
        &[Passed, Refused, Undecided, Duplicate],
        Basis::Unrecorded,
    ),
    row(PolicyName::Mode, "mode", &[Passed, Refused], Basis::Call),
    row(PolicyName::Availability, "availability", &[Passed, Refused], Basis::Call),
    row(PolicyName::Permission, "permission", &[Passed, Refused], Basis::Call),
    row(PolicyName::RateLimit, "rate_limit", &[Passed, Refused, Undecided], Basis::EarlierCalls),
    row(PolicyName::Tasks, "tasks", &[Passed, Refused, Undecided], Basis::Unrecorded),
    row(PolicyName::Budgets, "budgets", &[Passed, Refused], Basis::EarlierCalls),
    row(PolicyName::Loops, "loops", &[Passed, Refused], Basis::EarlierCalls),
    row(PolicyName::Arguments, "arguments", &[Passed, Refused], Basis::Call),
    row(PolicyName::Clamp, "clamp", &[Passed, Refused], Basis::Call),
    row(PolicyName::Confirmation, "confirmation", &[Passed, Refused, Asked], Basis::Call),
    row(PolicyName::Nesting, "nesting", &[Refused], Basis::Unrecorded),
    row(PolicyName::Ledger, "ledger", &[Refused], Basis::Unrecorded),
];

impl PolicyName {
    /// The number of policies.
    pub const COUNT: usize = TABLE.len();

    /// The name in audit records, events and metrics.
    pub const fn as_str(self) -> &'static str {
        self.row().text
    }

    /// The policy of this name, if there is one.
    pub fn parse(text: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.text == text).map(|row| row.name)
    }

    /// Every policy, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        TABLE.iter().map(|row| row.name)
    }

    pub(crate) const fn row(self) -> &'static PolicyRow {
        &TABLE[self as usize]
    }

    /// Whether a call that this policy refused uses the budget of its turn. A call that waits for the
    /// person does: it passed all other policies.
    pub(crate) fn counts_refused(self) -> bool {
        self == Self::Confirmation
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for PolicyName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
