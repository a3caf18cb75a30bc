//! The metrics as OpenMetrics text, encoded by `prometheus-client` from the counters when they are read.

use std::collections::BTreeMap;
use std::fmt;

use aileron_contract::Mode;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeGaugeValue, NoLabelSet, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use super::calls::CallMetrics;
use super::context::ModeContext;
use super::figure::{BucketCounts, Histogram};
use super::process;
use super::tools::{MAX_TOOLS, OUTCOMES, ToolFigures};
use super::versions::{VersionFigures, VersionMetrics};
use crate::app::App;

/// All metrics of a server as OpenMetrics text.
pub(super) fn open_metrics(app: &App) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(AppCollector(app.clone())));
    let mut written = String::with_capacity(64 * 1024);
    text::encode(&mut written, &registry)?;
    Ok(written)
}

#[derive(Debug)]
struct AppCollector(App);

impl Collector for AppCollector {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut page = MetricsPage(encoder);
        let app = &self.0;
        process_metrics(&mut page, app)?;
        call_metrics(&mut page, &app.metrics().calls)?;
        tool_metrics(&mut page, &app.metrics().calls.tools.used())?;
        version_metrics(&mut page, &app.metrics().versions)?;
        quarantines(&mut page, app)?;
        conversation_metrics(&mut page, app)?;
        model_metrics(&mut page, app)?;
        context_metrics(&mut page, app)?;
        voice_metrics(&mut page, app)
    }
}

fn process_metrics(page: &mut MetricsPage<'_>, app: &App) -> fmt::Result {
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    page.info("aileron_build", "The version of the server.", version)?;
    let started = app.started_at() as f64 / 1000.0;
    page.gauge("process_start_time_seconds", "Start of the process, in Unix time.", started)?;
    match process::resident_bytes() {
        Some(bytes) => page.gauge("process_resident_memory_bytes", "Resident memory.", bytes),
        None => Ok(()),
    }
}

fn call_metrics(page: &mut MetricsPage<'_>, calls: &CallMetrics) -> fmt::Result {
    let refusals = calls.refusals().map(|(policy, count)| ([("policy", policy)], count));
    page.counters("aileron_refusals", "Calls that a policy refused.", refusals)?;
    let issues = [
        ("defects", &calls.defects),
        ("intents_refused", &calls.intents_refused),
        ("over_budget", &calls.over_budget),
    ];
    let issues = issues.map(|(kind, count)| ([("kind", kind)], count.count()));
    page.counters("aileron_tool_issues", "Defects and limits of tools.", issues)?;
    let confirmations = calls.confirmations.all().map(|(how, count)| ([("how", how)], count));
    page.counters("aileron_confirmations", "Confirmations by state.", confirmations)
}

fn tool_metrics(page: &mut MetricsPage<'_>, tools: &[&ToolFigures]) -> fmt::Result {
    let label = |tool: &ToolFigures| ("tool", tool.tool.to_string());
    let outcomes = tools.iter().flat_map(|tool| {
        let counts = OUTCOMES.into_iter().zip(&tool.outcomes);
        counts
            .map(|(outcome, count)| ([label(tool), ("outcome", outcome.to_owned())], count.count()))
    });
    page.counters("aileron_calls", "Calls by tool and outcome.", outcomes)?;
    let successes = tools.iter().map(|tool| ([label(tool)], tool.succeeded.count()));
    page.counters("aileron_calls_succeeded", "Calls that returned a success.", successes)?;
    let over = tools.iter().map(|tool| ([label(tool)], tool.over_budget.count()));
    page.counters(
        "aileron_calls_over_budget",
        "Calls that took longer than `latencyBudgetMs`.",
        over,
    )?;
    let durations = tools.iter().map(|tool| ([label(tool)], tool.durations.buckets()));
    page.histograms(
        "aileron_call_duration_seconds",
        "Duration of executed calls.",
        1000.0,
        durations,
    )?;
    let sizes = tools.iter().map(|tool| ([label(tool)], tool.sizes.buckets()));
    page.histograms("aileron_response_characters", "Characters of responses.", 1.0, sizes)?;
    let tokens = tools.iter().map(|tool| ([label(tool)], tool.tokens.buckets()));
    page.histograms("aileron_response_tokens", "Estimated tokens of responses.", 1.0, tokens)
}

fn version_metrics(page: &mut MetricsPage<'_>, versions: &VersionMetrics) -> fmt::Result {
    let labels = |entry: &VersionFigures| {
        let [registry, tool, version] = entry.labels.each_ref().map(ToString::to_string);
        [("tool", tool), ("tool_version", version), ("registry_version", registry)]
    };
    let tools = versions.tools.used();
    let calls = tools.iter().map(|entry| (labels(entry), entry.calls.count()));
    page.counters("aileron_version_calls", "Calls by tool and version.", calls)?;
    let succeeded = tools.iter().map(|entry| (labels(entry), entry.succeeded.count()));
    page.counters(
        "aileron_version_calls_succeeded",
        "Calls that returned a success, by tool and version.",
        succeeded,
    )?;
    let durations = tools.iter().map(|entry| (labels(entry), entry.durations.buckets()));
    page.histograms(
        "aileron_version_call_duration_seconds",
        "Duration of executed calls by tool and version.",
        1000.0,
        durations,
    )?;
    let begun = versions.conversations.used();
    let begun = begun
        .iter()
        .map(|entry| ([("registry_version", entry.labels[0].to_string())], entry.calls.count()));
    page.counters("aileron_conversations_begun", "Conversations by registry version.", begun)
}

fn quarantines(page: &mut MetricsPage<'_>, app: &App) -> fmt::Result {
    let registries = app.orchestrator().registries();
    let tools = registries.iter().flat_map(|registry| registry.tools());
    // One tool may be in several registries; the longest quarantine counts.
    let mut longest: BTreeMap<&str, u64> = BTreeMap::new();
    for (tool, quarantine) in tools.filter_map(|tool| Some((tool, tool.quarantine()?))) {
        let seconds = longest.entry(tool.spec().tool_id.as_str()).or_default();
        *seconds = quarantine.seconds_left().max(*seconds);
    }
    let seconds = longest.into_iter().take(MAX_TOOLS).map(|(tool, left)| ([("tool", tool)], left));
    page.gauges("aileron_tool_quarantine_seconds", "Seconds left of a tool's quarantine.", seconds)
}

fn conversation_metrics(page: &mut MetricsPage<'_>, app: &App) -> fmt::Result {
    let (loaded, sessions) = (app.orchestrator().loaded(), &app.metrics().sessions);
    let modes = [("text", loaded.text), ("voice", loaded.voice)];
    let modes = modes.map(|(mode, count)| ([("mode", mode)], count as u64));
    page.gauges("aileron_conversations", "Conversations in memory.", modes)?;
    let open = loaded.open_confirmations as u64;
    page.gauge("aileron_open_confirmations", "Confirmations that wait for the person.", open)?;
    let running = app.orchestrator().calls_in_flight() as u64;
    page.gauge("aileron_calls_in_flight", "Admitted calls without an answer.", running)?;
    let tracked = loaded.turns_tracked as u64;
    page.gauge("aileron_loop_turns_tracked", "Turns that the loop policy remembers.", tracked)?;
    let begun = Mode::ALL.map(|mode| ([("mode", mode.as_str())], sessions.begun(mode).count()));
    page.counters("aileron_sessions", "Sessions by the mode they began in.", begun)?;
    page.histogram(
        "aileron_session_duration_seconds",
        "Duration of sessions.",
        1000.0,
        &sessions.duration_ms,
    )?;
    page.histogram("aileron_session_turns", "Turns of each session.", 1.0, &sessions.turns)?;
    page.histogram("aileron_session_calls", "Calls of each session.", 1.0, &sessions.calls)
}

fn model_metrics(page: &mut MetricsPage<'_>, app: &App) -> fmt::Result {
    let models = &app.metrics().models;
    let tokens = Mode::ALL.into_iter().flat_map(|mode| {
        let (figures, mode) = (models.of(mode), mode.as_str());
        [("input", &figures.tokens_in), ("output", &figures.tokens_out)]
            .map(|(direction, count)| ([("mode", mode), ("direction", direction)], count.count()))
    });
    page.counters("aileron_model_tokens", "Tokens as providers count them.", tokens)?;
    let errors = Mode::ALL.map(|mode| ([("mode", mode.as_str())], models.of(mode).errors.count()));
    page.counters("aileron_model_errors", "Failed model requests and faults of providers.", errors)
}

fn context_metrics(page: &mut MetricsPage<'_>, app: &App) -> fmt::Result {
    let context = &app.metrics().context;
    let mut add = |name: &'static str, help: &str, figure: fn(&ModeContext) -> &Histogram| {
        let by_mode =
            Mode::ALL.map(|mode| ([("mode", mode.as_str())], figure(context.of(mode)).buckets()));
        page.histograms(name, help, 1.0, by_mode)
    };
    add("aileron_context_start_tokens", "Tokens of context at the start.", |it| &it.start_tokens)?;
    add("aileron_context_instruction_tokens", "Tokens of the instructions at the start.", |it| {
        &it.instruction_tokens
    })?;
    add("aileron_context_declaration_tokens", "Tokens of tool declarations at the start.", |it| {
        &it.declaration_tokens
    })?;
    add("aileron_context_result_tokens", "Tokens of each tool result.", |it| &it.result_tokens)?;
    add("aileron_context_peak_tokens", "Largest number of tokens in a context.", |it| {
        &it.peak_tokens
    })
}

fn voice_metrics(page: &mut MetricsPage<'_>, app: &App) -> fmt::Result {
    let figures = app.voice().figures();
    let connections = app.voice().connections() as u64;
    page.gauge("aileron_voice_connections", "Open connections.", connections)?;
    let endings = figures.endings().map(|(reason, count)| ([("reason", reason)], count));
    page.counters("aileron_voice_ended", "Ends of sessions.", endings)?;
    let events = figures.events().map(|(event, count)| ([("event", event)], count));
    page.counters("aileron_voice_events", "Events of voice sessions.", events)?;
    let quotas = figures.quotas();
    let left = quotas.iter().map(|(name, quota)| ([("quota", name.as_str())], quota.remaining));
    page.gauges("aileron_voice_quota_remaining", "Left of a provider's quota.", left)?;
    let whole = quotas.iter().map(|(name, quota)| ([("quota", name.as_str())], quota.limit));
    page.gauges("aileron_voice_quota_limit", "All of a provider's quota.", whole)
}

/// Writes metric families with labels.
struct MetricsPage<'a>(DescriptorEncoder<'a>);

impl MetricsPage<'_> {
    fn info(&mut self, name: &str, help: &str, labels: [(&str, &str); 1]) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Info)?.encode_info(&labels)
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl EncodeGaugeValue) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)
    }

    fn gauges<V: AsRef<str>, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = ([(&'static str, V); N], u64)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (labels, value) in values {
            let labels = borrowed(&labels);
            family.encode_family(&labels)?.encode_gauge(&value)?;
        }
        Ok(())
    }

    fn counters<V: AsRef<str>, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = ([(&'static str, V); N], u64)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, value) in values {
            let labels = borrowed(&labels);
            family.encode_family(&labels)?.encode_counter::<NoLabelSet, _, f64>(&value, None)?;
        }
        Ok(())
    }

    fn histogram(
        &mut self,
        name: &str,
        help: &str,
        scale: f64,
        histogram: &Histogram,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        let (sum, count, buckets) = scaled(&histogram.buckets(), scale);
        family.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }

    /// The recorded values are `scale` times the exported ones.
    fn histograms<V: AsRef<str>, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        scale: f64,
        values: impl IntoIterator<Item = ([(&'static str, V); N], BucketCounts)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for (labels, counts) in values {
            let labels = borrowed(&labels);
            let (sum, count, buckets) = scaled(&counts, scale);
            family
                .encode_family(&labels)?
                .encode_histogram::<NoLabelSet>(sum, count, &buckets, None)?;
        }
        Ok(())
    }
}

fn borrowed<'a, V: AsRef<str>, const N: usize>(
    labels: &'a [(&'static str, V); N],
) -> [(&'a str, &'a str); N] {
    labels.each_ref().map(|(name, value)| (*name, value.as_ref()))
}

/// The sum, the count and the buckets, the last one without a bound.
fn scaled(counts: &BucketCounts, scale: f64) -> (f64, u64, Vec<(f64, u64)>) {
    let bounds = counts.bounds.iter().map(|bound| *bound as f64 / scale).chain([f64::INFINITY]);
    let buckets = bounds.zip(counts.counts.iter().copied()).collect();
    (counts.sum as f64 / scale, counts.count(), buckets)
}
