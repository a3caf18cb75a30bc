//! A collector: an HTTP server that decodes OTLP, and hands the spans and metrics to the test.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{Metric, metric};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;

const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Collector {
    address: SocketAddr,
    received: Receiver<Received>,
    spans: Vec<Span>,
    metrics: Vec<Metric>,
    pub(super) resource: BTreeMap<String, String>,
}

enum Received {
    Traces(ExportTraceServiceRequest),
    Metrics(ExportMetricsServiceRequest),
}

impl Collector {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let sender = sender.clone();
                std::thread::spawn(move || answer(&stream, &sender));
            }
        });
        let (spans, metrics, resource) = Default::default();
        Self { address, received, spans, metrics, resource }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The spans so far, once there are so many whose names begin with these words.
    pub(super) fn spans(&mut self, begin: &str, count: usize) -> Vec<Span> {
        let named = |span: &&Span| span.name.starts_with(begin);
        self.until(|all| all.spans.iter().filter(named).count() >= count);
        self.spans.clone()
    }

    /// The last report of a histogram: the attributes of each series, and its count.
    pub(super) fn histogram(&mut self, name: &str) -> Vec<(BTreeMap<String, String>, u64)> {
        self.until(|all| all.metrics.iter().any(|metric| metric.name == name));
        let metric = self.metrics.iter().rfind(|metric| metric.name == name).unwrap();
        let Some(metric::Data::Histogram(histogram)) = &metric.data else { panic!("{metric:?}") };
        let series = histogram.data_points.iter();
        series.map(|point| (attributes(&point.attributes), point.count)).collect()
    }

    fn until(&mut self, is_enough: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_enough(self) {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(received) = self.received.recv_timeout(left) else {
                panic!("not received in time: {:?} {:?}", self.spans, self.metrics)
            };
            self.take(received);
        }
    }

    fn take(&mut self, received: Received) {
        match received {
            Received::Traces(request) => {
                for resource in request.resource_spans {
                    self.resource = attributes(&resource.resource.unwrap().attributes);
                    let scopes = resource.scope_spans.into_iter();
                    self.spans.extend(scopes.flat_map(|scope| scope.spans));
                }
            }
            Received::Metrics(request) => {
                let resources = request.resource_metrics.into_iter();
                let scopes = resources.flat_map(|resource| resource.scope_metrics);
                self.metrics.extend(scopes.flat_map(|scope| scope.metrics));
            }
        }
    }
}

fn answer(stream: &TcpStream, sender: &Sender<Received>) -> Option<()> {
    let (mut reader, mut writer) = (BufReader::new(stream), stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            (reader.read_line(&mut head).ok()? > 0).then_some(())?;
        }
        let head = head.to_lowercase();
        assert!(head.contains("content-type: application/x-protobuf"), "{head}");
        let (_, length) = head.split_once("content-length: ")?;
        let mut body = vec![0; length.lines().next()?.trim().parse().ok()?];
        reader.read_exact(&mut body).ok()?;
        let received = match head.split(' ').nth(1)? {
            "/v1/traces" => Received::Traces(Message::decode(&*body).ok()?),
            "/v1/metrics" => Received::Metrics(Message::decode(&*body).ok()?),
            other => panic!("a request to {other}"),
        };
        sender.send(received).ok()?;
        let ok =
            "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
        writer.write_all(ok.as_bytes()).ok()?;
    }
}

/// Attributes as text.
pub(super) fn attributes(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &AnyValue| match value.value.as_ref().unwrap() {
        any_value::Value::StringValue(text) => text.clone(),
        any_value::Value::IntValue(number) => number.to_string(),
        any_value::Value::BoolValue(truth) => truth.to_string(),
        other => format!("{other:?}"),
    };
    attributes.iter().map(|one| (one.key.clone(), text(one.value.as_ref().unwrap()))).collect()
}
