//! A global name that the sandbox does not have.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler uses a global of browsers or Node that the sandbox does not have.
    ///
    /// ## Why
    /// A handler runs in a sandbox with the JavaScript language and nothing around it: no network, no
    /// timers, no files, no environment. The name is not defined when the call runs, so the call fails
    /// with a `ReferenceError`. A handler reaches the outside through the capabilities that it declares,
    /// which are members of `context`. A name that is bound in the module, or tested with `typeof` in it,
    /// is not reported.
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

/// The help for a name that the sandbox lacks.
pub(crate) fn way_out(name: &str) -> Option<&'static str> {
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
        "WebAssembly" => "write the code in JavaScript, or as a native handler (`handler.rs`)",
        _ => return None,
    })
}

pub(crate) fn diagnose(source: &Arc<Source>, name: &str, place: Span) -> Diagnostic {
    let message =
        format!("expected names that the sandbox has, found `{name}`, which is not defined there");
    let help = way_out(name).unwrap_or(GLOBAL);
    Diagnostic::new(&MISSING_GLOBAL, source, message).at(place).help(help)
}
