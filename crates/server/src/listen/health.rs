//! Whether the server is alive, and whether it is ready: one whose store cannot be written answers
//! nothing that has to be kept, and should be given no requests.

use std::time::Duration;

use aileron_store::StoreError;
use axum::extract::State;
use axum::http::StatusCode;
use tokio::time::timeout;

use crate::app::App;

/// How long the store is not asked again, so that nobody writes by asking how it is.
const REMEMBERED_MS: u64 = 1000;

/// How long the store has to write.
const LONGEST: Duration = Duration::from_secs(3);

const SLOW: &str = "the store did not write within 3 seconds";
const STOPPING: &str = "the server is stopping";

/// What the store said when it was last asked, and when that was.
#[derive(Debug, Default)]
pub(crate) struct Readiness(tokio::sync::Mutex<Option<(u64, Result<(), String>)>>);

impl App {
    /// Whether requests can be answered, and why not.
    async fn is_ready(&self) -> Result<(), String> {
        if self.stopping().is_cancelled() {
            return Err(STOPPING.to_owned());
        }
        let mut known = self.readiness().0.lock().await;
        let now = self.clock().monotonic_ms();
        if let Some((asked, said)) = &*known
            && now.saturating_sub(*asked) < REMEMBERED_MS
        {
            return said.clone();
        }
        let written = timeout(LONGEST, self.store().probe()).await;
        let said = match written {
            Ok(written) => written.map_err(|error: StoreError| error.to_string()),
            Err(_) => Err(SLOW.to_owned()),
        };
        *known = Some((now, said.clone()));
        said
    }
}

/// Whether the process answers at all.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Whether requests can be answered.
pub(super) async fn ready(State(app): State<App>) -> (StatusCode, String) {
    match app.is_ready().await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {why}\n")),
    }
}

/// Both: the first line says that it is alive, the second whether it is ready.
pub(super) async fn both(state: State<App>) -> (StatusCode, String) {
    let (status, ready) = ready(state).await;
    (status, format!("{}{ready}", live().await))
}
