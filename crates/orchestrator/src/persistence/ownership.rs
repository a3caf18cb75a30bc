//! Only one copy of a conversation decides at a time, in any process: the one that holds its lease.
//! A copy that has lost the lease acquires it again before it decides, and continues from the
//! stored state.

use std::sync::Arc;

use aileron_store::{AcquireResult, Lease, StoredConversation as StoredDocument};
use tokio::sync::MutexGuard;

use super::document::Document;
use super::resume::resume;
use crate::conversation_core::ConversationCore;
use crate::open_error::OpenError;
use crate::open_request::{ModeEntry, OpenRequest};

/// How often an operation is retried because another process took the conversation.
pub(crate) const ATTEMPTS: usize = 20;

/// Whether this copy owns the conversation. Costs a load from memory.
pub(crate) fn is_owner(core: &ConversationCore) -> bool {
    let locked = core.lock();
    locked.policy.scope.lease.is_held() && !locked.saved.is_stale
}

/// Acquires the conversation, unless this copy owns it.
pub(crate) async fn own(core: &Arc<ConversationCore>) -> Result<(), OpenError> {
    if is_owner(core) {
        return Ok(());
    }
    let one_at_a_time = core.changing.lock().await;
    own_for_change(core, &one_at_a_time).await
}

/// Acquires the conversation again after the store has reported that this lease is lost.
pub(crate) async fn own_again(core: &Arc<ConversationCore>, lost: &Lease) -> Result<(), OpenError> {
    {
        let mut locked = core.lock();
        locked.saved.is_stale |= locked.policy.scope.lease == *lost;
    }
    own(core).await
}

/// The same for a change, which holds the lock. Checks the results of background saves first.
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

/// Continues from the state that another copy has saved: its turn and that turn's calls, its state,
/// its confirmations. Calls that run here continue, and so does listening for a spoken answer.
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

/// Stores the conversation again, because the store removed it after a long time without use.
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
