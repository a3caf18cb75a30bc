//! Accepts connections until the server is stopped, and stops it in order.

mod accept;
mod connection;
mod health;
mod linger;
mod readiness;
mod routes;
mod stall;
mod welcome;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_util::task::TaskTracker;

use self::accept::AcceptErrors;
use self::connection::Connection;
pub(crate) use self::linger::LingerStream;
pub(crate) use self::readiness::Readiness;
pub use self::routes::router;
pub(crate) use self::stall::StallStream;
use crate::app::App;
use crate::{metrics, task_recovery};

/// How long aborted requests have to send their last message.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Answers requests until `stop` resolves. Then the server accepts no connection, and requests in flight have a
/// bounded time to finish; those that have not finished are aborted with a message. Voice sessions end once
/// their calls have settled, and the store is flushed. Returns the calls that were left running.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<ShutdownReport> {
    let connections = TaskTracker::new();
    let tidying = tokio::spawn(app.conversations().clone().release_idle());
    let sampling = tokio::spawn(metrics::sample(app.clone()));
    let recovering = tokio::spawn(task_recovery::run(app.clone()));
    let tending = tend_images(&app).await;
    accept(&app, listener, &connections, stop).await;
    tidying.abort();
    sampling.abort();
    recovering.abort();
    tending.inspect(JoinHandle::abort);
    app.stopping().cancel();
    app.voice().stop();
    connections.close();
    let told = Instant::now();
    let deadline = told + app.limits().grace;
    let _ = timeout_at(deadline, connections.wait()).await;
    app.time_is_up().cancel();
    let deadline = deadline.max(Instant::now() + LAST_WORDS);
    let _ = timeout_at(deadline, connections.wait()).await;
    if let Some(chat) = app.chat() {
        let _ = timeout_at(deadline, chat.drained()).await;
    }
    // The calls that the end of a voice session waits for have a separate limit.
    let voice_deadline = deadline.max(told + app.voice().max_shutdown_time());
    let _ = timeout_at(voice_deadline, app.voice().drained()).await;
    let _ = timeout_at(deadline, app.orchestrator().settled()).await;
    let left = ShutdownReport { calls: app.orchestrator().calls_in_flight() };
    app.metrics().telemetry.shut_down().await;
    app.store().flush().await.map_err(io::Error::other)?;
    Ok(left)
}

/// The state in which a server stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShutdownReport {
    /// Calls that were still running. They end with the process, and the next process that opens the store
    /// records that; the outcome of those that write is unknown.
    pub calls: usize,
}

/// Deletes expired images, at the start and from then on.
async fn tend_images(app: &App) -> Option<JoinHandle<()>> {
    let images = app.images()?;
    // An image that cannot be deleted is not served either, and its deletion is tried again later.
    let _ = images.sweep(app.clock().now_ms()).await;
    Some(tokio::spawn(images.clone().tend(app.clock().clone())))
}

/// Accepts connections, up to the maximum number at a time.
async fn accept(
    app: &App,
    listener: TcpListener,
    connections: &TaskTracker,
    stop: impl Future<Output = ()>,
) {
    let slots = Arc::new(Semaphore::new(app.limits().connections));
    let connection = Connection::new(app);
    let mut accept_errors = AcceptErrors::default();
    let accepting = async {
        while let Ok(slot) = slots.clone().acquire_owned().await {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    accept_errors.on_accepted();
                    let answered = connection.clone().answer(stream, peer);
                    connections.spawn(async move {
                        answered.await;
                        drop(slot);
                    });
                }
                Err(error) => accept_errors.wait_after_error(&error).await,
            }
        }
    };
    tokio::select! {
        () = accepting => {}
        () = stop => {}
    }
}
