//! What a diagnostic can be about. Each rule lives in a file of its own; its
//! doc comment is what `aileron explain` prints and `docs/diagnostics/` shows.

use std::fmt;

use crate::diagnostic::Severity;
use crate::suggest;

/// A kind of fault with a stable code.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `AIL-F001`, or for breaking changes the promise itself: `PARAM_NO_DELETE`.
    pub code: &'static str,
    /// The fault in a few words: `missing-handler`.
    pub name: &'static str,
    pub severity: Severity,
    /// Markdown: what it finds, why it matters, an example and the way out.
    pub explanation: &'static str,
}

impl Rule {
    /// The first paragraph of the explanation, on one line.
    pub fn summary(&self) -> String {
        let lines = self.explanation.lines().map(str::trim).take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
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
            severity: $crate::diagnostic::Severity::$severity,
            explanation: concat!($($doc, "\n"),+),
        };
    };
}
pub(crate) use rule;

/// Every rule, sorted by code.
pub fn all() -> Vec<&'static Rule> {
    let mut rules: Vec<_> =
        crate::lint::rules().chain(crate::breaking::RULES.iter().copied()).collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}

/// The rule of that code or name, in any case.
pub fn find(code: &str) -> Option<&'static Rule> {
    all()
        .into_iter()
        .find(|rule| rule.code.eq_ignore_ascii_case(code) || rule.name.eq_ignore_ascii_case(code))
}

/// The rule whose code or name is most like a text.
pub fn closest(text: &str) -> Option<&'static Rule> {
    let rules = all();
    let by_code = suggest::closest(text, rules.iter().map(|rule| rule.code));
    let by_name = suggest::closest(text, rules.iter().map(|rule| rule.name));
    by_code.or(by_name).and_then(find)
}

/// The page about a rule: what `aileron explain` prints and `docs/diagnostics/` shows.
pub fn page(rule: &Rule) -> String {
    let text: Vec<_> =
        rule.explanation.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    format!(
        "# {}: {}\n\nSeverity: {}\n\n{}\n",
        rule.code,
        rule.name,
        rule.severity.as_str(),
        text.join("\n").trim()
    )
}
