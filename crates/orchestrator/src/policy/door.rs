//! The door: an ended conversation and a blocked person make no calls.

use aileron_contract::ErrorType;

use super::{Desk, Verdict};
use crate::draft::Draft;
use crate::state::Standing;

pub(super) fn check(_: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    if let Standing::Ended { .. } = desk.memory.state.standing() {
        return Verdict::refuse(ErrorType::SessionInactive, "the conversation has ended");
    }
    let until = desk.store.blocked_until(&desk.memory.block_id);
    match until.map(|until| until.saturating_sub(desk.now)) {
        None | Some(0) => Verdict::Pass,
        Some(left) => {
            let seconds = left.div_ceil(1000);
            let message = format!("the person is blocked for another {seconds} seconds");
            Verdict::refuse(ErrorType::Unavailable, message)
        }
    }
}
