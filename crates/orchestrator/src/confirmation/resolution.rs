//! The result of the person's answer to a confirmation.

use std::sync::Arc;

use aileron_contract::{CallId, ToolResponse};

/// The result of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// The call was made, and then the calls that had waited for it.
    Approved(Vec<LateAnswer>),
    /// `DENIED`, for the call and for the calls that had waited for it.
    Declined(Vec<LateAnswer>),
    /// The answer did not come in time: `DENIED`.
    Expired(Vec<LateAnswer>),
    /// The person changed their mind: `DENIED`.
    Superseded(Vec<LateAnswer>),
    /// It was already resolved, and the model got its answer then. This is that resolution.
    Known(Box<Resolution>),
    /// The person was not understood, or their answer could not be stored, so that they are asked
    /// again.
    AskAgain { preview: String },
}

/// An answer for the model to a call that was first answered with "wait".
#[derive(Debug, Clone, PartialEq)]
pub struct LateAnswer {
    /// The id that the model gave its call. The answer has another id and a separate record.
    pub call_id: CallId,
    pub answer: Arc<ToolResponse>,
}
