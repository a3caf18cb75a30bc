//! Metrics, and their route `/metrics`: Prometheus text for scrapers, JSON for other clients.

mod calls;
mod context;
mod figure;
mod render;
mod route;
mod voice;

pub use self::calls::{CallMetrics, MeteredObserver, Metrics};
pub use self::context::ContextFigures;
pub use self::figure::{Counter, Histogram};
pub(crate) use self::route::routes;
pub use self::voice::VoiceMetrics;
