//! SPDX licence expressions: `AND`, `OR`, `WITH`, parentheses, and the older `/` for `OR`.

/// Whether a choice that the expression offers is made of allowed licences alone. An expression that
/// cannot be read is not allowed.
pub(super) fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, allowed };
    reader.any() == Some(true) && reader.words.is_empty()
}

struct Reader<'a> {
    words: &'a [&'a str],
    allowed: &'a dyn Fn(&str) -> bool,
}

impl<'a> Reader<'a> {
    /// One of several joined by `OR`.
    fn any(&mut self) -> Option<bool> {
        let mut holds = self.all()?;
        while self.takes("OR") {
            holds |= self.all()?;
        }
        Some(holds)
    }

    /// All of several joined by `AND`.
    fn all(&mut self) -> Option<bool> {
        let mut holds = self.one()?;
        while self.takes("AND") {
            holds &= self.one()?;
        }
        Some(holds)
    }

    fn one(&mut self) -> Option<bool> {
        if self.takes("(") {
            let holds = self.any()?;
            return self.takes(")").then_some(holds);
        }
        let name = self.next()?;
        if !self.takes("WITH") {
            return Some((self.allowed)(name));
        }
        let exception = self.next()?;
        Some((self.allowed)(&format!("{name} WITH {exception}")))
    }

    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.words.first() == Some(&word);
        if is_next {
            self.next();
        }
        is_next
    }
}
