//! The task that takes a confirmation and starts its call, in one transaction.

use std::sync::Arc;

use super::enter;
use crate::call::CallStart;
use crate::document::TakeResult;
use crate::error::StoreError;
use crate::ledger::{BeginConfirmedResult, BeginResult, CallStatus, Ticket};
use crate::pending_write::WriteCompleter;
use crate::sqlite::confirmations::Take;
use crate::sqlite::shared::StoreShared;
use crate::sqlite::task::{AfterCommit, Task, WriteBatch};
use crate::sqlite::{leases, rows};

/// Takes a confirmation and enters the call it is about, or does neither.
pub(super) struct BeginConfirmed {
    taken: Take,
    call: Arc<CallStart>,
    reply: WriteCompleter<BeginConfirmedResult>,
    /// Set if the call must not run.
    not: Option<BeginConfirmedResult>,
    is_owner: bool,
}

impl BeginConfirmed {
    pub(super) fn new(
        taken: Take,
        call: Arc<CallStart>,
        reply: WriteCompleter<BeginConfirmedResult>,
    ) -> Self {
        Self { taken, call, reply, not: None, is_owner: true }
    }

    /// The call's status on disk, unless it may run.
    fn known(&self, batch: &WriteBatch<'_>) -> rusqlite::Result<Option<CallStatus>> {
        let me = &batch.shared.instance;
        let row = rows::find(batch.connection, self.call.conversation(), &self.call.key)?;
        let row = row.filter(|row| !row.is_running_here(me) && !row.may_run_again(me));
        row.map(|row| row.known(me)).transpose()
    }
}

impl Task for BeginConfirmed {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        self.not =
            self.known(batch)?.map(|known| BeginConfirmedResult::Begun(BeginResult::Known(known)));
        self.is_owner = self.not.is_some() || leases::is_owner(batch.connection, &self.call.scope)?;
        if self.not.is_some() || !self.is_owner {
            return Ok(());
        }
        self.not = match self.taken.apply(batch.connection)? {
            TakeResult::Pending(_) => return enter(batch, &self.call).map(drop),
            TakeResult::Expired(pending) => Some(BeginConfirmedResult::Expired(pending)),
            TakeResult::Unknown => Some(BeginConfirmedResult::Unknown),
        };
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        let cache = &after.shared.cache;
        if !self.is_owner {
            cache.withdraw(&self.call);
            return self.reply.send(Err(StoreError::not_owner(self.call.conversation())));
        }
        self.reply.send(Ok(match self.not {
            None => BeginConfirmedResult::Begun(BeginResult::Started(Ticket::new(
                self.call,
                after.shared.clone(),
            ))),
            Some(known @ BeginConfirmedResult::Begun(_)) => {
                cache.leave_to_disk(&self.call);
                known
            }
            Some(not) => {
                cache.withdraw(&self.call);
                not
            }
        }));
    }

    fn failed(self: Box<Self>, shared: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>> {
        shared.cache.withdraw(&self.call);
        self.reply.send(Err(error.clone()));
        None
    }
}
