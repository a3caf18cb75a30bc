//! Code that does not parse.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler, or a module it imports, does not parse.
    ///
    /// ## Why
    /// Code that does not parse cannot run. JavaScript is read as an ES module: always strict,
    /// with `await` at the top level. Syntax that the engine at run time does not know
    /// (decorators, `accessor`) counts, and so does nesting deeper than a parser can follow.
    ///
    /// ## Example
    /// ```js
    /// export async function execute({ args, context }) {
    ///   return { ok: true, data: args.query ;
    /// }
    /// ```
    ///
    /// ## Fix
    /// Correct the text at the caret; here, close the brace before the semicolon.
    HANDLER_SYNTAX, "AIL-H003", "handler-syntax", Error
}

/// The expected language of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    JavaScript,
    TypeScript,
    Rust,
}

impl Language {
    const fn as_str(self) -> &'static str {
        match self {
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
            Self::Rust => "Rust",
        }
    }
}

/// An error of a parser.
#[derive(Debug)]
pub(crate) struct SyntaxComplaint {
    pub(crate) reason: String,
    pub(crate) help: Option<String>,
    pub(crate) place: Span,
}

/// The finding for an error of a parser.
pub(crate) fn diagnose(
    source: &Arc<Source>,
    language: Language,
    complaint: &SyntaxComplaint,
    place: Span,
) -> Diagnostic {
    let message = format!("expected {}: {}", language.as_str(), lower_first(&complaint.reason));
    let finding = Diagnostic::new(&HANDLER_SYNTAX, source, message).at(place);
    match &complaint.help {
        Some(help) => finding.help(lower_first(help)),
        None => finding,
    }
}

/// Nesting that no parser should follow.
pub(crate) fn too_deep(source: &Arc<Source>, place: Option<Span>) -> Diagnostic {
    let finding =
        Diagnostic::new(&HANDLER_SYNTAX, source, "code is nested too deeply to be parsed safely")
            .help("flatten it, or split it into several modules");
    match place {
        Some(place) => finding.at(place),
        None => finding,
    }
}

/// A parser that failed, or got no memory to work in.
pub(crate) fn gave_up(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::new(&HANDLER_SYNTAX, source, "the parser gave up on this file")
        .help("split it into several modules, and report it: this is a gap in the compiler")
}

/// Syntax that parses but that the engine does not run.
pub(crate) fn unsupported(source: &Arc<Source>, what: &str, help: &str, place: Span) -> Diagnostic {
    let message = format!("expected JavaScript that the engine runs, found {what}");
    Diagnostic::new(&HANDLER_SYNTAX, source, message).at(place).help(help)
}

/// An export of a name that the module does not have.
pub(crate) fn undeclared_export(source: &Arc<Source>, name: &str, place: Span) -> Diagnostic {
    let message = format!("expected the name of something declared here, found `{name}`");
    Diagnostic::new(&HANDLER_SYNTAX, source, message)
        .at(place)
        .help("declare or import it, or remove it from the exports")
}

/// A name that is declared a second time.
pub(crate) fn redeclared(
    source: &Arc<Source>,
    name: &str,
    first_line: usize,
    place: Span,
) -> Diagnostic {
    let message = format!("`{name}` is declared twice, first on line {first_line}");
    Diagnostic::new(&HANDLER_SYNTAX, source, message)
        .at(place)
        .help("rename or remove one of the two")
}

/// The parsers' messages start with a capital and may end with a full stop.
fn lower_first(reason: &str) -> String {
    let reason = reason.trim().trim_end_matches('.');
    let mut chars = reason.chars();
    match (chars.next(), reason.chars().nth(1)) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => reason.to_owned(),
    }
}
