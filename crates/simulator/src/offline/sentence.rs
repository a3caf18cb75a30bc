//! Sentences of a text, and those of them that answer a question best.

use super::word::{stem, stems, telling};

/// A text in its sentences, without its headings and marks.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for paragraph in text.replace("**", "").split("\n\n") {
        let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
        let line = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        let line = line.trim_start_matches(['-', '*', '>', ' ']).to_owned();
        let mut from = 0;
        for (at, mark) in line.match_indices(['.', '!', '?']) {
            let end = at + mark.len();
            let ends = line[end..].starts_with(' ') && end - from > 12;
            if ends {
                sentences.push(bare(&line[from..end]));
                from = end;
            }
        }
        sentences.push(bare(&line[from..]));
    }
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences
}

/// A sentence without the mark of a list.
fn bare(sentence: &str) -> String {
    sentence.trim().trim_start_matches("- ").to_owned()
}

/// How many of the question's words a text has.
pub(super) fn overlap(question: &[String], text: &str) -> usize {
    let words: Vec<String> = telling(text).iter().map(|word| stem(word)).collect();
    question.iter().filter(|wanted| words.iter().any(|word| same(word, wanted))).count()
}

/// Long words are the same if one begins with the other.
fn same(one: &str, other: &str) -> bool {
    let long = |word: &str| word.chars().count() >= 5;
    one == other || (long(one) && long(other) && (one.starts_with(other) || other.starts_with(one)))
}

/// The sentences that answer best, at most that many, in the order of the text.
pub(super) fn best(question: &str, text: &str, most: usize) -> Vec<String> {
    let wanted = stems(question);
    let sentences = split(text);
    let mut ranked: Vec<(usize, usize)> = sentences
        .iter()
        .enumerate()
        .map(|(at, sentence)| (overlap(&wanted, sentence), at))
        .collect();
    ranked.sort_by(|(one, one_at), (other, other_at)| other.cmp(one).then(one_at.cmp(other_at)));
    let top = ranked.first().map_or(0, |(overlap, _)| *overlap);
    let enough = (top * 2).div_ceil(3).max(1);
    let mut chosen: Vec<usize> = ranked
        .iter()
        .filter(|(overlap, _)| *overlap >= enough)
        .take(most)
        .map(|(_, at)| *at)
        .collect();
    if chosen.is_empty() {
        chosen = (0..sentences.len().min(most)).collect();
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|at| sentences[at].clone()).collect()
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
