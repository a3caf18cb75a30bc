//! The format for each `Accept` header.

use super::MetricsFormat::{self, Json, OpenMetrics, PrometheusText};

fn check(accept: &str, expected: MetricsFormat) {
    assert_eq!(MetricsFormat::of(accept), expected, "{accept}");
}

#[test]
fn the_format_with_the_highest_weight_is_chosen() {
    check(
        "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
        OpenMetrics,
    );
    check("text/plain;version=0.0.4;q=0.9, application/openmetrics-text;q=0.5", PrometheusText);
    check("application/json;q=0.4, TEXT/PLAIN; Q=0.6", PrometheusText);
}

#[test]
fn other_clients_get_json() {
    check("", Json);
    check("*/*", Json);
    check("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Json);
    check("application/vnd.google.protobuf", Json);
    check("text/plain;q=0", Json);
    check(";;;=,q=,text/plain;q=x;q", PrometheusText);
}
