//! The result of one policy about one call, with the number that decided.

use aileron_contract::ErrorType;
use aileron_contract::audit::StepResult;
use aileron_contract::envelope::Failure;
use aileron_store::CallStatus;

/// The result of a policy.
#[derive(Debug)]
pub(crate) struct PolicyResult {
    pub(crate) answer: PolicyAnswer,
    pub(crate) measure: Option<PolicyMeasure>,
}

#[derive(Debug)]
pub(crate) enum PolicyAnswer {
    Pass,
    Refuse(Box<Failure>),
    /// The policy cannot decide, so the call is refused. If the call is delivered again, it is
    /// decided about again.
    Undecided(Box<Failure>),
    /// The same call was made before.
    Duplicate(CallStatus),
    /// The person has to approve the call first.
    Ask,
}

/// How much of a limit is used. No allocation, because every call has one per counting policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PolicyMeasure {
    pub(crate) of: Counted,
    pub(crate) used: u32,
    pub(crate) limit: u32,
}

/// The number that a policy counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    Calls,
    RetrievalCalls,
    CallsInWindow,
    IdenticalCalls,
    EmptyResults,
    SameErrors,
    OpenConfirmations,
    RunningTasks,
}

impl Counted {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::RetrievalCalls => "retrieval calls",
            Self::CallsInWindow => "calls in the window",
            Self::IdenticalCalls => "identical calls",
            Self::EmptyResults => "empty results",
            Self::SameErrors => "same errors",
            Self::OpenConfirmations => "open confirmations",
            Self::RunningTasks => "running tasks",
        }
    }
}

impl PolicyMeasure {
    pub(crate) fn new(of: Counted, used: impl TryInto<u32>, limit: impl TryInto<u32>) -> Self {
        let [used, limit] = [used.try_into().ok(), limit.try_into().ok()];
        Self { of, used: used.unwrap_or(u32::MAX), limit: limit.unwrap_or(u32::MAX) }
    }
}

impl PolicyResult {
    pub(crate) const PASS: Self = Self { answer: PolicyAnswer::Pass, measure: None };

    pub(crate) const ASK: Self = Self { answer: PolicyAnswer::Ask, measure: None };

    pub(crate) fn refuse(kind: ErrorType, message: impl Into<String>) -> Self {
        Self::refused(Failure::new(kind, message))
    }

    pub(crate) fn refused(failure: Failure) -> Self {
        Self { answer: PolicyAnswer::Refuse(Box::new(failure)), measure: None }
    }

    /// The store could not be read.
    pub(crate) fn undecided(message: impl Into<String>) -> Self {
        let failure = Failure::new(ErrorType::Unavailable, message);
        Self { answer: PolicyAnswer::Undecided(Box::new(failure)), measure: None }
    }

    pub(crate) fn duplicate(known: CallStatus) -> Self {
        Self { answer: PolicyAnswer::Duplicate(known), measure: None }
    }

    /// The same result, with the number that decided it.
    pub(crate) fn by(self, measure: PolicyMeasure) -> Self {
        Self { measure: Some(measure), ..self }
    }

    pub(crate) fn step(&self) -> StepResult {
        match self.answer {
            PolicyAnswer::Pass => StepResult::Passed,
            PolicyAnswer::Refuse(_) => StepResult::Refused,
            PolicyAnswer::Undecided(_) => StepResult::Undecided,
            PolicyAnswer::Duplicate(_) => StepResult::Duplicate,
            PolicyAnswer::Ask => StepResult::Asked,
        }
    }
}
