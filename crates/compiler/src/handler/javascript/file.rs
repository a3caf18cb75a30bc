//! The input of parsing a module: a file, and the types that were erased from it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::context::Root;
use crate::handler::typescript::Offsets;
use crate::source::Source;

/// A file to parse.
pub(crate) struct File {
    /// Below the tools folder.
    pub(crate) path: String,
    pub(crate) source: Arc<Source>,
    pub(crate) root: Root,
}

/// The types that were erased from a TypeScript module.
#[derive(Default)]
pub(crate) struct ErasedTypes {
    pub(crate) offsets: Offsets,
    /// Types that the module exports.
    pub(crate) types: BTreeSet<String>,
    /// Types that the module declares.
    pub(crate) own: BTreeSet<String>,
}
