//! Findings for people: the source line, a caret and the help text.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::Diagnostic;
use crate::rule::Severity;
use crate::source::{Source, Span};

/// Whether to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    Colour,
}

/// Renders one finding.
pub fn text(finding: &Diagnostic, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(finding.message.as_str()).id(finding.rule.code);
    let excerpt = finding.span.clone().and_then(|span| Excerpt::of(&finding.source, span));
    let mut group = match &excerpt {
        Some(excerpt) => title.element(excerpt.snippet(&finding.source.path)),
        None => Group::with_title(title).element(Origin::path(finding.source.path.as_str())),
    };
    group = group.element(Level::HELP.message(help(finding)));
    renderer.render(&[group])
}

/// The help text; the rule's page if the finding has none.
fn help(finding: &Diagnostic) -> String {
    let page = || format!("`aileron explain {}` says more", finding.rule.code);
    finding.help.clone().unwrap_or_else(page)
}

/// The line a finding is about.
struct Excerpt<'a> {
    line: &'a str,
    number: usize,
    span: Span,
}

impl<'a> Excerpt<'a> {
    fn of(source: &'a Source, span: Span) -> Option<Self> {
        let number = source.position(span.start).line;
        let whole = source.line_span(number);
        let line = source.text.get(whole.clone())?;
        let start = floor(line, span.start.saturating_sub(whole.start).min(line.len()));
        let end = floor(line, span.end.saturating_sub(whole.start).clamp(start, line.len()));
        Some(Self { line, number, span: start..end })
    }

    fn snippet(&self, path: &'a str) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        Snippet::source(self.line)
            .line_start(self.number)
            .path(path)
            .annotation(AnnotationKind::Primary.span(self.span.clone()))
    }
}

/// The nearest character boundary at or before a place.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
