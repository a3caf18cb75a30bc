//! Ends the steps of the time series, and the turns of quiet conversations, while the server runs.

use super::process;
use super::series::{Gauges, STEP_MS, Totals};
use crate::app::App;

/// Ends a step every five seconds.
pub(crate) async fn sample(app: App) {
    let metrics = app.metrics().clone();
    let now = app.clock().now_ms();
    metrics.series.begin(now);
    metrics.calls.set_step(step_of(now));
    loop {
        let now = app.clock().now_ms();
        app.clock().wait_until(now - now % STEP_MS + STEP_MS).await;
        let now = app.clock().now_ms();
        metrics.calls.set_step(step_of(now));
        metrics.series.end_step(now, totals(&app), gauges(&app));
        metrics.telemetry.end_quiet_turns();
    }
}

/// The number of the step that a time belongs to.
pub(super) fn step_of(time_ms: u64) -> u32 {
    u32::try_from(time_ms / STEP_MS).unwrap_or(u32::MAX)
}

fn totals(app: &App) -> Totals {
    let models = &app.metrics().models;
    Totals {
        provider_errors: models.text.errors.count() + models.voice.errors.count(),
        reconnects: app.voice().figures().reconnects.count(),
        tokens_in: models.text.tokens_in.count() + models.voice.tokens_in.count(),
        tokens_out: models.text.tokens_out.count() + models.voice.tokens_out.count(),
        ..Totals::of_calls(&app.metrics().calls)
    }
}

fn gauges(app: &App) -> Gauges {
    let loaded = app.orchestrator().loaded();
    Gauges {
        text: loaded.text,
        voice: loaded.voice,
        open_confirmations: loaded.open_confirmations,
        calls_in_flight: app.orchestrator().calls_in_flight(),
        memory_bytes: process::resident_bytes(),
    }
}
