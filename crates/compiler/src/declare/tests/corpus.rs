//! 10,566 real tool definitions through every target.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use aileron_schema::Validator;
use flate2::read::GzDecoder;

use super::meaning::{declared, filled};
use super::rules::faults;
use super::*;

const CORPUS: &str = "../../../shared/corpora/tools-dev.jsonl.gz";

/// The corpus, in a folder beside the repository.
fn corpus() -> Option<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(CORPUS);
    corpus.is_file().then_some(corpus)
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
    assert!(broken.is_empty(), "{} faults, first {:#?}", broken.len(), broken.first());
}

/// The arguments of the examples that the tool takes.
fn valid_calls(definition: &Value) -> Vec<&Value> {
    let Ok(validator) = Validator::compile(&definition["parameters"]) else { return Vec::new() };
    let examples = definition["examples"].as_array().into_iter().flatten();
    examples.map(|example| &example["args"]).filter(|call| validator.accepts(call)).collect()
}

/// Why a declaration does not take a call that the tool takes.
///
/// The strict form closes objects, so other properties do not count.
fn objections(tool: &Value, target: Provider, form: OpenAiForm, call: &Value) -> Vec<String> {
    let Some((validator, schema)) = declared(tool, target, form) else { return Vec::new() };
    let call =
        if form == OpenAiForm::Strict { filled(call, &schema, &schema) } else { call.clone() };
    let faults = validator.faults(&call);
    let counts =
        |pointer: &str| form == OpenAiForm::Plain || !pointer.ends_with("/additionalProperties");
    let counted = faults.iter().filter(|fault| counts(fault.schema_pointer));
    counted.map(|fault| fault.message.to_owned()).collect()
}

#[test]
fn what_the_tools_take_their_declarations_take() {
    let Some(path) = corpus() else {
        eprintln!("skipped: no {CORPUS} in a folder above");
        return;
    };
    let mut broken = Vec::new();
    for definition in definitions(&path) {
        let tool = as_tool(&definition);
        for call in valid_calls(&definition) {
            for (target, form) in FORMS {
                let objections = objections(&tool, target, form, call);
                broken.extend(
                    objections.iter().map(|o| format!("{target} {}: {o}", definition["id"])),
                );
            }
        }
    }
    assert!(broken.is_empty(), "{} calls, first {:#?}", broken.len(), broken.first());
}
