//! Background saves.

use std::sync::Arc;

use crate::conversation_core::{ConversationCore, Locked};
use crate::state::Lifecycle;

/// Saves the current state of the conversation in the background, unless it has ended. The store
/// applies changes in their order, so if a crash loses this save, it also loses all records written
/// after it.
pub(crate) fn save(core: &ConversationCore, locked: &mut Locked) {
    if locked.policy.state.lifecycle() != Lifecycle::Active {
        return;
    }
    let (info, body) = (&core.info, Arc::new(locked.document()));
    let lease = &locked.policy.scope.lease;
    let saves = &mut locked.saved.saves;
    let (version, now, owner) = (saves.next(), info.now(), info.person.id.as_ref());
    let saved = info.store().save_conversation(&info.id, lease.at(version), owner, body, now);
    saves.push(saved);
}
