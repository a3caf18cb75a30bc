//! TypeScript that is more than types.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// TypeScript syntax that cannot be erased.
    ///
    /// ## Why
    /// Types are removed by blanking them out, so that every line and column of an error at run
    /// time is the one in your editor. That works for everything that is only a type. Syntax that
    /// stands for code (`enum`, `namespace` with values, parameter properties, `import x =`,
    /// decorators) would need a compiler; TypeScript calls the rest `erasableSyntaxOnly`.
    ///
    /// ## Example
    /// ```ts
    /// enum Unit { Metric, Imperial }
    /// ```
    ///
    /// ## Fix
    /// ```ts
    /// const Unit = { Metric: 'metric', Imperial: 'imperial' } as const;
    /// type Unit = (typeof Unit)[keyof typeof Unit];
    /// ```
    NOT_ERASABLE, "AIL-H007", "not-erasable", Error
}

/// A construct that needs generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Construct {
    Enum,
    Namespace,
    ParameterProperty,
    ImportEquals,
    ExportEquals,
    ExportAsNamespace,
    Decorator,
    Cast,
    Power,
}

impl Construct {
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Enum => {
                ("an `enum`", "write `const Name = { A: 'a', B: 'b' } as const` in its place")
            }
            Self::Namespace => {
                ("a `namespace` with values", "move its values to a separate module")
            }
            Self::ParameterProperty => (
                "a parameter property",
                "declare the field in the class and assign it in the constructor",
            ),
            Self::ImportEquals => ("`import ... =`", "write `import ... from '...'`"),
            Self::ExportEquals => {
                ("`export =`", "write `export` in front of the exported declaration")
            }
            Self::ExportAsNamespace => ("`export as namespace`", "remove it"),
            Self::Decorator => ("a decorator", "call the function by hand"),
            Self::Cast => ("a cast `<T>value`", "write `value as T`"),
            Self::Power => (
                "a type assertion between two `**`",
                "put parentheses around the asserted expression",
            ),
        }
    }
}

pub(crate) fn diagnose(source: &Arc<Source>, construct: Construct, place: Span) -> Diagnostic {
    let (found, help) = construct.words();
    let message = format!("expected TypeScript whose types can be erased, found {found}");
    Diagnostic::new(&NOT_ERASABLE, source, message).at(place).help(help)
}

/// The text after erasing is not JavaScript.
pub(crate) fn broken(source: &Arc<Source>, reason: &str, place: Span) -> Diagnostic {
    let reason = reason.trim_end_matches('.');
    let message = format!("without its types, the code does not parse: {reason}");
    Diagnostic::new(&NOT_ERASABLE, source, message)
        .at(place)
        .help("correct this place, or write it more plainly")
}
