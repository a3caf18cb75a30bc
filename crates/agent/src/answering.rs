//! The reader's end of a turn.

use tokio::sync::mpsc::Receiver;
use tokio_util::sync::DropGuard;

use crate::event::Event;

/// A turn while it is read. Dropping it stops the turn: the model's request is called off, running
/// calls are interrupted as their tools say, and what was said so far stays in the history.
#[derive(Debug)]
pub struct Answering {
    pub(crate) events: Receiver<Event>,
    pub(crate) _stop: DropGuard,
}

impl Answering {
    /// The next event. The last one is [`Event::Finished`] or [`Event::Failed`]; then there is none.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }
}
