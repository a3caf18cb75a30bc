//! A global name that the runtime of a handler does not have.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler uses a global that its runtime does not have.
    ///
    /// ## Why
    /// A handler runs in a sandbox with the JavaScript language and nothing around it: no network, no
    /// timers, no files, no environment. The name is not defined when the call runs, so the call fails
    /// with a `ReferenceError`. A handler reaches the outside through the capabilities that it declares,
    /// which are members of `context`. With `"runtime": "node"` the globals of Node.js are there, and
    /// those of browsers are not. A name that is bound in the module, or tested with `typeof` in it, is not
    /// reported.
    ///
    /// ## Example
    /// ```js
    /// const answer = await fetch('https://api.example.com/rates');
    /// const key = process.env.RATES_KEY;
    /// ```
    ///
    /// ## Fix
    /// Declare `http:api.example.com` and `secret:RATES_KEY` in `capabilities`, then:
    /// ```js
    /// const answer = await context.http.fetch('https://api.example.com/rates');
    /// const key = context.secret.get('RATES_KEY');
    /// ```
    /// Or set `"runtime": "node"` in `schema.json`, which makes the handler trusted code. `aileron migrate`
    /// says for each tool of a folder which of the two is enough.
    MISSING_GLOBAL, "AIL-H015", "missing-global", Error
}

const HTTP: &str = "declare `http:<host>` in `capabilities` and call `context.http.fetch(url, { method, headers, body })`";
const TIMERS: &str = "a handler has no timers: do the work immediately, or throw `new ToolError(ErrorType.TRANSIENT, ...)` so that the call is tried again";
const BASE64: &str = "use `Uint8Array.fromBase64(text)` and `bytes.toBase64()`";
const TEXT: &str = "bytes of a text: `Uint8Array.from(unescape(encodeURIComponent(text)), (c) => c.charCodeAt(0))`; text of bytes: `decodeURIComponent(escape(String.fromCharCode(...bytes)))`";
const URLS: &str = "take the address apart with `split` or a regular expression, and build queries with `encodeURIComponent`";
const FILES: &str =
    "a handler runs from the registry alone: write the data as a module and import it by its path";
const PAGE: &str = "there is no page: return the data, and send what the person should see with `context.messaging.send`";
const GLOBAL: &str = "write `globalThis`, or the name itself";
const SHARED: &str =
    "each call runs alone and keeps nothing: use plain variables, and return the result";

/// The runtime whose globals a module may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GlobalsOf {
    Sandbox,
    /// An ES module of Node.js.
    NodeModule,
    /// A CommonJS module of Node.js.
    NodeCommonJs,
}

impl GlobalsOf {
    const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "the sandbox",
            Self::NodeModule => "an ES module of Node.js",
            Self::NodeCommonJs => "Node.js",
        }
    }
}

/// The help for a name that the runtime lacks.
pub(crate) fn way_out(runtime: GlobalsOf, name: &str) -> Option<&'static str> {
    match runtime {
        GlobalsOf::Sandbox => way_out_of_sandbox(name),
        GlobalsOf::NodeModule => way_out_of_common_js(name).or_else(|| way_out_of_browser(name)),
        GlobalsOf::NodeCommonJs => way_out_of_browser(name),
    }
}

/// Names that Node.js has in CommonJS modules alone.
fn way_out_of_common_js(name: &str) -> Option<&'static str> {
    Some(match name {
        "require" => "write `import ... from '...'`",
        "module" | "exports" => "write `export async function execute({ args, context }) { ... }`",
        "__dirname" => "write `import.meta.dirname`",
        "__filename" => "write `import.meta.filename`",
        _ => return None,
    })
}

/// Names that browsers and other servers have, and Node.js has not.
fn way_out_of_browser(name: &str) -> Option<&'static str> {
    Some(match name {
        "XMLHttpRequest" | "EventSource" => "use `fetch`",
        "requestAnimationFrame" => "use `setTimeout`",
        "window" | "self" => GLOBAL,
        "document" | "location" | "localStorage" | "sessionStorage" | "alert" => PAGE,
        "Worker" => "write `import { Worker } from 'node:worker_threads'`",
        "Deno" | "Bun" => {
            "use the modules of Node.js: `import { readFile } from 'node:fs/promises'`"
        }
        _ => return None,
    })
}

fn way_out_of_sandbox(name: &str) -> Option<&'static str> {
    Some(match name {
        "fetch" | "XMLHttpRequest" | "WebSocket" | "EventSource" | "Request" | "Response"
        | "Headers" | "FormData" => HTTP,
        "setTimeout"
        | "setInterval"
        | "setImmediate"
        | "clearTimeout"
        | "clearInterval"
        | "clearImmediate"
        | "requestAnimationFrame" => TIMERS,
        "process" | "Deno" | "Bun" => {
            "declare `secret:<NAME>` in `capabilities` and read it with `context.secret.get('<NAME>')`; the time is `Date.now()`"
        }
        "require" | "module" | "exports" => {
            "write an ES module: `import ... from './file.js'`, `export ...`"
        }
        "__dirname" | "__filename" => FILES,
        "Buffer" => "use `Uint8Array`, with `fromBase64`, `toBase64`, `fromHex` and `toHex`",
        "atob" | "btoa" => BASE64,
        "TextEncoder" | "TextDecoder" => TEXT,
        "URL" | "URLSearchParams" => URLS,
        "crypto" => {
            "an id that is the same when the call is tried again: `context.idempotencyKey`; chance that is no secret: `Math.random()`"
        }
        "Intl" => {
            "format numbers and dates in the handler, or declare `tools` and call `context.tools.call('format_datetime', ...)`"
        }
        "performance" => "use `Date.now()` or `context.now()`",
        "structuredClone" => "use `JSON.parse(JSON.stringify(value))`",
        "AbortController" | "AbortSignal" => {
            "use `context.signal`: the call ends when it is cancelled"
        }
        "window" | "self" | "global" => GLOBAL,
        "document" | "navigator" | "location" | "localStorage" | "sessionStorage" | "alert" => PAGE,
        "Worker" | "SharedArrayBuffer" | "Atomics" | "WeakRef" | "FinalizationRegistry" => SHARED,
        "Blob" | "File" | "ReadableStream" => "use text or `Uint8Array`",
        "WebAssembly" => "write the code in JavaScript",
        _ => return None,
    })
}

pub(crate) fn diagnose(
    source: &Arc<Source>,
    runtime: GlobalsOf,
    name: &str,
    place: Span,
) -> Diagnostic {
    let message = format!(
        "expected names that {} has, found `{name}`, which is not defined there",
        runtime.name()
    );
    let help = way_out(runtime, name).unwrap_or(GLOBAL);
    let help = match runtime == GlobalsOf::Sandbox && is_in_node(name) {
        true => format!("{help}, or {NODE}"),
        false => help.to_owned(),
    };
    Diagnostic::new(&MISSING_GLOBAL, source, message).at(place).help(help)
}

/// Whether a handler with `"runtime": "node"` has a name that the sandbox lacks.
fn is_in_node(name: &str) -> bool {
    // `window` and `self` have no meaning there, and `globalThis` is the better word for `global`.
    name != "global" && way_out(GlobalsOf::NodeCommonJs, name).is_none()
}

const NODE: &str =
    "set `\"runtime\": \"node\"` in `schema.json`, which makes the handler trusted code";
