//! The shipped tools and those of the tests, compiled and loaded once.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use aileron_capability::{Native, native};
use aileron_compiler::emit::{self, BuildStamp};
use aileron_compiler::{Memory, Options, compile};
use aileron_contract::Artifact;
use aileron_runtime::{Handlers, Registry};
use aileron_sandbox::JsEngine;
use serde_json::Value;

#[allow(unreachable_pub)]
#[path = "../../orchestrator/tests/tools/native-panic/handler.rs"]
mod native_panic;

/// The toolset of most scripts.
pub static ALL: LazyLock<Arc<Registry>> =
    LazyLock::new(|| load(&[SHIPPED, FOR_TESTS], Modes::AsDeclared));

/// Another version: the shipped tools alone.
pub static OTHER: LazyLock<Arc<Registry>> = LazyLock::new(|| load(&[SHIPPED], Modes::AsDeclared));

/// The tools of [`ALL`] without limits that hold in one mode only.
pub static ALIKE: LazyLock<Arc<Registry>> =
    LazyLock::new(|| load(&[SHIPPED, FOR_TESTS], Modes::Alike));

/// The treatment of mode limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Modes {
    AsDeclared,
    Alike,
}

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools");
const FOR_TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../orchestrator/tests/tools");

static ENGINE: LazyLock<Arc<JsEngine>> =
    LazyLock::new(|| Arc::new(JsEngine::new(aileron_sandbox::Options::default()).unwrap()));

fn load(folders: &[&str], modes: Modes) -> Arc<Registry> {
    let mut tree = Memory::new("tools");
    for folder in folders {
        gather(&mut tree, Path::new(folder), "", modes);
    }
    let compilation = compile(&tree, &Options::default(), &|_, _| {});
    assert!(compilation.succeeded(), "{:?}", compilation.diagnostics);
    let mut artifact = Vec::new();
    emit::write(&compilation.tools, &BuildStamp::default(), &mut artifact).unwrap();
    let artifact = String::from_utf8(artifact).unwrap();
    let natives = aileron_tools::natives().with(panicking(&artifact));
    Registry::load(
        &artifact,
        &Handlers { natives, engine: Some(ENGINE.clone()), ..Handlers::default() },
    )
    .unwrap()
}

/// Every file of the directories of a folder; `_crate` has no tools.
fn gather(tree: &mut Memory, folder: &Path, under: &str, modes: Modes) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{under}{name}");
        if entry.path().is_dir() && name != "_crate" {
            gather(tree, &entry.path(), &format!("{path}/"), modes);
        } else if !under.is_empty() && entry.path().is_file() {
            let bytes = fs::read(entry.path()).unwrap();
            let is_schema = modes == Modes::Alike && name == "schema.json";
            tree.insert(path, if is_schema { alike(&bytes) } else { bytes });
        }
    }
}

/// A schema without limits for one mode.
fn alike(schema: &[u8]) -> Vec<u8> {
    let mut schema: Value = serde_json::from_slice(schema).unwrap();
    schema.as_object_mut().unwrap().remove("modeLimits");
    serde_json::to_vec(&schema).unwrap()
}

/// The native test tool, bound by the hash that the compiler recorded for its source.
fn panicking(artifact: &str) -> Native {
    let artifact = Artifact::read(artifact).unwrap();
    let tool = artifact.tools.iter().find(|tool| tool.id() == "native_panic");
    let hash = tool.map_or_else(String::new, |tool| tool.handler.hash().to_string());
    Native {
        tool: "native_panic",
        hash: hash.leak(),
        run: |args, context| native::call(native_panic::execute, args, context),
    }
}
