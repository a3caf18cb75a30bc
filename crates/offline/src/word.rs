//! Words: folded for comparison, without stop words.

use super::synonym;

/// Stop words.
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
    "take",
    "happen",
    "happens",
    "policy",
    "everything",
    "youre",
    "im",
    "ive",
    "per",
    "here",
    "next",
    "upcoming",
    "now",
    "just",
    "actually",
    "also",
    "thanks",
    "thank",
    "thx",
    "use",
    "used",
    "uses",
    "using",
    "being",
    "best",
    "brief",
    "er",
    "erm",
    "hmm",
    "info",
    "information",
    "mean",
    "ok",
    "over",
    "overview",
    "quick",
    "quickly",
    "rundown",
    "stand",
    "uh",
    "uhm",
    "um",
    "well",
    "whens",
    "wheres",
    "while",
    "yo",
];

/// The text in lower case, with words separated by one space, and a space at either end.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + 2);
    folded.push(' ');
    for letter in text.chars() {
        match letter {
            '\'' | '\u{2019}' => {}
            letter if letter.is_alphanumeric() => folded.extend(letter.to_lowercase().map(plain)),
            _ if folded.ends_with(' ') => {}
            _ => folded.push(' '),
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

/// A letter without its accent, since people leave accents out.
pub(super) fn plain(letter: char) -> char {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        letter => letter,
    }
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

/// The significant words of a text, as they were written.
pub(super) fn telling(text: &str) -> Vec<String> {
    let words =
        text.split(|letter: char| letter.is_whitespace() || ",;?!\"()[]{}<>“”„".contains(letter));
    let words = words.map(|word| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        word.trim_end_matches("'s").trim_end_matches("\u{2019}s").to_owned()
    });
    // In a text without lower case, capitals do not mark short names.
    let shouted = !text.contains(char::is_lowercase);
    let tells = |word: &String| is_telling(word) || (!shouted && is_short_name(word));
    words.filter(|word| !word.is_empty() && tells(word)).collect()
}

/// Whether a word is significant, so not a stop word.
pub(super) fn is_telling(word: &str) -> bool {
    let folded = fold(word);
    let bare = folded.trim();
    let base = bare.strip_suffix('s').filter(|base| base.len() > 3).unwrap_or(bare);
    !EMPTY.contains(&bare) && !EMPTY.contains(&base)
}

/// `IT`, `US`
fn is_short_name(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase) && word != "AM"
}

/// Endings of words, and how many letters have to be left before each.
const ENDINGS: &[(&str, usize)] = &[
    ("ators", 3),
    ("ator", 3),
    ("ations", 4),
    ("ation", 4),
    ("ings", 3),
    ("ing", 3),
    ("eries", 4),
    ("ery", 4),
    ("ies", 4),
    ("ied", 3),
    ("ered", 4),
    ("ed", 3),
    ("es", 4),
    ("er", 4),
    ("ly", 4),
    ("s", 3),
    ("y", 4),
    ("e", 4),
];

/// The common part of a word's forms; synonyms share one.
pub(super) fn stem(word: &str) -> String {
    let folded = fold(word).replace(' ', "");
    let cut = ENDINGS.iter().find_map(|(ending, least)| {
        let stem = folded.strip_suffix(ending)?;
        (stem.chars().count() >= *least && !(*ending == "s" && stem.ends_with('s'))).then_some(stem)
    });
    let stem = cut.unwrap_or(&folded);
    synonym::of(stem).unwrap_or(stem).to_owned()
}

/// The stem of each significant word of a text, in order, and one stem for words that belong
/// together.
pub(super) fn meanings(text: &str) -> Vec<String> {
    let apart = text.replace([':', '_', '-', '/', '.', '`'], " ");
    let stems = telling(&apart).into_iter().map(|word| stem(&word));
    let mut meanings: Vec<String> = Vec::new();
    for stem in stems.filter(|stem| !stem.is_empty()) {
        match meanings.last().and_then(|last| synonym::of_two(last, &stem)) {
            Some(both) => {
                meanings.pop();
                meanings.push(both.to_owned());
            }
            None => meanings.push(stem),
        }
    }
    meanings
}

/// The meanings of a text, each once.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut stems = meanings(text);
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// A number written as a word.
pub(super) fn number(word: &str) -> Option<i64> {
    const WORDS: &[&str] = &[
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: &[&str] =
        &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let place = |words: &[&str], word: &str| {
        words.iter().position(|known| *known == word).and_then(|at| i64::try_from(at).ok())
    };
    let tens = |word: &str| place(TENS, word).map(|at| (at + 2) * 10);
    let both = || {
        let (ten, one) = word.split_once('-')?;
        Some(tens(ten)? + place(&WORDS[..10], one)?)
    };
    place(WORDS, word).or_else(|| tens(word)).or_else(both).or_else(|| word.parse().ok())
}

#[cfg(test)]
#[path = "word_tests.rs"]
mod tests;
