//! A progress bar that appears when work takes longer than a second on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Delay before a bar is shown.
const SHOW_AFTER: Duration = Duration::from_secs(1);

const TEMPLATE: &str = "{bar:30} {pos}/{len} {msg}, {per_sec}, {eta} left";

/// The progress bar of a command.
#[derive(Debug)]
pub(crate) struct ProgressMeter {
    started: Instant,
    bar: ProgressBar,
}

impl ProgressMeter {
    /// Counts what is named.
    pub(crate) fn start(what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_message(what);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Self { started: Instant::now(), bar }
    }

    /// `done` of `total` are finished.
    pub(crate) fn update(&self, done: usize, total: usize) {
        if self.started.elapsed() < SHOW_AFTER {
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }

    /// Prints beside the bar.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
