//! Saves that nobody waits for.

use std::sync::Arc;

use crate::conversation_core::{ConversationCore, Locked};
use crate::state::Lifecycle;

/// Saves the conversation as it is now, unless it has ended. The store takes changes in their order, so
/// a record that is written after this save is lost if the save is.
pub(crate) fn save(core: &ConversationCore, locked: &mut Locked) {
    if locked.policy.state.lifecycle() != Lifecycle::Active {
        return;
    }
    let (info, body) = (&core.info, Arc::new(locked.document()));
    let saves = &mut locked.saved.saves;
    let (version, now, owner) = (saves.next(), info.now(), info.person.id.as_ref());
    saves.push(info.store().save_conversation(&info.id, owner, version, body, now));
}
