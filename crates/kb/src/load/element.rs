//! A JSON file: one record, or an array of them, of which one at a time is held.
//!
//! It finds where an element ends by counting brackets outside of strings; whether the element
//! is JSON is decided where it is read.

use super::input::{Chunk, TextInput};
use super::{Entry, MAX_ENTRY_BYTES, RecordFlaw, json};

/// The records of a JSON file.
#[derive(Debug)]
pub(super) struct Elements {
    input: TextInput,
    line: u64,
    state: JsonState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonState {
    Start,
    /// In the array, before the first element: it may end here.
    First,
    /// After a comma: an element has to follow.
    Next,
    After,
    Ended,
}

/// The character that ended an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementEnd {
    Comma,
    Bracket,
    File,
}

/// The bytes of an element, up to the limit.
#[derive(Debug)]
struct Element {
    line: u64,
    bytes: Vec<u8>,
    chunk: Chunk,
    end: ElementEnd,
}

impl Elements {
    pub(super) fn new(input: TextInput) -> Self {
        Self { input, line: 1, state: JsonState::Start }
    }

    /// The next byte that is no white space; it stays where it is.
    fn peek(&mut self) -> std::io::Result<Option<u8>> {
        loop {
            let next = self.input.fill()?;
            let Some(first) = next.first().copied() else { return Ok(None) };
            if !first.is_ascii_whitespace() {
                return Ok(Some(first));
            }
            self.line += u64::from(first == b'\n');
            self.input.consume(1);
        }
    }

    fn start(&mut self) -> std::io::Result<Option<Entry>> {
        match self.peek()? {
            Some(b'[') => {
                self.input.consume(1);
                self.state = JsonState::First;
                Ok(None)
            }
            Some(_) => self.single().map(Some),
            None => {
                self.state = JsonState::Ended;
                Ok(Some(Err(RecordFlaw::whole("expected a record, found only white space"))))
            }
        }
    }

    /// The whole file is one record.
    fn single(&mut self) -> std::io::Result<Entry> {
        self.state = JsonState::Ended;
        let mut bytes = Vec::new();
        Ok(match self.input.rest(MAX_ENTRY_BYTES, &mut bytes)? {
            Chunk::TooLong => Err(RecordFlaw::too_large(self.line, "a record", MAX_ENTRY_BYTES)),
            Chunk::End | Chunk::Whole => json::draft(&bytes, self.line),
        })
    }

    fn member(&mut self) -> std::io::Result<Option<Entry>> {
        if self.peek()? == Some(b']') && self.state == JsonState::First {
            self.input.consume(1);
            self.state = JsonState::After;
            return Ok(None);
        }
        let element = self.element()?;
        self.state = match element.end {
            ElementEnd::Comma => JsonState::Next,
            ElementEnd::Bracket => JsonState::After,
            ElementEnd::File => JsonState::Ended,
        };
        Ok(Some(element.entry()))
    }

    /// Reads up to the comma or bracket that ends an element, and past it.
    fn element(&mut self) -> std::io::Result<Element> {
        let (line, mut bytes, mut chunk) = (self.line, Vec::new(), Chunk::End);
        let mut nesting = Nesting::default();
        loop {
            let next = self.input.fill()?;
            if next.is_empty() {
                return Ok(Element { line, bytes, chunk, end: ElementEnd::File });
            }
            let end = next.iter().position(|byte| nesting.ends_at(*byte));
            let part = next.get(..end.unwrap_or(next.len())).unwrap_or_default();
            let stop = end.and_then(|end| next.get(end).copied());
            self.line += super::input::newlines(part);
            chunk = super::input::keep(chunk, MAX_ENTRY_BYTES, &mut bytes, part);
            let used = part.len() + usize::from(stop.is_some());
            self.input.consume(used);
            if let Some(stop) = stop {
                let end = if stop == b',' { ElementEnd::Comma } else { ElementEnd::Bracket };
                return Ok(Element { line, bytes, chunk, end });
            }
        }
    }

    fn after(&mut self) -> std::io::Result<Option<Entry>> {
        self.state = JsonState::Ended;
        Ok(self.peek()?.map(|_| {
            Err(RecordFlaw::at(
                self.line,
                "expected the end of the file after the array, found more",
            ))
        }))
    }
}

impl Element {
    fn entry(self) -> Entry {
        if self.chunk == Chunk::TooLong {
            return Err(RecordFlaw::too_large(self.line, "a record", MAX_ENTRY_BYTES));
        }
        if self.end == ElementEnd::File {
            return Err(RecordFlaw::at(
                self.line,
                "expected `]` after the last record, found the end of the file",
            ));
        }
        if self.bytes.trim_ascii().is_empty() {
            return Err(RecordFlaw::at(
                self.line,
                "expected a record, found nothing before a comma or bracket",
            ));
        }
        json::draft(self.bytes.trim_ascii_end(), self.line)
    }
}

impl Iterator for Elements {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.state != JsonState::Ended {
            let step = match self.state {
                JsonState::Start => self.start(),
                JsonState::First | JsonState::Next => self.member(),
                JsonState::After => self.after(),
                JsonState::Ended => Ok(None),
            };
            match step {
                Ok(None) => {}
                Ok(Some(entry)) => return Some(entry),
                Err(error) => {
                    self.state = JsonState::Ended;
                    return Some(Err(RecordFlaw::unreadable(self.line, &error)));
                }
            }
        }
        None
    }
}

/// How deep in brackets, and whether in a string.
#[derive(Debug, Default)]
struct Nesting {
    depth: u64,
    text: Text,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Text {
    #[default]
    Outside,
    Inside,
    Escape,
}

impl Nesting {
    /// Takes a byte; true for one that ends an element of the outer array.
    fn ends_at(&mut self, byte: u8) -> bool {
        self.text = match (self.text, byte) {
            (Text::Outside, b'"') => Text::Inside,
            (Text::Inside, b'\\') => Text::Escape,
            (Text::Inside, b'"') => Text::Outside,
            (Text::Escape, _) => Text::Inside,
            (Text::Outside, b',') => return self.depth == 0,
            (Text::Outside, b']') if self.depth == 0 => return true,
            (Text::Outside, b'{' | b'[') => {
                self.depth += 1;
                Text::Outside
            }
            (Text::Outside, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                Text::Outside
            }
            (same, _) => same,
        };
        false
    }
}
