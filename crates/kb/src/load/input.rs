//! The bytes of one file, counted as they are read, and the first bytes that no text file has.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::str;

use super::{BytesRead, RecordFlaw};

const BUFFER: usize = 64 << 10;
const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";
const UTF16_MARKS: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];

/// A text file that is being read.
#[derive(Debug)]
pub(super) struct TextInput {
    reader: BufReader<File>,
    progress: BytesRead,
}

/// The outcome of reading up to a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chunk {
    /// The file has ended.
    End,
    Whole,
    /// It was longer than the limit; the rest was skipped.
    TooLong,
}

impl TextInput {
    /// Opens a file, and refuses one that is empty or plainly no text. A byte order mark is dropped.
    pub(super) fn open(path: &Path, progress: BytesRead) -> Result<Self, RecordFlaw> {
        let file = File::open(path)
            .map_err(|error| RecordFlaw::whole(format!("the file could not be opened: {error}")))?;
        let mut input = Self { reader: BufReader::with_capacity(BUFFER, file), progress };
        let start = input.fill().map_err(|error| RecordFlaw::unreadable(1, &error))?;
        let is_marked = start.starts_with(UTF8_MARK);
        check_start(start)?;
        if is_marked {
            input.consume(UTF8_MARK.len());
        }
        Ok(input)
    }

    /// The next bytes; empty at the end of the file.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.reader.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.reader.buffer())
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.progress.add(count);
    }

    /// Reads a line without its end into an empty buffer, holding no more than the limit.
    pub(super) fn line(&mut self, limit: usize, line: &mut Vec<u8>) -> io::Result<Chunk> {
        line.clear();
        let mut chunk = Chunk::End;
        loop {
            let next = self.fill()?;
            if next.is_empty() {
                return Ok(chunk);
            }
            let end = next.iter().position(|byte| *byte == b'\n');
            let part = next.get(..end.unwrap_or(next.len())).unwrap_or_default();
            chunk = keep(chunk, limit, line, part);
            let used = part.len() + usize::from(end.is_some());
            self.consume(used);
            if end.is_some() {
                return Ok(chunk);
            }
        }
    }

    /// Reads all that is left, holding no more than the limit.
    pub(super) fn rest(&mut self, limit: usize, rest: &mut Vec<u8>) -> io::Result<Chunk> {
        let mut chunk = Chunk::End;
        while chunk != Chunk::TooLong {
            let next = self.fill()?;
            if next.is_empty() {
                break;
            }
            chunk = keep(chunk, limit, rest, next);
            let used = next.len();
            self.consume(used);
        }
        Ok(chunk)
    }
}

/// Adds a part to the buffer, or empties the buffer once the whole is too long.
pub(super) fn keep(before: Chunk, limit: usize, held: &mut Vec<u8>, part: &[u8]) -> Chunk {
    if before == Chunk::TooLong || held.len() + part.len() > limit {
        *held = Vec::new();
        return Chunk::TooLong;
    }
    held.extend_from_slice(part);
    Chunk::Whole
}

fn check_start(start: &[u8]) -> Result<(), RecordFlaw> {
    if start.strip_prefix(UTF8_MARK).unwrap_or(start).is_empty() {
        return Err(RecordFlaw::whole("expected a record, found an empty file"));
    }
    if UTF16_MARKS.iter().any(|mark| start.starts_with(mark)) {
        return Err(RecordFlaw::whole("expected UTF-8, found UTF-16: save the file as UTF-8"));
    }
    if start.contains(&0) {
        return Err(RecordFlaw::whole("expected text, found a binary file"));
    }
    Ok(())
}

/// Bytes as text, or the fault and the line of it, if they begin at the given line.
pub(super) fn text(bytes: &[u8], line: u64) -> Result<&str, RecordFlaw> {
    let at = |before: usize| line + newlines(bytes.get(..before).unwrap_or_default());
    let text = str::from_utf8(bytes).map_err(|error| {
        let position = at(error.valid_up_to());
        RecordFlaw::at(position, "expected UTF-8, found other bytes: save the file as UTF-8")
    })?;
    match bytes.iter().position(|byte| *byte == 0) {
        Some(nul) => Err(RecordFlaw::at(at(nul), "expected text, found a NUL byte")),
        None => Ok(text),
    }
}

/// How many lines end in these bytes.
pub(super) fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}
