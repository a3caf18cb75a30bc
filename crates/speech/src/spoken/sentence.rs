//! Where sentences and groups of words end.

use super::abbreviation;

/// The most characters of a sentence; a longer one is cut after a clause or a word, so that the first sound does
/// not wait for a text without full stops.
const MOST_CHARS: usize = 220;

/// The most words of a group, unless a number would be cut.
const MOST_WORDS: usize = 5;

/// Cuts a text that is still being written into sentences.
#[derive(Debug, Clone, Default)]
pub struct SentenceReader {
    pending: String,
}

impl SentenceReader {
    /// Adds text; returns the sentences that are complete, each with the space after it.
    pub fn push(&mut self, text: &str) -> Vec<String> {
        self.pending.push_str(text);
        let mut sentences = Vec::new();
        while let Some(end) = end_of_sentence(&self.pending) {
            let rest = self.pending.split_off(end);
            sentences.push(std::mem::replace(&mut self.pending, rest));
        }
        sentences
    }

    /// The rest, when the text is complete.
    pub fn finish(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.pending);
        (!rest.trim().is_empty()).then_some(rest)
    }
}

/// Where the first sentence ends, if it is certain that it does.
fn end_of_sentence(text: &str) -> Option<usize> {
    let is_closing = |c: char| "\"')]”’*_".contains(c);
    for (at, c) in text.char_indices() {
        if c == '\n' && !text[..at].trim().is_empty() {
            return Some(at + 1);
        }
        if !".!?…".contains(c) {
            continue;
        }
        let after = &text[at + c.len_utf8()..];
        let rest = after.trim_start_matches(is_closing);
        let closed = text.len() - rest.len();
        let spaces = rest.len() - rest.trim_start().len();
        let Some(next) = rest.trim_start().chars().next() else { continue };
        if spaces > 0 && (c != '.' || stop_ends(&text[..at], next)) {
            return Some(closed + spaces);
        }
    }
    forced_end(text)
}

/// Whether a full stop after this text ends a sentence that continues with this character.
fn stop_ends(before: &str, next: char) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(['(', '"', '“', '\'']);
    let is_list_number = before.trim_start().len() == word.len() && word.parse::<u32>().is_ok();
    !next.is_lowercase() && !abbreviation::takes_stop(word) && !is_list_number
}

/// The end of a part of a sentence that is too long.
fn forced_end(text: &str) -> Option<usize> {
    let (limit, _) = text.char_indices().nth(MOST_CHARS)?;
    let part = &text[..limit];
    let clause = part.rfind([',', ';', ':']).filter(|at| *at > limit / 3);
    let cut = clause.or_else(|| part.rfind(char::is_whitespace))?;
    let after = text[cut..].chars().next().map_or(0, char::len_utf8);
    let spaces = text[cut + after..].len() - text[cut + after..].trim_start().len();
    Some(cut + after + spaces)
}

/// The words of a sentence in groups, each with the space after it: together they are the sentence.
pub fn word_groups(sentence: &str) -> Vec<String> {
    let mut groups = vec![String::new()];
    let mut count = 0;
    let words: Vec<&str> = sentence.split_inclusive(char::is_whitespace).collect();
    for (at, word) in words.iter().enumerate() {
        if let Some(group) = groups.last_mut() {
            group.push_str(word);
        }
        count += usize::from(!word.trim().is_empty());
        let bare = word.trim_end();
        let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
        let next = words.get(at + 1).copied().unwrap_or_default();
        let is_pause = bare.ends_with([',', ';', ':', '—']);
        let splits_number = has_digit(bare)
            || has_digit(next)
            || abbreviation::takes_stop(bare.trim_end_matches('.'));
        if !next.is_empty() && !splits_number && (is_pause && count > 1 || count >= MOST_WORDS) {
            groups.push(String::new());
            count = 0;
        }
    }
    groups.retain(|group| !group.trim().is_empty());
    groups
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
