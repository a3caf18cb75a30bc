//! Words: folded for comparison, without those that say nothing.

/// Words that carry no meaning for a search.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "again",
    "all",
    "am",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "for",
    "from",
    "get",
    "give",
    "had",
    "has",
    "have",
    "he",
    "hello",
    "her",
    "hey",
    "hi",
    "him",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "know",
    "like",
    "look",
    "many",
    "may",
    "me",
    "more",
    "much",
    "my",
    "need",
    "no",
    "not",
    "of",
    "okay",
    "on",
    "one",
    "or",
    "our",
    "out",
    "please",
    "search",
    "shall",
    "she",
    "should",
    "show",
    "so",
    "some",
    "something",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "up",
    "us",
    "want",
    "was",
    "we",
    "were",
    "what",
    "whats",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whos",
    "whose",
    "why",
    "will",
    "with",
    "would",
    "yes",
    "you",
    "your",
    "der",
    "die",
    "das",
    "den",
    "ein",
    "eine",
    "ist",
    "wann",
    "was",
    "wer",
    "wie",
    "wird",
    "wo",
    "und",
    "find",
    "knowledge",
    "explain",
    "help",
    "list",
    "happened",
    "describe",
    "base",
];

/// The text in lower case, words apart by one blank, a blank at either end.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + 2);
    folded.push(' ');
    for letter in text.chars() {
        match letter {
            '\'' | '\u{2019}' => {}
            letter if letter.is_alphanumeric() => folded.extend(letter.to_lowercase()),
            _ if folded.ends_with(' ') => {}
            _ => folded.push(' '),
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

/// Whether a folded text has a phrase, as whole words.
pub(super) fn has(folded: &str, phrase: &str) -> bool {
    folded
        .match_indices(phrase)
        .any(|(at, _)| folded[..at].ends_with(' ') && folded[at + phrase.len()..].starts_with(' '))
}

/// Whether a folded text has one of the phrases.
pub(super) fn has_any(folded: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| has(folded, phrase))
}

/// The words that say what a text is about, as they were written.
pub(super) fn telling(text: &str) -> Vec<String> {
    let words =
        text.split(|letter: char| letter.is_whitespace() || ",;?!\"()[]{}<>“”„".contains(letter));
    let words = words.map(|word| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        word.trim_end_matches("'s").trim_end_matches("\u{2019}s").to_owned()
    });
    words.filter(|word| !word.is_empty() && !is_empty(word)).collect()
}

fn is_empty(word: &str) -> bool {
    let folded = fold(word);
    EMPTY.contains(&folded.trim())
}

/// The part of a word that its forms share.
pub(super) fn stem(word: &str) -> String {
    let folded: String =
        word.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect();
    let endings = [
        "ations", "ation", "ings", "ing", "eries", "ery", "ies", "ered", "ed", "es", "er", "ly",
        "s", "y", "e",
    ];
    let cut = endings.iter().find_map(|ending| {
        let stem = folded.strip_suffix(ending)?;
        (stem.chars().count() >= 4).then_some(stem)
    });
    cut.unwrap_or(&folded).to_owned()
}

/// The stems of the telling words.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = telling(text).iter().map(|word| stem(word)).collect();
    stems.sort_unstable();
    stems.dedup();
    stems.retain(|stem| !stem.is_empty());
    stems
}

/// A number written as a word.
pub(super) fn number(word: &str) -> Option<i64> {
    const WORDS: &[&str] = &[
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let at = WORDS.iter().position(|known| *known == word);
    at.and_then(|at| i64::try_from(at).ok()).or_else(|| word.parse().ok())
}

#[cfg(test)]
#[path = "word_tests.rs"]
mod tests;
