//! A turn: what the person did to begin it, and what its beginning led to.

use std::fmt;

use futures_util::future::BoxFuture;

use crate::confirmation::Resolution;

/// A turn that has begun, and what is still to be done about the questions that waited.
pub struct TurnStarting {
    pub turn: u64,
    /// A message that was kept for this turn.
    pub pending_message: Option<String>,
    /// The outcomes of questions that waited, see [`TurnStart::resolutions`]. It takes as long as an
    /// approved call does, goes on if it is dropped, and need not be awaited before the next call.
    pub resolutions: BoxFuture<'static, Vec<Resolution>>,
}

impl fmt::Debug for TurnStarting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnStarting").field("turn", &self.turn).finish_non_exhaustive()
    }
}

/// What the person did to begin a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnInput {
    /// Did something without words that are known here, such as a click. Never an answer to a
    /// question; those have buttons.
    Written,
    /// Wrote. Never an approval; words that take something back close the question about it.
    Typed { text: String },
    /// Spoke; the transcription, and when the utterance began.
    Spoken { text: String, began_ms: u64 },
}

/// A turn that has begun.
#[derive(Debug)]
pub struct TurnStart {
    pub turn: u64,
    /// What became of questions that waited: the person's words may have answered one, others may
    /// have expired. Late answers are for the model.
    pub resolutions: Vec<Resolution>,
    /// A message that was kept for this turn.
    pub pending_message: Option<String>,
}
