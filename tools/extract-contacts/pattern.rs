//! Patterns and the places they match. The engine takes linear time, so that a
//! hostile text costs no more than a long one; it has no lookaround, so a
//! pattern names the part that counts `hit` and may look at its neighbours.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::found::Hit;

/// A pattern that is compiled when it is first used.
pub(super) type Pattern = LazyLock<Regex>;

#[expect(clippy::expect_used, reason = "patterns are constants, and the cases use every one")]
pub(super) fn compiled(text: &str) -> Regex {
    Regex::new(text).expect("a pattern that compiles")
}

/// The places of a pattern's `hit` in a text, from left to right.
pub(super) fn places(pattern: &Regex, text: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    loop {
        let from = places.last().map_or(0, |place| place.end);
        let captures = pattern.captures_at(text, from);
        match captures.and_then(|captures| captures.name("hit")) {
            Some(hit) => places.push(hit.range()),
            None => return places,
        }
    }
}

/// Overwrites what was found, keeping every position.
pub(super) fn masked(line: &str, hits: &[Hit], mark: char) -> String {
    let mut places: Vec<&Range<usize>> = hits.iter().map(|hit| &hit.place).collect();
    places.sort_by_key(|place| place.start);
    let (mut masked, mut done) = (String::with_capacity(line.len()), 0);
    for place in places {
        masked.push_str(line.get(done..place.start).unwrap_or_default());
        masked.extend(std::iter::repeat_n(mark, place.len()));
        done = place.end;
    }
    masked + line.get(done..).unwrap_or_default()
}
