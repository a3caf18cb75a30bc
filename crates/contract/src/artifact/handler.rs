//! The code of a tool in the artifact.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::hash::ContentHash;

/// The code of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Handler {
    /// ES modules by their path below the tools folder; `entry` exports `execute`.
    Javascript { entry: String, modules: BTreeMap<String, String>, hash: ContentHash },
    /// Compiled into the binary; the hash is of its sources.
    Native { hash: ContentHash },
    /// Run by Node.js in a worker process.
    Node(WorkerCode),
    /// Run by Python in a worker process.
    Python(WorkerCode),
}

/// The code of a handler that runs in a worker process, with the rights of the server's own user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkerCode {
    /// The file that has `execute`.
    pub entry: String,
    /// The files by their path below the tools folder.
    pub modules: BTreeMap<String, String>,
    /// The packages that the code may import; absent: none but those of the runtime itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packages: Option<Packages>,
    /// Always true: nothing contains such code.
    pub trusted: bool,
    pub hash: ContentHash,
}

/// The manifest of the packages of a handler. The packages themselves are not in the artifact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Packages {
    /// The path of `package.json`, `requirements.txt` or `pyproject.toml`, relative to the tools
    /// folder: `kb-search/package.json`, `package.json`, `../package.json`.
    pub manifest: String,
    /// The name of the lock file beside it, and the hash of its text; a manifest without one is its
    /// own lock.
    pub lock: String,
    pub lock_hash: ContentHash,
}

impl Handler {
    /// The hash of the handler's code.
    pub fn hash(&self) -> &ContentHash {
        match self {
            Self::Javascript { hash, .. } | Self::Native { hash } => hash,
            Self::Node(code) | Self::Python(code) => &code.hash,
        }
    }

    /// Where the code runs: `sandbox`, `native`, `node` or `python`.
    pub const fn runtime(&self) -> &'static str {
        match self {
            Self::Javascript { .. } => "sandbox",
            Self::Native { .. } => "native",
            Self::Node(_) => "node",
            Self::Python(_) => "python",
        }
    }

    /// Whether the code has the rights of the server without being part of its binary.
    pub const fn is_trusted(&self) -> bool {
        matches!(self, Self::Node(_) | Self::Python(_))
    }

    /// The hash computed from the modules.
    pub(super) fn actual_hash(&self) -> ContentHash {
        match self {
            Self::Javascript { entry, modules, .. } => code_hash(entry, modules),
            Self::Native { hash } => hash.clone(),
            Self::Node(code) | Self::Python(code) => code.actual_hash(),
        }
    }
}

impl WorkerCode {
    /// The code with its hash.
    pub fn new(
        entry: String,
        modules: BTreeMap<String, String>,
        packages: Option<Packages>,
    ) -> Self {
        let hash = worker_hash(&entry, &modules, packages.as_ref());
        Self { entry, modules, packages, trusted: true, hash }
    }

    fn actual_hash(&self) -> ContentHash {
        worker_hash(&self.entry, &self.modules, self.packages.as_ref())
    }
}

fn worker_hash(
    entry: &str,
    modules: &BTreeMap<String, String>,
    packages: Option<&Packages>,
) -> ContentHash {
    ContentHash::of_value(&json!({ "entry": entry, "modules": modules, "packages": packages }))
}

/// The hash of a handler: its entry and its modules, by their path below the tools folder.
pub fn code_hash(entry: &str, modules: &BTreeMap<String, String>) -> ContentHash {
    ContentHash::of_value(&json!({ "entry": entry, "modules": modules }))
}
