//! Registries for measurements, built without a compiler.

use std::collections::BTreeMap;

use aileron_contract::artifact::{
    ArtifactSpec, FORMAT_VERSION, code_hash, content_hash, tool_hash, version_of,
};
use aileron_contract::{Artifact, ArtifactTool, ContentHash, Handler, ToolSpec, WorkerCode};
use serde_json::{Value, json};

/// The placeholder for the hash of native code.
pub(crate) const NATIVE_HASH: &str = "native";

/// The code of a tool.
#[derive(Clone, Copy)]
pub(crate) enum Code {
    Native,
    JavaScript(&'static str),
    Node(&'static str),
    Python(&'static str),
}

/// The text of a registry of these tools.
pub(crate) fn text(tools: &[(Value, Code)]) -> Result<String, String> {
    let made: Result<Vec<_>, String> = tools.iter().map(|(spec, code)| tool(spec, *code)).collect();
    let mut tools = made?;
    tools.sort_by(|a, b| a.id().cmp(b.id()));
    let content_hash = content_hash(tools.iter().map(|tool| &tool.hash));
    let artifact = Artifact {
        version: version_of(&content_hash),
        content_hash,
        format_version: FORMAT_VERSION,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools,
    };
    serde_json::to_string(&artifact).map_err(|error| error.to_string())
}

fn tool(spec: &Value, code: Code) -> Result<ArtifactTool, String> {
    let spec: ToolSpec = serde_json::from_value(spec.clone()).map_err(|error| error.to_string())?;
    let folder = spec.tool_id.directory();
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(spec),
        hash: ContentHash::of_bytes(b""),
        provider_schemas: BTreeMap::new(),
        summary: String::new(),
        documentation: String::new(),
        handler: handler(code, &folder)?,
    };
    let mut written = serde_json::to_value(&tool).map_err(|error| error.to_string())?;
    tool.hash = tool_hash(&mut written);
    Ok(tool)
}

fn worker_code(file: &str, source: &str, tool: &str) -> WorkerCode {
    let entry = format!("{tool}/{file}");
    let modules = BTreeMap::from([(entry.clone(), source.to_owned())]);
    WorkerCode::new(entry, modules, None)
}

fn handler(code: Code, tool: &str) -> Result<Handler, String> {
    match code {
        Code::Native => {
            let hash = serde_json::from_value(json!(NATIVE_HASH)).map_err(|e| e.to_string())?;
            Ok(Handler::Native { hash })
        }
        Code::JavaScript(source) => {
            let entry = "tool/handler.js".to_owned();
            let modules = BTreeMap::from([(entry.clone(), source.to_owned())]);
            let hash = code_hash(&entry, &modules);
            Ok(Handler::Javascript { entry, modules, hash })
        }
        Code::Node(source) => Ok(Handler::Node(worker_code("handler.mjs", source, tool))),
        Code::Python(source) => Ok(Handler::Python(worker_code("handler.py", source, tool))),
    }
}
