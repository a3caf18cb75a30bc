//! `[[server.registries]]`: further registries for new conversations, each with a name.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use aileron_orchestrator::assignment::check_name;
use serde::de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

/// One of them: a folder of tools, or a built artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RegistrySettings {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder beside which the Node.js and Python handlers of an artifact find their packages; empty means
    /// the folder of [server] `tools`.
    #[serde(skip_serializing_if = "is_empty")]
    pub(crate) tools: PathBuf,
}

/// The same as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryTable {
    name: String,
    path: PathBuf,
    #[serde(default)]
    tools: PathBuf,
}

impl RegistrySettings {
    /// Reads `name=path`, as flags and variables give it. `None` if the text has no name.
    pub(crate) fn named(text: &str) -> Option<(String, PathBuf)> {
        let (name, path) = text.split_once('=')?;
        let is_name = !name.is_empty() && !name.contains(['/', '\\', '.']);
        is_name.then(|| (name.to_owned(), PathBuf::from(path)))
    }

    /// Makes relative paths relative to this folder.
    pub(super) fn seen_from(&mut self, folder: &Path) {
        for path in [&mut self.path, &mut self.tools] {
            if !is_empty(path) {
                *path = folder.join(&*path);
            }
        }
    }
}

fn is_empty(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

/// The faults of the names and paths, before anything is loaded.
pub(crate) fn faults(registries: &[RegistrySettings]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for RegistrySettings { name, path, .. } in registries {
        if let Err(fault) = check_name(name) {
            faults.push(format!("[[server.registries]]: {fault}"));
        } else if !seen.insert(name) {
            faults.push(format!(
                "[[server.registries]]: expected each name once, found {name:?} again"
            ));
        }
        if is_empty(path) {
            faults.push(format!(
                "[[server.registries]] {name:?}: expected a folder of tools or a built artifact in `path`, \
                 found nothing"
            ));
        }
    }
    faults
}

impl<'de> Deserialize<'de> for RegistrySettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TableOrText)
    }
}

struct TableOrText;

impl<'de> Visitor<'de> for TableOrText {
    type Value = RegistrySettings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with `name` and `path`, or `name=path`")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RegistrySettings, E> {
        let (name, path) = RegistrySettings::named(text)
            .ok_or_else(|| E::custom(format!("expected `name=path`, found {text:?}")))?;
        Ok(RegistrySettings { name, path, tools: PathBuf::new() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RegistrySettings, A::Error> {
        let table = RegistryTable::deserialize(MapAccessDeserializer::new(map));
        let RegistryTable { name, path, tools } = table.map_err(A::Error::custom)?;
        Ok(RegistrySettings { name, path, tools })
    }
}

#[cfg(test)]
#[path = "registries_tests.rs"]
mod tests;
