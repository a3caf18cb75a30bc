//! Vectors of the fixed table.

use super::*;

fn documents(texts: &[&str]) -> Vec<Vec<f32>> {
    FixedTable::new().documents(texts).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(vector: &[f32]) -> f32 {
    cosine(vector, vector).sqrt()
}

#[test]
fn related_texts_are_nearer_than_others() {
    let vectors = documents(&[
        "How do I get my money back?",
        "Refunds are paid to the customer's account within five days.",
        "The spacecraft entered the orbit of Jupiter.",
    ]);
    assert!(cosine(&vectors[0], &vectors[1]) > cosine(&vectors[0], &vectors[2]) + 0.1);
    assert!(
        vectors.iter().all(|vector| vector.len() == 256 && (length(vector) - 1.0).abs() < 1e-5)
    );
}

#[test]
fn a_text_without_tokens_is_like_nothing() {
    let statistics = TokenStatistics::default();
    assert_eq!(documents(&["", " \u{200b}\t"]), vec![vec![0.0; 256]; 2]);
    assert_eq!(FixedTable::new().query("", &statistics).unwrap(), vec![0.0; 256]);
}

#[test]
fn rare_tokens_lead_a_query() {
    let mut statistics = TokenStatistics::default();
    (0..50).for_each(|_| statistics.count("the animal is an animal"));
    statistics.count("the violin");
    let query = FixedTable::new().query("animal violin", &statistics).unwrap();
    let words = documents(&["animal", "violin"]);
    let plain = &documents(&["animal violin"])[0];
    let lead = |vector: &[f32]| cosine(vector, &words[1]) - cosine(vector, &words[0]);
    assert!(lead(&query) > lead(plain) + 0.2, "{} {}", lead(&query), lead(plain));
}

#[test]
fn a_query_to_an_empty_index_weighs_all_tokens_alike() {
    let query = FixedTable::new().query("a quiet violin", &TokenStatistics::default()).unwrap();
    assert!(cosine(&query, &documents(&["a quiet violin"])[0]) > 0.99999);
}

/// Made with numpy from the same table and the reference's tokens.
#[test]
fn a_vector_is_that_of_the_reference() {
    let vector = &documents(&["Hybrid search finds évidence, doesn't it?"])[0];
    for (column, expected) in REFERENCE {
        assert!((vector[*column] - expected).abs() < 1e-5, "{column}: {}", vector[*column]);
    }
}

const REFERENCE: &[(usize, f32)] = &[
    (0, 0.05463571),
    (1, 0.02931884),
    (2, 0.1556368),
    (100, 0.007006321),
    (127, 0.001080108),
    (128, 0.001472985),
    (200, 0.00982237),
    (255, 0.002867238),
];
