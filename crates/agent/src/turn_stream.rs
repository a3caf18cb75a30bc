//! The reader's end of a turn.

use tokio::sync::mpsc::Receiver;
use tokio_util::sync::DropGuard;

use crate::event::TurnEvent;

/// A turn that is being read. Dropping it stops the turn: the model request is cancelled, running calls are
/// interrupted by their tools' `onInterrupt`, and the text so far stays in the history.
#[derive(Debug)]
pub struct TurnStream {
    pub(crate) events: Receiver<TurnEvent>,
    pub(crate) _stop: DropGuard,
}

impl TurnStream {
    /// The next event. The last one is [`TurnEvent::Finished`] or [`TurnEvent::Failed`]; then there is none.
    pub async fn next(&mut self) -> Option<TurnEvent> {
        self.events.recv().await
    }
}
