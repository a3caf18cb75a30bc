//! The facts about a module that are kept after parsing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::context::{Root, Uses};
use super::messages::Messages;
use crate::source::{Source, Span};

/// The module that the engine itself provides.
pub(crate) const AILERON: &str = "aileron";

/// Its exports.
pub(crate) const AILERON_EXPORTS: &[&str] = &["ErrorType", "IntentType", "ToolError"];

/// A parsed module. Spans refer to `source`, before types were erased.
#[derive(Debug)]
pub(crate) struct Module {
    /// Below the tools folder.
    pub(crate) path: String,
    pub(crate) source: Arc<Source>,
    /// The text that is carried: JavaScript.
    pub(crate) code: String,
    pub(crate) facts: Facts,
    /// How the module gets the context.
    pub(crate) root: Root,
    /// Names of types that TypeScript exports, which are gone in `code`.
    pub(crate) types: BTreeSet<String>,
}

/// The imports, exports and uses of a module.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) imports: Vec<Import>,
    pub(crate) exports: BTreeMap<String, Export>,
    /// The requests of `export * from '...'`.
    pub(crate) stars: Vec<String>,
    /// Where `module.exports` or `exports.x` is assigned.
    pub(crate) common_js: Option<Span>,
    /// Whether the module may have exports that are not listed.
    pub(crate) opaque: bool,
    /// Whether an import names its module by an expression.
    pub(crate) imports_by_expression: bool,
    /// The variables that are read as `process.env.NAME`, and their places.
    pub(crate) environment: Vec<(String, Span)>,
    /// A function `execute` that may lack its `export`.
    pub(crate) private_execute: Option<Span>,
    pub(crate) uses: Uses,
    pub(crate) messages: Messages,
}

/// An edge to another module.
#[derive(Debug)]
pub(crate) struct Import {
    /// As it is written: `./helpers.js`.
    pub(crate) request: String,
    pub(crate) place: Span,
    /// The imported names and their places.
    pub(crate) names: Vec<(String, Span)>,
    /// Whether this is `require(...)`, which finds files without their ending.
    pub(crate) required: bool,
}

/// Something a module exports.
#[derive(Debug, Clone)]
pub(crate) struct Export {
    pub(crate) value: Value,
    pub(crate) place: Span,
}

/// A value, as known without running the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Function,
    /// Certainly no function to call: `a string`.
    Other(&'static str),
    /// Known by another name in the same module.
    Alias(String),
    Imported {
        request: String,
        name: String,
    },
    Unknown,
}
