//! One copy of a conversation decides at a time, in whatever process: the one that holds its lease. A
//! copy that has lost the lease takes it again before it decides, and continues from what the store has.

use std::sync::Arc;

use aileron_store::{AcquireResult, Lease, StoredConversation as StoredDocument};
use tokio::sync::MutexGuard;

use super::document::Document;
use super::resume::resume;
use crate::conversation_core::ConversationCore;
use crate::open_error::OpenError;
use crate::open_request::{ModeEntry, OpenRequest};

/// How often an operation is tried that another process disturbs by taking the conversation.
pub(crate) const ATTEMPTS: usize = 20;

/// Whether this copy decides about the conversation. Costs a load from memory.
pub(crate) fn is_owner(core: &ConversationCore) -> bool {
    let locked = core.lock();
    locked.policy.scope.lease.is_held() && !locked.saved.is_stale
}

/// Takes the ownership of the conversation, unless this copy has it.
pub(crate) async fn own(core: &Arc<ConversationCore>) -> Result<(), OpenError> {
    if is_owner(core) {
        return Ok(());
    }
    let one_at_a_time = core.changing.lock().await;
    own_for_change(core, &one_at_a_time).await
}

/// Takes the ownership again after the store has said that this lease is lost.
pub(crate) async fn own_again(core: &Arc<ConversationCore>, lost: &Lease) -> Result<(), OpenError> {
    {
        let mut locked = core.lock();
        locked.saved.is_stale |= locked.policy.scope.lease == *lost;
    }
    own(core).await
}

/// The same for a change, which holds the lock. Saves that nobody waited for are looked at first.
pub(super) async fn own_for_change(
    core: &Arc<ConversationCore>,
    _one_at_a_time: &MutexGuard<'_, ()>,
) -> Result<(), OpenError> {
    let is_lost = {
        let mut locked = core.lock();
        let is_held = locked.policy.scope.lease.is_held();
        let saved = &mut locked.saved;
        saved.is_stale |= saved.saves.look();
        saved.is_stale || !is_held
    };
    match is_lost {
        true => acquire(core).await,
        false => Ok(()),
    }
}

async fn acquire(core: &Arc<ConversationCore>) -> Result<(), OpenError> {
    let info = &core.info;
    match info.store().acquire(&info.id).await? {
        AcquireResult::Owner(lease, stored) => merge_saved(core, &stored, lease).await,
        AcquireResult::Ended(stored) => {
            let theirs = Document::read(&stored.body).map_err(OpenError::unreadable)?;
            core.lock().set_state(theirs.stable.state);
            info.services.ended.push(&info.id);
            Err(OpenError::Ended)
        }
        AcquireResult::Missing => begin_again(core).await,
        AcquireResult::Held => Err(OpenError::HeldElsewhere),
    }
}

/// Continues from what another copy has saved: its turn and the calls of it, its state, its
/// confirmations. Calls that run here go on, and so does listening for a spoken answer.
async fn merge_saved(
    core: &Arc<ConversationCore>,
    stored: &StoredDocument,
    lease: Lease,
) -> Result<(), OpenError> {
    let info = &core.info;
    let document = Document::read(&stored.body).map_err(OpenError::unreadable)?;
    let mode = document.stable.state.mode();
    let request = OpenRequest { id: info.id.clone(), mode, person: info.person.clone() };
    let held = (stored.version, lease);
    let copy = resume(&info.services, (request, ModeEntry::Move), document, held).await?;
    let (mut locked, mut theirs) = (core.lock(), copy.lock());
    theirs.policy.history.follow_on(&locked.policy.history);
    theirs.confirmations.keep_spoken_answers(&locked.confirmations);
    std::mem::swap(&mut locked.policy, &mut theirs.policy);
    std::mem::swap(&mut locked.confirmations, &mut theirs.confirmations);
    locked.saved.reset(stored.version);
    Ok(())
}

/// The conversation was not used for so long that the store has forgotten it; it is stored again.
async fn begin_again(core: &ConversationCore) -> Result<(), OpenError> {
    let (info, body) = (&core.info, Arc::new(core.lock().document()));
    let owner = info.person.id.as_ref();
    let begun = info.store().begin_conversation(&info.id, owner, body, info.now()).await?;
    let lease = begun.ok_or(OpenError::HeldElsewhere)?;
    let mut locked = core.lock();
    locked.policy.set_lease(lease);
    locked.saved.reset(1);
    Ok(())
}
