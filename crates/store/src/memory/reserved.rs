//! A call that waits for its turn.

use std::sync::Arc;

use super::Inner;
use crate::call::CallStart;
use crate::document::Taken;
use crate::error::StoreError;
use crate::ledger::{Begun, Confirmed, Ticket};

/// A call that is known and has not begun: it waits for its turn. Dropped, it never does.
pub(super) struct Reserved {
    pub(super) inner: Arc<Inner>,
    pub(super) call: Option<Arc<CallStart>>,
}

impl Reserved {
    pub(super) fn begin(mut self) -> Result<Begun, StoreError> {
        let call = self.call.as_ref().ok_or(StoreError::Closed)?;
        drop(self.inner.check_owner(&call.scope)?);
        self.start()
    }

    pub(super) fn begin_confirmed(
        mut self,
        token: &str,
        now: u64,
    ) -> Result<Confirmed, StoreError> {
        let call = self.call.as_ref().ok_or(StoreError::Closed)?;
        let taken = self.inner.check_owner(&call.scope)?.take(token, now);
        Ok(match taken {
            Taken::Pending(_) => Confirmed::Begun(self.start()?),
            Taken::Expired(pending) => Confirmed::Expired(pending),
            Taken::Unknown => Confirmed::Unknown,
        })
    }

    fn start(&mut self) -> Result<Begun, StoreError> {
        let call = self.call.take().ok_or(StoreError::Closed)?;
        Ok(Begun::Started(Ticket::new(call, self.inner.clone())))
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.call.iter().for_each(|call| self.inner.front.withdraw(call));
    }
}
