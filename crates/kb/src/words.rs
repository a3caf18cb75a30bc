//! How text becomes words, the same for records, queries and snippets: split, lower
//! case, accents folded; then, for ranking, without English stop words and stemmed.

mod letter;
mod split;

use std::ops::Range;
use std::sync::LazyLock;

use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, RawTokenizer, Stemmer, StopWordFilter, TextAnalyzer, TokenFilter,
    TokenStream, Tokenizer, TokenizerManager,
};

use split::{Splitter, TailRule};

/// The analysis of the field that ranks: stems, stop words left out.
pub(crate) const STEMS: &str = "aileron_stems";
/// The analysis of the field for phrases, prefixes and spelling: every word as written.
pub(crate) const PLAIN: &str = "aileron_plain";

/// English words too common to rank by.
const STOP: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
];

/// Words that questions are built of and that are never their topic. Sorted.
const QUESTION: [&str; 40] = [
    "about", "am", "can", "could", "did", "do", "does", "from", "had", "has", "have", "he", "her",
    "him", "his", "how", "i", "me", "my", "our", "please", "she", "should", "some", "tell", "them",
    "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "would", "you",
    "your", "yours",
];

/// A word of a text and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Lower case, without accents.
    pub(crate) text: String,
    /// Its bytes in the text.
    pub(crate) range: Range<usize>,
    /// Counted in words.
    pub(crate) position: usize,
}

/// The words of a text. A run of a script without spaces gives its overlapping pairs.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut analyzer = AsciiFoldingFilter.transform(Splitter(TailRule::Drop));
    let mut stream = analyzer.token_stream(text);
    let mut words = Vec::new();
    while stream.advance() {
        let token = stream.token();
        let (text, range) = (token.text.clone(), token.offset_from..token.offset_to);
        words.push(Word { text, range, position: token.position });
    }
    words
}

/// A whole text as one term, for titles that are equal but for case, accents and
/// punctuation. Nothing for a text without words, or one too long to be a title.
pub(crate) fn normalised(text: &str) -> Option<String> {
    const LONGEST: usize = 1_000;
    let words: Vec<String> = match text.len() {
        0..=LONGEST => words(text).into_iter().map(|word| word.text).collect(),
        _ => Vec::new(),
    };
    (!words.is_empty()).then(|| words.join(" "))
}

/// The stem of a word that [`words`] gave.
pub(crate) fn stem(word: &str) -> String {
    let mut stemmer = Stemmer::new(Language::English).transform(RawTokenizer::default());
    let mut stream = stemmer.token_stream(word);
    stream.next().map_or_else(|| word.to_owned(), |token| token.text.clone())
}

/// Whether the ranked field leaves the word out.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

/// Whether a query can do without the word.
pub(crate) fn is_filler(word: &str) -> bool {
    is_stop(word) || QUESTION.binary_search(&word).is_ok()
}

/// Whether the word is one letter of a script without spaces: the records have it only
/// as a part of pairs.
pub(crate) fn is_lone(word: &str) -> bool {
    let mut letters = word.chars();
    let first = letters.next().map(letter::kind);
    first == Some(letter::CharClass::Dense) && letters.next().is_none()
}

/// The two analyses, for the index.
pub(crate) fn tokenizers() -> TokenizerManager {
    static MANAGER: LazyLock<TokenizerManager> = LazyLock::new(|| {
        let manager = TokenizerManager::default();
        let plain = TextAnalyzer::builder(Splitter(TailRule::Keep)).filter(AsciiFoldingFilter);
        manager.register(PLAIN, plain.build());
        let stop = StopWordFilter::remove(STOP.map(str::to_owned));
        let stems = TextAnalyzer::builder(Splitter(TailRule::Drop)).filter(AsciiFoldingFilter);
        manager.register(STEMS, stems.filter(stop).filter(Stemmer::new(Language::English)).build());
        manager
    });
    MANAGER.clone()
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
