//! An import without a target.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// An import refers to a file that does not exist.
    ///
    /// ## Why
    /// Imports are resolved when the registry is built and their text is carried in it. An import
    /// names the file itself, with its ending: nothing is tried in its place.
    ///
    /// ## Example
    /// ```js
    /// import { rank } from './ranking';
    /// ```
    ///
    /// ## Fix
    /// Name the file as it is on disk: `./ranking.js`. A TypeScript module is imported by its
    /// own name, `./ranking.ts`. A Python handler is a module of a package, so it imports the files
    /// beside it with a dot: `from .ranking import rank`, `from .._lib.text import words`.
    UNRESOLVED_IMPORT, "AIL-H005", "unresolved-import", Error
}

/// An import of `request`, with the import that would have worked, if there is one.
pub(crate) fn diagnose(
    source: &Arc<Source>,
    request: &str,
    nearest: Option<String>,
    place: Span,
) -> Diagnostic {
    let message = format!("expected a module at `{request}`, found no such file");
    let help = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "name an existing file, with its ending".to_owned(),
    };
    Diagnostic::new(&UNRESOLVED_IMPORT, source, message).at(place).help(help)
}

/// A relative import of Python.
pub(crate) fn python(source: &Arc<Source>, module: &str, place: Span) -> Diagnostic {
    let message = format!("expected a Python module at `{module}`, found no such file");
    let help = "name an existing file: `from .helpers import x` is `helpers.py` beside this one";
    Diagnostic::new(&UNRESOLVED_IMPORT, source, message).at(place).help(help)
}

/// An absolute import of a file beside the module; `better` is the statement that finds it.
pub(crate) fn python_absolute(
    source: &Arc<Source>,
    module: &str,
    better: &str,
    place: Span,
) -> Diagnostic {
    let message = format!(
        "expected a package called `{module}`, found a file of that name beside the module, which needs a relative import"
    );
    Diagnostic::new(&UNRESOLVED_IMPORT, source, message).at(place).help(format!("write `{better}`"))
}
