//! One copy of a conversation decides at a time, in whatever process: the one that holds its lease. A
//! copy that has lost it takes it again before it decides, and goes on from what the store has.

use std::sync::Arc;

use aileron_store::{Acquired, Document as Stored, Lease};
use tokio::sync::MutexGuard;

use super::document::Document;
use super::{ConversationCore, PendingSaves};
use crate::orchestrator::{ModeEntry, OpenError, OpenRequest};

impl ConversationCore {
    /// Whether this copy decides about the conversation. Costs a load from memory.
    pub(crate) fn is_owner(&self) -> bool {
        let inner = self.lock();
        inner.memory.scope.lease.is_held() && !inner.is_stale
    }

    /// Sees to it that this copy decides about the conversation.
    pub(crate) async fn own(self: &Arc<Self>) -> Result<(), OpenError> {
        if self.is_owner() {
            return Ok(());
        }
        let one_at_a_time = self.changing.lock().await;
        self.keep_hold(&one_at_a_time).await
    }

    /// The same after the store has said that this lease is lost.
    pub(crate) async fn own_again(self: &Arc<Self>, lost: &Lease) -> Result<(), OpenError> {
        {
            let mut inner = self.lock();
            inner.is_stale |= inner.memory.scope.lease == *lost;
        }
        self.own().await
    }

    /// The same, for who makes a change. What was saved without being waited for is looked at.
    pub(super) async fn keep_hold(
        self: &Arc<Self>,
        _one_at_a_time: &MutexGuard<'_, ()>,
    ) -> Result<(), OpenError> {
        let is_stale = {
            let mut inner = self.lock();
            inner.is_stale |= inner.saves.look();
            inner.is_stale || !inner.memory.scope.lease.is_held()
        };
        match is_stale {
            true => self.take_again().await,
            false => Ok(()),
        }
    }

    async fn take_again(self: &Arc<Self>) -> Result<(), OpenError> {
        match self.core.store.acquire(&self.id).await? {
            Acquired::Owner(lease, stored) => self.go_on_from(&stored, lease).await,
            Acquired::Ended(stored) => {
                let theirs = Document::read(&stored.body).map_err(OpenError::unreadable)?;
                let mut inner = self.lock();
                inner.memory.state = theirs.stable.state;
                inner.memory.follow_mode();
                drop(inner);
                self.core.forget(&self.id);
                Err(OpenError::Ended)
            }
            Acquired::Missing => self.keep_again().await,
            Acquired::Held => Err(OpenError::HeldElsewhere),
        }
    }

    /// Goes on from what another copy has left: its turn and what was called in it, its state, its
    /// questions. Calls that run here go on, and so does listening for an answer.
    async fn go_on_from(self: &Arc<Self>, stored: &Stored, lease: Lease) -> Result<(), OpenError> {
        let document = Document::read(&stored.body).map_err(OpenError::unreadable)?;
        let mode = document.stable.state.mode();
        let opening = OpenRequest { id: self.id.clone(), mode, person: self.person.clone() };
        let who = (opening, ModeEntry::Moved);
        let copy = Self::resume(&self.core, who, document, (stored.version, lease)).await?;
        let (mut inner, mut theirs) = (self.lock(), copy.lock());
        theirs.memory.history.follow_on(&inner.memory.history);
        theirs.memory.questions.listen_on(&inner.memory.questions);
        std::mem::swap(&mut inner.memory, &mut theirs.memory);
        std::mem::swap(&mut inner.stable, &mut theirs.stable);
        inner.saves = PendingSaves::at(stored.version);
        inner.is_stale = false;
        Ok(())
    }

    /// It was not used for so long that it was forgotten, and is kept from here on again.
    async fn keep_again(&self) -> Result<(), OpenError> {
        let (owner, now) = (self.person.id.as_ref(), self.now());
        let body = Arc::new(self.lock().document());
        let begun = self.core.store.begin_conversation(&self.id, owner, body, now).await?;
        let lease = begun.ok_or(OpenError::HeldElsewhere)?;
        let mut inner = self.lock();
        inner.memory.take_lease(lease);
        inner.saves = PendingSaves::at(1);
        inner.is_stale = false;
        Ok(())
    }
}
