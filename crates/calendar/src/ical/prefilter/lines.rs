//! The lines of a text as the format folds them: a line that begins with a blank continues the one
//! before.

use std::borrow::Cow;

/// One unfolded line.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentLine<'a> {
    /// Where it begins and ends in the text, its line end included.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The whole line, and its first part without the line end.
    whole: &'a str,
    head: &'a str,
}

/// A line's name and value.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: &'a str,
    /// Between name and value.
    pub(super) parameters: bool,
}

impl<'a> ContentLine<'a> {
    pub(super) fn is(&self, text: &str) -> bool {
        !self.is_folded() && self.head.eq_ignore_ascii_case(text)
    }

    /// `None` for an empty line; an error if the name is unusual.
    pub(super) fn property(&self) -> Result<Option<Property<'a>>, ()> {
        let Some(at) = self.head.bytes().position(|byte| matches!(byte, b':' | b';')) else {
            return if self.is_folded() { Err(()) } else { Ok(None) };
        };
        let name = self.head.get(..at).unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if !name.bytes().all(plain) {
            return Err(());
        }
        Ok(Some(Property { name, parameters: self.head.as_bytes().get(at) == Some(&b';') }))
    }

    /// The text after the last colon: the value, if it has no colon.
    pub(super) fn value(&self) -> Cow<'a, str> {
        let after = |text: &str| text.rfind(':').map_or(0, |at| at + 1);
        match self.is_folded() {
            false => Cow::Borrowed(self.head.get(after(self.head)..).unwrap_or_default()),
            true => {
                let whole = unfolded(self.whole);
                Cow::Owned(whole.get(after(&whole)..).unwrap_or_default().to_owned())
            }
        }
    }

    /// The line in one piece.
    pub(super) fn text(&self) -> Cow<'a, str> {
        if self.is_folded() { Cow::Owned(unfolded(self.whole)) } else { Cow::Borrowed(self.head) }
    }

    /// Whether an encoded value may continue in the next line without a leading blank.
    pub(super) fn may_go_on(&self) -> bool {
        self.whole.trim_end_matches(['\r', '\n']).ends_with('=')
    }

    fn is_folded(&self) -> bool {
        self.whole.len() > self.head.len() + 2
    }
}

fn unfolded(line: &str) -> String {
    let mut parts = line.split('\n').map(|part| part.trim_end_matches('\r'));
    let mut whole = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| whole.push_str(part.get(1..).unwrap_or_default()));
    whole
}

/// Iterates over the lines.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the line that begins there ends, its line end included.
    fn end(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |at| from + at + 1)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = ContentLine<'a>;

    fn next(&mut self) -> Option<ContentLine<'a>> {
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        let first = self.end(start);
        let mut end = first;
        while matches!(self.text.as_bytes().get(end), Some(b' ' | b'\t')) {
            end = self.end(end);
        }
        self.at = end;
        let head = self.text.get(start..first)?;
        let head = head.strip_suffix('\n').unwrap_or(head);
        let head = head.strip_suffix('\r').unwrap_or(head);
        Some(ContentLine { start, end, whole: self.text.get(start..end)?, head })
    }
}
