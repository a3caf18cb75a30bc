//! A changed tool with the same version.

use aileron_contract::ArtifactTool;
use serde_json::Value;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A version identifies one content of a tool.
    ///
    /// ## Why
    /// Records, metrics and approvals name a tool by its version. When its description, its
    /// documentation or its handler changes under the same version, a record no longer
    /// identifies the tool. Reported only if no other rule finds a change.
    ///
    /// ## Example
    /// `handler.js` returns its results in another order, and `version` is 1.4.2 as before.
    ///
    /// ## Fix
    /// Raise the version. Where only the declarations for the providers changed, because a later
    /// Aileron writes them in another way, `--allow VERSION_RAISED_ON_CHANGE` will do.
    VERSION_RAISED_ON_CHANGE, "VERSION_RAISED_ON_CHANGE", "version-not-raised", Patch
}

/// Reports a change that no other rule found.
pub(in crate::breaking) fn check(
    previous: &ArtifactTool,
    current: &ArtifactTool,
) -> Option<PromiseBreach> {
    let changed = changed(previous, current);
    if changed.is_empty() {
        return None;
    }
    let verb = if changed.len() == 1 { "has" } else { "have" };
    let message = format!("{} {verb} changed", changed.join(", "));
    Some(PromiseBreach::new(&PROMISE, "/version", message))
}

/// The fields that differ, by their names in the source files. Declarations are derived, and are
/// named only if nothing else differs.
fn changed(previous: &ArtifactTool, current: &ArtifactTool) -> Vec<String> {
    let (before, after) = (fields(previous), fields(current));
    let mut names: Vec<_> = before
        .keys()
        .chain(after.keys().filter(|name| !before.contains_key(*name)))
        .filter(|name| before.get(*name) != after.get(*name))
        .collect();
    names.sort_unstable();
    if names.len() > 1 {
        names.retain(|name| *name != "providerSchemas");
    }
    names.into_iter().map(|name| label(name)).collect()
}

fn fields(tool: &ArtifactTool) -> serde_json::Map<String, Value> {
    let mut fields = match serde_json::to_value(tool) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    fields.remove("hash");
    fields.remove("version");
    fields
}

fn label(field: &str) -> String {
    match field {
        "jsonSchema" => "`parameters`".to_owned(),
        "providerSchemas" => "the provider declarations".to_owned(),
        "documentation" | "handler" | "summary" => format!("the {field}"),
        field => format!("`{field}`"),
    }
}
