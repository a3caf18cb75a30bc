//! Compares the native handlers of a toolset with those that a binary has.

use std::path::Path;

use aileron_contract::{Handler, ToolId};
use serde::Deserialize;

use crate::compilation::{Compilation, CompiledTool};
use crate::lint::handler::native_not_built;
pub use crate::lint::handler::native_not_built::NativeFault;
use crate::source::Source;

/// Finds a native handler by its tool and the hash of its sources.
pub type FindNative<'f> = &'f dyn Fn(&ToolId, &str) -> Result<(), NativeFault>;

/// The fields read from a tool's entry.
#[derive(Deserialize)]
struct NativeEntry {
    handler: Handler,
}

impl Compilation {
    /// Reports every native handler of the folder that `find` does not find by its tool and the hash of its sources.
    /// Such a tool is left out of the compilation.
    pub fn check_natives(
        &mut self,
        folder: &Path,
        find: impl Fn(&ToolId, &str) -> Result<(), NativeFault>,
    ) {
        let faults = self.tools.iter().filter_map(|tool| {
            let fault = native_hash(tool).and_then(|hash| find(&tool.id, &hash).err())?;
            Some((tool.id.clone(), fault))
        });
        for (id, fault) in faults.collect::<Vec<_>>() {
            let path = folder.join(id.directory()).join("handler.rs");
            let source = Source::new(path.to_string_lossy().replace('\\', "/"), "");
            self.fail(&id, native_not_built::diagnose(&source, fault));
        }
    }
}

/// The hash of the sources, if the handler is native. Most are not, and are not parsed.
pub(crate) fn native_hash(tool: &CompiledTool) -> Option<String> {
    if !tool.json.contains("\"kind\":\"native\"") {
        return None;
    }
    let coded: NativeEntry = serde_json::from_str(&tool.json).ok()?;
    match coded.handler {
        Handler::Native { hash } => Some(hash.as_str().to_owned()),
        Handler::Javascript { .. } | Handler::Node(_) | Handler::Python(_) => None,
    }
}
