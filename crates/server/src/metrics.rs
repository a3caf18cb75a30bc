//! Metrics, and their route `/metrics`: Prometheus text and OpenMetrics for scrapers, JSON for other clients.
//! A call is counted with atomic additions and one short lock, that of its session; everything else happens
//! when the metrics are read.

mod accept;
mod calls;
mod context;
mod exposition;
mod figure;
mod json;
mod models;
mod process;
mod prometheus_text;
mod recent;
mod route;
mod sampler;
mod series;
mod series_view;
mod server;
mod sessions;
mod tool_counts;
mod tools;
mod versions;
mod voice;

pub use self::calls::CallMetrics;
pub use self::context::{ContextFigures, ContextStart};
pub use self::figure::{Counter, Histogram};
pub use self::models::ModelFigures;
pub(crate) use self::route::routes;
pub(crate) use self::sampler::sample;
pub(crate) use self::series_view::{MAX_MINUTES, Series};
pub use self::server::{MeteredObserver, Metrics, ServerMetrics};
pub use self::sessions::SessionFigures;
pub use self::voice::VoiceMetrics;
