//! What a session may wait for besides audio: events of its conversation, an end that is asked for,
//! time, and what came of calls. None of it happens often.

use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::Step;
use crate::hub::Subscription;
use crate::voice::lane::Lane;
use crate::voice::sessions::Hold;

pub(super) struct Control {
    pub(super) events: Subscription,
    pub(super) hold: Hold,
    pub(super) timer: Timer,
    pub(super) lane: Lane,
}

/// The one timer of a session. It is set anew only when something is due earlier.
pub(super) struct Timer {
    pub(super) at: u64,
    pub(super) wait: BoxFuture<'static, ()>,
}

impl Control {
    /// Events come before the answers they belong to.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        if let Poll::Ready(event) = self.events.poll(cx) {
            return Poll::Ready(Step::Event(event));
        }
        if let Poll::Ready(asked) = self.hold.poll(cx) {
            return Poll::Ready(Step::Asked(asked));
        }
        if let Poll::Ready(()) = self.timer.wait.poll_unpin(cx) {
            return Poll::Ready(Step::Time);
        }
        self.lane.poll(cx).map(Step::Done)
    }
}
