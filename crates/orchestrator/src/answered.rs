//! What became of calls that waited for the person. Whoever delivers one again is told that: it is
//! not asked about, held or run another time.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// How many calls are remembered; a provider delivers again what is recent.
const MOST: usize = 128;

/// The calls the person decided about, by key, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answered(VecDeque<(String, Became)>);

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Became {
    /// It was let through and is known by this key since.
    Call(String),
    Denied,
}

/// Where a call is to be looked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate<'a> {
    KnownBy(&'a str),
    Denied,
}

impl Answered {
    pub(crate) fn push(&mut self, key: &str, became: Became) {
        self.0.push_back((key.to_owned(), became));
        while self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// Takes over what another process was told.
    pub(crate) fn merge(&mut self, theirs: Self) {
        for (key, became) in theirs.0 {
            if self.0.iter().all(|(known, _)| *known != key) {
                self.push(&key, became);
            }
        }
    }

    /// Follows a call to what it became in the end. What one became comes after it in the list, so
    /// this comes to an end.
    pub(crate) fn follow<'a>(&'a self, key: &'a str) -> Fate<'a> {
        let mut known_by = key;
        for (key, became) in &self.0 {
            match became {
                _ if key != known_by => {}
                Became::Call(key) => known_by = key,
                Became::Denied => return Fate::Denied,
            }
        }
        Fate::KnownBy(known_by)
    }
}
