//! Server-sent events from bytes in any pieces: the fields `event` and `data`, every line end, comments;
//! bounded.

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// The field `event`, if there was one.
    pub(super) name: String,
    pub(super) data: String,
}

/// Why the stream cannot be read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SseError {
    /// A line or an event exceeds the maximum length.
    TooLong,
    NotUtf8,
}

/// The parser. It holds one incomplete line and one incomplete event, each within the limit.
#[derive(Debug)]
pub(super) struct Sse {
    most: usize,
    bytes: Vec<u8>,
    /// Where the line that is being read begins.
    start: usize,
    /// Up to where no line end was found.
    scanned: usize,
    /// The line before ended with CR, so that an LF belongs to its end.
    after_cr: bool,
    /// No line was read yet, so that the first may begin with a byte order mark.
    fresh: bool,
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
}

const MARK: &[u8] = b"\xef\xbb\xbf";

impl Sse {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            bytes: Vec::new(),
            start: 0,
            scanned: 0,
            after_cr: false,
            fresh: true,
            name: Vec::new(),
            data: Vec::new(),
            has_data: false,
        }
    }

    /// Takes more bytes. Call [`Sse::next`] afterwards.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete event.
    pub(super) fn next(&mut self) -> Result<Option<SseEvent>, SseError> {
        while let Some(end) = self.line_end() {
            let line = self.start..end;
            self.after_cr = self.bytes[end] == b'\r';
            self.start = end + 1;
            self.scanned = self.start;
            if let Some(frame) = self.line(line)? {
                return Ok(Some(frame));
            }
        }
        let unfinished = self.bytes.len() - self.start;
        if unfinished > self.most { Err(SseError::TooLong) } else { Ok(None) }
    }

    /// The stream has ended: an incomplete line or event counts as it is.
    pub(super) fn finish(&mut self) -> Result<Option<SseEvent>, SseError> {
        let rest = self.start..self.bytes.len();
        self.start = self.bytes.len();
        self.scanned = self.start;
        if !rest.is_empty()
            && let Some(frame) = self.line(rest)?
        {
            return Ok(Some(frame));
        }
        self.dispatch()
    }

    fn line_end(&mut self) -> Option<usize> {
        if self.after_cr && self.bytes.get(self.start) == Some(&b'\n') {
            self.start += 1;
            self.scanned = self.scanned.max(self.start);
            self.after_cr = false;
        }
        // The next byte no longer is the LF of that CR.
        self.after_cr &= self.start == self.bytes.len();
        let found =
            self.bytes[self.scanned..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        match found {
            Some(at) => Some(self.scanned + at),
            None => {
                self.scanned = self.bytes.len();
                None
            }
        }
    }

    fn line(&mut self, range: std::ops::Range<usize>) -> Result<Option<SseEvent>, SseError> {
        if range.len() > self.most {
            return Err(SseError::TooLong);
        }
        let mut line = &self.bytes[range];
        if std::mem::take(&mut self.fresh) {
            line = line.strip_prefix(MARK).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, rest) = line.split_at(colon);
        let value = rest.strip_prefix(b":").unwrap_or(rest);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => value.clone_into(&mut self.name),
            // Comments, ids, reconnection times and unknown fields.
            _ => {}
        }
        if self.data.len() > self.most { Err(SseError::TooLong) } else { Ok(None) }
    }

    /// Returns the event. One without data is dropped.
    fn dispatch(&mut self) -> Result<Option<SseEvent>, SseError> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        if !std::mem::take(&mut self.has_data) || data.is_empty() {
            return Ok(None);
        }
        let text = |bytes| String::from_utf8(bytes).map_err(|_| SseError::NotUtf8);
        Ok(Some(SseEvent { name: text(name)?, data: text(data)? }))
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
