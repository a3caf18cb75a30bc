//! JSON lines: one record a line, blank lines passed over.

use super::input::{Chunk, TextInput};
use super::{Entry, MAX_ENTRY_BYTES, RecordFlaw, json};

/// The records of a file of JSON lines.
#[derive(Debug)]
pub(super) struct Lines {
    input: TextInput,
    line: u64,
    buffer: Vec<u8>,
    state: LineState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    /// Nothing but blank lines so far.
    Blank,
    Going,
    Ended,
}

impl Lines {
    pub(super) fn new(input: TextInput) -> Self {
        Self { input, line: 0, buffer: Vec::new(), state: LineState::Blank }
    }

    fn end(&mut self) -> Option<Entry> {
        match std::mem::replace(&mut self.state, LineState::Ended) {
            LineState::Blank => {
                Some(Err(RecordFlaw::whole("expected a record, found only blank lines")))
            }
            LineState::Going | LineState::Ended => None,
        }
    }
}

impl Iterator for Lines {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.state != LineState::Ended {
            let chunk = self.input.line(MAX_ENTRY_BYTES, &mut self.buffer);
            self.line += 1;
            match chunk {
                Ok(Chunk::End) => return self.end(),
                Ok(Chunk::Whole) if self.buffer.trim_ascii().is_empty() => continue,
                Ok(_) => self.state = LineState::Going,
                Err(_) => self.state = LineState::Ended,
            }
            return Some(match chunk {
                Err(error) => Err(RecordFlaw::unreadable(self.line, &error)),
                Ok(Chunk::TooLong) => {
                    Err(RecordFlaw::too_large(self.line, "a line", MAX_ENTRY_BYTES))
                }
                Ok(_) => json::draft(&self.buffer, self.line),
            });
        }
        None
    }
}
