//! Lets a future continue when its caller is dropped.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;

/// A future that must complete: it is polled in place, and spawned as a separate task if it is
/// dropped before it completes.
#[must_use = "work that is dropped goes on by itself"]
pub(crate) struct DetachOnDrop<T: Send + 'static>(Option<BoxFuture<'static, T>>);

/// Awaits a future that continues if the caller is dropped.
pub(crate) fn detach_on_drop<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> DetachOnDrop<T> {
    DetachOnDrop(Some(Box::pin(work)))
}

impl<T: Send + 'static> Future for DetachOnDrop<T> {
    type Output = T;

    /// The future is taken out while it is polled, so that it is not spawned again after a panic.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let Some(mut work) = self.0.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_pending() {
            self.0 = Some(work);
        }
        polled
    }
}

impl<T: Send + 'static> Drop for DetachOnDrop<T> {
    fn drop(&mut self) {
        if let (Some(work), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            drop(runtime.spawn(work));
        }
    }
}
