//! Lets work go on when whoever waits for it goes away.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// Awaits a future that must come to its end. If it is not ready at once it gets a task of its own,
/// which goes on when the caller is dropped; a future that is ready costs one allocation.
pub(crate) async fn outlive<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let mut work = Box::pin(work);
    let first = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await;
    match first {
        Poll::Ready(value) => value,
        Poll::Pending => finished(tokio::spawn(work)).await,
    }
}

/// The work itself is guarded against panics where handlers run, so the task ends well unless the
/// whole runtime is shut down, and then nobody waits.
async fn finished<T>(task: tokio::task::JoinHandle<T>) -> T {
    let mut task = pin!(task);
    match task.as_mut().await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => std::future::pending().await,
        },
    }
}
