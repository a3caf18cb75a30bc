//! One finding: the rule, the place, the fault and the fix.

use std::sync::Arc;

use aileron_contract::Provider;

use crate::rule::{Rule, Severity};
use crate::source::{Position, Source, Span};

/// A finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    pub rule: &'static Rule,
    pub severity: Severity,
    pub source: Arc<Source>,
    /// Absent if the finding is about the file or the folder as a whole.
    pub span: Option<Span>,
    /// JSON Pointer, for findings inside of JSON.
    pub pointer: Option<String>,
    /// The declaration target, for findings about one.
    pub target: Option<Provider>,
    /// Understandable on its own; quotes the tool.
    pub message: String,
    pub help: Option<String>,
    /// The change that removes the finding, if the rule knows one that needs no decision.
    pub edit: Option<Box<Edit>>,
}

/// A change of a tool's files that removes a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Add this entry to `capabilities` of the tool's `schema.json`.
    Declare(String),
    /// Replace a range of the finding's source.
    Replace { span: Span, text: String },
}

impl Diagnostic {
    /// A finding about a whole source.
    pub fn new(rule: &'static Rule, source: &Arc<Source>, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            source: Arc::clone(source),
            span: None,
            pointer: None,
            target: None,
            message: message.into(),
            help: None,
            edit: None,
        }
    }

    /// Sets the place in the source.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Sets the help text.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the change that removes the finding.
    #[must_use]
    pub fn edit(mut self, edit: Edit) -> Self {
        self.edit = Some(Box::new(edit));
        self
    }

    /// Sets the JSON Pointer.
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Sets the declaration target.
    #[must_use]
    pub fn target(mut self, target: Provider) -> Self {
        self.target = Some(target);
        self
    }

    /// Where the finding begins; the top of the file if it has no place.
    pub fn position(&self) -> Position {
        let start = self.span.as_ref().map_or(0, |span| span.start);
        self.source.position(start)
    }

    /// Where the finding ends.
    pub fn end_position(&self) -> Position {
        let end = self.span.as_ref().map_or(0, |span| span.end);
        self.source.position(end)
    }

    /// The order of every report: by file, place, rule and message.
    pub fn sort(diagnostics: &mut [Self]) {
        diagnostics.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    }

    fn sort_key(&self) -> (&str, usize, &str, &str) {
        let start = self.span.as_ref().map_or(0, |span| span.start);
        (&self.source.path, start, self.rule.code, &self.message)
    }
}

/// How many findings of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
}

impl Counts {
    /// Counts findings.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let count = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
        }
    }
}
