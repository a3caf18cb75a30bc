//! `aileron stats`: statistics of the audit log per tool.

mod versions;

use std::path::Path;

use aileron_store::{Figures, Stats};
use serde_json::{Value, json};

use crate::args::{DataFormat, StatsArgs, StatsBy};
use crate::commands::audit;
use crate::commands::findings::pretty;
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 11] = [
    ("TOOL", Align::Left),
    ("CALLS", Align::Right),
    ("SUCCESS", Align::Right),
    ("P50 MS", Align::Right),
    ("P95 MS", Align::Right),
    ("P99 MS", Align::Right),
    ("P50 BYTES", Align::Right),
    ("P95 BYTES", Align::Right),
    ("MAX BYTES", Align::Right),
    ("TOKENS", Align::Right),
    ("REFUSED BY", Align::Left),
];

pub(crate) fn run(args: &StatsArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    if args.by == StatsBy::Version {
        return versions::run(args, config);
    }
    if !args.compare.is_empty() {
        return Err(Failure::Usage("--compare is for --by version".to_owned()));
    }
    let filter = args.filters.filter()?;
    let log = audit::open(&args.store, config)?;
    let stats = Stats::of(log.read(filter)).map_err(audit::failure)?;
    if stats.totals.calls == 0 {
        output::talk(audit::nothing(&log)?);
    }
    match args.format {
        DataFormat::Json => output::data(&pretty(&as_json(&stats)))?,
        DataFormat::Text if stats.totals.calls == 0 => {}
        DataFormat::Text => output::data(&Table::new(COLUMNS).whole(&rows(&stats)))?,
    }
    Ok(ExitOutcome::Fine)
}

fn rows(stats: &Stats) -> Vec<[Cell; 11]> {
    let tools = stats.tools.iter().map(|(tool, figures)| row(tool, figures));
    let unknown = (stats.unknown.calls > 0).then(|| row("(no such tool)", &stats.unknown));
    tools.chain(unknown).chain([row("(all)", &stats.totals)]).collect()
}

fn row(name: &str, figures: &Figures) -> [Cell; 11] {
    let (durations, sizes) = (&figures.durations, &figures.sizes);
    [
        tame(name),
        figures.calls.to_string(),
        figures.success_rate().map_or("-".to_owned(), |rate| format!("{:.1} %", rate * 100.0)),
        shown(durations.percentile(50)),
        shown(durations.percentile(95)),
        shown(durations.percentile(99)),
        shown(sizes.percentile(50)),
        shown(sizes.percentile(95)),
        shown(sizes.max()),
        figures.tokens.to_string(),
        refusals(figures),
    ]
    .map(Cell::from)
}

fn shown(number: Option<u64>) -> String {
    number.map_or("-".to_owned(), |number| number.to_string())
}

fn refusals(figures: &Figures) -> String {
    let policies =
        figures.refused.iter().map(|(policy, count)| format!("{} {count}", tame(policy)));
    let policies: Vec<_> = policies.collect();
    if policies.is_empty() { "-".to_owned() } else { policies.join(", ") }
}

fn as_json(stats: &Stats) -> Value {
    let tool = |(id, figures): (&String, &Figures)| {
        let mut value = figures_json(figures);
        value["toolId"] = json!(id);
        value
    };
    json!({
        "tools": stats.tools.iter().map(tool).collect::<Vec<_>>(),
        "unknownTools": figures_json(&stats.unknown),
        "totals": figures_json(&stats.totals),
    })
}

fn figures_json(figures: &Figures) -> Value {
    let (durations, sizes) = (&figures.durations, &figures.sizes);
    json!({
        "calls": figures.calls, "ran": figures.ran, "succeeded": figures.succeeded,
        "successRate": figures.success_rate(),
        "durationMs": {
            "p50": durations.percentile(50), "p95": durations.percentile(95), "p99": durations.percentile(99),
        },
        "responseBytes": {
            "p50": sizes.percentile(50), "p95": sizes.percentile(95), "max": sizes.max(),
        },
        "tokens": figures.tokens,
        "refusedBy": figures.refused,
    })
}
