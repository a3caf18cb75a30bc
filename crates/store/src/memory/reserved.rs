//! A call that is reserved in memory and has not started.

use std::sync::Arc;

use serde_json::Value;

use super::MemoryInner;
use crate::call::CallStart;
use crate::document::{TakeRecord, TakeResult};
use crate::error::StoreError;
use crate::ledger::{BeginConfirmedResult, BeginResult, Ticket};

/// A call that `lookup` finds and that has not started: it starts when its handle is first polled.
/// If this is dropped, the call never starts.
pub(super) struct ReservedCall {
    pub(super) inner: Arc<MemoryInner>,
    pub(super) call: Option<Arc<CallStart>>,
}

impl ReservedCall {
    pub(super) fn begin(mut self) -> Result<BeginResult, StoreError> {
        let call = self.call.as_ref().ok_or(StoreError::Closed)?;
        drop(self.inner.check_owner(&call.scope)?);
        self.start()
    }

    pub(super) fn begin_confirmed(
        mut self,
        token: &str,
        now: u64,
        decision: Arc<Value>,
    ) -> Result<BeginConfirmedResult, StoreError> {
        let call = self.call.as_ref().ok_or(StoreError::Closed)?;
        let record = TakeRecord::Decided(decision);
        let taken = self.inner.check_owner(&call.scope)?.take(token, now, record);
        Ok(match taken {
            TakeResult::Pending(_) => BeginConfirmedResult::Begun(self.start()?),
            TakeResult::Expired(pending) => BeginConfirmedResult::Expired(pending),
            TakeResult::Unknown => BeginConfirmedResult::Unknown,
        })
    }

    fn start(&mut self) -> Result<BeginResult, StoreError> {
        let call = self.call.take().ok_or(StoreError::Closed)?;
        Ok(BeginResult::Started(Ticket::new(call, self.inner.clone())))
    }
}

impl Drop for ReservedCall {
    fn drop(&mut self) {
        self.call.iter().for_each(|call| self.inner.cache.withdraw(call));
    }
}
