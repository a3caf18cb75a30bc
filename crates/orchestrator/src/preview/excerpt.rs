//! Text of bounded length without invisible characters.

use std::fmt;

/// Marks truncated text.
const MORE: char = '…';

/// Accepts a number of characters and refuses the rest, so that a long value is never written in
/// full. Invisible characters, and those that change the text direction, are spelled out.
#[derive(Debug)]
pub(super) struct Excerpt {
    text: String,
    /// How many characters still fit.
    room: usize,
    cut: bool,
}

impl Excerpt {
    pub(super) fn new(most: usize) -> Self {
        Self { text: String::new(), room: most, cut: false }
    }

    /// The text; if it was truncated, its last character marks that.
    pub(super) fn finish(mut self) -> String {
        if self.cut {
            self.text.pop();
            self.text.push(MORE);
        }
        self.text
    }

    /// The text, isolated if it is written from right to left, so that it does not change the
    /// direction of the text around it.
    pub(super) fn isolated(self) -> String {
        let text = self.finish();
        if text.chars().any(is_right_to_left) { format!("\u{2068}{text}\u{2069}") } else { text }
    }

    /// Appends the text of another excerpt.
    pub(super) fn append(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| self.push(c))
    }

    fn push(&mut self, c: char) -> fmt::Result {
        if self.room == 0 {
            self.cut = true;
            return Err(fmt::Error);
        }
        self.room -= 1;
        self.text.push(c);
        Ok(())
    }
}

impl fmt::Write for Excerpt {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| match c {
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                self.push(' ')
            }
            c if is_hidden(c) => {
                format!("<U+{:04X}>", u32::from(c)).chars().try_for_each(|c| self.push(c))
            }
            c => self.push(c),
        })
    }
}

/// Control characters and characters without width. Joiners and emoji selectors are kept: they
/// belong to words and pictures.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
