//! When a person has finished: after a pause, which is longer where the words so far are no finished sentence.

/// The pause after a finished sentence.
pub const SHORT_PAUSE_MS: u64 = 480;

/// The pause after words that ask for more, such as "and" or "um".
pub const LONG_PAUSE_MS: u64 = 1_200;

/// Words that no sentence ends with.
const UNFINISHED: &[&str] = &[
    "and", "but", "or", "so", "because", "the", "a", "an", "to", "of", "with", "for", "from", "my",
    "your", "our", "their", "is", "are", "was", "were", "will", "would", "can", "could", "should",
    "if", "when", "then", "that", "which", "who", "uh", "um", "uhm", "er", "erm", "hmm", "like",
    "about", "at", "in", "by", "into", "than", "also", "maybe", "please", "i", "it's", "i'm",
];

/// Words that are a whole answer although others would be expected to follow.
const WHOLE: &[&str] = &["so", "please", "that", "maybe", "in"];

/// How long the person may pause after these words.
pub fn pause_ms(text: &str) -> u64 {
    let text = text.trim();
    let is_cut = text.is_empty()
        || text.ends_with([',', '-', '—'])
        || text.ends_with("...")
        || text.ends_with('…');
    let words: Vec<&str> = text.split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    let last = last.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'').to_lowercase();
    // "Yes, please." and "I think so." are finished.
    let finished =
        WHOLE.contains(&last.as_str()) && text.ends_with(['.', '?', '!']) && words.len() > 1;
    let asks_for_more = UNFINISHED.contains(&last.as_str()) && !finished;
    if is_cut || asks_for_more { LONG_PAUSE_MS } else { SHORT_PAUSE_MS }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;
