//! The items and the ranking keys.

use jiff::Timestamp;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Args {
    pub(super) items: Vec<Item>,
    pub(super) keys: Vec<Key>,
    pub(super) limit: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Item {
    pub(super) id: String,
    values: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    key: String,
    number: Option<f64>,
    time: Option<Timestamp>,
}

#[derive(Deserialize)]
pub(super) struct Key {
    pub(super) key: String,
    #[serde(default = "one")]
    pub(super) weight: f64,
    #[serde(default)]
    pub(super) prefer: Prefer,
}

/// Whether high or low values are better.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Prefer {
    #[default]
    High,
    Low,
}

impl Item {
    /// The first value of a key, as a number: a time counts in milliseconds.
    pub(super) fn value(&self, key: &str) -> Option<f64> {
        let entry = self.values.iter().find(|entry| entry.key == key)?;
        let time = || entry.time.map(|time| time.as_millisecond() as f64);
        entry.number.or_else(time)
    }
}

fn one() -> f64 {
    1.0
}
