//! Which variables switch telemetry on and off.

use super::*;

fn read(variables: &[(&str, &str)]) -> TelemetrySettings {
    let find = |name: &str| variables.iter().find(|(set, _)| *set == name);
    TelemetrySettings::read(|name| find(name).map(|(_, value)| (*value).to_owned()))
}

#[test]
fn nothing_is_sent_unless_a_collector_is_named() {
    assert!(!read(&[]).is_on());
    assert!(!read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]).is_on());
    assert!(!read(&[("OTEL_SERVICE_NAME", "x"), (CAPTURE_CONTENT, "true")]).is_on());
    let on = read(&[(ENDPOINT, "http://localhost:4318")]);
    assert_eq!((on.traces, on.metrics, on.content), (true, true, false));
}

#[test]
fn each_signal_can_be_sent_alone() {
    let traces = read(&[(TRACES_ENDPOINT, "http://localhost:4318/v1/traces")]);
    assert_eq!((traces.traces, traces.metrics), (true, false));
    let metrics = read(&[(ENDPOINT, "http://localhost:4318"), ("OTEL_TRACES_EXPORTER", "none")]);
    assert_eq!((metrics.traces, metrics.metrics), (false, true));
}

#[test]
fn the_sdk_can_be_disabled() {
    assert!(!read(&[(ENDPOINT, "http://localhost:4318"), ("OTEL_SDK_DISABLED", "True")]).is_on());
    assert!(read(&[(ENDPOINT, "http://localhost:4318"), ("OTEL_SDK_DISABLED", "false")]).is_on());
}

#[test]
fn content_is_sent_only_if_asked_for() {
    let content = |value: &str| read(&[(ENDPOINT, "http://localhost"), (CAPTURE_CONTENT, value)]);
    assert!(content("true").content && content("SPAN_ONLY").content);
    assert!(!content("false").content && !content("1").content);
}
