//! Why a handler was not loaded, for the author.

use std::path::Path;

use aileron_contract::HandlerRuntime;

use crate::interpreter::install_command;
use crate::message::{LoadFault, LoadFaultKind};
use crate::tool_code::ToolCode;

/// The reason, and the way out where there is one.
pub(crate) fn explain(
    fault: &LoadFault,
    code: &ToolCode,
    runtime: HandlerRuntime,
    tools: &Path,
) -> String {
    let entry = &code.entry;
    let at = fault.stack.lines().next().map(|place| format!(" {place}")).unwrap_or_default();
    match (fault.kind, &fault.package) {
        (LoadFaultKind::Package, Some(package)) => {
            let install = install_command(runtime, tools, code.packages.as_ref(), package);
            format!("the package `{package}` is not installed; {install}")
        }
        (LoadFaultKind::NoExecute, _) => match runtime {
            HandlerRuntime::Python => format!("expected a function `execute` in `{entry}`"),
            HandlerRuntime::Node | HandlerRuntime::Sandbox => {
                format!("expected a function `execute` exported by `{entry}`")
            }
        },
        (LoadFaultKind::Syntax, _) => format!("it cannot be parsed: {}{at}", fault.message),
        (LoadFaultKind::Package | LoadFaultKind::TopLevel, _) => {
            format!("`{entry}` fails at its top level: {}{at}", fault.message)
        }
    }
}
