//! The result of an answer of the person.

use std::sync::Arc;

use aileron_contract::{CallId, ToolResponse};

/// The result of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// The call was made, and then those that had waited for it.
    Approved(Vec<LateAnswer>),
    /// `DENIED`, for the call and for those that had waited for it.
    Declined(Vec<LateAnswer>),
    /// The answer did not come in time: `DENIED`.
    Expired(Vec<LateAnswer>),
    /// The person changed their mind: `DENIED`.
    Superseded(Vec<LateAnswer>),
    /// It was resolved before, and the model got its answer then. This is that resolution.
    Known(Box<Resolution>),
    /// The person was not understood, or their answer could not be stored, and they are asked once
    /// more.
    AskAgain { preview: String },
}

/// An answer for the model to a call that it was first told to wait for.
#[derive(Debug, Clone, PartialEq)]
pub struct LateAnswer {
    /// The id the model gave its call. The answer has another id: it has its own record.
    pub call_id: CallId,
    pub answer: Arc<ToolResponse>,
}
