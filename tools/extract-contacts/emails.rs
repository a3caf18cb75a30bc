//! Finds email addresses.

use super::found::{Found, Hit};
use super::pattern::{Pattern, compiled, places};

static EMAIL: Pattern = Pattern::new(|| {
    compiled(concat!(
        r"(?:^|[^A-Za-z0-9_.%+'-])",
        r"(?<hit>[A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})",
        r"(?:[^A-Za-z0-9]|$)",
    ))
});

pub(super) fn find(text: &str) -> Vec<Hit> {
    let hit = |place: std::ops::Range<usize>| {
        let raw = text.get(place.clone()).unwrap_or_default();
        Found::Email(raw.trim_start_matches(['\'', '.']).to_lowercase()).at(place)
    };
    places(&EMAIL, text).into_iter().map(hit).collect()
}
