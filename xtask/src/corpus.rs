//! Compiles the public corpus of tool definitions and checks the results.
//!
//! Each definition is written out as a tool directory, its example arguments as examples of its
//! guide. Every definition must give an artifact or findings, and the examples must be accepted
//! exactly if two independent validators accept them.

mod definition;
mod tally;

use std::fs;
use std::path::Path;
use std::time::Instant;

use aileron_compiler::{Compilation, Options, compile_folder, emit};

use crate::report;
use definition::{Definition, Parameters};
use tally::Tally;

const CORPUS: &str = "../shared/corpora/tools-dev.jsonl.gz";

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let path = root.join(CORPUS);
    if !path.is_file() {
        return Err(format!(
            "expected the corpus at `{CORPUS}` beside the repository, found nothing"
        ));
    }
    let definitions = definition::read(&path)?;
    let mut wrong = Vec::new();
    for parameters in [Parameters::AsWritten, Parameters::Closed] {
        let started = Instant::now();
        let compilation = compile(&definitions, parameters)?;
        let tally = Tally::of(&definitions, &compilation, parameters);
        report(&tally.table(&compilation, started.elapsed()));
        wrong.extend(tally.wrong);
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let shown: Vec<_> = wrong.iter().take(20).cloned().collect();
    Err(format!("{} wrong:\n{}", wrong.len(), shown.join("\n")))
}

fn compile(definitions: &[Definition], parameters: Parameters) -> Result<Compilation, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tools = folder.path().join("tools");
    for definition in definitions {
        definition
            .write(&tools, parameters)
            .map_err(|error| format!("{}: {error}", definition.name))?;
    }
    let compilation = compile_folder(&tools, &Options::default(), &|_, _| {});
    let artifact = folder.path().join("tool_registry.json");
    emit::save(&compilation.tools, &emit::BuildStamp::default(), &artifact)
        .map_err(|finding| finding.message)?;
    let text = fs::read_to_string(&artifact).map_err(|error| error.to_string())?;
    aileron_contract::Artifact::read(&text).map_err(|error| error.to_string())?;
    Ok(compilation)
}
