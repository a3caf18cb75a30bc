//! The results of the cases, for people and for machines.

use std::time::{Duration, Instant};

use aileron_contract::{Mode, ToolId};
use aileron_orchestrator::cases::CaseReport;
use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use crate::commands::findings::pretty;
use crate::output::{count, tame};

/// One case in one mode.
pub(super) struct CaseRun {
    pub(super) name: String,
    pub(super) mode: Mode,
    pub(super) outcome: CaseReport,
    pub(super) took: Duration,
}

/// All cases, by tool.
pub(super) struct TestReport {
    began: Instant,
    tools: Vec<(ToolId, Vec<CaseRun>)>,
}

const NONE: &str = "  no cases";

impl TestReport {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), tools: Vec::new() }
    }

    /// Starts the results of a tool.
    pub(super) fn begin(&mut self, tool: &ToolId) {
        self.tools.push((tool.clone(), Vec::new()));
    }

    pub(super) fn add(&mut self, ran: CaseRun) {
        if let Some((_, cases)) = self.tools.last_mut() {
            cases.push(ran);
        }
    }

    pub(super) fn cases(&self) -> usize {
        self.all().count()
    }

    pub(super) fn failed(&self) -> usize {
        self.all().filter(|ran| !ran.outcome.is_ok()).count()
    }

    fn all(&self) -> impl Iterator<Item = &CaseRun> {
        self.tools.iter().flat_map(|(_, cases)| cases)
    }

    /// The lines of the current tool.
    pub(super) fn latest(&self) -> String {
        let Some((tool, cases)) = self.tools.last() else { return String::new() };
        let mut lines = vec![tool.to_string()];
        lines.extend(cases.iter().flat_map(lines_of));
        if cases.is_empty() {
            lines.push(NONE.to_owned());
        }
        lines.join("\n")
    }

    pub(super) fn summary(&self) -> String {
        let (cases, failed) = (self.cases(), self.failed());
        format!(
            "{} of {}: {} ok, {failed} failed, in {} ms",
            count(cases, "case"),
            count(self.tools.len(), "tool"),
            cases - failed,
            self.began.elapsed().as_millis()
        )
    }

    pub(super) fn json(&self) -> String {
        let tools = self.tools.iter().map(|(tool, cases)| {
            json!({ "toolId": tool, "cases": cases.iter().map(as_json).collect::<Vec<_>>() })
        });
        pretty(&json!({
            "tools": tools.collect::<Vec<_>>(),
            "cases": self.cases(),
            "failed": self.failed(),
            "durationMs": millis(self.began.elapsed()),
        }))
    }
}

/// One line for a passed case; all differences for a failed one.
fn lines_of(ran: &CaseRun) -> Vec<String> {
    let (word, colour) = match ran.outcome.is_ok() {
        true => ("ok    ", AnsiColor::Green),
        false => ("FAILED", AnsiColor::Red),
    };
    let style: Style = colour.on_default();
    let mut lines = vec![format!("  {style}{word}{style:#}  {} ({})", tame(&ran.name), ran.mode)];
    if !ran.outcome.is_ok() {
        let told = ran.outcome.differences.iter().chain(&ran.outcome.notes);
        lines.extend(told.map(|line| format!("          {}", tame(line))));
    }
    lines
}

fn as_json(ran: &CaseRun) -> Value {
    json!({
        "name": ran.name,
        "mode": ran.mode,
        "ok": ran.outcome.is_ok(),
        "differences": ran.outcome.differences,
        "notes": ran.outcome.notes,
        "durationMs": millis(ran.took),
    })
}

/// Milliseconds, to a thousandth.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
