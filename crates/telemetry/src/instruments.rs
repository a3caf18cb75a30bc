//! The metrics of the GenAI conventions.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Histogram, Meter};

use crate::names;

/// The bounds that the conventions recommend, in seconds.
const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// The bounds that the conventions recommend, in tokens.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];

/// The metrics of turns, model requests and tool calls.
#[derive(Debug)]
pub(crate) struct Instruments {
    tools: Histogram<f64>,
    turns: Histogram<f64>,
    requests: Histogram<f64>,
    tokens: Histogram<u64>,
}

impl Instruments {
    pub(crate) fn new(meter: &Meter) -> Self {
        let seconds = |name: &'static str, description: &'static str| {
            let histogram = meter.f64_histogram(name).with_unit("s");
            histogram.with_boundaries(SECONDS.to_vec()).with_description(description).build()
        };
        Self {
            tools: seconds(names::EXECUTE_TOOL_DURATION, "Duration of executed tool calls."),
            turns: seconds(names::INVOKE_AGENT_DURATION, "Duration of turns."),
            requests: seconds(names::CLIENT_OPERATION_DURATION, "Duration of model requests."),
            tokens: meter
                .u64_histogram(names::CLIENT_TOKEN_USAGE)
                .with_unit("{token}")
                .with_boundaries(TOKENS.to_vec())
                .with_description("Tokens of model requests.")
                .build(),
        }
    }

    /// A call of this tool took so long.
    pub(crate) fn call(&self, tool: &str, seconds: f64, error: Option<&'static str>) {
        let attributes = [
            KeyValue::new(names::OPERATION_NAME, names::EXECUTE_TOOL),
            KeyValue::new(names::TOOL_NAME, tool.to_owned()),
        ];
        self.tools.record(seconds, &with_error(attributes, error));
    }

    pub(crate) fn turn(&self, mode: &'static str, seconds: f64, error: Option<&'static str>) {
        let attributes = [
            KeyValue::new(names::OPERATION_NAME, names::INVOKE_AGENT),
            KeyValue::new(names::MODE, mode),
        ];
        self.turns.record(seconds, &with_error(attributes, error));
    }

    pub(crate) fn request(
        &self,
        provider_and_model: [KeyValue; 2],
        seconds: f64,
        error: Option<&'static str>,
    ) {
        let mut attributes = with_error(provider_and_model, error);
        attributes.push(KeyValue::new(names::OPERATION_NAME, names::CHAT));
        self.requests.record(seconds, &attributes);
    }

    /// A provider counted so many tokens.
    pub(crate) fn tokens(&self, provider_and_model: &[KeyValue; 2], input: u64, output: u64) {
        for (kind, count) in [("input", input), ("output", output)] {
            let mut attributes = provider_and_model.to_vec();
            attributes.push(KeyValue::new(names::OPERATION_NAME, names::CHAT));
            attributes.push(KeyValue::new(names::TOKEN_TYPE, kind));
            self.tokens.record(count, &attributes);
        }
    }
}

fn with_error<const N: usize>(
    attributes: [KeyValue; N],
    error: Option<&'static str>,
) -> Vec<KeyValue> {
    let error = error.map(|error| KeyValue::new(names::ERROR_TYPE, error));
    attributes.into_iter().chain(error).collect()
}
