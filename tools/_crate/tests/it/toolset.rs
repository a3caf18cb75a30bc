//! The shipped tools as a registry, with their native handlers bound.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use aileron_capability::Natives;
use aileron_compiler::emit::{self, BuildStamp};
use aileron_compiler::{Compilation, Options, compile_folder};
use aileron_contract::{Artifact, ArtifactTool, Handler};
use aileron_runtime::{Handlers, LoadError, Registry};
use aileron_sandbox::JsEngine;

const NATIVE: [&str; 8] = [
    "calendar_create_event",
    "calendar_propose_event",
    "describe_tool",
    "extract_contacts",
    "format_datetime",
    "kb_get",
    "kb_search",
    "rank_results",
];

pub(crate) fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The artifact of the shipped tools.
fn artifact() -> String {
    text(&compile_folder(folder(), &Options::default(), &|_, _| {}))
}

/// The artifact of a compilation.
pub(crate) fn text(compilation: &Compilation) -> String {
    assert!(compilation.succeeded(), "{:?}", compilation.diagnostics);
    let mut text = Vec::new();
    emit::write(&compilation.tools, &BuildStamp::default(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn load(natives: Natives) -> Result<Arc<Registry>, LoadError> {
    let engine = Arc::new(JsEngine::new(aileron_sandbox::Options::default()).unwrap());
    Registry::load(&artifact(), &Handlers { natives, engine: Some(engine), ..Handlers::default() })
}

/// The registry of the shipped tools.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Arc<Registry>> =
        LazyLock::new(|| load(aileron_tools::natives()).unwrap());
    &REGISTRY
}

#[test]
fn every_native_handler_is_bound_by_the_hash_the_compiler_recorded() {
    let artifact = Artifact::read(&artifact()).unwrap();
    let native =
        artifact.tools.iter().filter(|tool| matches!(tool.handler, Handler::Native { .. }));
    let native: Vec<_> = native.map(ArtifactTool::id).collect();
    assert_eq!(native, NATIVE);
    assert_eq!(registry().tools().len(), artifact.tools.len());
}

#[test]
fn a_binary_without_the_handlers_refuses_the_registry() {
    let LoadError::Tools(faults) = load(Natives::default()).unwrap_err() else {
        panic!("the artifact itself was refused");
    };
    assert_eq!(faults.len(), NATIVE.len());
    assert!(faults.iter().all(|fault| fault.why.contains("not in this binary")));
}

#[test]
fn without_any_handler_a_registry_still_has_its_rules() {
    let registry = Registry::load_rules(&artifact()).unwrap();
    let tool = registry.tool("format_datetime").unwrap();
    assert!(tool.prepare(serde_json::json!({}).into()).is_err());
    assert_eq!(registry.version(), self::registry().version());
}
