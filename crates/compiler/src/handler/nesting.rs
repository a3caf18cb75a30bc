//! Finds code that is nested deeper than a person writes, before a parser follows it.
//!
//! Strings, templates and comments are skipped. A regular expression is read as code, so
//! the count may be off; that is harmless, since nothing but this finding depends on it.

/// Maximum number of open brackets. The JavaScript engine would refuse more as well.
pub(super) const DEEPEST: usize = 1000;

/// The place where brackets are nested too deep, or a row of `<` is too long: each may begin type
/// arguments, and the parser tries them all.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0, open: Vec::new(), angles: 0 };
    while let Some(byte) = scan.peek(0) {
        let start = scan.at;
        scan.step(byte);
        if scan.open.len() > DEEPEST || scan.angles > DEEPEST {
            return Some(start);
        }
    }
    None
}

/// The kind of an open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenBracket {
    Bracket,
    Template,
    /// `${` in a template.
    Hole,
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    open: Vec<OpenBracket>,
    /// `<` since the last brace or semicolon.
    angles: usize,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn step(&mut self, byte: u8) {
        self.at += 1;
        if self.open.last() == Some(&OpenBracket::Template) {
            return self.template(byte);
        }
        match byte {
            b'(' | b'[' | b'{' => self.open.push(OpenBracket::Bracket),
            b')' | b']' | b'}' => {
                self.open.pop();
            }
            b'`' => self.open.push(OpenBracket::Template),
            b'"' | b'\'' => self.skip_string(byte),
            b'/' if self.peek(0) == Some(b'/') => self.skip_past(b"\n"),
            b'/' if self.peek(0) == Some(b'*') => self.skip_past(b"*/"),
            b'<' => self.angles += 1,
            _ => {}
        }
        if matches!(byte, b'{' | b'}' | b';') {
            self.angles = 0;
        }
    }

    fn template(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 1,
            b'`' => {
                self.open.pop();
            }
            b'$' if self.peek(0) == Some(b'{') => {
                self.at += 1;
                self.open.push(OpenBracket::Hole);
            }
            _ => {}
        }
    }

    /// A string ends with its quote, or with the line if it has none.
    fn skip_string(&mut self, quote: u8) {
        while let Some(byte) = self.peek(0) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote || byte == b'\n' {
                return;
            }
        }
    }

    fn skip_past(&mut self, end: &[u8]) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let found = rest.windows(end.len()).position(|window| window == end);
        self.at = found.map_or(self.bytes.len(), |found| self.at + found + end.len());
    }
}

#[cfg(test)]
#[path = "nesting_tests.rs"]
mod tests;
