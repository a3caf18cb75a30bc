//! The input of parsing a module: a file, and the types that were erased from it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::context::Root;
use crate::handler::typescript::Offsets;
use crate::lint::handler::foreign_import::ForeignReason;
use crate::source::Source;

/// A file to parse.
pub(crate) struct File {
    /// Below the tools folder.
    pub(crate) path: String,
    pub(crate) source: Arc<Source>,
    pub(crate) root: Root,
    pub(crate) host: ModuleHost,
}

/// The runtime that a module is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModuleHost {
    Sandbox,
    Node(JsFiles),
}

impl ModuleHost {
    /// Whether a foreign import is resolved at run time.
    pub(crate) fn has(self, foreign: ForeignReason) -> bool {
        self != Self::Sandbox && matches!(foreign, ForeignReason::Node | ForeignReason::Package)
    }
}

/// The modules that `.js` files of a Node.js project may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsFiles {
    /// ES modules, because `package.json` has `"type": "module"`.
    EsModules,
    /// ES or CommonJS modules, by their syntax.
    Either,
}

impl File {
    /// Whether the file may be a CommonJS module.
    pub(crate) fn may_be_common_js(&self) -> bool {
        self.host == ModuleHost::Node(JsFiles::Either) && self.path.ends_with(".js")
    }
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
