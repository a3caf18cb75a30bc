//! Resolves import specifiers.

use super::module::AILERON;
use crate::lint::handler::foreign_import::ForeignReason;

/// The endings of modules.
const MODULES: &[&str] = &[".js", ".mjs", ".ts", ".mts"];

/// Modules of Node that are often imported without `node:`.
const NODE: &[&str] = &[
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// The target of an import, from its text alone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The module that the engine provides.
    Aileron,
    /// A path below the tools folder.
    Module(String),
    /// A path below the tools folder without the ending of a module.
    Unnamed(String),
    Outside,
    Foreign(ForeignReason),
}

/// The target of `request` in the module `from`.
pub(crate) fn resolve(from: &str, request: &str) -> Target {
    if request == AILERON {
        return Target::Aileron;
    }
    let relative = ["./", "../"].iter().any(|start| request.starts_with(start));
    if relative || matches!(request, "." | "..") {
        return resolve_relative(from, request);
    }
    if request.starts_with('/') {
        return Target::Outside;
    }
    Target::Foreign(foreign(request))
}

fn foreign(request: &str) -> ForeignReason {
    let package = request.split('/').next().unwrap_or(request);
    if package == AILERON {
        ForeignReason::Deep
    } else if request.starts_with('#') {
        ForeignReason::Alias
    } else if request.starts_with("node:") || NODE.contains(&package) {
        ForeignReason::Node
    } else if request.contains(':') {
        ForeignReason::Url
    } else {
        ForeignReason::Package
    }
}

/// The package of a bare import: `@scope/name/file.js` is a file of `@scope/name`.
pub(crate) fn package(request: &str) -> &str {
    let parts = if request.starts_with('@') { 2 } else { 1 };
    let end = request.match_indices('/').nth(parts - 1).map_or(request.len(), |(at, _)| at);
    request.get(..end).unwrap_or(request)
}

fn resolve_relative(from: &str, request: &str) -> Target {
    let Some(path) = join(directory(from), request) else { return Target::Outside };
    let name = path.rsplit('/').next().unwrap_or_default();
    if MODULES.iter().any(|ending| name.ends_with(ending)) {
        return Target::Module(path);
    }
    match name.rsplit_once('.') {
        Some((_, "json")) => Target::Foreign(ForeignReason::Json),
        Some((
            _,
            "cjs" | "cts" | "jsx" | "tsx" | "rs" | "wasm" | "node" | "css" | "txt" | "md",
        )) => Target::Foreign(ForeignReason::NotAModule),
        _ => Target::Unnamed(path),
    }
}

/// The directory of a path.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Joins a relative path to a directory; `None` when it leaves the tools folder.
fn join(directory: &str, request: &str) -> Option<String> {
    let mut steps: Vec<&str> = directory.split('/').filter(|step| !step.is_empty()).collect();
    for step in request.split('/') {
        match step {
            "." => {}
            ".." => {
                steps.pop()?;
            }
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

/// The specifier for a path, relative to a module.
pub(crate) fn relative(from: &str, path: &str) -> String {
    let own: Vec<&str> = directory(from).split('/').filter(|step| !step.is_empty()).collect();
    let there: Vec<&str> = path.split('/').collect();
    let shared = own.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(own.len() - shared);
    let down = there.get(shared..).unwrap_or_default().join("/");
    if up.is_empty() { format!("./{down}") } else { format!("{up}{down}") }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
