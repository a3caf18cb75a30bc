//! A turn: the person's input that began it, and the resolutions and messages that it led to.

use std::fmt;

use futures_util::future::BoxFuture;

use crate::confirmation::{LateAnswer, Resolution};

/// A turn that has begun, with the pending work on open confirmations.
pub struct TurnStarting {
    pub turn: u64,
    /// A message that a tool left for this turn.
    pub pending_message: Option<String>,
    /// The results of tasks that the model does not have, see [`TurnStart::task_results`].
    pub task_results: Vec<LateAnswer>,
    /// The resolutions of open confirmations, see [`TurnStart::resolutions`]. The future takes as
    /// long as an approved call, continues if it is dropped, and need not be awaited before the
    /// next call.
    pub resolutions: BoxFuture<'static, Vec<Resolution>>,
}

impl fmt::Debug for TurnStarting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnStarting").field("turn", &self.turn).finish_non_exhaustive()
    }
}

/// The person's input that begins a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnInput {
    /// Input without known words, such as a click. Never an answer to a confirmation; those have
    /// buttons.
    Written,
    /// Typed text. Never an approval; a retraction closes the confirmation that it is about.
    Typed { text: String },
    /// Speech: the transcript, and when the utterance began.
    Spoken { text: String, began_ms: u64 },
}

/// A turn that has begun.
#[derive(Debug)]
pub struct TurnStart {
    pub turn: u64,
    /// The resolutions of open confirmations: the person's words may have answered one, others may
    /// have expired. Late answers are for the model.
    pub resolutions: Vec<Resolution>,
    /// A message that a tool left for this turn.
    pub pending_message: Option<String>,
    /// The results of tasks that the model does not have. They are given again until
    /// [`crate::Conversation::mark_told`] says that the model has them.
    pub task_results: Vec<LateAnswer>,
}
