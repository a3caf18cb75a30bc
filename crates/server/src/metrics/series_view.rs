//! The time series as the API returns them.

use std::collections::BTreeMap;

use aileron_contract::tokens::of_characters;
use aileron_orchestrator::PolicyName;
use aileron_orchestrator::assignment::DEFAULT;
use schemars::JsonSchema;
use serde::Serialize;

use super::sampler::step_of;
use super::series::{KEPT, STEP_MS, SeriesStep};
use super::tool_counts::ToolCounts;
use super::tools::ToolFigures;
use crate::app::App;

/// The longest time that a reader can ask for.
pub(crate) const MAX_MINUTES: u32 = 60;

const STEPS_PER_MINUTE: usize = KEPT / MAX_MINUTES as usize;

/// Figures over time. Each list has one entry for each step, the oldest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Series {
    /// When the first step began, in milliseconds since the Unix epoch.
    from: u64,
    step_ms: u64,
    /// The number of steps, which is smaller while the server has not run for so long.
    points: usize,
    calls: SeriesCalls,
    /// Refusals by policy; policies that refused nothing are absent.
    refused_by: BTreeMap<&'static str, Vec<u32>>,
    latency: SeriesLatency,
    conversations: SeriesConversations,
    open_confirmations: Vec<usize>,
    calls_in_flight: Vec<usize>,
    provider_errors: Vec<u32>,
    reconnects: Vec<u32>,
    tokens_in: Vec<u32>,
    tokens_out: Vec<u32>,
    /// The resident memory of the server; `null` where the operating system does not tell.
    memory_bytes: Vec<Option<u64>>,
    loops: Vec<u32>,
    /// The tools that were called in this time, by id.
    tools: Vec<SeriesTool>,
}

/// Calls that were answered, by outcome.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SeriesCalls {
    completed: Vec<u32>,
    failed: Vec<u32>,
    refused: Vec<u32>,
    denied: Vec<u32>,
    cancelled: Vec<u32>,
    timed_out: Vec<u32>,
}

/// Durations of calls in milliseconds; `null` for a step without a call.
#[derive(Debug, Serialize, JsonSchema)]
struct SeriesLatency {
    p50: Vec<Option<u64>>,
    p95: Vec<Option<u64>>,
    p99: Vec<Option<u64>>,
}

/// Conversations in memory, by mode.
#[derive(Debug, Serialize, JsonSchema)]
struct SeriesConversations {
    text: Vec<usize>,
    voice: Vec<usize>,
}

/// One tool over the whole time. Percentiles are of its last 1,000 calls in this time; `null` without any.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SeriesTool {
    tool_id: String,
    calls: u32,
    succeeded: u32,
    failed: u32,
    refused: u32,
    p50: Option<u64>,
    p95: Option<u64>,
    /// `latencyBudgetMs` of the tool; 0 if the current registry does not have it.
    budget_ms: u64,
    response_chars_p95: Option<u64>,
    response_tokens_p95: Option<u64>,
    over_budget: u32,
    /// Why calls of the tool are refused at present.
    #[serde(skip_serializing_if = "Option::is_none")]
    quarantined: Option<String>,
}

impl Series {
    /// The series of the last minutes, up to the end of the last step.
    pub(crate) fn of(app: &App, minutes: u32) -> Self {
        let most = minutes.min(MAX_MINUTES) as usize * STEPS_PER_MINUTE;
        app.metrics().series.read(most, |from, steps| {
            let steps: Vec<&SeriesStep> = steps.collect();
            Self::of_steps(app, from, &steps)
        })
    }

    fn of_steps(app: &App, from: u64, steps: &[&SeriesStep]) -> Self {
        Self {
            from,
            step_ms: STEP_MS,
            points: steps.len(),
            calls: SeriesCalls {
                completed: each(steps, |step| step.calls.completed),
                failed: each(steps, |step| step.calls.failed),
                refused: each(steps, |step| step.calls.refused),
                denied: each(steps, |step| step.calls.denied),
                cancelled: each(steps, |step| step.calls.cancelled),
                timed_out: each(steps, |step| step.calls.timed_out),
            },
            refused_by: refusals(steps),
            latency: SeriesLatency {
                p50: each(steps, |step| step.latency[0]),
                p95: each(steps, |step| step.latency[1]),
                p99: each(steps, |step| step.latency[2]),
            },
            conversations: SeriesConversations {
                text: each(steps, |step| step.gauges.text),
                voice: each(steps, |step| step.gauges.voice),
            },
            open_confirmations: each(steps, |step| step.gauges.open_confirmations),
            calls_in_flight: each(steps, |step| step.gauges.calls_in_flight),
            provider_errors: each(steps, |step| step.provider_errors),
            reconnects: each(steps, |step| step.reconnects),
            tokens_in: each(steps, |step| step.tokens_in),
            tokens_out: each(steps, |step| step.tokens_out),
            memory_bytes: each(steps, |step| step.gauges.memory_bytes),
            loops: each(steps, |step| step.refusals[PolicyName::Loops as usize]),
            tools: tools(app, step_of(from), steps),
        }
    }
}

fn each<T>(steps: &[&SeriesStep], value: fn(&SeriesStep) -> T) -> Vec<T> {
    steps.iter().map(|step| value(step)).collect()
}

fn refusals(steps: &[&SeriesStep]) -> BTreeMap<&'static str, Vec<u32>> {
    let by_policy = PolicyName::all().map(|policy| {
        let counts: Vec<u32> = steps.iter().map(|step| step.refusals[policy as usize]).collect();
        (policy.as_str(), counts)
    });
    by_policy.filter(|(_, counts)| counts.iter().any(|count| *count > 0)).collect()
}

fn tools(app: &App, since: u32, steps: &[&SeriesStep]) -> Vec<SeriesTool> {
    let mut sums: BTreeMap<u16, ToolCounts<u32>> = BTreeMap::new();
    for (place, counts) in steps.iter().flat_map(|step| &step.tools) {
        sums.entry(*place).or_default().add(counts);
    }
    let entries = app.metrics().calls.tools.places();
    let called = entries.filter_map(|(at, figures)| Some((figures, sums.get(&(at as u16))?)));
    let mut tools: Vec<_> =
        called.map(|(figures, counts)| summary(app, figures, *counts, since)).collect();
    tools.sort_unstable_by(|a, b| a.tool_id.cmp(&b.tool_id));
    tools
}

fn summary(app: &App, figures: &ToolFigures, counts: ToolCounts<u32>, since: u32) -> SeriesTool {
    let registries = app.orchestrator().offered().registries;
    let default = registries.get(DEFAULT).into_iter().chain(registries.values());
    let mut tools = default.filter_map(|registry| registry.tool(&figures.tool));
    let tool = tools.clone().find(|tool| tool.quarantine().is_some()).or_else(|| tools.next());
    let [p50, p95] = figures.recent_durations.percentiles_since(since, [50, 95]);
    let [response_chars_p95] = figures.recent_sizes.percentiles_since(since, [95]);
    SeriesTool {
        tool_id: figures.tool.to_string(),
        calls: counts.calls,
        succeeded: counts.succeeded,
        failed: counts.failed,
        refused: counts.refused,
        p50,
        p95,
        budget_ms: tool.map_or(0, |tool| tool.spec().latency_budget_ms),
        response_chars_p95,
        response_tokens_p95: response_chars_p95.map(|chars| of_characters(chars as usize) as u64),
        over_budget: counts.over_budget,
        quarantined: tool
            .and_then(|tool| tool.quarantine())
            .map(|quarantine| quarantine.to_string()),
    }
}
