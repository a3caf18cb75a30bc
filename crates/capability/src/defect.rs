//! A defect inside a handler, for its maintainer.

use std::fmt;

use crate::secrets::Masks;

/// A description of a defect in fixed text, and the text of the handler or its data about it. The
/// latter may quote any value, so it is logged only for tools that hide nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    what: String,
    quote: Option<String>,
}

impl Defect {
    /// A defect whose whole description is fixed text.
    pub fn plain(what: impl Into<String>) -> Self {
        Self { what: what.into(), quote: None }
    }

    pub fn quoting(what: impl Into<String>, quote: impl Into<String>) -> Self {
        Self { what: what.into(), quote: Some(quote.into()) }
    }

    /// The description without text of the handler or its data.
    pub fn without_quotes(&self) -> &str {
        &self.what
    }
}

impl Defect {
    /// The defect with masked secrets.
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
