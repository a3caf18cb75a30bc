//! A registry made of `schema.json` files alone, without the other passes of
//! the compiler: fixed documentation, and a native handler unless there is a
//! `handler.js`.

use std::collections::BTreeMap;
use std::path::Path;

use aileron_contract::artifact::{self, ArtifactSpec, FORMAT_VERSION};
use aileron_contract::{Artifact, ArtifactTool, ContentHash, Handler, ToolSpec};
use semver::Version;

/// Reads the tools of a folder; a folder that is not there has none.
pub(crate) fn read(folder: &Path) -> Artifact {
    let entries = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().collect())
        .unwrap_or_else(|_| Vec::new());
    let mut tools: Vec<_> = entries.iter().map(|entry| tool(&entry.path())).collect();
    tools.sort_by(|a, b| a.id().cmp(b.id()));
    of_tools(tools)
}

/// A registry of tools, with the hashes they really have.
pub(crate) fn of_tools(mut tools: Vec<ArtifactTool>) -> Artifact {
    for tool in &mut tools {
        tool.hash = artifact::tool_hash(&mut serde_json::to_value(&*tool).unwrap());
    }
    let content_hash = artifact::content_hash(tools.iter().map(|tool| &tool.hash));
    Artifact {
        version: artifact::version_of(&content_hash),
        content_hash,
        format_version: FORMAT_VERSION,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools,
    }
}

/// Raises the version of a tool, if it is not that high already.
pub(crate) fn raise(registry: &mut Artifact, id: &str, version: &Version) {
    let tool = registry.tools.iter_mut().find(|tool| tool.id() == id).unwrap();
    let spec = &mut tool.spec.0;
    spec.version = spec.version.clone().max(version.clone());
}

fn tool(folder: &Path) -> ArtifactTool {
    let text = std::fs::read_to_string(folder.join("schema.json")).unwrap();
    let spec =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    of_spec(spec, handler(folder))
}

fn of_spec(spec: ToolSpec, handler: Handler) -> ArtifactTool {
    ArtifactTool {
        spec: ArtifactSpec(spec),
        hash: ContentHash::of_bytes(b""),
        provider_schemas: BTreeMap::new(),
        summary: "Finds records.".to_owned(),
        documentation: "# tool\n\nFinds records.".to_owned(),
        handler,
    }
}

fn handler(folder: &Path) -> Handler {
    let Ok(code) = std::fs::read_to_string(folder.join("handler.js")) else {
        return Handler::Native { hash: ContentHash::of_bytes(b"native") };
    };
    let entry = "tool/handler.js".to_owned();
    let modules = BTreeMap::from([(entry.clone(), code)]);
    let hash = artifact::code_hash(&entry, &modules);
    Handler::Javascript { entry, modules, hash }
}
