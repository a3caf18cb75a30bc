//! A snippet as lines that fit, with the matched words marked.

use std::ops::Range;

use aileron_kb::Snippet;
use anstyle::Style;
use terminal_size::{Width, terminal_size};

use crate::output::tame;

/// How wide lines are at most; longer ones are hard to read.
const WIDEST: usize = 100;
const NARROWEST: usize = 40;

/// The snippet in lines that fit the terminal.
pub(super) fn wrapped(snippet: &Snippet, indent: &str, mark: Style) -> Vec<String> {
    let width = terminal_size().map_or(WIDEST, |(Width(width), _)| usize::from(width));
    wrapped_to(snippet, indent, mark, width.clamp(NARROWEST, WIDEST))
}

fn wrapped_to(snippet: &Snippet, indent: &str, mark: Style, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = width;
    for word in words(&snippet.text) {
        let plain = tame(&snippet.text[word.clone()]).chars().count();
        let text = marked(snippet, word, mark);
        match lines.last_mut() {
            Some(line) if used + 1 + plain <= width => {
                line.push(' ');
                line.push_str(&text);
                used += 1 + plain;
            }
            _ => {
                lines.push(format!("{indent}{text}"));
                used = indent.len() + plain;
            }
        }
    }
    lines
}

/// Where the words are; a snippet has one space between them.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split(' ').filter(|word| !word.is_empty()).map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// A word with the parts of it that match marked.
fn marked(snippet: &Snippet, word: Range<usize>, mark: Style) -> String {
    let mut text = String::new();
    let mut at = word.start;
    for found in &snippet.matches {
        let (start, end) = (found.start.max(at), found.end.min(word.end));
        if start < end {
            text.push_str(&tame(&snippet.text[at..start]));
            text.push_str(&format!("{mark}{}{mark:#}", tame(&snippet.text[start..end])));
            at = end;
        }
    }
    text + &tame(&snippet.text[at..word.end])
}

#[cfg(test)]
#[path = "paragraph_tests.rs"]
mod tests;
