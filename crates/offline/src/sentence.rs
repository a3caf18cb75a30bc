//! The sentences of a text, each with its heading.

use super::word::meanings;

/// The shortest text that a full stop makes a sentence of; "Yes." belongs to the next one.
const SHORTEST: usize = 12;

/// A sentence that states something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Statement {
    pub(super) text: String,
    /// The heading above it, or the question that it answers.
    pub(super) under: String,
}

/// Whether a text ends where its record ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextExtent {
    Whole,
    /// The rest was truncated, perhaps in the middle of a word.
    Beginning,
}

/// The statements of a text, without markup, and without incomplete sentences.
pub(super) fn split(text: &str, extent: TextExtent) -> Vec<Statement> {
    let cut_first = text.trim_start().starts_with('…');
    let cut_last = extent == TextExtent::Beginning || text.trim_end().ends_with('…');
    let mut sentences = parts(text);
    if cut_first && !sentences.is_empty() {
        sentences.remove(0);
    }
    if cut_last {
        sentences.pop();
    }
    sentences.retain(|sentence| !is_question(&sentence.text));
    sentences
}

/// Every statement of a text, including truncated ones.
pub(super) fn all(text: &str) -> Vec<Statement> {
    let mut sentences = parts(text);
    sentences.retain(|sentence| !is_question(&sentence.text));
    sentences
}

/// Every part of a text, including questions and truncated parts.
fn parts(text: &str) -> Vec<Statement> {
    let mut sentences = Vec::new();
    let mut heading = String::new();
    for block in blocks(&text.replace("**", "")) {
        match block.strip_prefix('#') {
            Some(title) => heading = title.trim_matches(['#', ' ']).to_owned(),
            None => add(&mut sentences, &block, &heading),
        }
    }
    sentences
}

/// The paragraphs, headings and items of lists, each on one line. Rows of tables are left out.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = vec![String::new()];
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('|')) {
        let apart = line.is_empty() || line.starts_with('#') || is_item(line);
        if apart || blocks.last().is_some_and(|block| block.starts_with('#')) {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            let blank = if block.is_empty() { "" } else { " " };
            block.push_str(blank);
            block.push_str(line);
        }
    }
    blocks.retain(|block| block.chars().any(char::is_alphanumeric));
    blocks
}

/// `- text`, `* text`, `1. text`.
fn is_item(line: &str) -> bool {
    let numbered = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || (numbered != line && numbered.starts_with(". "))
}

fn add(sentences: &mut Vec<Statement>, block: &str, heading: &str) {
    let block = block.trim_start_matches(['-', '*', '>', ' ']);
    let mut asked = None;
    for text in cut(block) {
        let under = asked.take().unwrap_or_else(|| heading.to_owned());
        if is_question(&text) {
            asked = Some(text.clone());
        }
        sentences.push(Statement { text, under });
    }
}

fn is_question(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '“', ')']).ends_with('?')
}

fn cut(block: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut from = 0;
    for (at, mark) in block.match_indices(['.', '!', '?']) {
        let end = at + mark.len();
        if block[end..].starts_with(' ') && end - from > SHORTEST {
            sentences.push(block[from..end].trim().to_owned());
            from = end;
        }
    }
    sentences.push(block[from..].trim().to_owned());
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences
}

/// How many of the question's words a text has.
pub(super) fn overlap(question: &[String], text: &str) -> usize {
    let words = meanings(text);
    question.iter().filter(|wanted| words.iter().any(|word| same(word, wanted))).count()
}

/// Long words are equal if one is a prefix of the other and hardly shorter.
fn same(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let alike = short.chars().count() >= 5 && long.len() - short.len() <= 2;
    one == other || (alike && long.starts_with(short))
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
