//! Renders the metrics as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::calls::CallMetrics;
use super::context::ContextFigures;
use super::figure::Histogram;
use super::voice::Quota;
use crate::app::App;
use crate::voice::Voice;

/// All metrics.
pub(super) struct AllMetrics<'a> {
    calls: &'a CallMetrics,
    context: &'a ContextFigures,
    voice: &'a Voice,
}

impl<'a> AllMetrics<'a> {
    pub(super) fn of(app: &'a App) -> Self {
        Self { calls: app.metrics(), context: app.context_figures(), voice: app.voice() }
    }
}

/// In the Prometheus text format.
pub(super) fn text(figures: &AllMetrics<'_>) -> String {
    let mut page = MetricsText(String::new());
    call_text(&mut page, figures.calls);
    voice_text(&mut page, figures.voice);
    context_text(&mut page, figures.context);
    page.0
}

/// The quarantines of tools, in the same format.
pub(super) fn quarantines(seconds: &[(String, u64)]) -> String {
    let mut page = MetricsText(String::new());
    let seconds = seconds.iter().map(|(tool, seconds)| (tool.as_str(), *seconds));
    page.gauges(
        "aileron_tool_quarantine_seconds",
        "Seconds left of a tool's quarantine.",
        "tool",
        seconds,
    );
    page.0
}

fn call_text(page: &mut MetricsText, calls: &CallMetrics) {
    // Names every field, so that a metric that is not rendered does not compile.
    let CallMetrics {
        aborted,
        cancelled,
        completed,
        confirmations_approved,
        confirmations_asked,
        confirmations_declined,
        confirmations_expired,
        defects,
        denied,
        duration_ms,
        intents_refused,
        over_budget,
        refused,
        refused_by_budgets,
        refused_by_loops,
        response_tokens,
        timed_out,
        succeeded: _,
        response_chars: _,
    } = calls;
    let outcomes = [
        ("completed", completed.count()),
        ("refused", refused.count()),
        ("denied", denied.count()),
        ("cancelled", cancelled.count()),
        ("timed_out", timed_out.count()),
        ("aborted", aborted.count()),
    ];
    page.counters("aileron_calls", "Calls by outcome.", "outcome", outcomes);
    let refused = [("loops", refused_by_loops.count()), ("budgets", refused_by_budgets.count())];
    page.counters("aileron_refusals", "Calls that a policy refused.", "policy", refused);
    let issues = [
        ("defects", defects.count()),
        ("intents_refused", intents_refused.count()),
        ("over_budget", over_budget.count()),
    ];
    page.counters("aileron_tool_issues", "Defects and limits of tools.", "kind", issues);
    let confirmations = [
        ("asked", confirmations_asked.count()),
        ("approved", confirmations_approved.count()),
        ("declined", confirmations_declined.count()),
        ("expired", confirmations_expired.count()),
    ];
    page.counters("aileron_confirmations", "Confirmations by state.", "how", confirmations);
    page.histogram("aileron_call_duration_milliseconds", "Duration of calls.", duration_ms);
    page.histogram("aileron_response_tokens", "Estimated tokens of responses.", response_tokens);
}

fn voice_text(page: &mut MetricsText, voice: &Voice) {
    let figures = voice.figures();
    page.gauge("aileron_voice_connections", "Open connections.", voice.connections() as u64);
    page.counters("aileron_voice_ended", "Ends of sessions.", "reason", figures.endings());
    let plain = [
        ("sessions", figures.sessions.count()),
        ("over_capacity", figures.over_capacity.count()),
        ("refused", figures.refused.count()),
        ("calls", figures.calls.count()),
        ("answers", figures.answers.count()),
        ("reconnects", figures.reconnects.count()),
        ("malformed_frames", figures.malformed.count()),
        ("audio_dropped_up", figures.audio_dropped_up.count()),
        ("audio_dropped_down", figures.audio_dropped_down.count()),
        ("tokens_in", figures.tokens_in.count()),
        ("tokens_out", figures.tokens_out.count()),
        ("nearly_full_windows", figures.nearly_full.count()),
    ];
    page.counters("aileron_voice_events", "Events of voice sessions.", "event", plain);
    let quotas = figures.quotas();
    let left = quotas.iter().map(|(name, quota)| (name.as_str(), quota.remaining));
    page.gauges("aileron_voice_quota_remaining", "Left of a provider's quota.", "quota", left);
    let whole = quotas.iter().map(|(name, quota)| (name.as_str(), quota.limit));
    page.gauges("aileron_voice_quota_limit", "All of a provider's quota.", "quota", whole);
}

fn context_text(page: &mut MetricsText, context: &ContextFigures) {
    let ContextFigures { peak_tokens, result_tokens, start_tokens } = context;
    page.histogram(
        "aileron_context_start_tokens",
        "Tokens of context at the start of a conversation.",
        start_tokens,
    );
    page.histogram("aileron_context_result_tokens", "Tokens of each tool result.", result_tokens);
    page.histogram(
        "aileron_context_peak_tokens",
        "Largest number of tokens in a conversation's context.",
        peak_tokens,
    );
}

struct MetricsText(String);

impl MetricsText {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "gauge");
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn counters<'a>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'a str, u64)>,
    ) {
        self.head(name, help, "counter");
        for (which, value) in values {
            let _ = writeln!(self.0, "{name}_total{{{label}=\"{which}\"}} {value}");
        }
    }

    /// Escapes the label values, which come from outside.
    fn gauges<'a>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'a str, u64)>,
    ) {
        self.head(name, help, "gauge");
        for (which, value) in values {
            let which = which.escape_default();
            let _ = writeln!(self.0, "{name}{{{label}=\"{which}\"}} {value}");
        }
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, help, "histogram");
        let (buckets, count) = histogram.cumulative();
        for (bound, so_far) in buckets {
            let _ = writeln!(self.0, "{name}_bucket{{le=\"{bound}\"}} {so_far}");
        }
        let _ = writeln!(self.0, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(self.0, "{name}_sum {}\n{name}_count {count}", histogram.sum());
    }
}

/// The summary as JSON.
pub(super) fn json(all: &AllMetrics<'_>) -> Value {
    let AllMetrics { calls, context, voice } = all;
    let figures = voice.figures();
    let endings: serde_json::Map<_, _> =
        figures.endings().map(|(reason, count)| (reason.to_owned(), json!(count))).collect();
    let quotas: serde_json::Map<_, _> = figures.quotas().into_iter().map(quota).collect();
    json!({
        "executions": calls.executions(),
        "successRate": calls.success_rate(),
        "latencyMs": spread(&calls.duration_ms),
        "responseChars": spread(&calls.response_chars),
        "responseTokens": spread(&calls.response_tokens),
        "contextStartTokens": spread(&context.start_tokens),
        "contextPeakTokens": spread(&context.peak_tokens),
        "resultTokens": spread(&context.result_tokens),
        "loopsDetected": calls.refused_by_loops.count(),
        "budgetsRefused": calls.refused_by_budgets.count(),
        "refused": calls.refused.count(),
        "defects": calls.defects.count(),
        "intentsRefused": calls.intents_refused.count(),
        "overBudget": calls.over_budget.count(),
        "confirmations": {
            "asked": calls.confirmations_asked.count(),
            "approved": calls.confirmations_approved.count(),
            "declined": calls.confirmations_declined.count(),
            "expired": calls.confirmations_expired.count(),
        },
        "voice": {
            "connections": voice.connections(),
            "sessions": figures.sessions.count(),
            "overCapacity": figures.over_capacity.count(),
            "calls": figures.calls.count(),
            "answers": figures.answers.count(),
            "reconnects": figures.reconnects.count(),
            "audioDropped": {
                "up": figures.audio_dropped_up.count(),
                "down": figures.audio_dropped_down.count(),
            },
            "nearlyFullWindows": figures.nearly_full.count(),
            "quotas": quotas,
            "ended": endings,
        },
    })
}

fn quota((name, quota): (String, Quota)) -> (String, Value) {
    (name, json!({ "limit": quota.limit, "remaining": quota.remaining }))
}

fn spread(histogram: &Histogram) -> Value {
    let [p50, p95, p99] = histogram.percentiles([50, 95, 99]);
    json!({ "count": histogram.count(), "p50": p50, "p95": p95, "p99": p99 })
}
