//! The log of a server, on stderr, as text or JSON. Values are in fields; other libraries log only
//! warnings and errors.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::settings::{LogFormat, LogLevel, LogSettings};

/// The prefix of the log targets of our crates.
const OWN: &str = "aileron";

/// Starts logging, unless the process already has a logger.
pub(crate) fn begin(settings: &LogSettings) {
    let level = match settings.level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let others = level.min(LevelFilter::WARN);
    let heard = Targets::new().with_target(OWN, level).with_default(others);
    let lines = layer().with_writer(stderr).with_target(false).with_ansi(stderr().is_terminal());
    let lines = match settings.format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let _ = tracing_subscriber::registry().with(lines.with_filter(heard)).try_init();
}
