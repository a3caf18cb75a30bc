//! `aileron kb model`: fetches and lists the weights of models that run on this machine.

use std::path::Path;

use aileron_kb::embed::weights::{FetchOutcome, Weights, WeightsState};
use indicatif::DecimalBytes;
use serde_json::{Value, json};

use crate::args::{DataFormat, ModelArgs, ModelCommand};
use crate::commands::findings::{pretty, written};
use crate::output::{self, ExitOutcome, Failure};
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 5] = [
    ("NAME", Align::Left),
    ("STATE", Align::Left),
    ("SIZE", Align::Right),
    ("LICENCE", Align::Left),
    ("FILE", Align::Left),
];

const NEXT: &str = "to use it, set `engine = \"minilm\"` in [kb.embeddings] of aileron.toml; \
                    `aileron kb ingest --rebuild` then embeds the records that are there";

pub(super) fn run(args: &ModelArgs, folder: &Path) -> Result<ExitOutcome, Failure> {
    match &args.command {
        ModelCommand::Fetch { name } => fetch(name, folder),
        ModelCommand::List { format } => list(*format, folder),
    }
}

fn fetch(weights: &Weights, folder: &Path) -> Result<ExitOutcome, Failure> {
    let path = written(&weights.path(folder));
    let Weights { name, package, version, licence, bytes, .. } = weights;
    let size = DecimalBytes(*bytes);
    output::talk(&format!("fetching {name} ({size}, {licence}) as {package} {version}"));
    let fetched = weights.fetch(folder).map_err(|error| Failure::Failed(error.to_string()))?;
    output::talk(&match fetched {
        FetchOutcome::Now => format!("{name} is in {path}"),
        FetchOutcome::Before => format!("{name} was in {path} already"),
    });
    output::talk(NEXT);
    Ok(ExitOutcome::Fine)
}

fn list(format: DataFormat, folder: &Path) -> Result<ExitOutcome, Failure> {
    let mut rows = Vec::new();
    for weights in Weights::ALL {
        let path = written(&weights.path(folder));
        let state = weights.state(folder);
        let state =
            state.map_err(|error| Failure::Failed(format!("`{path}` cannot be read: {error}")))?;
        rows.push((weights, word(&state), path));
    }
    match format {
        DataFormat::Json => {
            let rows: Vec<_> =
                rows.iter().map(|(weights, state, path)| data(weights, state, path)).collect();
            output::data(&pretty(&json!(rows)))?;
        }
        DataFormat::Text => {
            let rows: Vec<_> =
                rows.iter().map(|(weights, state, path)| row(weights, state, path)).collect();
            output::data(&Table::new(COLUMNS).whole(&rows))?;
        }
    }
    Ok(ExitOutcome::Fine)
}

fn word(state: &WeightsState) -> &'static str {
    match state {
        WeightsState::Missing => "missing",
        WeightsState::Ready => "ready",
        WeightsState::Other { .. } => "damaged",
    }
}

fn data(weights: &Weights, state: &str, path: &str) -> Value {
    let Weights { name, bytes, licence, package, version, .. } = weights;
    json!({
        "name": name, "state": state, "bytes": bytes, "licence": licence, "file": path,
        "package": package, "version": version,
    })
}

fn row(weights: &Weights, state: &str, path: &str) -> [Cell; 5] {
    let size = DecimalBytes(weights.bytes).to_string();
    [weights.name, state, &size, weights.licence, path].map(|text| Cell::from(text.to_owned()))
}
