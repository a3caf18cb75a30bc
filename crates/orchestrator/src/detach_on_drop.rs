//! Lets work go on when whoever waits for it goes away.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;

/// Work that must come to its end: awaited where it is, and given a task of its own when it is
/// dropped before.
#[must_use = "work that is dropped goes on by itself"]
pub(crate) struct DetachOnDrop<T: Send + 'static>(Option<BoxFuture<'static, T>>);

/// Awaits work that goes on if the caller is dropped.
pub(crate) fn detach_on_drop<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> DetachOnDrop<T> {
    DetachOnDrop(Some(Box::pin(work)))
}

impl<T: Send + 'static> Future for DetachOnDrop<T> {
    type Output = T;

    /// The work is taken out while it runs, so that nothing is left of it if it panics.
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
