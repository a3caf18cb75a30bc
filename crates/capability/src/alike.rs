//! Finds existing names that are similar to an unknown one.

use std::cmp::Ordering;

/// The maximum number of suggestions.
const MOST: usize = 3;

/// How many characters of a name are compared.
const LOOKED_AT: usize = 64;

/// The names that are most similar to an unknown one, best first. `least` is the lowest similarity,
/// 0 to 1.
pub fn closest<'a>(name: &str, names: impl Iterator<Item = &'a str>, least: f64) -> Vec<&'a str> {
    let name = beginning(name);
    let mut alike: Vec<(f64, &str)> =
        names.map(|other| (strsim::jaro_winkler(name, beginning(other)), other)).collect();
    alike.retain(|(likeness, _)| *likeness >= least);
    alike.sort_by(order);
    alike.into_iter().take(MOST).map(|(_, other)| other).collect()
}

fn order(a: &(f64, &str), b: &(f64, &str)) -> Ordering {
    b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1))
}

fn beginning(name: &str) -> &str {
    let end = name.char_indices().nth(LOOKED_AT).map_or(name.len(), |(end, _)| end);
    name.get(..end).unwrap_or(name)
}

#[cfg(test)]
#[path = "alike_tests.rs"]
mod tests;
