//! The parts of the SDK: a tracer whose spans go to a bounded queue, and a meter that is read periodically.

use opentelemetry::KeyValue;
use opentelemetry_otlp::{
    ExporterBuildError, MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;

use crate::collector::Collector;
use crate::names::AILERON;
use crate::settings::TelemetrySettings;

/// The providers of spans and metrics; one that sends nothing is `None`.
#[derive(Debug)]
pub(crate) struct Exporters {
    pub(crate) traces: Option<SdkTracerProvider>,
    pub(crate) metrics: Option<SdkMeterProvider>,
}

impl Exporters {
    pub(crate) fn build(
        settings: TelemetrySettings,
        version: &'static str,
        collector: impl Fn(&'static str) -> Collector,
    ) -> Result<Self, ExporterBuildError> {
        let resource = resource(settings, version);
        let traces = || traces(collector("traces"), resource.clone());
        let metrics = || metrics(collector("metrics"), resource.clone());
        let traces = settings.traces.then(traces).transpose()?;
        let metrics = settings.metrics.then(metrics).transpose()?;
        Ok(Self { traces, metrics })
    }

    /// Sends the rest. Blocks for a few seconds if the collector does not answer.
    pub(crate) fn shut_down(&self) {
        // There is nobody left to tell that the last batch was lost; the log has the cause.
        let _ = self.traces.as_ref().map(SdkTracerProvider::shutdown);
        let _ = self.metrics.as_ref().map(SdkMeterProvider::shutdown);
    }
}

fn resource(settings: TelemetrySettings, version: &'static str) -> Resource {
    let resource = Resource::builder().with_attribute(KeyValue::new("service.version", version));
    match settings.is_named {
        true => resource.build(),
        false => resource.with_service_name(AILERON).build(),
    }
}

fn traces(
    collector: Collector,
    resource: Resource,
) -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(collector)
        .with_protocol(Protocol::HttpBinary)
        .build()?;
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
}

fn metrics(
    collector: Collector,
    resource: Resource,
) -> Result<SdkMeterProvider, ExporterBuildError> {
    let exporter = MetricExporter::builder()
        .with_http()
        .with_http_client(collector)
        .with_protocol(Protocol::HttpBinary)
        .build()?;
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter);
    Ok(provider.with_resource(resource).build())
}
