//! OpenTelemetry: spans of turns, model requests and tool calls, and their durations, sent to a collector by
//! OTLP over HTTP. Off unless the usual `OTEL_*` variables name a collector.
//!
//! `settings` reads the variables, `exporters` builds the SDK's parts, `collector` is the HTTP client, `names`
//! has the names of the GenAI conventions, `spans` keeps the spans that are open, `instruments` the metrics.
//! Queues are bounded: a collector that does not answer costs telemetry, never time. There is no span for
//! audio: a turn has a handful of spans however long it is.

mod collector;
mod exporters;
mod instruments;
pub mod names;
mod settings;
mod spans;
mod telemetry;

pub use self::settings::TelemetrySettings;
pub use self::spans::TurnEnd;
pub use self::telemetry::{Telemetry, TelemetryError};
