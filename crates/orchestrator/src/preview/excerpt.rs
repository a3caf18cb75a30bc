//! Text that has an end, in which nothing is hidden.

use std::fmt;

/// Says that there is more.
const MORE: char = '…';

/// Takes so many characters and refuses the rest, so that a long value is never written in full.
/// What nobody would see, or what would turn the text around, is spelled out.
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

    /// The text; if there was more, its last character says so.
    pub(super) fn finish(mut self) -> String {
        if self.cut {
            self.text.pop();
            self.text.push(MORE);
        }
        self.text
    }

    /// The text, set apart if it is written from right to left, so that it does not turn around
    /// what stands beside it.
    pub(super) fn isolated(self) -> String {
        let text = self.finish();
        if text.chars().any(is_right_to_left) { format!("\u{2068}{text}\u{2069}") } else { text }
    }

    /// Takes what another excerpt gave.
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

/// Controls, and what has no width. Joiners and the selectors of emoji are left alone: they
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
