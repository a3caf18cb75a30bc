//! `aileron kb stats`: statistics, and verification of every byte.

use aileron_kb::{KindCount, KnowledgeBase, Stats};
use serde_json::json;

use crate::args::{DataFormat, KbStatsArgs};
use crate::commands::findings::{pretty, written};
use crate::knowledge::failure;
use crate::output::{self, ExitOutcome, Failure, count};
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 3] =
    [("NAMESPACE", Align::Left), ("TYPE", Align::Left), ("RECORDS", Align::Right)];

const VERIFIED: &str = "every byte of records and index is as it was written";

pub(super) fn run(args: &KbStatsArgs, kb: &KnowledgeBase) -> Result<ExitOutcome, Failure> {
    // Verify first, because reading statistics opens the index, which repairs damage.
    if args.verify {
        kb.verify().map_err(failure)?;
    }
    let stats = kb.stats().map_err(failure)?;
    match args.format {
        DataFormat::Json => {
            let mut value = json!(stats);
            value["folder"] = json!(written(kb.folder()));
            value["verified"] = json!(args.verify);
            output::data(&pretty(&value))?;
        }
        DataFormat::Text => output::data(&page(kb, &stats))?,
    }
    if args.verify {
        output::talk(VERIFIED);
    }
    Ok(ExitOutcome::Fine)
}

fn page(kb: &KnowledgeBase, stats: &Stats) -> String {
    let model = stats.model.as_deref().unwrap_or("none: search is by words alone");
    let dead = match stats.dead {
        0 => String::new(),
        dead => format!(", {dead} outdated records in it"),
    };
    let parts = count(stats.shards, "part");
    let size =
        format!("{parts}, {} of {}{dead}", bytes(stats.index_bytes), bytes(stats.total_bytes));
    let lines = [
        ("folder", written(kb.folder())),
        ("records", format!("{} in {} passages", stats.records, stats.passages)),
        ("embeddings", model.to_owned()),
        ("index", size),
        ("changes", stats.generation.to_string()),
    ];
    let lines = lines.map(|(name, value)| format!("{name:<11} {value}")).join("\n");
    if stats.kinds.is_empty() {
        return lines;
    }
    let rows: Vec<_> = stats.kinds.iter().map(row).collect();
    format!("{lines}\n\n{}", Table::new(COLUMNS).whole(&rows))
}

fn row(count: &KindCount) -> [Cell; 3] {
    [count.namespace.clone(), count.kind.clone(), count.records.to_string()].map(Cell::from)
}

/// A number of bytes, formatted for people.
fn bytes(count: u64) -> String {
    indicatif::HumanBytes(count).to_string()
}
