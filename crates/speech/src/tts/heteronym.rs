//! Which part of speech a word has, for the few hundred words that are pronounced by it ("the record", "to
//! record"), judged by the words around it.

/// After these a verb is likely.
const BEFORE_VERB: &[&str] = &[
    "to", "i", "you", "we", "they", "he", "she", "it", "will", "would", "can", "could", "should",
    "shall", "may", "might", "must", "do", "does", "did", "not", "don't", "doesn't", "didn't",
    "can't", "won't", "please", "let's", "who", "i'll", "you'll", "we'll", "they'll",
];
/// After these a noun is likely.
const BEFORE_NOUN: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our",
    "their", "no", "any", "each", "every", "some", "of", "in", "on", "for", "with", "at", "by",
    "new", "first", "last", "one", "two", "three",
];
/// After these a participle is likely.
const BEFORE_PARTICIPLE: &[&str] = &[
    "have", "has", "had", "was", "were", "been", "be", "is", "are", "i've", "you've", "we've",
    "they've", "already", "having", "being",
];

/// The parts of speech that fit a word after this one, the likeliest first.
pub(super) fn parts(before: Option<&str>, after: Option<&str>) -> &'static [&'static str] {
    let after_to = after == Some("to");
    match before.map(str::to_lowercase).as_deref() {
        Some(word) if BEFORE_PARTICIPLE.contains(&word) => &["VBN", "VBD", "ADJ"],
        Some(word) if BEFORE_VERB.contains(&word) && after_to => &["VBD", "VERB"],
        Some(word) if BEFORE_VERB.contains(&word) => &["VERB"],
        Some(word) if BEFORE_NOUN.contains(&word) => &["NOUN", "ADJ"],
        Some(_) => &["NOUN"],
        // A sentence that begins with such a word is most often a request.
        None => &["VERB"],
    }
}
