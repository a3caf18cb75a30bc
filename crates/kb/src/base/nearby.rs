//! Ids that resemble one that no record has. The work is bounded: it does not grow with the number
//! of records, and hardly with the length of the id.

use aileron_contract::kb::Namespace;

use super::index::Index;
use crate::error::KbError;
use crate::records::RecordsReader;

/// How many ids are suggested.
const SUGGESTED: usize = 3;

/// How many ids of each namespace are compared on each side of it in the alphabet.
const EACH_SIDE: usize = 5;

/// How many ids are compared that share words with it.
const SHARING_WORDS: usize = 8;

/// Ids with a lower similarity are not suggested.
const LEAST_SIMILARITY: f64 = 0.5;

/// The ids in these namespaces that resemble this one most, best first.
pub(super) fn ids(
    reader: &RecordsReader,
    index: &Index,
    id: &str,
    namespaces: &[Namespace],
) -> Result<Vec<String>, KbError> {
    let mut candidates = Vec::new();
    for namespace in namespaces {
        candidates.extend(reader.neighbours(id, *namespace, EACH_SIDE)?);
    }
    let wanted = folded(id);
    for row in index.rows_sharing_words(reader, &wanted, namespaces, SHARING_WORDS)? {
        candidates.extend(reader.id_of(row)?);
    }
    let pairs = letter_pairs(&wanted);
    let score = |other: String| (similarity(&pairs, &letter_pairs(&folded(&other))), other);
    let mut scored: Vec<(f64, String)> = candidates.into_iter().map(score).collect();
    scored.retain(|(similarity, _)| *similarity >= LEAST_SIMILARITY);
    scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
    scored.dedup();
    Ok(scored.into_iter().map(|(_, id)| id).take(SUGGESTED).collect())
}

/// An id as it is compared: case does not matter, nor does which mark separates its words.
fn folded(id: &str) -> String {
    id.replace([':', '_', '-', '.'], " ").to_lowercase()
}

/// The pairs of adjacent characters, sorted. The ends count as characters, so that a text of one
/// character has pairs too.
fn letter_pairs(text: &str) -> Vec<[char; 2]> {
    const END: char = '\0';
    let first = std::iter::once(END).chain(text.chars());
    let second = text.chars().chain([END]);
    let mut pairs: Vec<[char; 2]> = first.zip(second).map(|(a, b)| [a, b]).collect();
    pairs.sort_unstable();
    pairs
}

/// The share of the pairs that both have (the Sørensen-Dice coefficient), from 0 to 1. Unlike an
/// edit distance it is linear in the length of the ids.
fn similarity(a: &[[char; 2]], b: &[[char; 2]]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(left), Some(right)) = (a.get(i), b.get(j)) {
        let order = left.cmp(right);
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
        shared += usize::from(order.is_eq());
    }
    2.0 * shared as f64 / (a.len() + b.len()) as f64
}
