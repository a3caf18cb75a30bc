//! The report of an ingest, for people and for machines.

use std::path::{Path, PathBuf};
use std::time::Duration;

use aileron_kb::PutOutcome;
use aileron_kb::ingest::{IngestObserver, IngestReport};
use aileron_kb::load::{BytesRead, RejectedRecord};
use serde_json::{Value, json};

use super::bar::Bar;
use crate::args::{DataFormat, IngestArgs};
use crate::commands::findings::written;
use crate::output::{self, ExitOutcome, tame};

/// Maximum number of listed entries of a kind; the rest is counted.
const NAMED: usize = 20;

/// Records events, and prints refusals as they occur.
pub(super) struct IngestLog<'a> {
    args: &'a IngestArgs,
    bar: Bar,
    refused: usize,
    /// All refusals if the output is JSON.
    pub(super) refusals: Vec<RejectedRecord>,
    pub(super) skipped: Vec<PathBuf>,
}

impl<'a> IngestLog<'a> {
    pub(super) fn new(args: &'a IngestArgs, bar: Bar) -> Self {
        Self { args, bar, refused: 0, refusals: Vec::new(), skipped: Vec::new() }
    }

    pub(super) fn finish(&self) {
        self.bar.finish();
    }

    /// Whether the entry of this number is listed.
    fn is_named(&self, number: usize) -> bool {
        self.args.verbose || number <= NAMED
    }
}

impl IngestObserver for IngestLog<'_> {
    fn begin(&mut self, progress: BytesRead) {
        self.bar.follow(progress);
    }

    fn put(&mut self, _: &str, _: PutOutcome) {
        self.bar.record();
    }

    fn refused(&mut self, refusal: &RejectedRecord) {
        self.refused += 1;
        match self.args.format {
            DataFormat::Json => self.refusals.push(refusal.clone()),
            DataFormat::Text if self.is_named(self.refused) => {
                self.bar.aside(|| output::talk(&tame(&format!("refused: {refusal}"))));
            }
            DataFormat::Text => {}
        }
    }

    fn skipped(&mut self, file: &Path) {
        match self.args.format {
            DataFormat::Json => self.skipped.push(file.to_owned()),
            DataFormat::Text if self.args.verbose => {
                self.bar.aside(|| output::talk(&tame(&format!("skipped: {}", file.display()))));
            }
            DataFormat::Text => {}
        }
    }

    fn committing(&mut self) {
        self.bar.writing();
    }
}

/// The result of an ingest.
#[derive(Debug)]
pub(super) struct IngestSummary {
    pub(super) report: IngestReport,
    pub(super) refusals: Vec<RejectedRecord>,
    pub(super) skipped: Vec<PathBuf>,
    pub(super) took: Duration,
}

impl IngestSummary {
    pub(super) fn outcome(&self) -> ExitOutcome {
        if self.report.refused == 0 { ExitOutcome::Fine } else { ExitOutcome::Findings }
    }

    pub(super) fn text(&self, args: &IngestArgs) -> String {
        let IngestReport { added, changed, unchanged, removed, .. } = &self.report;
        let (would, millis) = (if args.dry_run { "would be: " } else { "" }, self.took.as_millis());
        let did = format!(
            "{would}{added} added, {changed} changed, {unchanged} unchanged, {removed} removed, in {millis} ms"
        );
        let lines = [self.refused(args), self.skipped_files(args), self.gone(args)];
        lines.into_iter().flatten().chain([did]).collect::<Vec<_>>().join("\n")
    }

    fn refused(&self, args: &IngestArgs) -> Option<String> {
        let refused = self.report.refused;
        let hidden = usize::try_from(refused).unwrap_or(usize::MAX).saturating_sub(NAMED);
        let unnamed = match args.format {
            DataFormat::Text if hidden > 0 && !args.verbose => {
                format!(", {hidden} of them not named (--verbose names all)")
            }
            _ => String::new(),
        };
        let rest = if args.dry_run { "all else would be taken in" } else { "all else is in" };
        (refused > 0).then(|| format!("{refused} refused{unnamed}; {rest}"))
    }

    fn skipped_files(&self, args: &IngestArgs) -> Option<String> {
        let hint = if args.verbose { "" } else { " (--verbose names them)" };
        let skipped = self.report.skipped;
        (skipped > 0).then(|| format!("{skipped} skipped: no records by their names{hint}"))
    }

    fn gone(&self, args: &IngestArgs) -> Option<String> {
        let gone = &self.report.gone;
        if gone.is_empty() || (args.prune && !args.verbose) {
            return None;
        }
        let named = if args.verbose { gone.len() } else { NAMED.min(gone.len()) };
        let more = match gone.len() - named {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (ids, count) = (tame(&gone[..named].join(", ")), gone.len());
        let fate = if args.prune { "removed" } else { "kept; --prune removes them" };
        Some(format!("{count} no longer in their files, {fate}: {ids}{more}"))
    }

    pub(super) fn json(&self, args: &IngestArgs) -> Value {
        let mut value = json!(self.report);
        let refusal = |refusal: &RejectedRecord| {
            json!({
                "file": written(&refusal.place.file), "line": refusal.place.line,
                "reason": refusal.reason,
            })
        };
        value["refusals"] = self.refusals.iter().map(refusal).collect();
        value["skippedFiles"] = self.skipped.iter().map(|file| json!(written(file))).collect();
        value["dryRun"] = json!(args.dry_run);
        value["durationMs"] = json!(self.took.as_millis());
        value
    }
}
