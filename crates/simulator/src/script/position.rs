//! Finds the position of a conversation in a script, from the model's input.

use super::ScriptLine;
use crate::simulated_model::HistoryItem;

/// A position in the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    next: usize,
    past_the_end: bool,
}

impl Position {
    /// Walks the script along the items. Words of the person advance to the next line with the same
    /// words, or to the next line; calls advance past the lines that make them.
    pub(super) fn find(lines: &[ScriptLine], items: &[HistoryItem]) -> Self {
        let mut position = Self { next: 0, past_the_end: false };
        let mut called = 0;
        for item in items {
            match item {
                HistoryItem::Heard { text, .. } => match position.call_told(lines, text) {
                    Some(at) => position.next = position.next.max(at + 1),
                    None => {
                        position.hear(lines, text);
                        called = 0;
                    }
                },
                HistoryItem::Returned(_) => {}
                HistoryItem::Said { text } => position.say(lines, text),
                HistoryItem::Called(_) => {
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

    /// Whether the person spoke after the last line.
    pub(super) fn is_past_the_end(self) -> bool {
        self.past_the_end
    }

    /// The line with the call whose result was sent as text, which is not an utterance of the
    /// person. A client that reconnects sends the results of calls of earlier connections in this
    /// way.
    fn call_told(self, lines: &[ScriptLine], text: &str) -> Option<usize> {
        if lines.iter().any(|line| matches!(line, ScriptLine::Person(said) if same(said, text))) {
            return None;
        }
        let told = |line: &ScriptLine| match line {
            ScriptLine::Calls(calls) => calls.iter().any(|call| text.contains(call.id.as_str())),
            _ => false,
        };
        lines.iter().take(self.turn_end(lines)).rposition(told)
    }

    /// The next line of the person, or the end.
    fn turn_end(self, lines: &[ScriptLine]) -> usize {
        let ahead = lines.iter().skip(self.next);
        let turn = ahead.take_while(|line| !matches!(line, ScriptLine::Person(_)));
        self.next + turn.count()
    }

    fn hear(&mut self, lines: &[ScriptLine], text: &str) {
        let rest = || lines.iter().enumerate().skip(self.next);
        let exact =
            rest().find(|(_, line)| matches!(line, ScriptLine::Person(said) if same(said, text)));
        let any = || rest().find(|(_, line)| matches!(line, ScriptLine::Person(_)));
        match exact.or_else(any) {
            Some((at, _)) => self.next = at + 1,
            None => *self = Self { next: lines.len(), past_the_end: true },
        }
    }

    /// Advances past the model's words, also if they were interrupted.
    fn say(&mut self, lines: &[ScriptLine], text: &str) {
        let mut rest = text.trim();
        while !rest.is_empty()
            && let Some((at, line)) = self.line_said(lines, rest)
        {
            self.next = at + 1;
            rest = rest.strip_prefix(line).unwrap_or_default().trim();
        }
    }

    /// The line of the turn with these words, or the next one. Words after a call also pass the
    /// call, because a client that reconnects may omit it.
    fn line_said<'a>(&self, lines: &'a [ScriptLine], words: &str) -> Option<(usize, &'a str)> {
        let turn = || lines.iter().enumerate().take(self.turn_end(lines)).skip(self.next);
        let says = |(at, line): (usize, &'a ScriptLine)| match line {
            ScriptLine::Says(line) => Some((at, line.trim())),
            _ => None,
        };
        let has_words =
            |(_, line): &(usize, &str)| line.starts_with(words) || words.starts_with(line);
        let here = turn().take_while(|(_, line)| !matches!(line, ScriptLine::Calls(_)));
        turn().filter_map(says).find(has_words).or_else(|| here.filter_map(says).next())
    }

    /// Advances past the next line with calls of this turn; returns their number.
    fn pass_calls(&mut self, lines: &[ScriptLine]) -> usize {
        let here = lines.iter().enumerate().skip(self.next);
        for (at, line) in here {
            match line {
                ScriptLine::Person(_) => break,
                ScriptLine::Calls(calls) => {
                    self.next = at + 1;
                    return calls.len();
                }
                ScriptLine::Says(_) | ScriptLine::Thinks(_) => {}
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
