//! A whole toolset: each tool gets the same result as alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::artifact::{ArtifactSpec, code_hash, content_hash, tool_hash, version_of};
use aileron_contract::{Artifact, ArtifactTool, ContentHash, Handler};
use aileron_runtime::{Handlers, LoadError, Registry, ToolFault};
use aileron_sandbox::{JsEngine, SandboxCall, Script, Sources};
use serde_json::json;

use crate::sandbox::{Bench, call, over_both, plain_call};
use crate::world::World;

over_both!(every_tool_has_its_own_verdict, a_good_toolset_loads_and_runs);

const EXECUTE: &str = "export async function execute() { return 1; }";

/// Top levels that fail, and some that would affect the next tool.
const TOP_LEVELS: &[&str] = &[
    "Object.prototype.leaked = 1;",
    "if ({}.leaked) throw new Error('leaked');",
    "Array.prototype.map = null; globalThis.left = 1; JSON.parse = null; Error.prototype.toString = null;",
    "if (globalThis.left) throw new Error('left'); [1].map((x) => x); JSON.parse('1');",
    "Error.stackTraceLimit = 0; Error.prepareStackTrace = () => 'mine';",
    "if (!String(new Error('x').stack).includes('handler.js')) throw new Error('no stack');",
    "import { ToolError } from 'aileron'; ToolError.prototype.note = 1; ToolError.note = 1;",
    "import { ToolError } from 'aileron'; if (ToolError.note || ToolError.prototype.note) throw new Error('note');",
    "import { state } from '../_core/state.js'; state.ready = true;",
    "import { state } from '../_core/state.js'; if (!state.ready) throw new Error('not ready');",
    "Object.getPrototypeOf(function* () {}.prototype).next = () => ({ done: true });",
    "if ([...(function* () { yield 1; })()].length !== 1) throw new Error('no generator');",
    "Object.getPrototypeOf(async function () {}).leaked = 1; Object.getPrototypeOf([].values()).next = null;",
    "for (const x of [1]) if ((async () => {}).leaked) throw new Error('leaked');",
    "throw new Error('early');",
    "throw { name: 'Odd', message: 'thing' };",
    "await new Promise(() => {});",
    "await Promise.reject(new TypeError('later'));",
    "(function f() { f(); })();",
    "const a = []; while (true) a.push(new Uint8Array(1_000_000));",
    "while (true);",
    "import './none.js';",
    "import { nothing } from 'aileron';",
    "import { nothing } from '../_core/state.js';",
    "export let 5;",
    "const wait = await import('../_core/state.js'); wait.state.ready = wait.state.ready || 1;",
    "class Mine extends Error { constructor() { super('mine'); this.name = 'Mine'; } } new Mine();",
    "const own = {}; own.toString = () => 'own'; String(own);",
    "Math.random(); Date.now(); new Date(); console.log('x');",
];

/// The modules of one tool.
struct Code(BTreeMap<String, String>);

impl Code {
    fn new(number: usize, top_level: &str, execute: &str) -> Self {
        let handler = format!("{top_level}\n{execute}");
        let state = "export const state = { ready: false };".to_owned();
        Self([(entry(number), handler), ("_core/state.js".to_owned(), state)].into())
    }
}

fn entry(number: usize) -> String {
    format!("tool-{number:03}/handler.js")
}

fn id(number: usize) -> String {
    format!("tool_{number:03}")
}

/// Each top level between two tools without any, then tools without `execute` and many that are well.
fn codes() -> Vec<Code> {
    let mut tops: Vec<_> =
        TOP_LEVELS.iter().flat_map(|top| [(*top, EXECUTE), ("", EXECUTE)]).collect();
    tops.extend([("", ""), ("export const execute = 1;", "")]);
    tops.extend([("const well = 1;", EXECUTE); 40]);
    let numbered = tops.into_iter().enumerate();
    numbered.map(|(number, (top, execute))| Code::new(number, top, execute)).collect()
}

fn artifact(codes: &[Code]) -> String {
    let tools: Vec<_> = codes.iter().enumerate().map(|(number, code)| tool(number, code)).collect();
    let content_hash = content_hash(tools.iter().map(|tool| &tool.hash));
    let artifact = Artifact {
        version: version_of(&content_hash),
        content_hash,
        format_version: 1,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools,
    };
    serde_json::to_string(&artifact).unwrap()
}

fn tool(number: usize, code: &Code) -> ArtifactTool {
    let spec = json!({
        "toolId": id(number), "version": "1.0.0", "description": "A tool.", "category": "utility",
        "sideEffects": "none", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text"], "latencyBudgetMs": 1000,
        "parameters": { "type": "object", "additionalProperties": false },
    });
    let (entry, modules) = (entry(number), code.0.clone());
    let hash = code_hash(&entry, &modules);
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(serde_json::from_value(spec).unwrap()),
        hash: ContentHash::of_bytes(b""),
        provider_schemas: BTreeMap::new(),
        summary: String::new(),
        documentation: String::new(),
        handler: Handler::Javascript { entry, modules, hash },
    };
    tool.hash = tool_hash(&mut serde_json::to_value(&tool).unwrap());
    tool
}

fn alone(engine: &JsEngine, number: usize, code: &Code) -> Result<Script, ToolFault> {
    let sources = Sources::new(&id(number), &entry(number), &code.0, Vec::new());
    let loaded = engine.load(sources);
    loaded.map_err(|error| ToolFault { tool: id(number), why: error.to_string() })
}

fn handlers(engine: &Arc<JsEngine>) -> Handlers {
    Handlers { engine: Some(engine.clone()), ..Handlers::default() }
}

fn every_tool_has_its_own_verdict(bench: &Bench) {
    let engine = bench.limited(|limits| limits.cpu = Duration::from_millis(300)).engine();
    let codes = codes();
    let LoadError::Tools(together) =
        Registry::load(&artifact(&codes), &handlers(&engine)).unwrap_err()
    else {
        panic!("the artifact is well");
    };
    let alone = codes.iter().enumerate().map(|(number, code)| alone(&engine, number, code));
    let alone: Vec<_> = alone.filter_map(Result::err).collect();
    assert_eq!(together, alone);
    // The two without `execute`, and of the top levels those that fail by themselves.
    assert_eq!(alone.len(), 2 + 12, "{alone:#?}");
}

fn a_good_toolset_loads_and_runs(bench: &Bench) {
    let engine = bench.engine();
    let codes: Vec<_> = (0..40).map(|number| Code::new(number, "", EXECUTE)).collect();
    let registry = Registry::load(&artifact(&codes), &handlers(&engine)).unwrap();
    assert_eq!(registry.tools().len(), 40);
    let world = Arc::new(World::default());
    let script = alone(&engine, 7, &codes[7]).unwrap();
    let call_it = || call(&engine, &script, SandboxCall { args: json!({}), ..plain_call(&world) });
    assert_eq!((call_it(), call_it()), (Ok(json!(1)), Ok(json!(1))));
}
