//! What is told on stderr while a call goes on.

use aileron_contract::ConversationId;
use aileron_orchestrator::{Audience, Event};
use aileron_runtime::Registry;

use crate::output::{self, tame};

/// The capabilities whose engines this command does not have, with their names for people.
const ABSENT: [(&str, &str); 2] = [("calendar", "calendar"), ("images", "image engine")];

/// Prints what handlers and rules have to say.
#[derive(Debug)]
pub(super) struct Stderr;

impl Audience for Stderr {
    fn see(&self, _: &ConversationId, event: Event) {
        if let Some(line) = event.line() {
            output::talk(&tame(&line));
        }
    }
}

/// Says which engines the tool will not find.
pub(super) fn warn_of_absent_engines(registry: &Registry, tool: &str) {
    let Some(tool) = registry.tool(tool) else { return };
    let spec = tool.spec();
    let declared = |(name, _): &&(&str, &str)| spec.capabilities.iter().any(|it| it == name);
    for (_, engine) in ABSENT.iter().filter(declared) {
        output::talk(&format!("no {engine} is configured; `{}` will be told so", spec.tool_id));
    }
}
