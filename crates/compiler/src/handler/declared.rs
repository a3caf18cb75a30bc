//! The capabilities that `schema.json` declares, and the environment of a worker that follows from
//! them.

use std::sync::Arc;

use aileron_contract::Capability;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::lint::handler::undeclared_environment;
use crate::source::{Source, Span};

/// The place of the list in `schema.json`.
pub(super) const POINTER: &str = "/capabilities";

/// Variables that a worker has without a declaration.
const ENVIRONMENT: &[&str] =
    &["HOME", "LANG", "NODE_ENV", "PATH", "PWD", "TEMP", "TMP", "TMPDIR", "TZ", "USER"];

/// The declared capabilities with their place in the list; `None` if the list is invalid, which
/// another rule reports.
pub(super) fn declared(schema: &Document) -> Option<Vec<(usize, &str)>> {
    schema.value.as_object()?;
    let Some(list) = schema.get(POINTER) else { return Some(Vec::new()) };
    let list = list.as_array()?.iter().map(Value::as_str).enumerate();
    Some(list.filter_map(|(index, name)| Some((index, name?))).collect())
}

/// The field of a context that holds a capability, if there is one of this name.
pub(super) fn capability_field(name: &str) -> Option<&'static str> {
    Capability::plain_names().chain(["http", "secret"]).find(|known| *known == name)
}

/// Reports a variable of the environment that a worker does not have.
pub(super) fn check_variable(
    source: &Arc<Source>,
    name: &str,
    place: Span,
    declared: &[(usize, &str)],
    found: &mut Vec<Diagnostic>,
) {
    let is_secret = format!("secret:{name}").parse::<Capability>().is_ok();
    let is_declared = declared.iter().any(|(_, it)| it.strip_prefix("secret:") == Some(name));
    if is_secret && !is_declared && !ENVIRONMENT.contains(&name) && !name.starts_with("LC_") {
        found.push(undeclared_environment::diagnose(source, name, place));
    }
}
