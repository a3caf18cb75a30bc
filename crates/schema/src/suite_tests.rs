//! The official JSON Schema test suite, all of it, through our validator.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::{Retrieve, Uri};

use super::*;

fn suite() -> Option<PathBuf> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/json-schema-2020-12");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

/// The documents that the suite expects at `http://localhost:1234/`.
struct Remotes(HashMap<String, Value>);

impl Remotes {
    fn read(folder: &Path) -> Self {
        let mut files = Vec::new();
        collect(folder, &mut files);
        let document = |file: &PathBuf| {
            let below = file.strip_prefix(folder).unwrap().to_str().unwrap();
            (format!("http://localhost:1234/{below}"), json(file))
        };
        Self(files.iter().map(document).collect())
    }
}

impl Retrieve for Remotes {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        self.0.get(uri.as_str()).cloned().ok_or_else(|| format!("no document at {uri}").into())
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            collect(&entry, files);
        } else if entry.extension().is_some_and(|ending| ending == "json") {
            files.push(entry);
        }
    }
}

fn json(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The results of the tests of one folder.
#[derive(Default)]
struct Outcome {
    count: usize,
    /// How many of them had a plan.
    planned: usize,
    wrong: Vec<String>,
}

/// Runs every test of the files directly in a folder.
fn run(suite: &Path, below: &str, formats: Formats) -> Outcome {
    let options = options(formats).with_retriever(Remotes::read(&suite.join("remotes")));
    let mut outcome = Outcome::default();
    let mut files: Vec<_> =
        fs::read_dir(suite.join(below)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    for group in files.iter().flat_map(|file| json(file).as_array().unwrap().clone()) {
        let validator = Validator::build(&group["schema"], &options);
        let is_planned = matches!(validator, Ok(Validator(ValidatorImpl::Plan(_))));
        let whole = options.build(&group["schema"]);
        for test in group["tests"].as_array().unwrap() {
            let accepted = validator.as_ref().map(|validator| {
                let value = &test["data"];
                assert_eq!(validator.faults(value), faults(whole.as_ref().unwrap(), value));
                assert_eq!(validator.accepts(value), validator.faults(value).is_empty());
                validator.accepts(value)
            });
            outcome.count += 1;
            outcome.planned += usize::from(is_planned);
            if accepted.as_ref().ok() != test["valid"].as_bool().as_ref() {
                let (group, test) = (&group["description"], &test["description"]);
                outcome.wrong.push(format!("{group} / {test}: {accepted:?}"));
            }
        }
    }
    outcome
}

#[track_caller]
fn check(below: &str, formats: Formats, count: usize, planned: usize) {
    let Some(suite) = suite() else { return };
    let outcome = run(&suite, below, formats);
    let wrong = &outcome.wrong;
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((outcome.count, outcome.planned), (count, planned));
}

#[test]
fn the_required_suite_passes() {
    check("", Formats::Annotations, 1_299, 590);
}

#[test]
fn the_format_suite_passes_with_formats_asserted() {
    check("optional/format", Formats::Asserted, 764, 764);
}
