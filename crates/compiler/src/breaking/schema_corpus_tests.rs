//! Every two schemas of a file of the official JSON Schema test suite, tried on
//! every value of that file. The suite lies beside the repository; where it is
//! absent the tests pass without looking.

use std::path::{Path, PathBuf};

use aileron_schema::Validator;
use serde_json::Value;

use super::*;

/// The schemas and the values of one file.
struct Suite {
    file: PathBuf,
    schemas: Vec<(Value, Validator)>,
    values: Vec<Value>,
}

fn folder() -> Option<PathBuf> {
    let suite =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/json-schema-2020-12");
    suite.is_dir().then_some(suite)
}

fn suites() -> Vec<Suite> {
    let Some(folder) = folder() else {
        println!("skipped: ../shared/corpora is not there");
        return Vec::new();
    };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|end| end == "json")).map(suite).collect()
}

fn suite(file: PathBuf) -> Suite {
    let groups: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let compile = |group: &Value| {
        let schema = group["schema"].clone();
        Validator::compile(&schema).ok().map(|validator| (schema, validator))
    };
    let values = groups.iter().flat_map(|group| group["tests"].as_array().unwrap());
    let values = values.map(|test| test["data"].clone()).collect();
    Suite { schemas: groups.iter().filter_map(compile).collect(), file, values }
}

#[test]
fn what_becomes_invalid_is_reported() {
    let mut missed = Vec::new();
    for Suite { file, schemas, values } in suites() {
        for (before, accepting) in &schemas {
            for (after, refusing) in &schemas {
                let lost = values
                    .iter()
                    .find(|value| accepting.accepts(value) && !refusing.accepts(value));
                if let Some(value) = lost
                    && breaks(&arguments(before, after)) == 0
                {
                    missed.push(format!("{}: {before} to {after} refuses {value}", file.display()));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed\n{}", missed.len(), missed.join("\n"));
}

fn breaks(found: &[PromiseBreach]) -> usize {
    found.iter().filter(|found| found.promise.rule.code != "ADDITION_NEEDS_MINOR").count()
}
