//! The trail of one decision: every policy the call met, its result and the number it decided by.
//! Stored inline, so that a call that passes costs no allocation; converted for events and records.

use aileron_contract::audit::{Measure, StepResult, TrailStep};

use crate::policy::{PolicyMeasure, PolicyName};

/// A call meets each policy at most once.
const MAX_STEPS: usize = PolicyName::COUNT;

#[derive(Debug, Clone, Copy)]
struct Step {
    policy: PolicyName,
    result: StepResult,
    measure: Option<PolicyMeasure>,
}

/// The policies that a call met, in their order. The last one decided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trail {
    steps: [Step; MAX_STEPS],
    length: usize,
}

impl Default for Trail {
    fn default() -> Self {
        let unused =
            Step { policy: PolicyName::KnownTool, result: StepResult::Passed, measure: None };
        Self { steps: [unused; MAX_STEPS], length: 0 }
    }
}

impl Trail {
    /// The trail of a call that a policy outside of the list stopped.
    pub(crate) fn refused_by(policy: PolicyName) -> Self {
        let mut trail = Self::default();
        trail.push(policy, StepResult::Refused, None);
        trail
    }

    pub(crate) fn push(
        &mut self,
        policy: PolicyName,
        result: StepResult,
        measure: Option<PolicyMeasure>,
    ) {
        if let Some(step) = self.steps.get_mut(self.length) {
            *step = Step { policy, result, measure };
            self.length += 1;
        }
    }

    /// Every policy.
    pub(crate) fn all(&self) -> Vec<TrailStep> {
        self.steps().map(written).collect()
    }

    /// The policy that stopped the call; empty for a call that passed.
    pub(crate) fn deciding(&self) -> Vec<TrailStep> {
        self.steps().filter(|step| step.result != StepResult::Passed).map(written).collect()
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().take(self.length)
    }
}

fn written(Step { policy, result, measure }: &Step) -> TrailStep {
    let written = |PolicyMeasure { of, used, limit }: PolicyMeasure| Measure {
        limit,
        of: of.as_str().into(),
        used,
    };
    TrailStep { measure: measure.map(written), policy: policy.as_str().into(), result: *result }
}
