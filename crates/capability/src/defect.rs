//! What went wrong inside a handler, for those who maintain it.

use std::fmt;

use crate::secrets::Masks;

/// A defect in words of ours, and what the handler or its data say of it. That may quote anything,
/// so it is told only of tools that hide nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    what: String,
    quote: Option<String>,
}

impl Defect {
    /// All of it is in words of ours.
    pub fn plain(what: impl Into<String>) -> Self {
        Self { what: what.into(), quote: None }
    }

    pub fn quoting(what: impl Into<String>, quote: impl Into<String>) -> Self {
        Self { what: what.into(), quote: Some(quote.into()) }
    }

    /// Without a word of the handler or its data.
    pub fn without_quotes(&self) -> &str {
        &self.what
    }
}

impl Defect {
    /// Without what the masks hide.
    pub fn masked(self, masks: &Masks) -> Self {
        let masked = |text: String| masks.text(&text).into_owned();
        Self { what: masked(self.what), quote: self.quote.map(masked) }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.quote {
            Some(quote) => write!(f, "{}: {quote}", self.what),
            None => f.write_str(&self.what),
        }
    }
}
