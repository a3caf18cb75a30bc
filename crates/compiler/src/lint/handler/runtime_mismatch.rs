//! A handler file that its runtime cannot run.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The handler's file does not fit the `runtime` of `schema.json`.
    ///
    /// ## Why
    /// `runtime` decides where the handler runs: `sandbox` (the default) and `node` run JavaScript and
    /// TypeScript, `python` runs Python. `handler.rs` is compiled into the binary and has no runtime.
    /// Node and Python handlers run with the rights of the server, so a file alone does not choose
    /// them: the schema has to say it.
    ///
    /// ## Example
    /// `tools/rank-leads/handler.py` beside a `schema.json` without `runtime`.
    ///
    /// ## Fix
    /// ```json
    /// { "runtime": "python" }
    /// ```
    /// or write the handler in the language of its runtime.
    RUNTIME_MISMATCH, "AIL-H017", "runtime-mismatch", Error
}

/// The handler `name` with the runtime that is declared, or with none.
pub(crate) fn diagnose(
    folder: &Arc<Source>,
    schema: Option<&Document>,
    name: &str,
    declared: Option<&str>,
) -> Diagnostic {
    let found = match declared {
        Some(runtime) => format!("`\"runtime\": \"{runtime}\"`"),
        None => "no `runtime`".to_owned(),
    };
    let message = format!("handler `{name}`: expected {}, found {found}", expected(name));
    let finding = match (schema, declared) {
        (Some(schema), Some(_)) => schema.at_value(&RUNTIME_MISMATCH, "/runtime", message),
        _ => Diagnostic::new(&RUNTIME_MISMATCH, folder, message),
    };
    finding.help(help(name, declared))
}

fn expected(name: &str) -> &'static str {
    match name {
        "handler.py" => "`\"runtime\": \"python\"`",
        "handler.mjs" => "`\"runtime\": \"node\"`",
        "handler.rs" => "no `runtime`",
        _ => "`\"runtime\": \"sandbox\"` or `\"node\"`",
    }
}

fn help(name: &str, declared: Option<&str>) -> &'static str {
    match (name, declared) {
        ("handler.py", Some("node" | "sandbox")) => {
            "set `\"runtime\": \"python\"` in `schema.json`, or write `handler.js`"
        }
        ("handler.py", _) => "add `\"runtime\": \"python\"` to `schema.json`",
        ("handler.mjs", Some("python")) => "set `\"runtime\": \"node\"` in `schema.json`",
        ("handler.mjs", _) => {
            "set `\"runtime\": \"node\"` in `schema.json`, or rename it to `handler.js` to run it in the sandbox"
        }
        ("handler.rs", _) => {
            "remove `runtime` from `schema.json`: a native handler is compiled into the binary"
        }
        _ => {
            "set `\"runtime\": \"node\"`, or remove `runtime` to run it in the sandbox, or write `handler.py`"
        }
    }
}
