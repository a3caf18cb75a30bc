//! JSON lines: one record a line, blank lines passed over.

use super::input::{Chunk, Input};
use super::{Entry, Flaw, MAX_ENTRY_BYTES, json};

/// The records of a file of JSON lines.
#[derive(Debug)]
pub(super) struct Lines {
    input: Input,
    line: u64,
    buffer: Vec<u8>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing but blank lines so far.
    Blank,
    Going,
    Ended,
}

impl Lines {
    pub(super) fn new(input: Input) -> Self {
        Self { input, line: 0, buffer: Vec::new(), state: State::Blank }
    }

    fn end(&mut self) -> Option<Entry> {
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Blank => Some(Err(Flaw::whole("expected a record, found only blank lines"))),
            State::Going | State::Ended => None,
        }
    }
}

impl Iterator for Lines {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.state != State::Ended {
            let chunk = self.input.line(MAX_ENTRY_BYTES, &mut self.buffer);
            self.line += 1;
            match chunk {
                Ok(Chunk::End) => return self.end(),
                Ok(Chunk::Whole) if self.buffer.trim_ascii().is_empty() => continue,
                Ok(_) => self.state = State::Going,
                Err(_) => self.state = State::Ended,
            }
            return Some(match chunk {
                Err(error) => Err(Flaw::unreadable(self.line, &error)),
                Ok(Chunk::TooLong) => Err(Flaw::too_large(self.line, "a line", MAX_ENTRY_BYTES)),
                Ok(_) => json::draft(&self.buffer, self.line),
            });
        }
        None
    }
}
