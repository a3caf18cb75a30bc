//! The progress bar of an ingest: bytes, records and time left, on a terminal.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use aileron_kb::load::{self, BytesRead};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

const TEMPLATE: &str = "{bar:30} {bytes} of {total_bytes}, {msg}, {eta} left";
const WRITING: &str = "{spinner} {msg}";

/// Delay before a bar is shown.
const SHOW_AFTER: Duration = Duration::from_secs(1);

/// Interval of updates. Drawing for each record would take longer than the record.
const BEAT: Duration = Duration::from_millis(100);

/// The progress of an ingest; hidden without a terminal.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
    progress: BytesRead,
    began: Instant,
    drawn: Instant,
    records: u64,
}

impl Bar {
    /// A bar for reading these paths. Their sizes are looked up only if it will be seen.
    pub(super) fn over(paths: &[PathBuf]) -> Self {
        let bar = match io::stderr().is_terminal() {
            true => ProgressBar::with_draw_target(
                Some(load::survey(paths).bytes),
                ProgressDrawTarget::hidden(),
            ),
            false => ProgressBar::hidden(),
        };
        set_style(&bar, TEMPLATE);
        let now = Instant::now();
        Self { bar, progress: BytesRead::default(), began: now, drawn: now, records: 0 }
    }

    pub(super) fn follow(&mut self, progress: BytesRead) {
        self.progress = progress;
    }

    /// One more record is done.
    pub(super) fn record(&mut self) {
        self.records += 1;
        if self.drawn.elapsed() < BEAT || self.began.elapsed() < SHOW_AFTER {
            return;
        }
        self.drawn = Instant::now();
        self.bar.set_position(self.progress.bytes());
        self.show();
        let rate = self.records as f64 / self.began.elapsed().as_secs_f64();
        let (records, rate) = (HumanCount(self.records), HumanCount(rate as u64));
        self.bar.set_message(format!("{records} records, {rate} records/s"));
    }

    /// All files are read; the index is being written.
    pub(super) fn writing(&self) {
        if self.began.elapsed() >= SHOW_AFTER {
            self.show();
            set_style(&self.bar, WRITING);
            self.bar
                .set_message(format!("{} records, writing the index", HumanCount(self.records)));
        }
    }

    fn show(&self) {
        if self.bar.is_hidden() && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Prints beside the bar.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}
