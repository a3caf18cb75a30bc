//! The handlers this repository ships, as they are.

use aileron_capability::foreign::{CapabilityShape, HandlerFault};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_sandbox::{JsEngine, SandboxCall, Script, Sources};
use serde_json::{Value, json};

use crate::sandbox::{Bench, call, over_both, plain_call};
use crate::world::World;

over_both!(every_shipped_handler_loads, shipped_handlers_run);

fn tools() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools")
}

/// The JavaScript files of a folder, by their path below `tools/`.
fn modules(folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(tools().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let scripts = entries.filter(|path| path.extension().is_some_and(|ending| ending == "js"));
    let named = |path: PathBuf| format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
    scripts.map(|path| (named(path.clone()), fs::read_to_string(path).unwrap())).collect()
}

fn load_shipped(engine: &JsEngine, folder: &str) -> Script {
    let modules: BTreeMap<_, _> = modules(folder).into_iter().chain(modules("_lib")).collect();
    let voice = CapabilityShape {
        name: "voice".into(),
        methods: Vec::new(),
        sync: vec!["isActive".into()],
    };
    let entry = format!("{folder}/handler.js");
    engine.load(Sources::new(folder, &entry, &modules, vec![voice])).unwrap()
}

fn every_shipped_handler_loads(bench: &Bench) {
    let engine = bench.engine();
    let folders = fs::read_dir(tools()).unwrap().map(|entry| entry.unwrap());
    let names = folders.map(|folder| folder.file_name().to_string_lossy().into_owned());
    let names: Vec<_> =
        names.filter(|name| tools().join(name).join("handler.js").exists()).collect();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        load_shipped(&engine, &name);
    }
}

fn run(engine: &JsEngine, folder: &str, args: Value) -> Result<Value, HandlerFault> {
    let script = load_shipped(engine, folder);
    let world = Arc::new(World::default());
    call(engine, &script, SandboxCall { args, ..plain_call(&world) })
}

fn shipped_handlers_run(bench: &Bench) {
    let engine = bench.engine();
    let args = json!({ "subject": "a lighthouse", "style": "photo", "variants": 1 });
    let outcome = run(&engine, "image-draft-prompt", args).unwrap();
    assert_eq!(outcome["data"]["variants"][0]["label"], "balanced");
    let args = json!({ "reason": "user_requested", "after": "immediate" });
    let outcome = run(&engine, "end-voice-session", args).unwrap();
    let expected = json!([{ "type": "END_VOICE_SESSION", "after": "immediate" }]);
    assert_eq!(outcome["intents"], expected);
    let outcome = run(&engine, "start-voice-session", json!({}));
    let Err(HandlerFault::Thrown(thrown)) = outcome else { panic!("{outcome:?}") };
    assert_eq!((thrown.message.as_str(), thrown.retryable), ("voice is already on", Some(false)));
}
