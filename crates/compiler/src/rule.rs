//! The type of a rule: a kind of fault with a code, a name and a page. Each rule is defined in a
//! separate file; `rules` lists all of them.

use std::fmt;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The build fails.
    Error,
    /// The build continues; a person should check it.
    Warning,
    /// Information; no action is needed.
    Note,
}

impl Severity {
    /// The name in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A kind of fault with a stable code.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `AIL-F001`, or for breaking changes the promise itself: `PARAM_NO_DELETE`.
    pub code: &'static str,
    /// The fault in a few words: `missing-handler`.
    pub name: &'static str,
    pub severity: Severity,
    /// Markdown: the fault that the rule finds, why it matters, an example and the fix.
    pub explanation: &'static str,
}

impl Rule {
    /// The first paragraph of the explanation, on one line.
    pub fn summary(&self) -> String {
        let lines = self.explanation.lines().map(str::trim).take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
    }

    /// The page about the rule, which `aileron explain` prints and `docs/diagnostics/` contains.
    pub fn page(&self) -> String {
        let lines = self.explanation.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        format!(
            "# {}: {}\n\nSeverity: {}\n\n{}\n",
            self.code,
            self.name,
            self.severity.as_str(),
            lines.collect::<Vec<_>>().join("\n").trim()
        )
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

/// Defines a rule from its doc comment.
macro_rules! rule {
    ($(#[doc = $doc:literal])+ $id:ident, $code:literal, $name:literal, $severity:ident) => {
        $(#[doc = $doc])+
        pub(crate) static $id: $crate::rule::Rule = $crate::rule::Rule {
            code: $code,
            name: $name,
            severity: $crate::rule::Severity::$severity,
            explanation: concat!($($doc, "\n"),+),
        };
    };
}
pub(crate) use rule;
