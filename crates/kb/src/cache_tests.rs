//! Vectors that are remembered.

use std::sync::Mutex;

use tempfile::TempDir;

use super::*;
use crate::embed::{EmbedError, Model, TokenStatistics};

/// Makes a vector of the length of each text, and records the requests.
#[derive(Debug)]
struct Lengths {
    model: Model,
    asked: Mutex<Vec<String>>,
}

impl Lengths {
    fn new(name: &str, cost: Cost) -> Self {
        let model = Model { name: name.to_owned(), dim: 1, weight: 1.0, on_topic: None, cost };
        Self { model, asked: Mutex::default() }
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Embedder for Lengths {
    fn model(&self) -> &Model {
        &self.model
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.asked.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
        Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
    }

    fn query(&self, _: &str, _: &TokenStatistics) -> Result<Vec<f32>, EmbedError> {
        Ok(vec![0.0])
    }
}

#[test]
fn a_dear_vector_is_made_once_also_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let engine = Lengths::new("a", Cost::Dear);
    let cached = CachedEmbedder::new(&engine, folder.path()).unwrap();
    assert_eq!(cached.documents(&["one", "three"]).unwrap(), [[3.0], [5.0]]);
    assert_eq!(engine.asked(), ["one", "three"]);
    let cached = CachedEmbedder::new(&engine, folder.path()).unwrap();
    assert_eq!(cached.documents(&["three", "seven", "one"]).unwrap(), [[5.0], [5.0], [3.0]]);
    assert_eq!(engine.asked(), ["seven"]);
}

#[test]
fn models_do_not_share_vectors() {
    let folder = TempDir::new().unwrap();
    for name in ["a", "b"] {
        let engine = Lengths::new(name, Cost::Dear);
        CachedEmbedder::new(&engine, folder.path()).unwrap().documents(&["one"]).unwrap();
        assert_eq!(engine.asked(), ["one"]);
    }
}

#[test]
fn a_cheap_vector_is_not_kept() {
    let folder = TempDir::new().unwrap();
    let engine = Lengths::new("a", Cost::Cheap);
    CachedEmbedder::new(&engine, folder.path()).unwrap().documents(&["one"]).unwrap();
    assert!(!folder.path().join(FILE).exists());
}

#[test]
fn a_newer_cache_is_refused() {
    let folder = TempDir::new().unwrap();
    let embedder = Lengths::new("m", Cost::Dear);
    CachedEmbedder::new(&embedder, folder.path()).unwrap();
    let other = Connection::open(folder.path().join(FILE)).unwrap();
    other.pragma_update(None, "user_version", 99).unwrap();
    let error = CachedEmbedder::new(&embedder, folder.path()).map(|_| ()).unwrap_err();
    assert!(matches!(error, KbError::Newer { found: 99, known: 1, .. }), "{error:?}");
}
