//! The knowledge base compared with its alternatives: the same records, queries, filters and
//! vectors, in one run. Each store is filled in one process and searched in another.

mod chance;
mod collection;
mod exact;
mod generate;
mod ingest;
mod measured;
mod off_topic;
mod peers;
mod quality;
mod ready;
mod search;
mod table;
mod text;
mod workload;

use std::path::Path;
use std::process::Command;

use self::measured::Measured;
use self::workload::Workload;
use crate::{print, say};

pub(crate) use ingest::run as ingest;
pub(crate) use off_topic::run as off_topic;
pub(crate) use quality::run as quality;
pub(crate) use search::run as search;

/// Which stores are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    Peers,
    Nothing,
}

/// Measures at each size and prints a table for it.
pub(crate) fn run(sizes: &str, beside: Beside) -> Result<(), String> {
    for size in sizes.split(',') {
        let size =
            size.parse().map_err(|_| format!("expected a number of records, found {size:?}"))?;
        let workload = Workload::prepare(size)?;
        say(&format!("{size} records of {}", workload.about.source));
        let mut all = vec![ours(&workload)?];
        if beside == Beside::Peers {
            all.extend(peers::measure(&workload)?);
        }
        print(&table::markdown(size, &all));
    }
    Ok(())
}

fn ours(workload: &Workload) -> Result<Measured, String> {
    child("kb-ingest", &workload.folder)?;
    Measured::read(&child("kb-search", &workload.folder)?)
}

/// Runs a command of this program in a separate process and returns its output.
fn child(command: &str, folder: &Path) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let done = Command::new(program)
        .arg(command)
        .arg(folder)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| error.to_string())?;
    if !done.status.success() {
        return Err(format!("{command} failed"));
    }
    String::from_utf8(done.stdout).map_err(|error| error.to_string())
}
