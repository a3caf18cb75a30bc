//! Looks after the tasks of processes that died, when the server starts and regularly: they are started again
//! or ended. Also finds the cancellations that other processes asked for.

use crate::app::App;

/// How often tasks are looked after.
const EVERY_MS: u64 = 5000;

/// Runs until the server stops.
pub(crate) async fn run(app: App) {
    loop {
        if let Err(error) = app.orchestrator().resume_tasks().await {
            tracing::warn!(%error, "The tasks of earlier processes could not be looked after.");
        }
        let next = app.clock().wait_until(app.clock().now_ms().saturating_add(EVERY_MS));
        tokio::select! {
            () = next => {}
            () = app.stopping().cancelled() => return,
        }
    }
}
