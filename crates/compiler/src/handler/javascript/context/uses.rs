//! How a module gets the context, and the capabilities that it uses from it.

use std::collections::BTreeSet;

use crate::source::Span;

/// How the context enters a module.
#[derive(Debug, Clone, Default)]
pub(crate) struct Root {
    /// The export that is the handler, if it is in this module.
    pub(crate) export: Option<String>,
    /// The names of the parameters that take the context.
    pub(crate) names: BTreeSet<String>,
}

/// The function that a call of the tool begins with.
#[derive(Debug, Clone)]
pub(crate) enum EntryFunction {
    /// Bound to a name at the top level.
    Named(String),
    /// At a place in the carried text.
    At(u32),
}

/// The capabilities that a module uses.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub(crate) list: Vec<CapabilityUse>,
    /// Members that no context has, with the place of each, which ends with the name.
    pub(crate) unknown: Vec<(String, Span)>,
    /// Whether the context is passed to code whose uses cannot be seen.
    pub(crate) escapes: bool,
    /// The names of the context in this module.
    pub(crate) names: BTreeSet<String>,
}

/// One use of a capability.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CapabilityUse {
    pub(crate) capability: &'static str,
    /// The literal name of the secret.
    pub(crate) secret: Option<String>,
    pub(crate) place: Span,
}
