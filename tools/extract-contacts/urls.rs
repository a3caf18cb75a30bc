//! Finds links.

use super::found::{Found, Hit};
use super::pattern::{Pattern, compiled, places};

static URL: Pattern = Pattern::new(|| compiled(r#"(?<hit>(?i-u:https?://|www\.)[^\s<>"'`\]|]+)"#));

pub(super) fn find(text: &str) -> Vec<Hit> {
    let hit = |place: std::ops::Range<usize>| {
        let link = trimmed(text.get(place.clone()).unwrap_or_default());
        let bare = link.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
        let value = if bare { format!("https://{link}") } else { link.to_owned() };
        Found::Url(value).at(place.start..place.start + link.len())
    };
    places(&URL, text).into_iter().map(hit).collect()
}

/// Punctuation at the end belongs to the sentence, and so does a bracket that the link did not open.
fn trimmed(link: &str) -> &str {
    let count = |bracket: char| link.matches(bracket).count();
    let mut surplus = count(')').saturating_sub(count('('));
    link.trim_end_matches(|last| match last {
        ')' if surplus > 0 => {
            surplus -= 1;
            true
        }
        last => ".,;:!?*".contains(last),
    })
}
