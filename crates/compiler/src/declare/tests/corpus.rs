//! 10,566 real tool definitions through every target.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use super::rules::faults;
use super::*;

const CORPUS: &str = "shared/corpora/tools-dev.jsonl.gz";

/// The corpus, in a folder beside one that this crate is in.
fn corpus() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().map(|folder| folder.join(CORPUS)).find(|path| path.is_file())
}

fn definitions(path: &Path) -> impl Iterator<Item = Value> {
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

fn as_tool(definition: &Value) -> Value {
    json!({
        "toolId": definition["name"],
        "description": definition["description"].as_str().unwrap_or("A tool."),
        "parameters": definition["parameters"],
    })
}

#[test]
fn what_is_not_refused_keeps_the_targets_rules() {
    let Some(path) = corpus() else {
        eprintln!("skipped: no {CORPUS} in a folder above");
        return;
    };
    let mut broken = Vec::new();
    for definition in definitions(&path) {
        let tool = as_tool(&definition);
        for (target, form) in FORMS {
            let Some(declaration) = declare(&tool, target, form) else { continue };
            if declaration.losses.iter().any(|loss| loss.kind.is_refusal()) {
                continue;
            }
            let faults = faults(target, form, &declaration.value);
            broken
                .extend(faults.into_iter().map(|f| format!("{target} {}: {f}", definition["id"])));
        }
    }
    assert!(
        broken.is_empty(),
        "{} faults, first {:#?}",
        broken.len(),
        &broken[..broken.len().min(20)]
    );
}
