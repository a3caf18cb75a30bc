//! Which capabilities a module takes from the context it is given.
//!
//! `collect` reads the tree once: functions, the names they bind, and every use of a
//! name. `solve` then follows the context from `execute` through aliases, patterns
//! and calls of functions in the same module. Names are told apart by function, not
//! by block. Where the context goes out of sight, `escapes` says so.

mod chain;
mod collect;
mod shape;
mod solve;

use std::collections::BTreeSet;

use aileron_contract::Capability;
use oxc_ast::ast::Program;

use super::parse::range;
use crate::handler::typescript::Offsets;
use crate::source::Span;

/// The field of a context that holds a capability, if there is one of this name.
pub(crate) fn capability_field(name: &str) -> Option<&'static str> {
    Capability::plain_names().chain(["http", "secret"]).find(|known| *known == name)
}

/// Where the context comes into a module.
#[derive(Debug, Clone, Default)]
pub(crate) struct Root {
    /// The export that is the handler, if it is in this module.
    pub(crate) export: Option<String>,
    /// What parameters are called that take the context.
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

/// What a module takes from the context.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub(crate) list: Vec<CapabilityUse>,
    /// Whether the context goes where its uses are not seen.
    pub(crate) escapes: bool,
    /// What the context is called here.
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

/// The uses of a module.
pub(super) fn uses(
    program: &Program<'_>,
    root: &Root,
    entry: Option<&EntryFunction>,
    offsets: &Offsets,
) -> Uses {
    let code = collect::collect(program);
    let mut uses = solve::solve(&code, root, entry);
    for one in &mut uses.list {
        one.place = offsets.original(one.place.clone());
    }
    uses
}
