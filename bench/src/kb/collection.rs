//! A public test collection for retrieval: documents, queries, and which documents answer them. It
//! is read in place and never copied.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::text::repository;

/// A document of the collection.
#[derive(Debug, Deserialize)]
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// A query of the collection.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// For each query, how well documents answer it.
pub(crate) type Grades = HashMap<String, HashMap<String, f64>>;

pub(crate) fn folder() -> PathBuf {
    repository().join("../shared/corpora/ir-scifact")
}

pub(crate) fn documents() -> Result<Vec<Document>, String> {
    let packed = fs::read(folder().join("docs.jsonl.gz")).map_err(missing)?;
    let mut text = String::new();
    GzDecoder::new(packed.as_slice())
        .read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    lines(&text)
}

pub(crate) fn queries() -> Result<Vec<Asked>, String> {
    lines(&fs::read_to_string(folder().join("queries.jsonl")).map_err(missing)?)
}

pub(crate) fn grades() -> Result<Grades, String> {
    let text = fs::read_to_string(folder().join("qrels.tsv")).map_err(missing)?;
    let mut grades = Grades::new();
    for line in text.lines() {
        let [query, document, grade] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("expected query, document and grade, found {line:?}"));
        };
        let grade = grade.parse().map_err(|_| format!("expected a grade, found {grade:?}"))?;
        grades.entry(query.to_owned()).or_default().insert(document.to_owned(), grade);
    }
    Ok(grades)
}

fn lines<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, String> {
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
}

fn missing(error: std::io::Error) -> String {
    format!(
        "expected the collection at `../shared/corpora/ir-scifact` beside the repository: {error}"
    )
}
