//! The cached URLs of our calendars, discovered once for all requests. A discovery continues after
//! the call that started it timed out, so that the next call benefits; calendars that moved are
//! discovered again.

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

/// The result of using a cached URL.
#[derive(Debug)]
pub(super) enum AddressAttempt<T> {
    Done(T),
    /// The calendar was not found; the HTTP status.
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

    /// Runs in a separate task, which continues if no request awaits it.
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

    /// Removes cached URLs that are wrong.
    fn forget(&self, places: &Arc<DiscoveredCalendars>) {
        let mut held = self.directory.lock();
        let known = held.as_ref().and_then(Shared::peek).and_then(|found| found.as_ref().ok());
        if known.is_some_and(|known| Arc::ptr_eq(known, places)) {
            *held = None;
        }
    }

    /// Discovers the URLs again after the calendars moved.
    pub(super) async fn places_again(
        self: &Arc<Self>,
        stale: &Arc<DiscoveredCalendars>,
    ) -> Result<Arc<DiscoveredCalendars>, CapabilityFault> {
        self.forget(stale);
        self.places().await
    }
}

/// The fault of a server that lists a calendar and does not have it.
pub(super) fn nowhere(status: u16) -> CapabilityFault {
    let message =
        format!("{WHO} answered with status {status}: our calendar is not where it says it is");
    CapabilityFault::new(FaultCode::Refused, message)
}
