//! The metrics as one JSON object, for people and scripts.

use aileron_contract::Mode;
use aileron_orchestrator::PolicyName;
use serde_json::{Map, Value, json};

use super::context::ModeContext;
use super::figure::Histogram;
use super::recent::RecentValues;
use super::tools::ToolFigures;
use super::voice::Quota;
use crate::app::App;

/// The summary of a server.
pub(super) fn summary(app: &App) -> Value {
    let (metrics, loaded) = (app.metrics(), app.orchestrator().loaded());
    let (calls, context) = (&metrics.calls, &metrics.context);
    let (text, voice) = (context.of(Mode::Text), context.of(Mode::Voice));
    let both = |figure: fn(&ModeContext) -> &Histogram| spread(&[figure(text), figure(voice)]);
    let tools = calls.tools.used();
    let by_tool = |figures: fn(&ToolFigures) -> Value| -> Map<String, Value> {
        tools.iter().map(|tool| (tool.tool.to_string(), figures(tool))).collect()
    };
    let start = context.last_start();
    json!({
        "executions": calls.executions(),
        "successRate": calls.success_rate(),
        "latencyMs": spread(&[&calls.duration_ms]),
        "responseChars": spread(&[&calls.response_chars]),
        "responseSizes": by_tool(|tool| recent(&tool.recent_sizes)),
        "responseTokens": all_and_each(spread(&[&calls.response_tokens]), by_tool(response_tokens)),
        "tools": by_tool(tool),
        "contextStartTokens": both(|it| &it.start_tokens),
        "contextPeakTokens": both(|it| &it.peak_tokens),
        "resultTokens": both(|it| &it.result_tokens),
        "context": {
            "sessionInitTokens": start.total(),
            "systemPromptTokens": start.instructions,
            "toolDeclTokens": start.declarations,
            "historyTokens": start.history,
            "text": mode_context(text),
            "voice": mode_context(voice),
        },
        "loopsDetected": calls.refused_by(PolicyName::Loops),
        "loopDetection": {
            "activeSessions": loaded.text + loaded.voice,
            "totalTurnsTracked": loaded.turns_tracked,
            "detected": calls.refused_by(PolicyName::Loops),
        },
        "budgetsRefused": calls.refused_by(PolicyName::Budgets),
        "refused": calls.with_outcome(&["refused"]),
        "refusals": calls.refusals().map(|(policy, count)| (policy.to_owned(), count.into())).collect::<Map<_, Value>>(),
        "defects": calls.defects.count(),
        "intentsRefused": calls.intents_refused.count(),
        "overBudget": calls.over_budget.count(),
        "callsInFlight": app.orchestrator().calls_in_flight(),
        "openConfirmations": loaded.open_confirmations,
        "confirmations": calls.confirmations.all().into_iter().map(|(how, count)| (how.to_owned(), count.into())).collect::<Map<_, Value>>(),
        "sessions": sessions(app),
        "models": { "text": model(app, Mode::Text), "voice": model(app, Mode::Voice) },
        "voice": voice_summary(app),
    })
}

/// The figures of all tools, and below their names those of each. A tool that is called like a figure of all
/// of them is left out; `tools` has it.
fn all_and_each(all: Value, each: Map<String, Value>) -> Value {
    let mut together = each;
    if let Value::Object(all) = all {
        together.extend(all);
    }
    together.into()
}

fn response_tokens(tool: &ToolFigures) -> Value {
    let counts = tool.tokens.buckets();
    let avg = counts.sum.checked_div(counts.count()).unwrap_or_default();
    let [p95] = tool.recent_sizes.percentiles([95]);
    json!({ "avg": avg, "p95": aileron_contract::tokens::of_characters(p95 as usize) })
}

fn tool(tool: &ToolFigures) -> Value {
    let durations = tool.durations.buckets();
    let [completed, refused, denied, cancelled, timed_out, aborted] =
        tool.outcomes.each_ref().map(super::figure::Counter::count);
    let succeeded = tool.succeeded.count();
    let errors = completed.saturating_sub(succeeded) + timed_out + aborted;
    json!({
        "calls": tool.calls(),
        "succeeded": succeeded,
        "errors": errors,
        "refused": refused,
        "denied": denied,
        "cancelled": cancelled,
        "timedOut": timed_out,
        "avgDuration": durations.sum.checked_div(durations.count()).unwrap_or_default(),
        "latencyMs": recent(&tool.recent_durations),
        "overBudget": tool.over_budget.count(),
    })
}

fn mode_context(figures: &ModeContext) -> Value {
    let ModeContext {
        start_tokens,
        instruction_tokens,
        declaration_tokens,
        result_tokens,
        peak_tokens,
    } = figures;
    json!({
        "startTokens": spread(&[start_tokens]),
        "instructionTokens": spread(&[instruction_tokens]),
        "declarationTokens": spread(&[declaration_tokens]),
        "resultTokens": spread(&[result_tokens]),
        "peakTokens": spread(&[peak_tokens]),
    })
}

fn sessions(app: &App) -> Value {
    let (figures, loaded) = (&app.metrics().sessions, app.orchestrator().loaded());
    json!({
        "active": { "text": loaded.text, "voice": loaded.voice },
        "started": { "text": figures.text.count(), "voice": figures.voice.count() },
        "ended": figures.ended.count(),
        "durationMs": spread(&[&figures.duration_ms]),
        "turns": spread(&[&figures.turns]),
        "calls": spread(&[&figures.calls]),
    })
}

fn model(app: &App, mode: Mode) -> Value {
    let figures = app.metrics().models.of(mode);
    json!({
        "tokensIn": figures.tokens_in.count(),
        "tokensOut": figures.tokens_out.count(),
        "errors": figures.errors.count(),
    })
}

fn voice_summary(app: &App) -> Value {
    let figures = app.voice().figures();
    let endings: Map<_, _> =
        figures.endings().map(|(reason, count)| (reason.to_owned(), json!(count))).collect();
    let quotas: Map<_, _> = figures.quotas().into_iter().map(quota).collect();
    json!({
        "connections": app.voice().connections(),
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
    })
}

fn quota((name, quota): (String, Quota)) -> (String, Value) {
    (name, json!({ "limit": quota.limit, "remaining": quota.remaining }))
}

/// Percentiles of all values since the start.
fn spread(histograms: &[&Histogram]) -> Value {
    let count: u64 = histograms.iter().map(|histogram| histogram.count()).sum();
    let [p50, p95, p99] = Histogram::percentiles_of(histograms, [50, 95, 99]);
    json!({ "count": count, "p50": p50, "p95": p95, "p99": p99 })
}

/// Percentiles of the last 1,000 values.
fn recent(values: &RecentValues) -> Value {
    let [p50, p95, p99] = values.percentiles([50, 95, 99]);
    json!({ "count": values.len(), "p50": p50, "p95": p95, "p99": p99 })
}
