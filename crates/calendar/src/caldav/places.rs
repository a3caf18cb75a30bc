//! Where our calendars are: found once for all who ask. A search goes on when the call that began
//! it has run out of time, so that a slow server is known to the next one; what has moved is
//! looked for again.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_capability::{CapabilityFault, FaultCode};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};

use super::CalDavInner;
use super::discovery::{self, DiscoveredCalendars};
use super::web::WHO;

type Search = Shared<BoxFuture<'static, Result<Arc<DiscoveredCalendars>, CapabilityFault>>>;

/// The latest search.
#[derive(Default)]
pub(super) struct Directory(Mutex<Option<Search>>);

impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Directory").finish_non_exhaustive()
    }
}

/// What came of using a place.
#[derive(Debug)]
pub(super) enum AddressAttempt<T> {
    Done(T),
    /// The calendar is not there, says this status.
    Moved(u16),
}

impl Directory {
    fn lock(&self) -> MutexGuard<'_, Option<Search>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CalDavInner {
    pub(super) async fn places(
        self: &Arc<Self>,
    ) -> Result<Arc<DiscoveredCalendars>, CapabilityFault> {
        let search = {
            let mut held = self.directory.lock();
            let failed = held.as_ref().and_then(Shared::peek).is_some_and(Result::is_err);
            match held.as_ref().filter(|_| !failed) {
                Some(search) => search.clone(),
                None => held.insert(self.search()).clone(),
            }
        };
        search.await
    }

    /// In a task of its own, which nobody has to wait for.
    fn search(self: &Arc<Self>) -> Search {
        let inner = self.clone();
        let task = tokio::spawn(async move {
            let found = discovery::find(&inner.web, &inner.base, inner.calendar.as_deref()).await;
            found.map(Arc::new)
        });
        let broken =
            || CapabilityFault::new(FaultCode::Unavailable, "the search for calendars broke off");
        async move { task.await.unwrap_or_else(|_| Err(broken())) }.boxed().shared()
    }

    /// These are not where our calendars are.
    fn forget(&self, places: &Arc<DiscoveredCalendars>) {
        let mut held = self.directory.lock();
        let known = held.as_ref().and_then(Shared::peek).and_then(|found| found.as_ref().ok());
        if known.is_some_and(|known| Arc::ptr_eq(known, places)) {
            *held = None;
        }
    }

    /// Where they are by now, after they were found to have moved.
    pub(super) async fn places_again(
        self: &Arc<Self>,
        stale: &Arc<DiscoveredCalendars>,
    ) -> Result<Arc<DiscoveredCalendars>, CapabilityFault> {
        self.forget(stale);
        self.places().await
    }
}

/// The server lists a calendar and does not have it.
pub(super) fn nowhere(status: u16) -> CapabilityFault {
    let message =
        format!("{WHO} answered with status {status}: our calendar is not where it says it is");
    CapabilityFault::new(FaultCode::Refused, message)
}
