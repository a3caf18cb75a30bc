//! Loads registries that conversations began with and that are no longer in memory.

use std::fmt;
use std::sync::Arc;

use aileron_runtime::Registry;

/// Loads earlier registries.
pub trait Archive: Send + Sync + fmt::Debug {
    /// The registry of this version, `None` if there is none, or why it cannot be loaded. May block.
    fn load(&self, version: &str) -> Result<Option<Arc<Registry>>, String>;
}
