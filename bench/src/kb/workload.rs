//! A folder that every store reads: records, their vectors, queries, filters. Written once per
//! size; Aileron's search adds the queries' vectors, which depend on its index.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use aileron_contract::kb::Record;
use aileron_kb::embed::{Embedder, FixedTable};
use serde::{Deserialize, Serialize};

use super::generate::{Generator, TENTH, THOUSANDTH};
use super::text::{Text, repository};
use crate::say;

/// Incremented when the generator makes other records.
const VERSION: u32 = 1;
const QUERIES: usize = 200;
const BATCH: usize = 1000;

/// A workload on disk.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) folder: PathBuf,
    pub(crate) about: About,
}

/// The description of the workload in its folder.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct About {
    version: u32,
    pub(crate) source: String,
    pub(crate) records: usize,
    pub(crate) dim: usize,
    pub(crate) queries: Vec<String>,
    /// The name of each filter, and its tag.
    pub(crate) filters: Vec<(String, Option<String>)>,
}

impl Workload {
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let text =
            fs::read_to_string(folder.join("workload.json")).map_err(|error| error.to_string())?;
        let about = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Self { folder: folder.to_owned(), about })
    }

    /// The workload of a size, created unless it exists.
    pub(crate) fn prepare(records: usize) -> Result<Self, String> {
        let folder = repository().join("target/bench-kb").join(records.to_string());
        match Self::read(&folder) {
            Ok(workload) if workload.about.version == VERSION => Ok(workload),
            _ => Self::write(&folder, records),
        }
    }

    fn write(folder: &Path, records: usize) -> Result<Self, String> {
        say(&format!("making {records} records"));
        let generator = Generator::new(Text::read()?);
        let embedder = FixedTable::new();
        let about = About {
            version: VERSION,
            source: generator.source().to_owned(),
            records,
            dim: embedder.model().dim,
            queries: generator.queries(QUERIES),
            filters: [("none", None), ("10 %", Some(TENTH)), ("0.1 %", Some(THOUSANDTH))]
                .into_iter()
                .map(|(name, tag)| (name.to_owned(), tag.map(str::to_owned)))
                .collect(),
        };
        let workload = Self { folder: folder.to_owned(), about };
        workload.files(&generator, &embedder).map_err(|error| error.to_string())?;
        Ok(workload)
    }

    fn files(&self, generator: &Generator, embedder: &FixedTable) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut records = BufWriter::new(File::create(self.folder.join("records.jsonl"))?);
        let mut vectors = BufWriter::new(File::create(self.folder.join("vectors.f32"))?);
        for start in (0..self.about.records).step_by(BATCH) {
            let end = (start + BATCH).min(self.about.records);
            let batch: Vec<_> = (start..end).map(|number| generator.record(number)).collect();
            for record in &batch {
                writeln!(records, "{}", serde_json::to_string(record)?)?;
            }
            // Like the knowledge base: the title belongs to the text.
            let texts: Vec<_> = batch.iter().map(|r| format!("{}\n{}", r.title, r.text)).collect();
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            for vector in embedder.documents(&texts).map_err(std::io::Error::other)? {
                write_vector(&mut vectors, &vector)?;
            }
        }
        records.flush()?;
        vectors.flush()?;
        fs::write(self.folder.join("workload.json"), serde_json::to_string_pretty(&self.about)?)
    }

    /// Where the knowledge base is.
    pub(crate) fn base(&self) -> PathBuf {
        self.folder.join("aileron")
    }

    pub(crate) fn records(&self) -> Result<impl Iterator<Item = Result<Record, String>>, String> {
        let file =
            File::open(self.folder.join("records.jsonl")).map_err(|error| error.to_string())?;
        Ok(BufReader::new(file).lines().map(|line| {
            let line = line.map_err(|error| error.to_string())?;
            serde_json::from_str(&line).map_err(|error| error.to_string())
        }))
    }

    /// The tag of each filter; none for all records.
    pub(crate) fn filters(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.about.filters.iter().map(|(name, tag)| (name.as_str(), tag.as_deref()))
    }

    /// Stores the vectors of the queries for the other stores.
    pub(crate) fn keep_queries(&self, vectors: &[Vec<f32>]) -> Result<(), String> {
        let mut bytes = Vec::new();
        vectors
            .iter()
            .try_for_each(|vector| write_vector(&mut bytes, vector))
            .and_then(|()| fs::write(self.folder.join("queries.f32"), bytes))
            .map_err(|error| error.to_string())
    }
}

fn write_vector(out: &mut impl Write, vector: &[f32]) -> std::io::Result<()> {
    vector.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
