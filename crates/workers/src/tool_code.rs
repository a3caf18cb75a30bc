//! The code of one tool.

use std::sync::Arc;

use aileron_capability::foreign::CapabilityShape;
use aileron_contract::Packages;

/// A handler that a worker can load.
#[derive(Debug)]
pub(crate) struct ToolCode {
    pub(crate) tool: String,
    pub(crate) entry: String,
    pub(crate) shapes: Arc<[CapabilityShape]>,
    /// Whether modules have the extension `.ts`.
    pub(crate) has_typescript: bool,
    pub(crate) packages: Option<Packages>,
    /// The names of declared secrets.
    pub(crate) secrets: Vec<String>,
}
