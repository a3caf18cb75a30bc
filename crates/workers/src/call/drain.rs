//! A call whose caller is gone: its worker has a moment to end it.

use std::time::Duration;

use tokio::time::timeout;

use super::OpenCall;
use crate::message::CallMessage;
use crate::worker::CallEvent;

const IGNORED: &str = "the worker process was replaced because a call ignored its cancellation";

/// Waits until a cancelled call has ended. A worker that goes on with it is replaced: at once if its
/// other calls cannot go on either, else when they have ended.
pub(super) async fn drain(mut open: OpenCall, grace: Duration) {
    let ended = async {
        while let Some(event) = open.events.recv().await {
            if matches!(event, CallEvent::Ended(_) | CallEvent::Message(CallMessage::Done(_))) {
                return;
            }
        }
    };
    if timeout(grace, ended).await.is_ok() {
        return;
    }
    let worker = open.lease.worker().clone();
    match open.lease.is_alone {
        true => worker.kill(IGNORED),
        false => worker.replace(IGNORED, grace).await,
    }
}
