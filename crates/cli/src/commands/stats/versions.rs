//! `aileron stats --by version`: each tool under each registry version, and the comparison of two versions.

use std::fmt::Write;
use std::path::Path;

use aileron_store::stats::interval::{Estimate, Verdict};
use aileron_store::stats::{Comparison, VersionFigures, VersionStats, compare};
use serde_json::{Value, json};

use crate::args::{DataFormat, StatsArgs};
use crate::commands::audit;
use crate::commands::findings::pretty;
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 7] = [
    ("TOOL", Align::Left),
    ("REGISTRY", Align::Left),
    ("TOOL VERSION", Align::Left),
    ("CALLS", Align::Right),
    ("SUCCESS", Align::Right),
    ("P50 MS", Align::Right),
    ("P95 MS", Align::Right),
];

/// The row of all tools.
const ALL: &str = "(all)";

const TOO_FEW: &str = "too few calls to tell";
const NOT_SHOWN: &str = "no difference shown";

pub(super) fn run(args: &StatsArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let log = audit::open(&args.store, config)?;
    let stats = VersionStats::of(log.read(args.filters.filter()?)).map_err(audit::failure)?;
    if stats.totals.is_empty() {
        output::talk(audit::nothing(&log)?);
    }
    let pair = match args.compare.as_slice() {
        [old, new] => Some((found(&stats, old)?, found(&stats, new)?)),
        _ => stats.last_two(),
    };
    match args.format {
        DataFormat::Json => output::data(&pretty(&as_json(&stats, pair)))?,
        DataFormat::Text if stats.totals.is_empty() => {}
        DataFormat::Text => {
            output::data(&Table::new(COLUMNS).whole(&rows(&stats)))?;
            match pair {
                Some(pair) => output::data(&comparison_text(&stats, pair))?,
                None => output::talk(
                    "All calls are of one registry version; there is nothing to compare.",
                ),
            }
        }
    }
    Ok(ExitOutcome::Fine)
}

/// The version that an argument means: a whole one, or its last digits.
fn found<'a>(stats: &'a VersionStats, wanted: &str) -> Result<&'a str, Failure> {
    let versions = stats.versions();
    if let Some(exact) = versions.iter().find(|version| **version == wanted) {
        return Ok(exact);
    }
    let mut alike = versions.iter().filter(|version| version.ends_with(wanted));
    match (alike.next(), alike.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(Failure::Usage(format!(
            "--compare: expected a registry version of the records ({}), found {wanted:?}",
            versions.join(", ")
        ))),
        (Some(_), Some(_)) => {
            Err(Failure::Usage(format!("--compare: {wanted:?} fits several registry versions")))
        }
    }
}

fn rows(stats: &VersionStats) -> Vec<[Cell; 7]> {
    let tools = stats.tools.iter().map(|(tool, versions)| (tool.as_str(), versions));
    let all = tools.chain([(ALL, &stats.totals)]);
    let rows = all.flat_map(|(tool, versions)| {
        let of_version = |version: &str| Some(row(tool, version, versions.get(version)?));
        stats.versions().into_iter().filter_map(of_version).collect::<Vec<_>>()
    });
    rows.collect()
}

fn row(tool: &str, registry: &str, found: &VersionFigures) -> [Cell; 7] {
    let figures = &found.figures;
    let shown = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    let versions: Vec<_> = found.tool_versions.iter().map(|version| tame(version)).collect();
    [
        tame(tool),
        tame(registry),
        if tool == ALL { "-".to_owned() } else { versions.join(", ") },
        figures.calls.to_string(),
        figures.success_rate().map_or("-".to_owned(), |rate| format!("{:.1} %", rate * 100.0)),
        shown(figures.durations.percentile(50)),
        shown(figures.durations.percentile(95)),
    ]
    .map(Cell::from)
}

/// The tools that both versions have calls of, and all tools together.
fn compared<'a>(stats: &'a VersionStats, (old, new): (&str, &str)) -> Vec<(&'a str, Comparison)> {
    let tools = stats.tools.iter().map(|(tool, versions)| (tool.as_str(), versions));
    let both = tools.chain([(ALL, &stats.totals)]).filter_map(|(tool, versions)| {
        let (old, new) = (versions.get(old)?, versions.get(new)?);
        Some((tool, compare(&old.figures, &new.figures)))
    });
    both.collect()
}

fn comparison_text(stats: &VersionStats, pair: (&str, &str)) -> String {
    let (old, new) = pair;
    let compared = compared(stats, pair);
    let mut text = format!("\n{} against {}, with 95 % confidence:", tame(new), tame(old));
    if compared.is_empty() {
        text.push_str("\nno tool was called under both");
    }
    for (tool, Comparison { success, p50, p95 }) in compared {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{}", tame(tool));
        let _ = write!(text, "\n  success  {}", sentence(success, new, &POINTS));
        let _ = write!(text, "\n  p50      {}", sentence(p50, new, &MILLISECONDS));
        let _ = write!(text, "\n  p95      {}", sentence(p95, new, &MILLISECONDS));
    }
    text
}

/// How differences of a figure are told.
struct Words {
    unit: &'static str,
    factor: f64,
    digits: usize,
    higher: &'static str,
    lower: &'static str,
}

const POINTS: Words = Words {
    unit: "percentage points",
    factor: 100.0,
    digits: 1,
    higher: "more calls succeed",
    lower: "fewer calls succeed",
};

const MILLISECONDS: Words =
    Words { unit: "ms", factor: 1.0, digits: 0, higher: "slower", lower: "faster" };

fn sentence(difference: Option<Estimate>, new: &str, words: &Words) -> String {
    let Some(difference) = difference else { return TOO_FEW.to_owned() };
    let Estimate { value, low, high } = difference;
    let number = |it: f64| format!("{:+.*}", words.digits, it * words.factor);
    let verdict = match difference.verdict() {
        Verdict::NotShown => NOT_SHOWN.to_owned(),
        Verdict::Higher => format!("{} with {}", words.higher, tame(new)),
        Verdict::Lower => format!("{} with {}", words.lower, tame(new)),
    };
    let (value, low, high) = (number(value), number(low), number(high));
    format!("{value} {} ({low} to {high}): {verdict}", words.unit)
}

fn as_json(stats: &VersionStats, pair: Option<(&str, &str)>) -> Value {
    let tools = stats.tools.iter().map(|(tool, versions)| (Some(tool.as_str()), versions));
    let rows = tools.chain([(None, &stats.totals)]).flat_map(|(tool, versions)| {
        let row = move |version: &str| Some(row_json(tool, version, versions.get(version)?));
        stats.versions().into_iter().filter_map(row).collect::<Vec<_>>()
    });
    let rows: Vec<_> = rows.collect();
    let comparison = pair.map(|(old, new)| {
        let tool = |(tool, compared): &(&str, Comparison)| {
            let id = Some(tool).filter(|tool| **tool != ALL);
            json!({
                "toolId": id,
                "successRate": estimate(compared.success),
                "p50Ms": estimate(compared.p50),
                "p95Ms": estimate(compared.p95),
            })
        };
        let tools: Vec<_> = compared(stats, (old, new)).iter().map(tool).collect();
        json!({ "old": old, "new": new, "confidence": 0.95, "tools": tools })
    });
    json!({ "versions": stats.versions(), "rows": rows, "comparison": comparison })
}

fn row_json(tool: Option<&str>, registry: &str, found: &VersionFigures) -> Value {
    let VersionFigures { figures, tool_versions } = found;
    json!({
        "toolId": tool, "registryVersion": registry, "toolVersions": tool_versions,
        "calls": figures.calls, "ran": figures.ran, "succeeded": figures.succeeded,
        "successRate": figures.success_rate(),
        "durationMs": {
            "p50": figures.durations.percentile(50), "p95": figures.durations.percentile(95),
        },
    })
}

/// The difference, its interval and what it shows; `null` if there are too few calls.
fn estimate(difference: Option<Estimate>) -> Value {
    let verdict = |it: &Estimate| match it.verdict() {
        Verdict::Higher => "higher",
        Verdict::Lower => "lower",
        Verdict::NotShown => "notShown",
    };
    difference.map_or(Value::Null, |it| {
        json!({ "difference": it.value, "low": it.low, "high": it.high, "shows": verdict(&it) })
    })
}
