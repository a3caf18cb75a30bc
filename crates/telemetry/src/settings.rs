//! The `OTEL_*` variables that decide whether and what is sent. The SDK itself reads those about endpoints,
//! headers, timeouts, queues, sampling and resources.

use std::time::Duration;

use crate::names::CAPTURE_CONTENT;

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const METRICS_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";

/// The decisions of the environment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TelemetrySettings {
    pub traces: bool,
    pub metrics: bool,
    /// Whether spans contain arguments and results, without the values that tools hide.
    pub content: bool,
    /// Whether the environment names the service.
    pub is_named: bool,
    /// How long a request may take.
    pub timeout: Duration,
}

/// The timeout of the specification.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

impl TelemetrySettings {
    /// Reads the variables with a function, which returns `None` for one that is not set.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let is = |name: &str, wanted: &[&str]| {
            set(name).is_some_and(|value| {
                wanted.iter().any(|wanted| value.trim().eq_ignore_ascii_case(wanted))
            })
        };
        if is("OTEL_SDK_DISABLED", &["true"]) {
            return Self::default();
        }
        let sends = |endpoint: &str, exporter: &str| {
            (set(ENDPOINT).is_some() || set(endpoint).is_some()) && !is(exporter, &["none"])
        };
        let attributes = set("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
        Self {
            traces: sends(TRACES_ENDPOINT, "OTEL_TRACES_EXPORTER"),
            metrics: sends(METRICS_ENDPOINT, "OTEL_METRICS_EXPORTER"),
            content: is(CAPTURE_CONTENT, &["true", "span_only", "span_and_event"]),
            timeout: set("OTEL_EXPORTER_OTLP_TIMEOUT")
                .and_then(|millis| millis.trim().parse().ok())
                .map_or(DEFAULT_TIMEOUT, Duration::from_millis),
            is_named: set("OTEL_SERVICE_NAME").is_some() || attributes.contains("service.name="),
        }
    }

    /// Whether anything is sent.
    pub const fn is_on(&self) -> bool {
        self.traces || self.metrics
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
