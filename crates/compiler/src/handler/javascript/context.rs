//! Finds the capabilities that a module uses from its context.
//!
//! `collect` reads the tree once: functions, the names they bind, and every use of a name. `solve`
//! then follows the context from `execute` through aliases, patterns and calls of functions in the
//! same module. Names are distinguished by function, not by block. If the context is passed to code
//! that cannot be analysed, `escapes` is set.

mod chain;
mod collect;
mod shape;
mod solve;
mod uses;

use oxc_ast::ast::Program;

pub(crate) use self::uses::{CapabilityUse, EntryFunction, Root, Uses};
use crate::handler::typescript::Offsets;

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
    for (_, place) in &mut uses.unknown {
        *place = offsets.original(place.clone());
    }
    uses
}
