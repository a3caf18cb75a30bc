//! The inputs of a session besides audio: events of its conversation, a request to end, time, and results of
//! queued operations. All of them are rare.

use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::input::VoiceInput;
use crate::event_hub::Subscription;
use crate::voice::conversation_queue::ConversationQueue;
use crate::voice::sessions::SessionLease;

pub(super) struct Control {
    pub(super) events: Subscription,
    pub(super) hold: SessionLease,
    pub(super) timer: Timer,
    pub(super) queue: ConversationQueue,
}

/// The timer of a session. It is set again only when something is due earlier.
pub(super) struct Timer {
    pub(super) at: u64,
    pub(super) wait: BoxFuture<'static, ()>,
}

impl Control {
    /// Events come before the results they belong to.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<VoiceInput> {
        if let Poll::Ready(event) = self.events.poll(cx) {
            return Poll::Ready(VoiceInput::Event(event));
        }
        if let Poll::Ready(asked) = self.hold.poll(cx) {
            return Poll::Ready(VoiceInput::EndRequested(asked));
        }
        if let Poll::Ready(()) = self.timer.wait.poll_unpin(cx) {
            return Poll::Ready(VoiceInput::Time);
        }
        self.queue.poll(cx).map(VoiceInput::Done)
    }
}
