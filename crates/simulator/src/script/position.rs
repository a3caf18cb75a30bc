//! Where in a script a conversation is, from what the model has seen of it.

use super::Line;
use crate::brain::Item;

/// A place in the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    next: usize,
    past_the_end: bool,
}

impl Position {
    /// Walks the script along the items. Words move on to the next line of the person that has
    /// them, or simply to the next one; calls pass the lines that make them.
    pub(super) fn find(lines: &[Line], items: &[Item]) -> Self {
        let mut position = Self { next: 0, past_the_end: false };
        let mut called = 0;
        for item in items {
            match item {
                Item::Heard { text, .. } if !position.is_about_a_call(lines, text) => {
                    position.hear(lines, text);
                    called = 0;
                }
                Item::Heard { .. } | Item::Returned(_) => {}
                Item::Said { text } => position.say(lines, text),
                Item::Called(_) => {
                    if called == 0 {
                        called = position.pass_calls(lines);
                    }
                    called = called.saturating_sub(1);
                }
            }
        }
        position
    }

    pub(super) fn next_line(self) -> usize {
        self.next
    }

    /// Whether the person said more than the script knows of.
    pub(super) fn is_past_the_end(self) -> bool {
        self.past_the_end
    }

    /// A result that is told in words belongs to its call and is nothing the person said.
    fn is_about_a_call(self, lines: &[Line], text: &str) -> bool {
        let passed = lines.iter().take(self.next);
        let known = lines.iter().any(|line| matches!(line, Line::Person(said) if same(said, text)));
        !known
            && passed.into_iter().any(|line| match line {
                Line::Calls(calls) => calls.iter().any(|call| text.contains(call.id.as_str())),
                _ => false,
            })
    }

    fn hear(&mut self, lines: &[Line], text: &str) {
        let rest = || lines.iter().enumerate().skip(self.next);
        let exact = rest().find(|(_, line)| matches!(line, Line::Person(said) if same(said, text)));
        let any = || rest().find(|(_, line)| matches!(line, Line::Person(_)));
        match exact.or_else(any) {
            Some((at, _)) => self.next = at + 1,
            None => *self = Self { next: lines.len(), past_the_end: true },
        }
    }

    /// Passes what was said; words that were cut short were said too.
    fn say(&mut self, lines: &[Line], text: &str) {
        let here = lines.iter().enumerate().skip(self.next);
        let spoken = here.take_while(|(_, line)| matches!(line, Line::Says(_) | Line::Thinks(_)));
        let mut rest = text.trim();
        for (at, line) in spoken {
            let Line::Says(line) = line else { continue };
            if rest.is_empty() {
                break;
            }
            self.next = at + 1;
            rest = rest.strip_prefix(line.trim()).unwrap_or_default().trim();
        }
    }

    /// Goes behind the next line with calls of this turn; says how many it has.
    fn pass_calls(&mut self, lines: &[Line]) -> usize {
        let here = lines.iter().enumerate().skip(self.next);
        for (at, line) in here {
            match line {
                Line::Person(_) => break,
                Line::Calls(calls) => {
                    self.next = at + 1;
                    return calls.len();
                }
                Line::Says(_) | Line::Thinks(_) => {}
            }
        }
        0
    }
}

/// Equal but for case, spaces and punctuation.
fn same(one: &str, other: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(other)
}
